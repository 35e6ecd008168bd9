"""How the worker process ends in order."""

import atexit
import os
import sys
import threading
from typing import NoReturn

LEAVE_SECONDS = 2.0
"""How long exit handlers of the tools may take."""


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
