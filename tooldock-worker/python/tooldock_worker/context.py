"""What a tool can say and ask while it runs: the ``Context`` parameter."""

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from typing import Any, Literal, TypeVar

from . import elicitation, sampling
from .asks import Asks, can_answer
from .call import Call
from .frames import encode_frame
from .updates import notify_resource_updated
from .waiting import SENT

T = TypeVar("T")

Kind = Literal["elicitation/form", "elicitation/url", "sampling", "roots"]

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


class Context:
    """The running call, as seen by its tool.

    Notes (logs, progress) are sent when the method is called; awaiting them is allowed and not
    needed, so synchronous tools can send them too. Questions are awaited; a synchronous tool
    hands them to :meth:`wait`. A question may have a ``key``: its name towards clients that give
    their answers by name.
    """

    def __init__(self, call: Call, asks: Asks) -> None:
        self._call = call
        self._asks = asks

    @property
    def request_id(self) -> str:
        """The id of the client's request, for logs of other systems."""
        return str(self._call.context.get("request_id", self._call.id))

    @property
    def trace(self) -> Mapping[str, Any]:
        """The trace headers of the request (``traceparent``), empty without tracing."""
        trace: Mapping[str, Any] = self._call.context.get("trace") or {}
        return trace

    def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Awaitable[None]:
        """Tell the client how far the call is."""
        note = {"op": "progress", "id": self._call.id, "progress": progress}
        note |= {} if total is None else {"total": total}
        note |= {} if message is None else {"message": message}
        return self._note(note)

    def log(
        self,
        message: Any,
        level: Level = "info",
        logger_name: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Awaitable[None]:
        """Send a log note to the client."""
        data = message if extra is None else {"msg": message, "extra": dict(extra)}
        note = {"op": "log", "id": self._call.id, "level": level}
        note |= {} if logger_name is None else {"logger": logger_name}
        return self._note({**note, "data": data})

    def debug(self, message: Any, **more: Any) -> Awaitable[None]:
        """Send a log note of level ``debug``."""
        return self.log(message, "debug", **more)

    def info(self, message: Any, **more: Any) -> Awaitable[None]:
        """Send a log note of level ``info``."""
        return self.log(message, "info", **more)

    def warning(self, message: Any, **more: Any) -> Awaitable[None]:
        """Send a log note of level ``warning``."""
        return self.log(message, "warning", **more)

    def error(self, message: Any, **more: Any) -> Awaitable[None]:
        """Send a log note of level ``error``."""
        return self.log(message, "error", **more)

    def notify_resource_updated(self, uri: str) -> Awaitable[None]:
        """Tell clients that watch the resource at ``uri`` that it has another content."""
        return notify_resource_updated(uri)

    async def get_state(self, key: str, default: Any = None) -> Any:
        """What :meth:`set_state` stored under ``key`` in this call."""
        return self._call.state.get(key, default)

    async def set_state(self, key: str, value: Any) -> None:
        """Store a value for the rest of this call."""
        self._call.state[key] = value

    def supports(self, kind: Kind) -> bool:
        """Whether the client can answer this kind of question."""
        return can_answer(self._call, kind)

    def wait(self, question: Coroutine[Any, Any, T]) -> T:
        """The answer of a question, for functions that are not async: ``ctx.wait(ctx.elicit(...))``.

        Raises what awaiting the question raises; ``RuntimeError`` where a loop runs, so that one can await.
        """
        return asyncio.run(question)

    async def elicit(
        self, message: str, response_type: Any = None, *, schema: Any = None, key: str | None = None
    ) -> elicitation.Elicited:
        """Ask the person behind the client; see :func:`elicitation.make_form` for the types.

        ``schema`` is a type as well, or a JSON Schema, which is sent as it is.
        Raises ``ToolError`` when the client cannot ask or its answer does not fit.
        """
        form = elicitation.make_form(response_type if schema is None else schema, raw=schema is not None)
        params = {"mode": "form", "message": message, "requestedSchema": form.schema}
        answer = await self._asks.ask(self._call, "elicitation/form", "elicitation/create", params, key)
        return elicitation.read_answer(form, answer)

    async def elicit_url(
        self, message: str, url: str, elicitation_id: str | None = None, *, key: str | None = None
    ) -> elicitation.Elicited:
        """Ask the person to open a page, for what must not pass through the client."""
        params = {"mode": "url", "message": message, "url": url}
        params |= {} if elicitation_id is None else {"elicitationId": elicitation_id}
        answer = await self._asks.ask(self._call, "elicitation/url", "elicitation/create", params, key)
        return elicitation.read_answer(elicitation.make_form(None), answer)

    async def sample(
        self,
        messages: sampling.Message | Sequence[sampling.Message],
        system_prompt: str | None = None,
        temperature: float | None = None,
        max_tokens: int = 512,
        model_preferences: str | Sequence[str] | Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
    ) -> sampling.Sampled:
        """Ask the client's model; preferences are names of models, or the object of the protocol.

        Raises ``ToolError`` when the client offers no model.
        """
        params = sampling.make_params(
            messages,
            max_tokens,
            systemPrompt=system_prompt,
            temperature=temperature,
            modelPreferences=sampling.make_preferences(model_preferences),
        )
        answer = await self._asks.ask(self._call, "sampling", "sampling/createMessage", params, key)
        return sampling.read_answer(answer)

    async def list_roots(self, *, key: str | None = None) -> list[Any]:
        """Ask the client for its roots. Raises ``ToolError`` when it cannot answer."""
        answer = await self._asks.ask(self._call, "roots", "roots/list", {}, key)
        return list(answer.get("roots", []))

    def _note(self, note: dict[str, Any]) -> Awaitable[None]:
        if not self._call.done:
            self._asks.note(self._call, encode_frame(note))
        return SENT
