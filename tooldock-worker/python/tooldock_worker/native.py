"""The module ``tooldock`` that tool files import: ``from tooldock import tool``."""

from types import ModuleType

from .content import Audio, File, Image, ToolResult
from .context import Context
from .errors import ToolError
from .marks import tool
from .messages import Message, PromptResult, ResourceContent, ResourceResult
from .offers import completion, prompt, resource
from .updates import notify_resource_updated

NAMES = {
    "tool": tool,
    "resource": resource,
    "prompt": prompt,
    "completion": completion,
    "notify_resource_updated": notify_resource_updated,
    "Message": Message,
    "PromptResult": PromptResult,
    "ResourceContent": ResourceContent,
    "ResourceResult": ResourceResult,
    "Context": Context,
    "ToolError": ToolError,
    "ToolResult": ToolResult,
    "Image": Image,
    "Audio": Audio,
    "File": File,
}
"""Everything the module offers."""


def make_module() -> ModuleType:
    """Build the module."""
    module = ModuleType("tooldock", "What a ToolDock tool file needs.")
    module.__dict__.update(NAMES)
    module.__dict__["__all__"] = list(NAMES)
    return module
