"""What a tool can say and ask while it runs: the ``Context`` parameter."""

import uuid
from collections.abc import Awaitable, Generator, Mapping, Sequence
from typing import Any, Literal

from . import elicitation, sampling
from .asks import Asks
from .call import Call
from .frames import encode_frame

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


class Sent:
    """Something already sent; awaiting it gives control back at once."""

    def __await__(self) -> Generator[None, None, None]:
        return
        yield


_SENT = Sent()


class Context:
    """The running call, as seen by its tool.

    Notes (logs, progress) are sent when the method is called; awaiting them is allowed and not
    needed, so synchronous tools can send them too. Questions must be awaited.
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

    async def get_state(self, key: str, default: Any = None) -> Any:
        """What :meth:`set_state` stored under ``key`` in this call."""
        return self._call.state.get(key, default)

    async def set_state(self, key: str, value: Any) -> None:
        """Store a value for the rest of this call."""
        self._call.state[key] = value

    async def elicit(self, message: str, response_type: Any = None) -> elicitation.Elicited:
        """Ask the person behind the client; see :func:`elicitation.make_form` for the types.

        Raises ``ToolError`` when the client cannot ask or its answer does not fit.
        """
        form = elicitation.make_form(response_type)
        params = {"mode": "form", "message": message, "requestedSchema": form.schema}
        answer = await self._asks.ask(self._call, "elicitation/form", "elicitation/create", params)
        return elicitation.read_answer(form, answer)

    async def elicit_url(self, message: str, url: str) -> elicitation.Elicited:
        """Ask the person to open a page, for what must not pass through the client."""
        params = {"mode": "url", "message": message, "url": url, "elicitationId": uuid.uuid4().hex}
        answer = await self._asks.ask(self._call, "elicitation/url", "elicitation/create", params)
        return elicitation.read_answer(elicitation.make_form(None), answer)

    async def sample(
        self,
        messages: sampling.Message | Sequence[sampling.Message],
        system_prompt: str | None = None,
        temperature: float | None = None,
        max_tokens: int = 512,
        model_preferences: Mapping[str, Any] | None = None,
    ) -> sampling.Sampled:
        """Ask the client's model. Raises ``ToolError`` when the client offers none."""
        params = sampling.make_params(
            messages,
            max_tokens,
            systemPrompt=system_prompt,
            temperature=temperature,
            modelPreferences=None if model_preferences is None else dict(model_preferences),
        )
        answer = await self._asks.ask(self._call, "sampling", "sampling/createMessage", params)
        return sampling.read_answer(answer)

    async def list_roots(self) -> list[Any]:
        """Ask the client for its roots. Raises ``ToolError`` when it cannot answer."""
        answer = await self._asks.ask(self._call, "roots", "roots/list", {})
        return list(answer.get("roots", []))

    def _note(self, note: dict[str, Any]) -> Awaitable[None]:
        if not self._call.done:
            self._asks.note(self._call, encode_frame(note))
        return _SENT
