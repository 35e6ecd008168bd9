"""Loads the files of the namespace without leaving anything beside them."""

import os
from collections.abc import Callable
from importlib.abc import PathEntryFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)


class TracelessLoader(SourceFileLoader):
    """Loads a file like any other, but keeps no bytecode: the folder belongs to its author."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Write nothing."""


def make_hook(folder: str) -> Callable[[str], PathEntryFinder]:
    """A path hook for ``folder`` and everything below it; ``folder`` is absolute and without links."""
    find = FileFinder.path_hook((ExtensionFileLoader, EXTENSION_SUFFIXES), (TracelessLoader, SOURCE_SUFFIXES))
    below = os.path.join(folder, "")

    def hook(path: str) -> PathEntryFinder:
        if path != folder and not path.startswith(below):
            raise ImportError(f"`{path}` is outside the namespace", path=path)
        return find(path)

    return hook
