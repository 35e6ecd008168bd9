"""The second Python SDK of the protocol. MODE is `auto` (probe, then fall back) or `legacy` (handshake)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import LoggingMessageNotificationParams, ToolListChangedNotification
from peer import Heard, Peer, main, process


class Second(Peer):
    """A client of `mcp` 2.x."""

    name = "python"
    types = mcp_types
    client: Client

    @property
    def protocol(self) -> str | None:
        return self.client.protocol_version

    async def list_names(self) -> list[str]:
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, tool: str, arguments: dict[str, Any], hear: Heard | None = None) -> Any:
        return await self.client.call_tool(tool, arguments, progress_callback=hear)

    async def ask(self, method: str, *params: Any) -> Any:
        return await getattr(self.client, method)(*params)

    def read_error(self, error: Exception) -> dict[str, Any] | None:
        if isinstance(error, MCPError):
            return {"code": error.error.code, "message": error.error.message}
        return None

    async def listen(self) -> None:
        if self.mode == "legacy":
            await self.client.set_logging_level("debug")
            return
        await self.listen_apart(self.hear_changes)

    async def hear_changes(self, open_: asyncio.Event) -> None:
        """Holds a stream open for as long as the client lives."""
        async with self.client.listen(tools_list_changed=True) as changes:
            open_.set()
            async for _ in changes:
                self.changed.set()

    async def hear_log(self, params: LoggingMessageNotificationParams) -> None:
        self.logs.append(params.data)

    async def hear_message(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.changed.set()


@asynccontextmanager
async def connect(url: str, headers: dict[str, str], mode: str) -> AsyncIterator[Peer]:
    peer = Second(mode)
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(
            stdio_client(StdioServerParameters(**program))
            if (program := process(url, headers))
            else streamable_http_client(url, http_client=http),
            mode=mode,
            read_timeout_seconds=30,
            log_level="debug",
            logging_callback=peer.hear_log,
            message_handler=peer.hear_message,
            elicitation_callback=peer.elicit,
            sampling_callback=peer.sample,
        ) as client,
    ):
        peer.client = client
        yield peer


if __name__ == "__main__":
    main(connect)
