"""Start, requests and answers, frame by frame."""

import json
import signal
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from conftest import ENTRY, WAIT

TOOLS = '''
import asyncio, os, sys, time
from tooldock import tool

@tool
def hello(name: str = "World") -> str:
    """Say hello."""
    return f"Hello, {name}!"

@tool
async def add(a: float, b: float) -> float:
    return a + b

@tool
async def wait(seconds: float = 60) -> str:
    await asyncio.sleep(seconds)
    return "done"

@tool
def pid() -> int:
    return os.getpid()

@tool
def env(name: str) -> str | None:
    return os.environ.get(name)
'''


def test_ready_tells_everything(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    ready = worker.ready
    assert ready["op"] == "ready" and ready["protocol"] == 1 and ready["namespace"] == "demo"
    assert worker.result("pid")["structuredContent"] == {"result": ready["pid"]}
    assert ready["runtime"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert isinstance(ready["load_ms"], int)
    assert [tool["name"] for tool in ready["tools"]] == ["hello", "add", "wait", "pid", "env"]
    hello = ready["tools"][0]
    assert hello["title"] == "Hello" and hello["description"] == "Say hello."
    assert hello["sync"] is True and hello["enabled"] is True
    assert (hello["file"], hello["line"]) == ("a.py", 5)
    assert ready["tools"][1]["sync"] is False
    assert not any(value is None for tool in ready["tools"] for value in tool.values())


def test_requests(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    assert worker.wait(worker.request("ping"))["result"] == {}
    listed = worker.wait(worker.request("tools.list"))["result"]
    kinds = ("tools", "resources", "templates", "prompts", "errors")
    assert listed == {kind: worker.ready[kind] for kind in kinds}
    schema = worker.wait(worker.request("tools.get_schema", tool="add"))["result"]
    assert set(schema) == {"inputSchema", "outputSchema"}
    assert schema["inputSchema"]["required"] == ["a", "b"]
    missing = worker.wait(worker.request("tools.get_schema", tool="nope"))
    assert missing["error"]["code"] == "tool_not_found"
    unknown = worker.wait(worker.request("tools.nope"))
    assert unknown["error"]["code"] == "internal_error" and "tools.nope" in unknown["error"]["message"]


def test_call_answer_is_exact(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    answer = worker.call("add", a=1, b=2.5)
    assert isinstance(answer.pop("latency_ms"), int) and isinstance(answer.pop("cpu_us"), int)
    assert answer == {
        "id": 1,
        "ok": True,
        "result": {
            "content": [{"type": "text", "text": "3.5"}],
            "structuredContent": {"result": 3.5},
            "_meta": {"fastmcp": {"wrap_result": True}},
            "isError": False,
        },
    }


def test_ids_may_be_text(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    worker.send({"id": 'x"y', "op": "tools.call", "tool": "hello", "arguments": {}})
    assert worker.wait('x"y')["result"]["content"][0]["text"] == "Hello, World!"


def test_environment_arrives_before_import(serve: Any) -> None:
    text = "import os\nfrom tooldock import tool\nSEEN = os.environ['GREETING']\n@tool\ndef seen() -> str: return SEEN\n"
    worker = serve({"a.py": text}, env={"GREETING": "hi"})
    assert worker.result("seen")["structuredContent"] == {"result": "hi"}


def test_many_calls_in_flight(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    ids = [
        worker.start("hello" if n % 2 else "add", **({} if n % 2 else {"a": n, "b": 0})) for n in range(500)
    ]
    texts = [worker.wait(id)["result"]["content"][0]["text"] for id in ids]
    assert texts == ["Hello, World!" if n % 2 else f"{n}.0" for n in range(500)]


def test_frame_cut_anywhere(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    line = b'{"id":5,"op":"tools.call","tool":"hello","arguments":{"name":"' + b"y" * 300_000 + b'"}}\n'
    for start in range(0, len(line), 70_001):
        worker.socket.sendall(line[start : start + 70_001])
    text = worker.wait(5)["result"]["content"][0]["text"]
    assert text == "Hello, " + "y" * 300_000 + "!"


@pytest.mark.parametrize(
    "line", [b"garbage", b"[1]", b"\xff\xfe", b'{"op":"ping"}', b'{"id":null,"op":"ping"}']
)
def test_no_frame_gets_error_without_id(serve: Any, line: bytes) -> None:
    worker = serve({"a.py": TOOLS})
    worker.send(line)
    frame = worker.read()
    assert "id" not in frame and frame["ok"] is False and frame["error"]["code"] == "internal_error"
    assert worker.wait(worker.request("ping"))["ok"]


def test_unreadable_number_is_answered_under_its_id(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    worker.send(b'{"id":9,"op":"tools.call","tool":"hello","arguments":{"name":' + b"1" * 5000 + b"}}")
    assert worker.wait(9)["error"]["code"] == "internal_error"
    worker.send(b'{"id":10,"op":"tools.call","tool":"hello","arguments":{"name":NaN}}')
    assert worker.wait(10)["error"]["code"] == "internal_error"


@pytest.mark.parametrize("arguments", [[], "x", 3])
def test_arguments_must_be_an_object(serve: Any, arguments: Any) -> None:
    worker = serve({"a.py": TOOLS})
    answer = worker.wait(worker.request("tools.call", tool="hello", arguments=arguments))
    assert "object" in answer["error"]["message"]


def test_cancel_async(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    call = worker.start("wait")
    assert worker.wait(worker.request("tools.cancel", target=call))["result"] == {"found": True}
    assert worker.wait(call)["error"]["code"] == "cancelled"
    assert worker.wait(worker.request("tools.cancel", target=call))["result"] == {"found": False}
    assert worker.wait(worker.request("tools.cancel", target="nope"))["result"] == {"found": False}


def test_shutdown_lets_calls_end(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    call = worker.start("wait", seconds=0.2)
    down = worker.request("shutdown", grace_ms=20_000)
    late = worker.start("hello")
    assert worker.wait(down)["result"] == {}
    assert worker.wait(late)["error"]["code"] == "internal_error"
    assert worker.wait(call)["ok"]
    assert worker.process.wait(WAIT) == 0


def test_shutdown_cancels_after_grace(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    call = worker.start("wait")
    worker.request("shutdown", grace_ms=50)
    assert worker.wait(call)["error"]["code"] == "cancelled"
    assert worker.process.wait(WAIT) == 0


def test_end_of_stream_ends_the_worker(serve: Any) -> None:
    worker = serve({"a.py": TOOLS + "import atexit\natexit.register(print, 'bye')\n"})
    worker.start("wait")
    worker.socket.close()
    assert worker.process.wait(WAIT) == 0
    assert b"bye" in worker.process.stdout.read()


def test_signals(serve: Any) -> None:
    worker = serve({"a.py": TOOLS})
    worker.process.send_signal(signal.SIGUSR1)
    assert worker.wait(worker.request("ping"))["ok"]
    worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait(WAIT) == -signal.SIGTERM
    assert "most recent call first" in worker.read_stderr()


@pytest.mark.parametrize("line", [b'{"op":"start","protocol":2}\n', b'{"op":"ping","id":1}\n', b"x\n"])
def test_wrong_start_ends_with_reason(tmp_path: Any, line: bytes) -> None:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", str(ENTRY), "--namespace", "demo", "--dir", str(tmp_path)]
    process = subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE)
    theirs.close()
    with ours:
        ours.sendall(line)
        _, stderr = process.communicate(timeout=WAIT)
    assert process.returncode == 2
    assert b"the worker cannot start" in stderr


def test_socket_file(tmp_path: Any) -> None:
    (tmp_path / "a.py").write_text(TOOLS)
    path = tmp_path / "w.sock"
    command = [
        sys.executable,
        "-I",
        str(ENTRY),
        "--namespace",
        "n",
        "--dir",
        str(tmp_path),
        "--socket",
        str(path),
    ]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + WAIT
        while not path.exists():
            assert time.monotonic() < ends
            time.sleep(0.01)
        # Before somebody connects, who takes the name away.
        assert path.stat().st_mode & 0o777 == 0o600
        client = socket.socket(socket.AF_UNIX)
        while client.connect_ex(str(path)) != 0:
            assert time.monotonic() < ends
            time.sleep(0.01)
        with client, client.makefile("rb") as lines:
            client.sendall(b'{"op":"start","protocol":1}\n{"id":1,"op":"ping"}\n')
            assert json.loads(lines.readline())["op"] == "ready"
            assert json.loads(lines.readline())["ok"] is True
        assert process.wait(WAIT) == 0
        assert not path.exists()
    finally:
        process.kill()
        process.wait()
