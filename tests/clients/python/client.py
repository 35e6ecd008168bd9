"""The Python SDK of the protocol against one gateway: `client.py URL TOKEN MODE [NAMESPACE]`.

MODE is `auto` (probe, then fall back) or `legacy` (handshake). NAMESPACE, when given, travels as a header.
One JSON line on standard output tells what the client saw.
"""

import asyncio
import json
import sys
from typing import Any

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError


async def outcome(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call as either a tool result or the protocol error in its place."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}
    text = "\n".join(block.text for block in result.content if block.type == "text")
    seen: dict[str, Any] = {"isError": bool(result.is_error), "text": text}
    if result.structured_content is not None:
        seen["structured"] = result.structured_content
    return seen


async def report(url: str, token: str, mode: str, namespace: str | None) -> dict[str, Any]:
    """Connects, lists and calls."""
    headers = {"Authorization": f"Bearer {token}"}
    if namespace is not None:
        headers["X-Namespace"] = namespace
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, read_timeout_seconds=30) as client,
    ):
        return {
            "client": "python",
            "mode": mode,
            "protocol": client.protocol_version,
            "tools": sorted(tool.name for tool in (await client.list_tools()).tools),
            "hello": await outcome(client, "say_hello", {"name": "Ada"}),
            "add": await outcome(client, "add", {"a": 1.5, "b": 2}),
            "raises": await outcome(client, "fail", {"reason": "on purpose"}),
            "bad_arguments": await outcome(client, "add", {"a": "one", "b": 2}),
            "unknown": await outcome(client, "no_such_tool", {}),
        }


if __name__ == "__main__":
    url, token, mode, *rest = sys.argv[1:]
    print(json.dumps(asyncio.run(report(url, token, mode, rest[0] if rest else None))))
