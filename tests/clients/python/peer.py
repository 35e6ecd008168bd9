"""What every Python client does once it is connected: reports, visits the library, or has a conversation.

Usage of each client: `CLIENT URL TOKEN MODE [NAMESPACE [ERRAND]]`. NAMESPACE travels as a header. ERRAND is `visit`
(resources, prompts, completion, questions), `fetch` (a call whose stream somebody cuts), or the folder of that
namespace for a conversation: progress, logs, a cancelled call, and a tool that appears because the client drops a
file there. One JSON line on standard output tells what it saw.
"""

import asyncio
import json
import os
import pathlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any

from talk import PATIENCE, talk
from visit import decide, fetch, think, visit

Heard = Callable[[float, float | None, str | None], Awaitable[None]]


class Peer(ABC):
    """A connected client, whatever library it is made of."""

    name: str
    mode: str
    types: Any
    """The module with the types of the protocol."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.logs: list[Any] = []
        self.changed = asyncio.Event()
        self.listening: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def protocol(self) -> str | None:
        """The revision that was agreed on."""

    @abstractmethod
    async def list_names(self) -> list[str]:
        """The names of all tools."""

    @abstractmethod
    async def call(self, tool: str, arguments: dict[str, Any], hear: Heard | None = None) -> Any:
        """The result of a call, as the library gives it. Raises the library's error for a protocol error."""

    @abstractmethod
    async def ask(self, method: str, *params: Any) -> Any:
        """The result of another method of the protocol, by the name that the SDKs give it."""

    @abstractmethod
    def read_error(self, error: Exception) -> dict[str, Any] | None:
        """Code and message of a protocol error."""

    @abstractmethod
    async def listen(self) -> None:
        """Ask for logs of every level and for changes of the list."""

    async def listen_apart(self, hear: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
        """Hold a stream of changes open beside everything else; `hear` says when it stands."""
        open_ = asyncio.Event()
        self.listening = asyncio.create_task(hear(open_))
        await asyncio.wait_for(open_.wait(), PATIENCE)

    async def cancel(self, call: "asyncio.Task[Any]") -> None:
        """Cancel a running call."""
        call.cancel()

    async def elicit(self, _: Any, params: Any) -> Any:
        """What the person says to a form."""
        return self.types.ElicitResult(**decide(params.message))

    async def sample(self, _: Any, params: Any) -> Any:
        """What the model says."""
        content = self.types.TextContent(type="text", text=think(params.messages))
        return self.types.CreateMessageResult(role="assistant", model="librarian", content=content)

    async def outcome(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """One call as either a tool result or the protocol error in its place."""
        try:
            result = await self.call(tool, arguments)
        except Exception as error:
            if (told := self.read_error(error)) is None:
                raise
            return told
        text = "\n".join(block.text for block in result.content if block.type == "text")
        seen: dict[str, Any] = {"isError": bool(pick(result, "is_error", "isError")), "text": text}
        if (structured := pick(result, "structured_content", "structuredContent")) is not None:
            seen["structured"] = structured
        return seen


Connect = Callable[[str, dict[str, str], str], AbstractAsyncContextManager[Peer]]


def pick(result: Any, *names: str) -> Any:
    """The first of these attributes that there is: the generations spell them differently."""
    return next((getattr(result, name) for name in names if hasattr(result, name)), None)


async def report(peer: Peer) -> dict[str, Any]:
    """Lists and calls."""
    return {
        "tools": sorted(await peer.list_names()),
        "hello": await peer.outcome("say_hello", {"name": "Ada"}),
        "add": await peer.outcome("add", {"a": 1.5, "b": 2}),
        "raises": await peer.outcome("fail", {"reason": "on purpose"}),
        "bad_arguments": await peer.outcome("add", {"a": "one", "b": 2}),
        "unknown": await peer.outcome("no_such_tool", {}),
    }


ERRANDS = {"visit": visit, "fetch": fetch}


def process(url: str, headers: dict[str, str]) -> dict[str, Any] | None:
    """What to start, if the address is `lines:` and a command as JSON: command, args and env of a process."""
    if not url.startswith("lines:"):
        return None
    command, *args = json.loads(url.removeprefix("lines:"))
    token = headers["Authorization"].removeprefix("Bearer ")
    return {"command": command, "args": args, "env": {"PATH": os.environ["PATH"], "TOOLDOCK_TOKEN": token}}


async def run_errand(peer: Peer, errand: str | None = None) -> dict[str, Any]:
    """Does what the last argument says."""
    if errand is None:
        return await report(peer)
    return await (ERRANDS[errand](peer) if errand in ERRANDS else talk(peer, pathlib.Path(errand)))


def main(connect: Connect) -> None:
    """Connects and does what the arguments say."""
    url, token, mode, *rest = sys.argv[1:]
    headers = {"Authorization": f"Bearer {token}"}
    if rest:
        headers["X-Namespace"] = rest[0]

    async def run() -> dict[str, Any]:
        async with connect(url, headers, mode) as peer:
            seen = await run_errand(peer, *rest[1:])
            return {"client": peer.name, "mode": mode, "protocol": peer.protocol, **seen}

    print(json.dumps(asyncio.run(run())))
