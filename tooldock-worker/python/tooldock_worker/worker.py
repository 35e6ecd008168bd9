"""The worker: answers the supervisor's requests."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from .asks import Asks
from .call import Call, Task
from .calls import Calls, encode_failure, wait_until_idle
from .errors import CallError, PromptNotFound, ResourceNotFound, ToolNotFound
from .failures import read_text
from .frames import Frame, FrameError, decode_frame, encode_frame
from .loader import Registry
from .resource import Reading

Operation = Callable[[Frame], dict[str, Any] | None]


class Worker:
    """Serves one namespace. Everything here runs on the loop's thread."""

    def __init__(
        self,
        namespace: str,
        registry: Registry,
        calls: Calls,
        asks: Asks,
        send: Callable[[bytes], None],
        leave: Callable[[], None],
    ) -> None:
        self._namespace = namespace
        self._registry = registry
        self._calls = calls
        self._asks = asks
        self._send = send
        self._leave = leave
        self._ending: asyncio.Task[None] | None = None
        self._operations: dict[object, Operation] = {
            "tools.call": self._call,
            "resources.read": self._read,
            "prompts.get": self._get,
            "completions.complete": self._complete,
            "tools.cancel": self._cancel,
            "tools.list": self._list,
            "tools.get_schema": self._get_schema,
            "ping": lambda frame: {},
            "shutdown": self._shut_down,
        }

    def receive(self, line: bytes) -> None:
        """Handle one line. Never raises; a request is answered exactly once."""
        if not line.strip():
            return
        try:
            frame = decode_frame(line)
        except FrameError as error:
            self._refuse(error.id, CallError(read_text(error)))
            return
        if frame.get("op") == "answer":
            self._asks.answer(frame)
            return
        id = frame.get("id")
        try:
            self._answer(id, frame)
        except CallError as error:
            self._refuse(id, error)
        except Exception as error:
            self._refuse(id, CallError(f"the request failed: {read_text(error)}"))

    def _answer(self, id: Any, frame: Frame) -> None:
        if type(id) not in (str, int):
            raise CallError("a request needs an `id` that is a string or an integer")
        operation = self._operations.get(frame.get("op"))
        if operation is None:
            raise CallError(f"the operation `{frame.get('op')}` is unknown")
        began = time.monotonic()
        result = operation(frame)
        if result is not None:
            took = int((time.monotonic() - began) * 1000)
            self._send(encode_frame({"id": id, "ok": True, "result": result, "latency_ms": took}))

    def _refuse(self, id: Any, error: CallError) -> None:
        described: Frame = {"code": error.code, "message": str(error)}
        if error.details is not None:
            described["details"] = error.details
        self._send(encode_failure(id if type(id) in (str, int) else None, described, 0))

    def _find(self, frame: Frame) -> Any:
        name = frame.get("tool")
        tool = self._registry.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise ToolNotFound(f"namespace `{self._namespace}` has no tool `{name}`")
        return tool

    def _call(self, frame: Frame) -> None:
        self._start(frame, self._find(frame))

    def _read(self, frame: Frame) -> None:
        resource = self._registry.resources.get(read_name(frame, "resource"))
        if resource is None:
            text = f"namespace `{self._namespace}` has no resource `{frame.get('resource')}`"
            raise ResourceNotFound(text)
        self._start(frame, Reading(resource, read_name(frame, "uri")))

    def _get(self, frame: Frame) -> None:
        prompt = self._registry.prompts.get(read_name(frame, "prompt"))
        if prompt is None:
            raise PromptNotFound(f"namespace `{self._namespace}` has no prompt `{frame.get('prompt')}`")
        self._start(frame, prompt)

    def _complete(self, frame: Frame) -> dict[str, Any] | None:
        arguments = frame.get("arguments") or {}
        reference = arguments.get("ref") or {}
        of = reference.get("name") or reference.get("uri")
        completions = self._registry.completions
        found = completions.get((of, arguments.get("argument"))) or completions.get((None, None))
        if found is None:
            return {"values": [], "hasMore": False}
        self._start(frame, found)
        return None

    def _start(self, frame: Frame, task: Task) -> None:
        if self._ending is not None:
            raise CallError("the worker is shutting down and takes no new call")
        arguments = frame.get("arguments")
        arguments = {} if arguments is None else arguments
        context = frame.get("context") or {}
        if type(arguments) is not dict or type(context) is not dict:
            raise CallError("`arguments` and `context` of a call are objects")
        if frame["id"] in self._calls.running:
            # Answering would be a second answer to the running call's id.
            return
        self._calls.start(Call(frame["id"], task, arguments, context))

    def _cancel(self, frame: Frame) -> dict[str, Any]:
        return {"found": self._calls.cancel(frame.get("target"))}

    def _list(self, frame: Frame) -> dict[str, Any]:
        return self._registry.list_all()

    def _get_schema(self, frame: Frame) -> dict[str, Any]:
        listing = self._find(frame).listing
        return {key: listing[key] for key in ("inputSchema", "outputSchema") if key in listing}

    def _shut_down(self, frame: Frame) -> dict[str, Any]:
        grace = frame.get("grace_ms", 0)
        seconds = grace / 1000 if type(grace) in (int, float) and grace > 0 else 0.0
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end(seconds))
        return {}

    async def _end(self, grace: float) -> None:
        await wait_until_idle(self._calls, grace)
        for id in list(self._calls.running):
            self._calls.cancel(id)
        self._leave()


def read_name(frame: Frame, member: str) -> str:
    """The text that names what is asked for. Raises ``CallError`` when it is none."""
    name = frame.get(member)
    if not isinstance(name, str):
        raise CallError(f"`{member}` must be a text")
    return name
