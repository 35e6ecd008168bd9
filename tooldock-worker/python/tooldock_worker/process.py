"""The worker process: start, serve, leave."""

import argparse
import asyncio
import faulthandler
import gc
import importlib
import os
import signal
import socket
import sys
import time
import traceback
from importlib.machinery import PathFinder
from typing import Any, NoReturn

from . import PROTOCOL, endpoint, finders
from .asks import Asks
from .call import Call
from .calls import Calls
from .channel import Channel
from .context import Context
from .failures import Failures
from .fork import is_child
from .frames import Frame, FrameError, encode_frame
from .lifetime import leave
from .loader import Loader, Registry
from .logs import CallStream
from .memory import hide_memory
from .pool import Pool
from .shapes import name_validator
from .updates import set_sender
from .worker import Worker


def run() -> NoReturn:
    """Run the worker as the command line says. Never returns."""
    parser = argparse.ArgumentParser(prog="tooldock_worker", allow_abbrev=False)
    parser.add_argument("--namespace", required=True, help="the namespace's name")
    parser.add_argument("--dir", required=True, help="the folder with the tool files")
    parser.add_argument("--socket", help="listen on this socket file instead of using stdin")
    given = parser.parse_args()
    unreadable = hide_memory()
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    channel = endpoint.accept_one(given.socket) if given.socket else endpoint.take_stdin()
    folder = os.path.realpath(given.dir)
    try:
        start, rest = endpoint.read_first(channel)
        if start is None:
            leave(0)
        check_start(start)
        os.chdir(folder)
    except (FrameError, OSError) as error:
        print(f"the worker cannot start: {error}", file=sys.stderr)
        leave(2)
    Process(given.namespace, folder, start, unreadable).serve(channel, rest)


def check_start(start: Frame) -> None:
    """Raise ``FrameError`` unless this is a `start` frame of our protocol."""
    if start.get("op") != "start":
        raise FrameError("the first frame is no `start`")
    if start.get("protocol") != PROTOCOL:
        raise FrameError(f"protocol `{start.get('protocol')}` is not `{PROTOCOL}`, the one spoken here")


class Process:
    """Everything that lives as long as the worker process."""

    def __init__(self, namespace: str, folder: str, start: Frame, unreadable: bool) -> None:
        self._namespace = namespace
        self._folder = folder
        self._unreadable = unreadable
        self._loop = asyncio.new_event_loop()
        os.environ.update({str(key): str(value) for key, value in start.get("env", {}).items()})
        missing, waiting = (frozenset(start.get(member, ())) for member in ("missing", "waiting"))
        self._failures = Failures(namespace, missing, waiting)
        self._channel = Channel(self._loop, self._receive, self._end)
        self._asks = Asks(self._channel.send, self._note, self._wait)
        set_sender(self._channel.send_note)
        self._streams = [
            CallStream("stdout", sys.stdout, self._emit),
            CallStream("stderr", sys.stderr, self._emit),
        ]
        self._calls = Calls(
            self._loop,
            self._channel.send,
            Pool(int(start.get("threads", 16))),
            self._failures,
            int(start.get("max_result_bytes", 8 * 1024 * 1024)),
            self._finish,
            self._asks.forget,
        )
        self._worker: Worker | None = None
        self._done = False

    def serve(self, channel: socket.socket, received: bytes) -> NoReturn:
        """Load the tools, say `ready`, answer until the channel ends."""
        asyncio.set_event_loop(self._loop)
        began = time.monotonic()
        registry = self._load()
        # What is loaded stays: collections in the middle of calls need not look at it again.
        gc.freeze()
        ready = self._make_ready(registry, int((time.monotonic() - began) * 1000))
        self._channel.send(encode_frame(ready))
        self._worker = Worker(
            self._namespace, registry, self._calls, self._asks, self._channel.send, self._leave_soon
        )
        opening = self._loop.create_task(self._channel.open(channel, received))
        while not self._done:
            try:
                self._loop.run_forever()
            except (SystemExit, KeyboardInterrupt) as error:
                if is_child():
                    os._exit(0)
                print("a background task of a tool raised:", file=sys.stderr)
                traceback.print_exception(error)
        opening.cancel()
        leave(0)

    def _load(self) -> Registry:
        finders.install(self._folder)
        sys.stdout, sys.stderr = self._streams
        return Loader(self._folder, self._failures, self._make_context).load()

    def _make_ready(self, registry: Registry, load_ms: int) -> Frame:
        runtime = {
            "python": ".".join(map(str, sys.version_info[:3])),
            "fastmcp": name_fastmcp(),
            "validator": name_validator(),
            "unreadable_memory": self._unreadable,
        }
        return {
            "op": "ready",
            "protocol": PROTOCOL,
            "namespace": self._namespace,
            "pid": os.getpid(),
            "runtime": runtime,
            **registry.list_all(),
            "load_ms": load_ms,
        }

    def _make_context(self, call: Call) -> Context:
        return Context(call, self._asks)

    def _receive(self, line: bytes) -> None:
        if self._worker is not None:
            self._worker.receive(line)

    def _emit(self, call: Call, stream: str, text: str) -> None:
        note: dict[str, Any] = {"op": "log", "id": call.id, "stream": stream, "text": text}
        self._note(call, encode_frame(note))

    def _note(self, call: Call, line: bytes) -> None:
        if not self._channel.send_note(line):
            call.dropped += 1

    def _wait(self, call: Call, waits: bool) -> None:
        self._calls.wait(call, waits)

    def _finish(self, call: Call) -> None:
        for stream in self._streams:
            stream.finish(call)
        if call.dropped:
            text = f"{call.dropped} notes of this call were dropped: they came faster than they were read"
            note = {"op": "log", "id": call.id, "level": "warning", "logger": "tooldock", "data": text}
            self._channel.send(encode_frame(note))

    def _leave_soon(self) -> None:
        self._loop.create_task(self._drain_and_end())

    async def _drain_and_end(self) -> None:
        await self._channel.drain()
        self._end()

    def _end(self, reason: str | None = None) -> None:
        if reason is not None:
            print(f"the worker leaves: {reason}", file=sys.__stderr__)
        self._done = True
        self._loop.stop()


def name_fastmcp() -> str:
    """`stand-in`, or the version of the installed fastmcp; tells it without importing it."""
    if PathFinder.find_spec("fastmcp") is None:
        return "stand-in"
    metadata = importlib.import_module("importlib.metadata")
    try:
        return str(metadata.version("fastmcp"))
    except Exception:
        return "unknown"
