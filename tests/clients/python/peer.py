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
import uuid
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any

PATIENCE = 10.0
"""Seconds that something may take to arrive."""

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


async def visit(peer: Peer) -> dict[str, Any]:
    """Reads, fills in a prompt, completes, and answers what tools ask."""

    async def ask(method: str, *params: Any) -> dict[str, Any]:
        result: dict[str, Any] = (await peer.ask(method, *params)).model_dump(mode="json", by_alias=True)
        return result

    async def complete(ref: Any, typed: str) -> Any:
        return (await ask("complete", ref, {"name": "title", "value": typed}))["completion"]["values"]

    async def call(tool: str, arguments: dict[str, Any]) -> Any:
        return (await peer.outcome(tool, arguments))["text"]

    template = "book://{title}/summary"
    review = await ask("get_prompt", "review", {"title": "emma"})
    return {
        "resources": [item["uri"] for item in (await ask("list_resources"))["resources"]],
        "templates": [item["uriTemplate"] for item in (await ask("list_resource_templates"))["resourceTemplates"]],
        "read": (await ask("read_resource", "book://catalog"))["contents"][0]["text"],
        "read_by_template": (await ask("read_resource", "book://emma/summary"))["contents"][0]["text"],
        "prompts": [item["name"] for item in (await ask("list_prompts"))["prompts"]],
        "prompt": review["messages"][0]["content"]["text"],
        "completed": await complete(peer.types.PromptReference(type="ref/prompt", name="review"), "em"),
        "completed_template": await complete(
            peer.types.ResourceTemplateReference(type="ref/resource", uri=template), "au"
        ),
        "accepted": await call("lend", {"title": "emma"}),
        "declined": await call("lend", {"title": "faust"}),
        "sampled": await call("recommend", {"taste": "rain"}),
    }


def decide(message: str) -> dict[str, Any]:
    """What the person decides: nobody wants to read `faust`."""
    return {"action": "decline"} if "faust" in message else {"action": "accept", "content": {"days": 14}}


def think(messages: Any) -> str:
    """What the model answers: what it was asked."""
    return f"I was asked: {messages[0].content.text}"


async def fetch(peer: Peer) -> dict[str, Any]:
    """Makes a call whose stream somebody cuts after the first note."""
    heard: list[Any] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append([progress, total, message])

    result = await peer.call("fetch", {}, hear)
    return {"fetched": result.content[0].text, "progress": heard}


ERRANDS = {"visit": visit, "fetch": fetch}


async def talk(peer: Peer, folder: pathlib.Path) -> dict[str, Any]:
    """Hears what a call says, cancels one, and hears that the list has changed."""
    heard: list[Any] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append([progress, total, message])

    await peer.listen()
    counted = await peer.outcome("count", {"steps": 1})
    await peer.call("count", {"steps": 2}, hear)
    seen = {
        "counted": counted,
        "progress": heard,
        "logs": peer.logs,
        "cancelled": await cancel_one(peer),
        "changed": await drop_one(peer, folder),
    }
    if peer.listening is not None:
        peer.listening.cancel()
        await asyncio.wait([peer.listening])
    return seen


async def cancel_one(peer: Peer) -> bool:
    """Whether the tool noticed that its call was cancelled."""
    name, begun = uuid.uuid4().hex, asyncio.Event()

    async def hear(*_: Any) -> None:
        begun.set()

    call = asyncio.ensure_future(peer.call("wait", {"name": name}, hear))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    await peer.cancel(call)
    await asyncio.wait([call], timeout=PATIENCE)
    async with asyncio.timeout(PATIENCE):
        while not (await peer.outcome("was_cancelled", {"name": name}))["structured"]["result"]:
            await asyncio.sleep(0.02)
    return True


async def drop_one(peer: Peer, folder: pathlib.Path) -> bool:
    """Whether a tool that is dropped in is announced and then listed."""
    name = f"dropped_{uuid.uuid4().hex[:8]}"
    text = f'from tooldock import tool\n\n\n@tool\ndef {name}() -> int:\n    """One."""\n    return 1\n'
    peer.changed.clear()
    (folder / f"{name}.py").write_text(text)
    await asyncio.wait_for(peer.changed.wait(), PATIENCE)
    return name in await peer.list_names()


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
