"""The client of fastmcp, 2.x and 4.x. MODE is `auto` or `legacy`; before 4.x there is only `legacy`."""

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import fastmcp
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.messages import MessageHandler
from fastmcp.client.transports import StreamableHttpTransport
from peer import Heard, Peer, main
from visit import decide, think

OLD = fastmcp.__version__.startswith("2.")


class Fast(Peer):
    """A client of fastmcp."""

    name = f"fastmcp-{fastmcp.__version__}"
    types = importlib.import_module("mcp.types" if OLD else "mcp_types")
    client: Any

    @property
    def protocol(self) -> str | None:
        return str(self.client.initialize_result.protocolVersion) if OLD else self.client.protocol_version

    async def list_names(self) -> list[str]:
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, tool: str, arguments: dict[str, Any], hear: Heard | None = None) -> Any:
        return await self.client.call_tool_mcp(tool, arguments, progress_handler=hear)

    async def ask(self, method: str, *params: Any) -> Any:
        return await getattr(self.client, f"{method}_mcp")(*params)

    async def answer_form(self, message: str, *_: Any) -> Any:
        return ElicitResult(**decide(message))

    async def answer_prompt(self, messages: Any, *_: Any) -> str:
        return think(messages)

    def read_error(self, error: Exception) -> dict[str, Any] | None:
        told = getattr(error, "error", None)
        return None if told is None else {"code": told.code, "message": told.message}

    async def listen(self) -> None:
        if self.mode == "legacy":
            await self.client.set_logging_level("debug")
            return
        await self.listen_apart(self.hear_changes)

    async def hear_changes(self, open_: asyncio.Event) -> None:
        """Holds a stream open for as long as the client lives; fastmcp itself offers none."""
        from mcp.client.subscriptions import listen

        async with listen(self.client.session, tools_list_changed=True) as changes:
            open_.set()
            async for _ in changes:
                self.changed.set()

    async def cancel(self, call: "asyncio.Task[Any]") -> None:
        if OLD:
            await self.client.cancel(self.client.session._request_id - 1)
        call.cancel()

    async def hear_log(self, message: Any) -> None:
        self.logs.append(message.data)


class Changes(MessageHandler):
    """Hears that the list of tools has changed."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    async def on_tool_list_changed(self, message: Any) -> None:
        self.peer.changed.set()


@asynccontextmanager
async def connect(url: str, headers: dict[str, str], mode: str) -> AsyncIterator[Peer]:
    peer = Fast(mode)
    chosen = {} if OLD else {"mode": mode}
    transport = StreamableHttpTransport(url, headers=headers)
    async with Client(
        transport,
        log_handler=peer.hear_log,
        message_handler=Changes(peer),
        elicitation_handler=peer.answer_form,
        sampling_handler=peer.answer_prompt,
        timeout=30,
        **chosen,
    ) as client:
        peer.client = client
        yield peer


if __name__ == "__main__":
    main(connect)
