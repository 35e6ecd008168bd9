"""Nothing outlives a worker, its warden or its gateway."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from conftest import ENTRY, WAIT

TOOLS = """
import ctypes, os, pathlib, signal, time
from tooldock import tool

@tool
def escape() -> int:
    "A process of another session that ignores all it can and belongs to nobody here."
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.pthread_sigmask(signal.SIG_BLOCK, [number])
            pathlib.Path("stray.new").write_text(str(os.getpid()))
            os.rename("stray.new", "stray")
            time.sleep(600)
        os._exit(0)
    while not os.path.exists("stray"):
        time.sleep(0.005)
    return int(pathlib.Path("stray").read_text())

@tool
def hold() -> None:
    "Keeps the interpreter to itself for a minute, in native code."
    pathlib.Path("holds").touch()
    ctypes.PyDLL(None).sleep(60)

@tool
def warden() -> int:
    return os.getppid()
"""

BOUND = 5.0
"""Seconds within which everything has to be gone."""


def is_gone(pid: int) -> bool:
    """Whether no live process has this id (a zombie that nobody reaps counts as gone)."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_gone(*pids: int, seconds: float = BOUND) -> None:
    ends = time.monotonic() + seconds
    while left := [pid for pid in pids if not is_gone(pid)]:
        assert time.monotonic() < ends, f"{left} live on"
        time.sleep(0.01)


def escape(worker: Any) -> int:
    return int(worker.result("escape")["structuredContent"]["result"])


def leave(worker: Any) -> None:
    worker.socket.close()


def kill(worker: Any) -> None:
    os.kill(worker.ready["pid"], signal.SIGKILL)


def give_order(worker: Any) -> None:
    worker.process.send_signal(signal.SIGQUIT)


@pytest.mark.parametrize("way", [leave, kill, give_order])
def test_s89_a_stray_goes_with_its_worker(serve: Any, way: Any) -> None:
    worker = serve({"a.py": TOOLS})
    stray = escape(worker)
    assert not is_gone(stray)
    way(worker)
    wait_gone(stray, worker.ready["pid"])
    expected = 0 if way is leave else -signal.SIGKILL
    assert worker.process.wait(WAIT) == expected, "the warden ends as the worker did"


def test_s89_a_stray_that_ends_is_buried(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    stray = escape(worker)
    os.kill(stray, signal.SIGKILL)
    ends = time.monotonic() + BOUND
    while os.path.exists(f"/proc/{stray}"):
        assert time.monotonic() < ends, "it stays a zombie"
        time.sleep(0.01)


def test_s89_a_worker_does_not_outlive_its_warden(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    assert worker.result("warden")["structuredContent"]["result"] == worker.process.pid
    worker.process.kill()
    wait_gone(worker.ready["pid"])


def test_s90_a_worker_outlives_the_thread_that_started_it(serve: Any) -> None:
    # The mark that ends a worker with its parent is tied to a thread: of the warden, which has no other.
    worker = serve({"a.py": TOOLS})
    with open(f"/proc/{worker.process.pid}/status") as status:
        assert "Threads:\t1\n" in status.read()
    assert worker.wait(worker.request("ping"))["ok"]


def test_s82_a_worker_leads_a_session_of_its_own(serve: Any) -> None:
    # What is sent to the group of the gateway, or to that of the warden, is not for the worker, and no terminal is its own.
    pid = serve({"a.py": TOOLS}).ready["pid"]
    assert os.getsid(pid) == os.getpgid(pid) == pid


@pytest.mark.parametrize("busy", [False, True])
def test_s89_everything_goes_with_the_gateway(tmp_path: pathlib.Path, busy: bool) -> None:
    (tmp_path / "a.py").write_text(TOOLS)
    # A gateway that keeps a copy of the channel open in this process, so only its death tells.
    middle = (
        "import os, subprocess, sys\n"
        f"p = subprocess.Popen([sys.executable, '-I', {str(ENTRY)!r}, '--namespace', 'n', '--dir', {str(tmp_path)!r}])\n"
        "print(p.pid, flush=True)\nsys.stdin.close()\nos.read(3, 1)\n"
    )
    ours, theirs = socket.socketpair()
    hold_read, hold_write = os.pipe()
    command = ["bash", "-c", f'exec 3<&{hold_read}; exec "$0" -c "$1"', sys.executable, middle]
    gateway = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, pass_fds=(hold_read,))
    assert gateway.stdout is not None
    warden = int(gateway.stdout.readline())

    def send(**frame: Any) -> None:
        ours.sendall(json.dumps(frame).encode() + b"\n")

    with ours.makefile("rb") as lines:
        send(op="start", protocol=1)
        worker = json.loads(lines.readline())["pid"]
        send(id=1, op="tools.call", tool="escape")
        stray = json.loads(lines.readline())["result"]["structuredContent"]["result"]
        if busy:
            send(id=2, op="tools.call", tool="hold")
            ends = time.monotonic() + WAIT
            while not (tmp_path / "holds").exists():
                assert time.monotonic() < ends
                time.sleep(0.01)
        gateway.kill()
        gateway.wait()
        wait_gone(warden, worker, stray)
    gateway.stdout.close()
    for descriptor in (hold_read, hold_write):
        os.close(descriptor)
    theirs.close()
    ours.close()
