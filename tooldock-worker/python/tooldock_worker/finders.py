"""Import hooks: the namespace's files by bare name, and stand-ins for absent libraries.

Both hooks are appended to ``sys.meta_path``: whatever is installed wins, so that a tool file
called like a library shadows nothing.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from . import native, sources, standin

PACKAGE = "tooldock_namespace"
"""The private package whose submodules are the files of the namespace."""

FOLDER_VARIABLE = "TOOLDOCK_NAMESPACE_DIR"
"""Names the folder for child processes that start a fresh interpreter."""


_NEVER = {PACKAGE, "__pycache__", "fastmcp", "mcp"}
"""Bare names that never mean a file of the namespace."""


class Existing(Loader):
    """Hands out a module that exists already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The existing module."""
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Undo what the import system wrote into the module; it has been run before."""
        module.__spec__ = self._spec


class SiblingFinder(MetaPathFinder):
    """Maps ``import name`` to the submodule of the namespace, so state exists once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a file or folder of the namespace by its bare name."""
        if path is not None or "." in fullname or fullname in _NEVER:
            return None
        place = os.path.join(self._folder, fullname)
        if not (os.path.isfile(f"{place}.py") or os.path.isdir(place)):
            return None
        module = importlib.import_module(f"{PACKAGE}.{fullname}")
        return ModuleSpec(fullname, Existing(module), origin=getattr(module, "__file__", None))


class StandinFinder(MetaPathFinder):
    """Serves the documented names of libraries that are not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a stand-in module; raises ``ModuleNotFoundError`` for a part it does not have."""
        root = fullname.partition(".")[0]
        if root not in standin.HINTS:
            return None
        if root != fullname and not standin.is_standin(sys.modules.get(root)):
            return None
        module = standin.find_module(fullname)
        return ModuleSpec(fullname, Existing(module), is_package=True)


def install(folder: str) -> ModuleType:
    """Put the hooks and the namespace's package in place. Returns the package."""
    package = ModuleType(PACKAGE, "The files of the namespace.")
    package.__path__ = [folder]
    package.__spec__ = ModuleSpec(PACKAGE, None, is_package=True)
    package.__spec__.submodule_search_locations = [folder]
    sys.modules[PACKAGE] = package
    sys.modules["tooldock"] = native.make_module()
    sys.path_hooks.insert(0, sources.make_hook(folder))
    sys.meta_path += [SiblingFinder(folder), StandinFinder()]
    os.environ[FOLDER_VARIABLE] = folder
    return package


def install_inherited() -> None:
    """Do the same in a child process of the worker that runs a fresh interpreter."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder and PACKAGE not in sys.modules:
        install(folder)
