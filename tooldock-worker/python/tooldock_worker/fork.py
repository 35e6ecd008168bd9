"""Notices that this process is a forked child of the worker."""

import os

_forked = False


def _mark_forked() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_mark_forked)


def is_child() -> bool:
    """Whether this process was forked off the worker (and so must never answer a call)."""
    return _forked


def leave_if_child() -> None:
    """End this process at once if a tool forked it off and then fell out of its function."""
    if _forked:
        os._exit(0)
