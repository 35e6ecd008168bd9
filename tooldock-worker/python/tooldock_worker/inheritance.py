"""What a worker does not keep of what its parent left it."""

import os
import resource
from contextlib import suppress

STANDARD = 3
"""Descriptors below this one stay: the channel or nothing, and the two outputs."""

LISTINGS = ("/proc/self/fd", "/dev/fd")
"""Folders that name the open descriptors of this process, where the system has one."""

MOST_BLIND = 65536
"""How many descriptors are tried where there is no such folder."""


def drop_inherited() -> None:
    """Close every descriptor but the first three, make new files private, and write no core files.

    Call it before anything else opens a descriptor.
    """
    for descriptor in list_descriptors():
        if descriptor >= STANDARD:
            with suppress(OSError):
                os.close(descriptor)
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def list_descriptors() -> list[int]:
    """The open descriptors; the one that served to list them is among them and closed already."""
    for folder in LISTINGS:
        with suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_BLIND if soft == resource.RLIM_INFINITY else min(soft, MOST_BLIND)
    return list(range(STANDARD, most))
