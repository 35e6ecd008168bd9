"""Loads the files of the namespace without leaving anything beside them."""

import errno
import os
import stat
from collections.abc import Callable
from importlib.abc import PathEntryFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)

MAX_SOURCE = 4 * 1024 * 1024
"""Bytes that a file may have. The supervisor, which watches the files, reads no more of them either."""


class RefusedSource(ImportError):
    """A file that is left out; ``hint`` says what to do."""

    def __init__(self, path: str, why: str, hint: str) -> None:
        super().__init__(f"`{os.path.basename(path)}` {why}", path=path)
        self.hint = hint


def read_source(path: str) -> bytes:
    """The text of a file, undecoded: the parser honours a coding line.

    Raises ``RefusedSource`` for all but regular files of one name: a link could lead out of the folder, and a
    pipe would be waited for.
    """
    irregular = RefusedSource(
        path, "is a link, a pipe or a file with a second name", "put a regular file there"
    )
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise irregular from None
        why = f"cannot be read: {error.strerror}"
        raise RefusedSource(path, why, "let the gateway read it, or take it away") from None
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise irregular
        source = file.read(MAX_SOURCE + 1)
    if len(source) > MAX_SOURCE:
        why = f"is larger than {MAX_SOURCE // 1024} KiB, the most a Python file may have"
        raise RefusedSource(path, why, "split it, or keep data in a file of another kind")
    return source


class TracelessLoader(SourceFileLoader):
    """Loads a file like any other, but keeps no bytecode: the folder belongs to its author."""

    def get_data(self, path: str) -> bytes:
        """The bytes of a file; sources as :func:`read_source` reads them."""
        return read_source(path) if path == self.path else super().get_data(path)

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
