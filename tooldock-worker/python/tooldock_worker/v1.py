"""Tool files of ToolDock's first version: ``register_tools(registry)``.

The module ``app.registry`` is a stand-in with ``ToolDefinition`` and ``Registry``. A definition's
handler takes one instance of its pydantic input model.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .discovery import Found, find_line
from .errors import SchemaError
from .marks import Mark


@dataclass(frozen=True)
class ToolDefinition:
    """A tool in the first version's spelling."""

    name: str
    description: str
    input_model: Any
    handler: Callable[..., Any]


class Registry:
    """What ``register_tools`` receives: it knows ``register`` and nothing else."""

    def __init__(self) -> None:
        self.definitions: list[ToolDefinition] = []

    def register(self, definition: ToolDefinition) -> None:
        """Make a definition a tool."""
        if not isinstance(definition, ToolDefinition):
            raise SchemaError(f"`register` takes a ToolDefinition, not a {type(definition).__name__}")
        self.definitions.append(definition)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise SchemaError(f"the registry has no `{name}`: only `register(ToolDefinition(...))` is served")


NAMES = {"ToolDefinition": ToolDefinition, "ToolRegistry": Registry, "Registry": Registry}
"""What ``app.registry`` offers."""


def find_registered(module: ModuleType) -> list[Found]:
    """The tools that the file's ``register_tools`` registers, none when it has no such function."""
    register = vars(module).get("register_tools")
    if not callable(register) or getattr(register, "__module__", None) != module.__name__:
        return []
    registry = Registry()
    register(registry)
    return [_read(definition) for definition in registry.definitions]


def _read(definition: ToolDefinition) -> Found:
    mark = Mark(name=definition.name, description=definition.description)
    return Found(definition.handler, mark, find_line(definition.handler), model=definition.input_model)
