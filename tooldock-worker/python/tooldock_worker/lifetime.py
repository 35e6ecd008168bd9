"""How the worker process ends: with its parent, or in order."""

import atexit
import os
import sys
import threading
import time
from typing import NoReturn

LEAVE_SECONDS = 2.0
"""How long exit handlers of the tools may take."""

WATCH_SECONDS = 0.5
"""How often the watchdog looks whether the parent is alive."""


def watch_parent() -> None:
    """End this process soon after its parent died, whatever its tools do."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def leave(status: int) -> NoReturn:
    """Run the exit handlers, at most ``LEAVE_SECONDS``, then end the process."""
    guard = threading.Timer(LEAVE_SECONDS, os._exit, (status,))
    guard.daemon = True
    guard.start()
    try:
        atexit._run_exitfuncs()
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                stream.flush()
    finally:
        os._exit(status)
