"""Stand-ins for ``fastmcp`` and ``mcp`` where they are not installed: a fixed list of names."""

import importlib
from types import ModuleType
from typing import Any, TypeGuard

from . import elicitation, records, v1
from .content import Audio, File, Image, ToolResult
from .context import Context
from .errors import ToolError
from .marks import tool
from .messages import Message, PromptResult, ResourceContent, ResourceResult
from .offers import prompt, resource
from .server import Server


class CurrentContext:
    """The default of a parameter that receives the call's context."""


class Depends:
    """The default of a parameter that only the real library can fill."""

    def __init__(self, factory: Any, **options: Any) -> None:
        self.factory = factory


VERSION = "0+tooldock"

_RECORDS = {
    name: getattr(records, name)
    for name in (
        "ToolAnnotations", "Annotations", "Icon", "TextContent", "ImageContent", "AudioContent",
        "EmbeddedResource", "TextResourceContents", "BlobResourceContents", "ResourceLink",
        "CallToolResult", "PromptMessage",
    )
}  # fmt: skip

_ANSWERS = {
    name: getattr(elicitation, name)
    for name in ("AcceptedElicitation", "DeclinedElicitation", "CancelledElicitation")
}

NAMES: dict[str, dict[str, Any]] = {
    "fastmcp": {"FastMCP": Server, "Context": Context, "__version__": VERSION},
    "fastmcp.tools": {"tool": tool, "ToolResult": ToolResult},
    "fastmcp.resources": {
        "resource": resource,
        "ResourceContent": ResourceContent,
        "ResourceResult": ResourceResult,
    },
    "fastmcp.prompts": {"prompt": prompt, "Message": Message, "PromptResult": PromptResult},
    "fastmcp.exceptions": {"ToolError": ToolError, "ResourceError": ToolError, "PromptError": ToolError},
    "fastmcp.utilities": {},
    "fastmcp.utilities.types": {"Image": Image, "Audio": Audio, "File": File},
    "fastmcp.server": {"FastMCP": Server, "Context": Context},
    "fastmcp.server.context": {"Context": Context},
    "fastmcp.server.elicitation": _ANSWERS,
    "fastmcp.server.dependencies": {"CurrentContext": CurrentContext},
    "fastmcp.dependencies": {"CurrentContext": CurrentContext, "Depends": Depends},
    "app": {},
    "app.registry": v1.NAMES,
    "mcp": {},
    "mcp.types": _RECORDS,
    "mcp.server": {},
    "mcp.server.elicitation": _ANSWERS,
    "mcp.server.fastmcp": {"FastMCP": Server, "Context": Context, "Image": Image, "Audio": Audio},
    "mcp.server.mcpserver": {"MCPServer": Server, "Context": Context, "Image": Image, "Audio": Audio},
}
"""Module by module what the stand-ins offer."""

HINTS = {
    "fastmcp": "add the line `fastmcp>=3` to requirements.txt",
    "mcp": "add the line `mcp>=1.30` to requirements.txt",
    "app": "of the first version's modules only `app.registry` with `ToolDefinition` is served",
}
"""Per library what to do when something of it is missing."""


class MissingPart(ModuleNotFoundError):
    """A name of a library that only the real library has; ``hint`` says how to get it."""

    def __init__(self, name: str) -> None:
        root = name.partition(".")[0]
        super().__init__(f"`{name}` needs the real `{root}`, which is not installed", name=name)
        self.hint = HINTS[root]


class Standin(ModuleType):
    """A module of the fixed list."""

    def __getattr__(self, name: str) -> Any:
        full = f"{self.__name__}.{name}"
        if full in NAMES:
            return importlib.import_module(full)
        if name.startswith("__"):
            raise AttributeError(f"module `{self.__name__}` has no attribute `{name}`")
        raise MissingPart(full)


def is_standin(module: ModuleType | None) -> TypeGuard[Standin]:
    """Whether a module is one of this runtime's stand-ins."""
    return isinstance(module, Standin)


def find_module(fullname: str) -> Standin:
    """Build a module of the list. Raises ``MissingPart`` for any other name."""
    if fullname not in NAMES:
        raise MissingPart(fullname)
    module = Standin(fullname, "Stand-in of the ToolDock worker; the real library is not installed.")
    module.__path__ = []
    module.__dict__.update(NAMES[fullname])
    return module
