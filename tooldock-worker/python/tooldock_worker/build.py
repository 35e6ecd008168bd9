"""Makes a tool out of a found function: schema, validator, listing."""

import re
from collections.abc import Mapping
from typing import Any

from .content import dump_plain
from .discovery import Found
from .docstring import read_docstring
from .errors import SchemaError
from .injection import inject
from .listing import list_parts
from .marks import DERIVE, Mark
from .model import make_model_shape
from .runnable import MakeContext, is_async
from .shapes import OverriddenShape, make_shape
from .signature import read_signature
from .tool import Shape, Tool

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def build_tool(found: Found, file: str, make_context: MakeContext) -> Tool:
    """Build a tool. Raises ``SchemaError`` saying what in the file has to change."""
    if found.problem is not None:
        raise found.problem
    mark, function = found.mark, found.function
    if not _NAME.fullmatch(found.name):
        raise SchemaError(f"`{found.name}` is no tool name: use 1 to 128 letters, digits, `_`, `-` or `.`")
    signature = read_signature(function)
    if signature.injected:
        function = inject(function, make_context)
    shape = make_model_shape(found.model, signature) if found.model else make_shape(signature)
    documented = read_docstring(function)
    for name, text in documented.parameters.items():
        shape.input_schema.get("properties", {}).get(name, {}).setdefault("description", text)
    shape = _override(shape, mark)
    output = shape.output_schema
    sync = not is_async(function)
    if mark.timeout is not None and not mark.timeout > 0:
        raise SchemaError(f"the timeout `{mark.timeout}` is no positive number of seconds")
    return Tool(
        name=found.name,
        function=function,
        shape=shape,
        threaded=sync and mark.run_in_thread,
        timeout=mark.timeout,
        contexts=() if signature.injected else signature.contexts,
        make_context=make_context,
        listing=_list(found, mark.description or documented.description, shape, sync, file),
        wraps=bool(output and output.get("x-fastmcp-wrap-result")),
    )


def _override(shape: Shape, mark: Mark) -> Shape:
    if mark.input_schema is None and mark.output_schema is DERIVE:
        return shape
    derived = mark.output_schema is DERIVE
    output = shape.output_schema if derived else mark.output_schema
    if output is not None and (not isinstance(output, dict) or output.get("type", "object") != "object"):
        raise SchemaError('`output_schema` must describe an object (`"type": "object"`)')
    return OverriddenShape(
        shape.bind, shape.dump, shape.show, mark.input_schema or shape.input_schema, output
    )


def _list(found: Found, description: str | None, shape: Shape, sync: bool, file: str) -> Mapping[str, Any]:
    mark = found.mark
    annotations = None if mark.annotations is None else dump_plain(mark.annotations)
    title = mark.title or (annotations or {}).get("title") or make_title(found.name)
    members = {
        "name": found.name,
        "title": title,
        "description": description,
        "inputSchema": shape.input_schema,
        "outputSchema": shape.output_schema,
        "annotations": annotations,
        "category": mark.category,
        "timeout": mark.timeout,
        "requires": None if mark.requires is None else dict(mark.requires),
        "sync": sync,
    }
    return list_parts(members, mark, found.line, file)


def make_title(name: str) -> str:
    """`say_hello` as people read it: `Say Hello`."""
    return name.replace("_", " ").replace("-", " ").title()
