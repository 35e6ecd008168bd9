"""Calls: threads, timeouts, errors; one answer whatever the tool does."""

import sys
from typing import Any

import pytest

HEAD = (
    "import asyncio, contextvars, os, sys, threading, time\nfrom tooldock import tool, ToolError, Context\n"
)


def test_sync_tools_run_beside_the_loop(serve: Any) -> None:
    text = HEAD + (
        "together = threading.Barrier(4)\ngate = threading.Event()\n"
        "@tool\ndef block() -> str:\n    together.wait(30)\n    gate.wait(30)\n    return threading.current_thread().name\n"
        "@tool\nasync def release() -> None:\n    gate.set()\n"
    )
    worker = serve({"a.py": text}, threads=4)
    ids = [worker.start("block") for _ in range(4)]
    assert worker.wait(worker.request("ping"))["ok"]
    worker.result("release")
    names = {worker.wait(id)["result"]["structuredContent"]["result"] for id in ids}
    assert len(names) == 4 and "MainThread" not in names


def test_threads_are_bounded(serve: Any) -> None:
    text = HEAD + (
        "running = peak = 0\nlock = threading.Lock()\n"
        "@tool\ndef count() -> int:\n    global running, peak\n"
        "    with lock:\n        running += 1\n        peak = max(peak, running)\n"
        "    time.sleep(0.02)\n    with lock: running -= 1\n    return peak\n"
    )
    worker = serve({"a.py": text}, threads=3)
    answers = [worker.wait(id) for id in [worker.start("count") for _ in range(20)]]
    assert max(answer["result"]["structuredContent"]["result"] for answer in answers) == 3


def test_run_in_thread_false(serve: Any) -> None:
    text = (
        HEAD + "@tool(run_in_thread=False)\ndef where() -> str:\n    return threading.current_thread().name\n"
    )
    assert serve({"a.py": text}).result("where")["structuredContent"] == {"result": "MainThread"}


def test_sync_function_that_returns_an_awaitable(serve: Any) -> None:
    text = HEAD + (
        "async def inner(x): await asyncio.sleep(0); return x\n"
        "@tool\ndef outer(x: int) -> int:\n    return inner(x)\n"
        "@tool\ndef bad(x: int) -> int:\n    async def f(): raise ToolError('no')\n    return f()\n"
    )
    worker = serve({"a.py": text})
    assert worker.result("outer", x=4)["structuredContent"] == {"result": 4}
    assert worker.error("bad", x=4)["message"] == "no"


def test_own_timeout(serve: Any) -> None:
    text = HEAD + (
        "@tool(timeout=0.1)\nasync def slow() -> None:\n    await asyncio.sleep(60)\n"
        "@tool(timeout=0.1)\ndef stuck(s: float) -> None:\n    time.sleep(s)\n"
        "@tool(timeout=30)\ndef quick() -> int:\n    return 1\n"
    )
    worker = serve({"a.py": text})
    assert worker.ready["tools"][0]["timeout"] == 0.1
    error = worker.error("slow")
    assert error["code"] == "execution_timeout" and "0.1 seconds" in error["message"]
    assert worker.error("stuck", s=0.5)["code"] == "execution_timeout"
    assert worker.wait_note(lambda note: note["op"] == "abandoned")["count"] == 1
    assert worker.result("quick")["isError"] is False


def test_cancelled_threads_are_counted_until_they_end(serve: Any) -> None:
    text = HEAD + (
        "gate = threading.Event()\n"
        "@tool\ndef stuck() -> None:\n    print('in')\n    gate.wait(30)\n"
        "@tool\nasync def release() -> None:\n    gate.set()\n"
    )
    worker = serve({"a.py": text}, threads=2)
    calls = [worker.start("stuck") for _ in range(3)]
    for call in calls[:2]:
        worker.wait_note(lambda note, call=call: note.get("id") == call and note["op"] == "log")
    for call in calls:
        worker.request("tools.cancel", target=call)
        assert worker.wait(call)["error"]["code"] == "cancelled"
    worker.wait(worker.request("ping"))
    counts = [note["count"] for note in worker.notes if note["op"] == "abandoned"]
    assert counts == [1, 2], "the call that still waited for a thread is not abandoned"
    worker.result("release")
    worker.wait_note(lambda note: note == {"op": "abandoned", "count": 0})


def test_async_tool_that_swallows_cancel_is_still_answered(serve: Any) -> None:
    text = HEAD + (
        "@tool\nasync def deaf() -> str:\n"
        "    try: await asyncio.sleep(60)\n    except asyncio.CancelledError: pass\n"
        "    over.set()\n    return 'late'\n"
        "over = asyncio.Event()\n@tool\nasync def wait_over() -> bool:\n    return await over.wait()\n"
    )
    worker = serve({"a.py": text})
    call = worker.start("deaf")
    worker.wait(worker.request("ping"))
    worker.request("tools.cancel", target=call)
    assert worker.wait(call)["error"]["code"] == "cancelled"
    assert worker.result("wait_over")["structuredContent"] == {"result": True}
    assert worker.wait(worker.request("ping"))["ok"]


ENDINGS = [
    ("raise ToolError('just this')", "tool_error", "just this"),
    ("raise ValueError('bad x')", "tool_error", "Error calling tool 'end': bad x"),
    ("raise ValueError", "tool_error", "Error calling tool 'end': ValueError"),
    ("sys.exit(3)", "tool_error", "the tool ended itself: SystemExit: 3"),
    ("raise KeyboardInterrupt", "tool_error", "the tool ended itself: KeyboardInterrupt"),
    ("raise GeneratorExit", "tool_error", "GeneratorExit"),
    ("raise asyncio.CancelledError", "tool_error", "CancelledError"),
    ("raise StopIteration(1)", "tool_error", ""),
    ("raise StopAsyncIteration", "tool_error", ""),
    ("raise BaseExceptionGroup('g', [SystemExit()])", "tool_error", "BaseExceptionGroup"),
    ("raise Odd", "tool_error", "Odd"),
    ("raise Worse", "tool_error", "Worse"),
    ("raise KeyError('missing')", "tool_error", "Error calling tool 'end': KeyError: 'missing'"),
    ("[][1]", "tool_error", "Error calling tool 'end': IndexError: list index out of range"),
    ("raise AssertionError", "tool_error", "Error calling tool 'end': AssertionError"),
    ("raise AssertionError('x > 0')", "tool_error", "Error calling tool 'end': AssertionError: x > 0"),
    ("raise ValueError('\\ud800')", "tool_error", "\ufffd"),
    ("raise ValueError('x' * 10)  from Odd()", "tool_error", "xxxxxxxxxx"),
    ("import nope_module", "dependency_error", "nope_module"),
]
ODD = (
    "class Odd(Exception):\n    def __str__(self): raise SystemExit\n    __repr__ = __str__\n"
    "class Worse(BaseException):\n    def __str__(self): raise KeyboardInterrupt\n    __repr__ = __str__\n"
)


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_every_ending_gets_one_answer(serve: Any, kind: str) -> None:
    endings = [one for one in ENDINGS if "Group" not in one[0] or sys.version_info >= (3, 11)]
    body = "".join(f"    if n == {number}:\n        {one[0]}\n" for number, one in enumerate(endings))
    worker = serve({"a.py": f"{HEAD}{ODD}@tool\n{kind} end(n: int) -> str:\n{body}    return 'ok'\n"})
    for number, (statement, code, part) in enumerate(endings):
        error = worker.error("end", n=number)
        assert error["code"] == code, (statement, error)
        assert part in error["message"], (statement, error)
        assert error["traceback"]
    assert worker.result("end", n=99)["structuredContent"] == {"result": "ok"}


def test_endless_recursion(serve: Any) -> None:
    worker = serve({"a.py": HEAD + "@tool\ndef down(n: int) -> int:\n    return down(n + 1)\n"})
    error = worker.error("down", n=0)
    assert error["code"] == "tool_error" and "recursion" in error["message"]


def test_background_task_that_exits_does_not_end_the_worker(serve: Any) -> None:
    text = HEAD + (
        "async def bad(): sys.exit(1)\n@tool\nasync def spawn() -> str:\n"
        "    asyncio.get_running_loop().create_task(bad())\n    await asyncio.sleep(0.01)\n    return 'x'\n"
    )
    worker = serve({"a.py": text})
    assert worker.result("spawn")["structuredContent"] == {"result": "x"}
    assert worker.wait(worker.request("ping"))["ok"]


def test_invalid_arguments(serve: Any) -> None:
    text = HEAD + "@tool\ndef add(a: int, b: list[int]) -> int:\n    return a\n"
    error = serve({"a.py": text}).error("add", a="x", b=[1, "y"], c=1)
    assert error["code"] == "invalid_arguments"
    errors = {tuple(entry["loc"]): entry for entry in error["details"]["errors"]}
    assert set(errors) == {("a",), ("b", 1), ("c",)}
    assert all(set(entry) == {"loc", "msg", "type"} for entry in errors.values())
    assert "http" not in str(error) and "traceback" not in error


def test_validation_error_in_the_body_is_a_tool_error(serve: Any) -> None:
    text = HEAD + (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    x: int\n"
        "@tool\ndef load() -> int:\n    return M(x='no').x\n"
    )
    assert serve({"a.py": text}).error("load")["code"] == "tool_error"


def test_missing_secret(serve: Any) -> None:
    text = HEAD + (
        "@tool\ndef direct() -> str:\n    return os.environ['API_KEY']\n"
        "@tool\nasync def wrapped() -> str:\n"
        "    try:\n        return os.environ['API_KEY']\n"
        "    except KeyError as e:\n        raise RuntimeError('no key') from e\n"
        "@tool\ndef other() -> str:\n    return os.environ['OTHER']\n"
    )
    worker = serve({"a.py": text}, declared=["API_KEY"], missing=["API_KEY"])
    for tool in ("direct", "wrapped"):
        error = worker.error(tool)
        assert error["code"] == "dependency_error"
        assert "; set the secret `API_KEY` for namespace `demo`, then reload" in error["message"]
    assert worker.error("other")["code"] == "tool_error"


def test_unknown_tool(serve: Any) -> None:
    error = serve({"a.py": HEAD}).error("nope")
    assert error == {"code": "tool_not_found", "message": "namespace `demo` has no tool `nope`"}


def test_traceback_begins_in_the_file(serve: Any) -> None:
    error = serve({"a.py": HEAD + "@tool\ndef bad() -> int:\n    return 1 // 0\n"}).error("bad")
    assert "ZeroDivisionError" in error["traceback"] and "a.py" in error["traceback"]
    assert "tooldock_worker" not in error["traceback"]


def test_conversions_are_lax(serve: Any) -> None:
    text = HEAD + "@tool\ndef show(i: int, f: float, b: bool) -> list:\n    return [i, f, b]\n"
    result = serve({"a.py": text}).result("show", i="12", f="1.5", b="true")
    assert result["content"][0]["text"] == "[12,1.5,true]"


def test_long_error_texts_are_cut(serve: Any) -> None:
    text = HEAD + "@tool\ndef bad() -> None:\n    raise ValueError('x' * 10_000_000)\n"
    error = serve({"a.py": text}).error("bad")
    assert len(error["message"]) < 300_000 and len(error["traceback"]) == 256 * 1024
    assert error["traceback"].endswith("xxx\n"), "its end is left"


def test_key_error_with_an_odd_key(serve: Any) -> None:
    text = HEAD + "@tool\ndef bad() -> None:\n    raise KeyError([1])\n"
    assert serve({"a.py": text}, missing=["A"]).error("bad")["code"] == "tool_error"


def test_context_variables_are_separate(serve: Any) -> None:
    text = HEAD + (
        "seen = contextvars.ContextVar('seen', default=0)\n"
        "@tool\ndef plain() -> int:\n    seen.set(seen.get() + 1)\n    return seen.get()\n"
        "@tool\nasync def later() -> int:\n    seen.set(seen.get() + 1)\n    return seen.get()\n"
    )
    worker = serve({"a.py": text}, threads=1)
    for tool in ("plain", "plain", "later", "later"):
        assert worker.result(tool)["structuredContent"] == {"result": 1}


def test_repeated_id_in_flight_gets_no_second_answer(serve: Any) -> None:
    text = HEAD + (
        "runs = []\ngo = asyncio.Event()\n"
        "@tool\nasync def hold() -> int:\n    runs.append(1)\n    await go.wait()\n    return len(runs)\n"
        "@tool\nasync def release() -> None:\n    go.set()\n"
    )
    worker = serve({"a.py": text})
    for _ in range(2):
        worker.send({"id": "same", "op": "tools.call", "tool": "hold", "arguments": {}})
    worker.result("release")
    assert worker.wait("same")["result"]["structuredContent"] == {"result": 1}
    assert worker.wait(worker.request("ping"))["ok"]


def test_more_calls_than_the_worker_holds(serve: Any) -> None:
    text = (
        HEAD
        + "@tool\nasync def nap() -> None:\n    await asyncio.sleep(60)\n@tool\nasync def one() -> int: return 1\n"
    )
    worker = serve({"a.py": text})
    calls = [worker.start("nap") for _ in range(4096)]
    error = worker.error("one")
    assert error["code"] == "overloaded" and "4096" in error["message"]
    for call in calls:
        worker.request("tools.cancel", target=call)
    assert all(worker.wait(call)["error"]["code"] == "cancelled" for call in calls)
    assert worker.result("one")["structuredContent"] == {"result": 1}


BURNERS = """
import asyncio, time
from tooldock import tool

def burn(ms):
    ends = time.thread_time() + ms / 1000
    while time.thread_time() < ends:
        pass

@tool
def blocking(ms: int) -> str:
    burn(ms)
    time.sleep(0.05)
    return 'done'

@tool
async def stepping(ms: int) -> str:
    for _ in range(5):
        burn(ms / 5)
        await asyncio.sleep(0.01)
    return 'done'

@tool
def begun(ms: int):
    burn(ms / 2)
    return stepping_on(ms / 2)

async def stepping_on(ms):
    burn(ms)
    await asyncio.sleep(0)
    return 'done'

@tool
async def failing(ms: int) -> str:
    await asyncio.sleep(0)
    burn(ms)
    raise ValueError('burnt')
"""


def test_a_call_is_told_what_it_used_of_a_processor_and_not_what_others_did(serve: Any) -> None:
    worker = serve({"a.py": BURNERS})
    calls = {}
    for tool in ("blocking", "stepping", "begun", "failing"):
        calls |= {worker.start(tool, ms=ms): (tool, ms) for ms in (0, 40)}
    for call, (tool, ms) in calls.items():
        used = worker.wait(call)["cpu_us"]
        assert ms * 1000 <= used < (ms + 15) * 1000, (tool, ms, used)
