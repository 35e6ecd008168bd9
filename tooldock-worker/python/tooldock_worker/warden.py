"""The warden: the process between the gateway and the worker, so that nothing outlives either of them.

Whatever a tool starts stays below the warden, also what forks twice, leaves its session and
ignores signals: a process that loses its parent becomes a child of the warden. Once the worker has
ended, or the gateway has, the warden kills all that is left and ends as the worker did. It runs no
code of the namespace.
"""

import ctypes
import os
import select
import signal
import time
from contextlib import suppress
from typing import NoReturn

LEAVE_SECONDS = 2.5
"""How long a worker whose gateway is gone may take to leave by itself."""

CLEAR_SECONDS = 4.0
"""How long killed processes may take to be gone."""

LOOK_SECONDS = 0.5
"""How often the warden looks for its parent where the system cannot tell it of its end."""

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

FORWARDED = (signal.SIGTERM, signal.SIGUSR1)
"""Signals that are passed on to the worker."""

END = signal.SIGQUIT
"""The signal to end the worker and all that it has started at once."""


def fork_worker() -> None:
    """Return in the worker, a new process in a session of its own; this one becomes its warden."""
    parent = os.getppid()
    set_option(PR_SET_CHILD_SUBREAPER, 1)
    warden = os.getpid()
    worker = os.fork()
    if worker:
        Warden(worker, parent).serve()
    os.setsid()
    # The warden has one thread, so this is sent at the end of the process and not before.
    set_option(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != warden:
        os._exit(1)


def set_option(option: int, value: int) -> None:
    """Set an option of this process; does nothing where the system has no such options."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Warden:
    """Waits for the end of the worker or of its parent."""

    def __init__(self, worker: int, parent: int) -> None:
        self._worker = worker
        self._parent = parent
        self._status: int | None = None

    def serve(self) -> NoReturn:
        """Wait, clear up, and end as the worker did."""
        self._let_go()
        self._listen()
        while self._status is None:
            self._wait()
        self._clear(time.monotonic() + CLEAR_SECONDS)
        end_like(self._status)

    def _let_go(self) -> None:
        """Give up the channel and the outputs: they belong to the worker alone."""
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.close(null)

    def _listen(self) -> None:
        self._signals, writer = os.pipe()
        os.set_blocking(writer, False)
        os.set_blocking(self._signals, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (*FORWARDED, END, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
        # What a terminal sends goes to the gateway, which decides.
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self._poll = select.poll()
        self._poll.register(self._signals, select.POLLIN)
        self._sleep: float | None = LOOK_SECONDS
        with suppress(AttributeError, OSError):
            self._poll.register(os.pidfd_open(self._parent), select.POLLIN)
            self._sleep = None
        # A child that ended before there was somebody to tell is found by the first look.
        os.write(writer, bytes([signal.SIGCHLD]))

    def _wait(self) -> None:
        self._poll.poll(None if self._sleep is None else self._sleep * 1000)
        with suppress(BlockingIOError):
            for number in os.read(self._signals, 512):
                self._obey(number)
        self._reap()
        if self._status is None and os.getppid() != self._parent:
            self._part()

    def _obey(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if number == END:
                os.kill(self._worker, signal.SIGKILL)
            elif number == signal.SIGTERM:
                os.killpg(self._worker, number)
            elif number in FORWARDED:
                os.kill(self._worker, number)

    def _part(self) -> None:
        """The parent is gone: the worker's channel has ended too, and so should the worker soon."""
        for patience in (LEAVE_SECONDS, CLEAR_SECONDS):
            ends = time.monotonic() + patience
            while self._status is None and time.monotonic() < ends:
                time.sleep(0.01)
                self._reap()
            if self._status is None:
                self._obey(END)
        # A worker that the system does not let go cannot be waited for any longer.
        self._status = signal.SIGKILL if self._status is None else self._status

    def _reap(self) -> bool:
        """Bury who has ended; false when nobody is left who could."""
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._worker:
                    self._status = status
        return False

    def _clear(self, until: float) -> None:
        """Kill every descendant. Those of a killed one become children of the warden in their turn."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._worker, signal.SIGKILL)
        while self._reap() and time.monotonic() < until:
            for pid in list_children():
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._poll.poll(10)
            with suppress(BlockingIOError):
                os.read(self._signals, 512)


def list_children() -> list[int]:
    """The children of this process; none where the system does not say."""
    with suppress(OSError), open("/proc/thread-self/children", encoding="ascii") as listing:
        return [int(pid) for pid in listing.read().split()]
    return []


def end_like(status: int) -> NoReturn:
    """End this process as another one ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
