"""Imports the files of a namespace and keeps their tools."""

import importlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .build import build_tool
from .completion import Completion, build_completion
from .discovery import Found, find_tools
from .errors import SchemaError
from .failures import Failures, format_traceback, name_text
from .finders import PACKAGE
from .fork import leave_if_child
from .hints import find_hint
from .methods import refuse_methods
from .offerings import Offer, find_offers
from .offers import PromptMark, ResourceMark
from .prompt import Prompt, build_prompt
from .resource import Resource, build_resource
from .runnable import MakeContext
from .sources import RefusedSource, read_source
from .syntax import find_decorated
from .tool import Tool
from .v1 import find_registered


@dataclass
class Registry:
    """What was loaded."""

    tools: dict[str, Tool] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    """By address or template."""
    prompts: dict[str, Prompt] = field(default_factory=dict)
    completions: dict[tuple[str | None, str | None], Completion] = field(default_factory=dict)
    """By prompt or template, and argument."""
    errors: list[dict[str, Any]] = field(default_factory=list)

    def list_all(self) -> dict[str, Any]:
        """The result of `tools.list`."""
        listed = [resource for resource in self.resources.values() if resource.listing["enabled"]]
        prompts = [prompt for prompt in self.prompts.values() if prompt.listing["enabled"]]
        return {
            "tools": [dict(tool.listing) for tool in self.tools.values()],
            "resources": [dict(one.listing) for one in listed if not one.is_template],
            "templates": [dict(one.listing) for one in listed if one.is_template],
            "prompts": [dict(one.listing) for one in prompts],
            "errors": self.errors,
        }


class Loader:
    """Loads every tool file of one folder; a broken file costs only itself."""

    def __init__(self, folder: str, failures: Failures, make_context: MakeContext) -> None:
        self._folder = folder
        self._failures = failures
        self._make_context = make_context
        self.registry = Registry()

    def load(self) -> Registry:
        """Import all files in the order of their names."""
        for file in list_files(os.listdir(self._folder)):
            try:
                self._load_file(file)
            except BaseException as error:
                leave_if_child()
                self._report(file, error)
        return self.registry

    def _load_file(self, file: str) -> None:
        stem = file.removesuffix(".py")
        if "." in stem:
            raise SchemaError(f"the name `{file}` cannot be imported: rename it without the extra `.`")
        path = os.path.join(self._folder, file)
        if not file.isprintable():
            raise SchemaError(f"the name `{file!a}` is no text that can be shown: rename the file")
        decorated = find_decorated(read_source(path), path)
        module = importlib.import_module(f"{PACKAGE}.{stem}")
        tools = refuse_methods(module, decorated.methods, find_tools(module, decorated.functions))
        for found in [*tools, *find_registered(module)]:
            try:
                self._add(found, file)
            except Exception as error:
                self._report(file, error, found)

        for offer in find_offers(module):
            try:
                self._add_offer(offer, file)
            except Exception as error:
                self._report(file, error, offer=offer)

    def _add_offer(self, offer: Offer, file: str) -> None:
        registry, mark = self.registry, offer.mark
        if isinstance(mark, ResourceMark):
            resource = build_resource(offer, file, self._make_context)
            _claim(registry.resources, resource.uri, resource, offer)
        elif isinstance(mark, PromptMark):
            prompt = build_prompt(offer, file, self._make_context)
            _claim(registry.prompts, prompt.name, prompt, offer)
        else:
            _claim(registry.completions, (mark.of, mark.argument), build_completion(offer), offer)

    def _add(self, found: Found, file: str) -> None:
        tool = build_tool(found, file, self._make_context)
        first = self.registry.tools.setdefault(tool.name, tool)
        if first is not tool:
            other = first.listing["file"]
            raise SchemaError(
                f"`{tool.name}` in {file} is left out: {other} already has a tool of that name; "
                "rename one of them"
            )

    def _report(
        self, file: str, error: BaseException, found: Found | None = None, offer: Offer | None = None
    ) -> None:
        place = found or offer
        line = place.line if place else find_error_line(error, os.path.join(self._folder, file))
        missing = self._failures.explain_missing(error)
        message, hint = missing or (name_text(error), find_hint(error))
        message = f"{offer.what}: {message}" if offer else message
        entry = {
            "file": file,
            "tool": found.name if found else None,
            "line": line,
            "type": type(error).__name__,
            "message": message,
            "hint": hint,
            "traceback": None if isinstance(error, SchemaError | RefusedSource) else format_traceback(error),
        }
        self.registry.errors.append({key: value for key, value in entry.items() if value is not None})


def _claim(offered: dict[Any, Any], key: Any, made: Any, offer: Offer) -> None:
    if offered.setdefault(key, made) is not made:
        raise SchemaError(f"there already is one; {offer.what} is left out: rename one of the two")


def list_files(names: Iterable[str]) -> list[str]:
    """The tool files among ``names``: `*.py`, neither hidden nor support files (`_x.py`)."""
    return sorted(name for name in names if name.endswith(".py") and name[0] not in "_.")


def find_error_line(error: BaseException, path: str) -> int | None:
    """The line of ``path`` on which ``error`` arose."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    return line
