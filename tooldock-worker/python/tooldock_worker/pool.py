"""A bounded number of threads for synchronous tools."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

Job = Callable[[], object]


class Pool:
    """Runs jobs on at most ``size`` daemon threads, started when first needed.

    A job must not raise. How many jobs may wait is bounded by the caller, who knows what to
    answer instead. Threads are daemons because a stuck tool must not keep the process alive.
    A thread that waits for a client does not count; afterwards surplus threads end with their jobs.
    Methods are called from the loop's thread only.
    """

    def __init__(self, size: int) -> None:
        self.size = max(1, size)
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._threads = 0
        self._idle = threading.Semaphore(0)
        self._lock = threading.Lock()

    def submit(self, job: Job) -> None:
        """Run ``job`` on the next free thread."""
        self._jobs.put(job)
        if not self._idle.acquire(blocking=False):
            self._grow()

    def wait(self, waits: bool) -> None:
        """Let another thread work while one waits, until it no longer does."""
        with self._lock:
            self.size += 1 if waits else -1
        if waits and not self._jobs.empty():
            self._grow()

    def _grow(self) -> None:
        with self._lock:
            if self._threads >= self.size:
                return
            self._threads += 1
            number = self._threads
        try:
            threading.Thread(target=self._work, name=f"tool-{number}", daemon=True).start()
        except RuntimeError:
            with self._lock:
                self._threads -= 1
                alone = self._threads == 0
            # The system has no more threads; those that run will come to the job.
            if alone:
                raise

    def _work(self) -> None:
        while True:
            self._jobs.get()()
            with self._lock:
                if self._threads > self.size:
                    self._threads -= 1
                    return
                self._idle.release()
