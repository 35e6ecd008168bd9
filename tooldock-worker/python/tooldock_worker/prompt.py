"""A loaded prompt: how it is listed, filled in, and how its messages are encoded."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .call import Call
from .docstring import read_docstring
from .errors import InvalidArguments, ResultTooLarge, SchemaError
from .frames import encode_value
from .listing import list_parts
from .messages import make_messages
from .offerings import Offer
from .offers import PromptMark
from .runnable import MakeContext, Runnable, is_async, make_runnable
from .shapes import describe_type
from .signature import EMPTY, Parameter


@dataclass(frozen=True)
class Prompt:
    """One prompt of this worker."""

    name: str
    runnable: Runnable
    description: str | None
    listing: Mapping[str, Any] = field(repr=False)
    timeout: float | None = None
    action: str = "filling in prompt"

    @property
    def threaded(self) -> bool:
        """Whether the function runs on the thread pool."""
        return self.runnable.threaded

    def invoke(self, call: Call) -> Any:
        """Check the arguments and call the function; the value may still have to be awaited."""
        given = {name: self._read(name, text) for name, text in call.arguments.items()}
        try:
            return self.runnable.invoke(call, given)
        except InvalidArguments as error:
            # A text that happens to be JSON was meant as text where JSON does not fit.
            refused = {problem["loc"][0] for problem in (error.details or {})["errors"] if problem["loc"]}
            plain = {name: call.arguments[name] for name in refused & set(given)}
            if not plain or all(given[name] == text for name, text in plain.items()):
                raise
            return self.runnable.invoke(call, given | plain)

    def _read(self, name: str, text: Any) -> Any:
        """The value of an argument: arguments are texts, and other types travel in them as JSON."""
        parameter = next((one for one in self.runnable.parameters if one.name == name), None)
        if parameter is None or is_text(parameter) or not isinstance(text, str):
            return text
        try:
            return json.loads(text)
        except ValueError:
            return text

    def encode(self, value: Any, limit: int) -> bytes:
        """The `result` member of the answer. Raises ``ResultTooLarge`` beyond ``limit`` bytes."""
        whole = hasattr(value, "messages")
        messages = make_messages(value.messages if whole else value)
        description = getattr(value, "description", None) if whole else None
        described = {"description": description or self.description}
        result = {key: text for key, text in described.items() if text is not None}
        body = encode_value({**result, "messages": messages})
        if len(body) > limit:
            raise ResultTooLarge(limit)
        return body


def is_text(parameter: Parameter) -> bool:
    """Whether an argument is taken as the text it is."""
    return parameter.annotation is str or parameter.annotation is EMPTY


def build_prompt(offer: Offer, file: str, make_context: MakeContext) -> Prompt:
    """Build a prompt. Raises ``SchemaError`` saying what in the file has to change."""
    mark = offer.mark
    assert isinstance(mark, PromptMark)
    name = mark.name or str(getattr(offer.function, "__name__", type(offer.function).__name__))
    if not name or len(name) > 128:
        raise SchemaError("its name must have 1 to 128 characters")
    runnable = make_runnable(offer.function, make_context)
    documented = read_docstring(offer.function)
    for parameter, text in documented.parameters.items():
        runnable.properties.get(parameter, {}).setdefault("description", text)
    description = mark.description or documented.description
    members = {
        "name": name,
        "title": mark.title,
        "description": description,
        "arguments": [_list_argument(parameter, runnable) for parameter in runnable.parameters],
        "sync": not is_async(offer.function),
    }
    return Prompt(name, runnable, description, list_parts(members, mark, offer.line, file))


def _list_argument(parameter: Parameter, runnable: Runnable) -> dict[str, Any]:
    schema = runnable.properties.get(parameter.name, {})
    texts = [schema["description"]] if schema.get("description") else []
    if not is_text(parameter):
        form = json.dumps(describe_type(parameter.annotation, schema), separators=(",", ":"))
        texts.append(
            f"Provide a value matching the following JSON schema: {form}. Encode non-string values as JSON."
        )
    members = {
        "name": parameter.name,
        "title": schema.get("title"),
        "description": "\n\n".join(texts) or None,
        "required": parameter.default is EMPTY,
    }
    return {key: value for key, value in members.items() if value is not None}
