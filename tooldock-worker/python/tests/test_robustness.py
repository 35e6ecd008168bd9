"""Tools that misbehave: forks, exits, processes, floods, closed descriptors."""

import os
import pathlib
import time
from typing import Any

import pytest
from conftest import WAIT

HEAD = "import multiprocessing, os, signal, sys, threading, time\nfrom tooldock import tool\n"
PEAK = "@tool\ndef peak() -> int:\n    import resource\n    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
"""A tool that tells the largest memory use so far, in KiB."""


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_forked_child_that_falls_out_of_the_tool(serve: Any, kind: str) -> None:
    text = HEAD + f"@tool\n{kind} split() -> int:\n    return os.fork()\n"
    worker = serve({"a.py": text})
    pid = worker.result("split")["structuredContent"]["result"]
    assert pid > 0
    wait_gone(pid)
    assert worker.wait(worker.request("ping"))["ok"]


def test_forked_child_does_not_hold_the_channel(serve: Any) -> None:
    text = HEAD + (
        "@tool\ndef split() -> int:\n    pid = os.fork()\n    if pid == 0:\n        print('from the child')\n        open('printed', 'w').close()\n        time.sleep(60)\n        os._exit(0)\n    return pid\n"
    )
    worker = serve({"a.py": text})
    pid = worker.result("split")["structuredContent"]["result"]
    try:
        wait_for(worker.folder / "printed")
        os.kill(worker.ready["pid"], 9)
        worker.socket.settimeout(WAIT)
        assert worker.socket.recv(1) == b"", "the child kept the channel open"
    finally:
        wait_gone(pid)
    assert b"from the child\n" in worker.process.stdout.read()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(serve: Any, method: str) -> None:
    text = HEAD + (
        "import _support\ndef square(n): return _support.scale(n) * n\n"
        f"@tool\ndef squares(n: int) -> list[int]:\n    with multiprocessing.get_context({method!r}).Pool(2) as pool:\n"
        "        return pool.map(square, range(n))\n"
    )
    worker = serve({"a.py": text, "_support.py": "def scale(n): return n * 1\n"})
    assert worker.result("squares", n=4)["structuredContent"] == {"result": [0, 1, 4, 9]}
    assert worker.wait(worker.request("ping"))["ok"]


def test_process_pool_of_an_async_tool(serve: Any) -> None:
    text = HEAD + (
        "import asyncio, concurrent.futures\ndef work(n): return n + 1\n"
        "@tool\nasync def add(n: int) -> int:\n"
        "    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context('spawn')) as pool:\n"
        "        return await asyncio.get_running_loop().run_in_executor(pool, work, n)\n"
    )
    assert serve({"a.py": text}).result("add", n=4)["structuredContent"] == {"result": 5}


@pytest.mark.parametrize("statement", ["os._exit(7)", "os.kill(os.getpid(), signal.SIGSEGV)"])
def test_death_of_the_process_is_seen_at_once(serve: Any, statement: str) -> None:
    worker = serve({"a.py": HEAD + f"@tool\ndef die() -> None:\n    {statement}\n"})
    worker.start("die")
    with pytest.raises(AssertionError, match="closed the channel"):
        worker.read()
    assert worker.process.wait(WAIT) in (7, -11)


def test_flood_of_notes_is_bounded_and_the_answer_arrives(serve: Any) -> None:
    text = (
        HEAD
        + PEAK
        + (
            "@tool\ndef flood(lines: int) -> str:\n    for n in range(lines):\n        print('x' * 8000)\n"
            "    open('flooded', 'w').close()\n    return 'end'\n"
        )
    )
    worker = serve({"a.py": text})
    before = worker.result("peak")["structuredContent"]["result"]
    call = worker.start("flood", lines=10_000)
    wait_for(worker.folder / "flooded")
    assert worker.wait(call)["result"]["structuredContent"] == {"result": "end"}
    after = worker.result("peak")["structuredContent"]["result"]
    assert after - before < 40 * 1024, "an unread channel filled the memory"
    dropped = [note for note in worker.notes if "dropped" in str(note.get("data"))]
    kept = [note for note in worker.notes if note.get("stream") == "stdout"]
    assert len(kept) < 10_000 and dropped, "what was dropped is told"


def test_closed_standard_streams(serve: Any) -> None:
    text = (
        HEAD
        + "@tool\ndef close() -> str:\n    os.close(1)\n    os.close(2)\n    os.close(0)\n    print('x')\n    return 'y'\n"
    )
    worker = serve({"a.py": text})
    assert worker.result("close")["structuredContent"] == {"result": "y"}
    assert worker.wait(worker.request("ping"))["ok"]


def test_tool_that_replaces_stdout(serve: Any) -> None:
    text = HEAD + (
        "import contextlib, io\n@tool\ndef capture() -> str:\n    out = io.StringIO()\n"
        "    with contextlib.redirect_stdout(out):\n        print('inside')\n    print('outside')\n    return out.getvalue()\n"
    )
    worker = serve({"a.py": text})
    assert worker.result("capture")["structuredContent"] == {"result": "inside\n"}
    assert [note["text"] for note in worker.notes] == ["outside\n"]


def test_large_results_do_not_disturb(serve: Any) -> None:
    text = HEAD + PEAK + "@tool\ndef big(n: int) -> str:\n    return 'y' * n\n"
    worker = serve({"a.py": text})
    before = worker.result("peak")["structuredContent"]["result"]
    assert worker.error("big", n=100 * 1024 * 1024)["code"] == "result_too_large"
    after = worker.result("peak")["structuredContent"]["result"]
    assert after - before < 150 * 1024, "a result over the limit was encoded"
    assert len(worker.result("big", n=1_000_000)["structuredContent"]["result"]) == 1_000_000


def test_supervisor_that_does_not_read(serve: Any) -> None:
    text = HEAD + "@tool\nasync def big(n: int) -> str:\n    return 'y' * n\n"
    text += "@tool\nasync def mark() -> None:\n    open('marked', 'w').close()\n"
    worker = serve({"a.py": text})
    calls = [worker.start("big", n=300_000) for _ in range(50)]
    calls.append(worker.start("mark"))
    wait_for(worker.folder / "marked")
    assert all(worker.wait(call)["ok"] for call in calls)


def wait_for(path: pathlib.Path) -> None:
    """Wait until a tool has made a file."""
    ends = time.monotonic() + WAIT
    while not path.exists():
        assert time.monotonic() < ends, f"{path} was not made"
        time.sleep(0.01)


def wait_gone(pid: int) -> None:
    """Wait until a process has ended (a zombie counts)."""
    ends = time.monotonic() + WAIT
    while time.monotonic() < ends:
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except FileNotFoundError:
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} still runs")
