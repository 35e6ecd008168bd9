"""A real worker process, driven over a socket pair."""

import json
import os
import pathlib
import select
import socket
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).parent.parent
ENTRY = FOLDER / "tooldock_worker" / "__main__.py"
VARIABLES = {
    "fastmcp 2": "TOOLDOCK_TEST_FASTMCP2_PYTHON",
    "fastmcp 3": "TOOLDOCK_TEST_FASTMCP3_PYTHON",
    "fastmcp 4": "TOOLDOCK_TEST_FASTMCP_PYTHON",
}
WAIT = 30.0

sys.path.insert(0, str(FOLDER))


def find_library_python(library: str) -> str:
    """The interpreter that has `fastmcp 2`, `fastmcp 3` or `fastmcp 4`."""
    variable = VARIABLES[library]
    python = os.environ.get(variable)
    if not python:
        pytest.fail(f"{variable} is not set: name an interpreter that has {library}")
    return python


@pytest.fixture(scope="session")
def library_python() -> Callable[[str], str]:
    """Finds the interpreter that has a library."""
    return find_library_python


@pytest.fixture(scope="session")
def fastmcp_python() -> str:
    """An interpreter with requirements-golden.txt installed."""
    return find_library_python("fastmcp 4")


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter with the standard library alone."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return str(folder / "bin" / "python")


class Worker:
    """One worker process and its channel."""

    def __init__(self, folder: pathlib.Path, python: str, start: dict[str, Any], *more: str) -> None:
        ours, theirs = socket.socketpair()
        command = [python, "-I", "-X", "utf8", str(ENTRY), "--namespace", "demo", "--dir", str(folder), *more]
        clean = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
        self.folder = folder
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean
        )
        theirs.close()
        self.socket = ours
        self._rest = b""
        self._number = 0
        self.notes: list[dict[str, Any]] = []
        self._answers: dict[Any, dict[str, Any]] = {}
        self.send({"op": "start", "protocol": 1, **start})
        self.ready = self.read()

    def send(self, frame: Any) -> None:
        line = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        self.socket.sendall(line + b"\n")

    def read(self) -> dict[str, Any]:
        """The next frame; the test fails after WAIT seconds or at the end of the stream."""
        while b"\n" not in self._rest:
            if not select.select([self.socket], [], [], WAIT)[0]:
                raise AssertionError("the worker said nothing")
            chunk = self.socket.recv(1 << 20)
            if not chunk:
                raise AssertionError(f"the worker closed the channel: {self.read_stderr()}")
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")

        def refuse(text: str) -> None:
            raise AssertionError(f"{text} on the wire")

        frame: dict[str, Any] = json.loads(line.decode(), parse_constant=refuse)
        return frame

    def request(self, op: str, **members: Any) -> int:
        """Send a request; returns its id."""
        self._number += 1
        self.send({"id": self._number, "op": op, **members})
        return self._number

    def wait(self, id: Any) -> dict[str, Any]:
        """The answer to a request; everything else that arrives is kept."""
        while id not in self._answers:
            frame = self.read()
            if "ok" in frame:
                assert frame["id"] not in self._answers, f"a second answer: {frame}"
                self._answers[frame["id"]] = frame
            else:
                self.notes.append(frame)
        return self._answers[id]

    def wait_note(self, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first note that matches, already here or still to come."""
        seen = 0
        while True:
            for note in self.notes[seen:]:
                if matches(note):
                    return note
            seen = len(self.notes)
            frame = self.read()
            if "ok" in frame:
                self._answers[frame["id"]] = frame
            else:
                self.notes.append(frame)

    def start(self, tool: str, context: dict[str, Any] | None = None, **arguments: Any) -> int:
        """Begin a call; returns its id."""
        more = {} if context is None else {"context": context}
        return self.request("tools.call", tool=tool, arguments=arguments, **more)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of one call."""
        return self.wait(self.start(tool, **arguments))

    def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call that must succeed."""
        answer = self.call(tool, **arguments)
        assert answer["ok"], answer
        result: dict[str, Any] = answer["result"]
        return result

    def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a call that must fail."""
        answer = self.call(tool, **arguments)
        assert not answer["ok"], answer
        error: dict[str, Any] = answer["error"]
        return error

    def read_stderr(self) -> str:
        """Standard error up to its end."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode("utf-8", "replace")

    def end(self) -> None:
        self.socket.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


Serve = Callable[..., Worker]


@pytest.fixture
def serve(tmp_path: pathlib.Path) -> Iterator[Serve]:
    """Starts workers: ``serve({"file.py": text}, python=..., **members_of_start)``."""
    workers: list[Worker] = []

    def start(files: dict[str, str], python: str = sys.executable, **members: Any) -> Worker:
        folder = tmp_path / f"ns{len(workers)}"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        workers.append(Worker(folder, python, members))
        return workers[-1]

    yield start
    for worker in workers:
        worker.end()
