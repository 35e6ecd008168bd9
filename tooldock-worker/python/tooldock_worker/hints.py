"""Advice for errors that tool files are known to make."""

from .sources import RefusedSource

_HINTS = (
    ("'module' object is not callable", "fastmcp 2.x has no `@tool`: put `fastmcp>=3` into requirements.txt"),
    (
        "typing_extensions.TypedDict",
        "import `TypedDict` from `typing_extensions`: Python before 3.12 needs it",
    ),
    ("is not supported without pydantic", "add the line `pydantic>=2.12` to requirements.txt"),
)
"""A part of the error's text, and what to do about it."""


def find_hint(error: BaseException) -> str | None:
    """What to do about ``error``, when that is known."""
    if isinstance(error, SystemExit):
        return 'a tool file is imported, not run: put `exit()` under `if __name__ == "__main__":`'
    if isinstance(error, RefusedSource):
        return error.hint
    try:
        text = str(error)
    except BaseException:
        return None
    return next((hint for part, hint in _HINTS if part in text), None)
