"""The first Python SDK of the protocol. It knows the handshake only: MODE is `legacy`, or the revision to offer.

An address that begins with `sse:` is one of the transport of 2024-11-05.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from peer import Heard, Peer, main, process


class First(Peer):
    """A client of `mcp` 1.x."""

    name = "python-v1"
    types = types
    session: ClientSession
    agreed: str

    @property
    def protocol(self) -> str | None:
        return self.agreed

    async def list_names(self) -> list[str]:
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, tool: str, arguments: dict[str, Any], hear: Heard | None = None) -> Any:
        return await self.session.call_tool(tool, arguments, progress_callback=hear)

    async def ask(self, method: str, *params: Any) -> Any:
        return await getattr(self.session, method)(*params)

    def read_error(self, error: Exception) -> dict[str, Any] | None:
        return {"code": error.error.code, "message": error.error.message} if isinstance(error, McpError) else None

    async def listen(self) -> None:
        await self.session.set_logging_level("debug")

    async def cancel(self, call: "asyncio.Task[Any]") -> None:
        """This SDK leaves it to its user to tell the server."""
        last = self.session._request_id - 1
        params = types.CancelledNotificationParams(requestId=last)
        await self.session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        call.cancel()

    async def hear_log(self, params: types.LoggingMessageNotificationParams) -> None:
        self.logs.append(params.data)

    async def hear_message(self, message: Any) -> None:
        if isinstance(getattr(message, "root", None), types.ToolListChangedNotification):
            self.changed.set()


@asynccontextmanager
async def connect(url: str, headers: dict[str, str], mode: str) -> AsyncIterator[Peer]:
    peer = First(mode)
    if mode != "legacy":
        types.LATEST_PROTOCOL_VERSION = mode
    async with (
        streams(url, headers) as (receive, send),
        ClientSession(
            receive,
            send,
            logging_callback=peer.hear_log,
            message_handler=peer.hear_message,
            elicitation_callback=peer.elicit,
            sampling_callback=peer.sample,
        ) as session,
    ):
        peer.agreed = str((await session.initialize()).protocolVersion)
        peer.session = session
        yield peer


@asynccontextmanager
async def streams(url: str, headers: dict[str, str]) -> AsyncIterator[tuple[Any, Any]]:
    """The two ends of the transport that the address wants."""
    if (program := process(url, headers)) is not None:
        async with stdio_client(StdioServerParameters(**program)) as ends:
            yield ends
        return
    if url.startswith("sse:"):
        async with sse_client(url.removeprefix("sse:"), headers=headers) as ends:
            yield ends
        return
    async with (
        httpx.AsyncClient(headers=headers, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (receive, send, _),
    ):
        yield receive, send


if __name__ == "__main__":
    main(connect)
