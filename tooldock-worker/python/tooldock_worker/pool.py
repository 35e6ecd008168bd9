"""A fixed number of threads for synchronous tools."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

Job = Callable[[], object]


class Pool:
    """Runs jobs on at most ``size`` daemon threads, started when first needed.

    A job must not raise. How many jobs may wait is bounded by the caller, who knows what to
    answer instead. Threads are daemons because a stuck tool must not keep the process alive.
    """

    def __init__(self, size: int) -> None:
        self.size = max(1, size)
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._threads = 0
        self._idle = threading.Semaphore(0)

    def submit(self, job: Job) -> None:
        """Run ``job`` on the next free thread. Called from the loop's thread only."""
        self._jobs.put(job)
        if not self._idle.acquire(blocking=False) and self._threads < self.size:
            name = f"tool-{self._threads + 1}"
            try:
                threading.Thread(target=self._work, name=name, daemon=True).start()
            except RuntimeError:
                # The system has no more threads; those that run will come to the job.
                if self._threads == 0:
                    raise
            else:
                self._threads += 1

    def _work(self) -> None:
        while True:
            self._jobs.get()()
            self._idle.release()
