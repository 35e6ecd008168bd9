"""Drives the manager with the second Python SDK: `manage.py URL TOKEN`, the calls as JSON on standard input.

Each call is `[tool, arguments]`. One JSON line on standard output tells for each what came back.
"""

import asyncio
import json
import sys
from typing import Any

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def drive(url: str, token: str, calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Makes the calls one after the other."""
    seen = []
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), read_timeout_seconds=180) as client,
    ):
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            texts = [block.text for block in result.content if block.type == "text"]
            seen.append(
                {"failed": bool(result.is_error), "structured": result.structured_content, "text": "".join(texts)}
            )
    return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(drive(sys.argv[1], sys.argv[2], json.load(sys.stdin)))))
