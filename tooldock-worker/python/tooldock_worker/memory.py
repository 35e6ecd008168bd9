"""Keeps other processes of the same user out of the memory of this one."""

import ctypes

PR_SET_DUMPABLE = 4
"""The option of ``prctl`` that says whether others may look into this process."""


def hide_memory() -> bool:
    """Close memory, environment and descriptors in ``/proc`` to other processes of this user.

    Returns whether the system did it. A program that is started afterwards does not inherit it.
    """
    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False
