"""What tools print, log and ask."""

import asyncio
import json
import unittest.mock
from collections.abc import Callable
from typing import Any

HEAD = (
    "import asyncio, logging, os, subprocess, sys, threading\nfrom dataclasses import dataclass\n"
    "from typing import Literal\nfrom tooldock import tool, Context, ToolError\n"
)
ASKS = ["elicitation/form", "elicitation/url", "sampling", "roots"]


def test_printed_text_carries_its_call(serve: Any) -> None:
    text = HEAD + (
        "@tool\ndef plain(n: int) -> None:\n    print('a', n)\n    print('err', file=sys.stderr)\n    print('no end', end='')\n"
        "@tool\nasync def later(n: int) -> None:\n    await asyncio.sleep(0)\n    print('later', n)\n"
        "@tool\nasync def threaded() -> None:\n    await asyncio.to_thread(print, 'from thread')\n"
    )
    worker = serve({"a.py": text})
    first, second, third = worker.start("plain", n=1), worker.start("later", n=2), worker.start("threaded")
    for call in (first, second, third):
        assert worker.wait(call)["ok"]
    logs = [(note["id"], note["stream"], note["text"]) for note in worker.notes if note["op"] == "log"]
    assert sorted(logs) == [
        (first, "stderr", "err\n"),
        (first, "stdout", "a 1\n"),
        (first, "stdout", "no end"),
        (second, "stdout", "later 2\n"),
        (third, "stdout", "from thread\n"),
    ]


def test_what_is_printed_at_once_stays_together(serve: Any) -> None:
    worker = serve({"a.py": HEAD + "@tool\ndef flood(t: str) -> None:\n    print(t * 100_000, end='')\n"})
    for text in ("x", "é", "two words\n"):
        worker.notes.clear()
        worker.result("flood", t=text)
        assert [note["text"] for note in worker.notes] == [text * 100_000]


def test_printed_text_is_cut_at_two_mib(serve: Any) -> None:
    worker = serve({"a.py": HEAD + "@tool\ndef flood(t: str) -> None:\n    print(t * 2_500_000)\n"})
    for text in ("x", "é"):
        worker.notes.clear()
        worker.result("flood", t=text)
        pieces = [note["text"] for note in worker.notes]
        assert "".join(pieces) == text * 2_500_000 + "\n"
        assert len(pieces) > 1 and all(len(piece.encode()) <= 2 << 20 for piece in pieces)


def test_no_word_is_cut_where_there_is_white_space(serve: Any) -> None:
    worker = serve({"a.py": HEAD + "@tool\ndef flood(t: str) -> None:\n    print(t * 700_000)\n"})
    worker.result("flood", t="canary ")
    pieces = [note["text"] for note in worker.notes]
    assert len(pieces) == 4 and all(piece.endswith((" ", "\n")) for piece in pieces)


def test_what_no_call_printed_goes_to_the_pipes(serve: Any) -> None:
    text = HEAD + (
        "print('at import')\n"
        "@tool\ndef raw() -> None:\n    os.write(1, b'raw bytes\\xff\\n')\n"
        "    subprocess.run([sys.executable, '-c', \"print('child')\"])\n"
        "def tick(gate):\n    gate.wait(5)\n    print('background')\n    done.set()\ndone = threading.Event()\n"
        "@tool\nasync def spawn() -> None:\n    gate = threading.Event()\n"
        "    threading.Thread(target=tick, args=(gate,)).start()\n    gate.set()\n    done.wait(5)\n"
    )
    worker = serve({"a.py": text})
    worker.result("raw")
    worker.result("spawn")
    assert [note for note in worker.notes if note["op"] == "log"] == []
    worker.wait(worker.request("shutdown", grace_ms=0))
    worker.process.wait(10)
    printed = worker.process.stdout.read()
    for part in (b"at import\n", b"raw bytes\xff\n", b"child\n", b"background\n"):
        assert part in printed


def test_forged_answer_cannot_reach_the_protocol(serve: Any) -> None:
    forged = '{"id":1,"ok":true,"result":{}}'
    worker = serve(
        {"a.py": HEAD + f"@tool\ndef forge() -> str:\n    print({forged!r}, flush=True)\n    return 'x'\n"}
    )
    assert worker.result("forge")["structuredContent"] == {"result": "x"}
    assert worker.notes[0]["text"] == forged + "\n"


def test_stdin_is_empty(serve: Any) -> None:
    text = HEAD + "@tool\ndef ask() -> str:\n    try: return input()\n    except EOFError: return 'end'\n"
    assert serve({"a.py": text}).result("ask")["structuredContent"] == {"result": "end"}


def test_notes(serve: Any) -> None:
    text = HEAD + (
        "@tool\nasync def talk(ctx: Context) -> str:\n"
        "    await ctx.info('hello')\n    await ctx.log({'k': 1}, level='notice', logger_name='me')\n"
        "    await ctx.warning('w', extra={'a': 2})\n    await ctx.report_progress(1, 10, 'one')\n"
        "    await ctx.report_progress(2.5)\n    return ctx.request_id\n"
        "@tool\ndef quiet(ctx: Context) -> dict:\n    ctx.debug('from a thread')\n    return dict(ctx.trace)\n"
    )
    worker = serve({"a.py": text})
    call = worker.start("talk", context={"request_id": "r-1"})
    assert worker.wait(call)["result"]["structuredContent"] == {"result": "r-1"}
    assert worker.notes == [
        {"op": "log", "id": call, "level": "info", "data": "hello"},
        {"op": "log", "id": call, "level": "notice", "logger": "me", "data": {"k": 1}},
        {"op": "log", "id": call, "level": "warning", "data": {"msg": "w", "extra": {"a": 2}}},
        {"op": "progress", "id": call, "progress": 1, "total": 10, "message": "one"},
        {"op": "progress", "id": call, "progress": 2.5},
    ]
    worker.notes.clear()
    call = worker.start("quiet", context={"trace": {"traceparent": "00-1"}})
    assert worker.wait(call)["result"]["structuredContent"] == {"traceparent": "00-1"}
    assert worker.notes == [{"op": "log", "id": call, "level": "debug", "data": "from a thread"}]


def test_note_that_is_no_json_fails_the_call_alone(serve: Any) -> None:
    text = HEAD + "@tool\nasync def bad(ctx: Context) -> None:\n    await ctx.report_progress(float('nan'))\n"
    worker = serve({"a.py": text})
    assert worker.error("bad")["code"] == "tool_error"
    assert worker.wait(worker.request("ping"))["ok"]


def test_state_lasts_as_long_as_the_call(serve: Any) -> None:
    text = HEAD + (
        "@tool\nasync def count(ctx: Context) -> list:\n    seen = await ctx.get_state('n')\n"
        "    await ctx.set_state('n', 1)\n    return [seen, await ctx.get_state('n')]\n"
    )
    worker = serve({"a.py": text})
    for _ in range(2):
        assert worker.result("count")["content"][0]["text"] == "[null,1]"


ASKING = HEAD + (
    "@dataclass\nclass Trip:\n    where: str\n    days: int = 1\n"
    "@tool\nasync def one(ctx: Context) -> list:\n    a = await ctx.elicit('How many?', int)\n    return [a.action, a.data]\n"
    "@tool\nasync def form(ctx: Context) -> list:\n"
    "    a = await ctx.elicit('Trip?', Trip)\n    return [a.action, type(a.data).__name__, a.data and a.data.days]\n"
    "@tool\nasync def pick(ctx: Context) -> list:\n    a = await ctx.elicit('Which?', ['a', 'b'])\n    return [a.action, a.data]\n"
    "@tool\nasync def page(ctx: Context) -> str:\n    return (await ctx.elicit_url('Open', 'https://x')).action\n"
    "@tool\nasync def think(ctx: Context) -> str:\n    return (await ctx.sample('Hi', system_prompt='S')).text\n"
    "@tool\nasync def roots(ctx: Context) -> list:\n    return await ctx.list_roots()\n"
)


def make_ask(worker: Any) -> Callable[[str, dict[str, Any]], tuple[dict[str, Any], dict[str, Any]]]:
    """Calls a tool, answers its question, and gives back both the question and the answer of the call."""

    def ask(tool: str, answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        call = worker.start(tool, context={"asks": ASKS})
        note = worker.wait_note(lambda note: note["op"] == "ask" and note["id"] == call)
        worker.send({"op": "answer", "ask": note["ask"], **answer})
        return note, worker.wait(call)

    return ask


def read_text(answered: dict[str, Any]) -> str:
    """The text of a result, or the message of an error."""
    return str(answered["result"]["content"][0]["text"] if answered["ok"] else answered["error"]["message"])


def test_asks(serve: Any) -> None:
    worker = serve({"a.py": ASKING})
    ask, text = make_ask(worker), read_text

    assert worker.ready["errors"] == []
    note, answered = ask("one", {"result": {"action": "accept", "content": {"value": "3"}}})
    assert note["method"] == "elicitation/create"
    assert note["params"] == {
        "mode": "form",
        "message": "How many?",
        "requestedSchema": {
            "type": "object",
            "properties": {"value": {"type": "integer"}},
            "required": ["value"],
        },
    }
    assert text(answered) == '["accept",3]'
    note, answered = ask("form", {"result": {"action": "accept", "content": {"where": "x"}}})
    assert note["params"]["requestedSchema"]["required"] == ["where"]
    assert text(answered) == '["accept","Trip",1]'
    assert text(ask("form", {"result": {"action": "decline"}})[1]) == '["decline","NoneType",null]'
    note, answered = ask("pick", {"result": {"action": "accept", "content": {"value": "b"}}})
    assert note["params"]["requestedSchema"]["properties"]["value"] == {"type": "string", "enum": ["a", "b"]}
    assert text(answered) == '["accept","b"]'
    assert "does not fit" in text(ask("pick", {"result": {"action": "accept", "content": {"value": "c"}}})[1])
    note, answered = ask("page", {"result": {"action": "accept"}})
    assert (note["params"]["mode"], note["params"]["url"]) == ("url", "https://x")
    assert text(answered) == "accept"
    note, answered = ask("think", {"result": {"content": {"type": "text", "text": "yo"}, "model": "m"}})
    assert note["method"] == "sampling/createMessage"
    assert note["params"] == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}],
        "maxTokens": 512,
        "systemPrompt": "S",
    }
    assert text(answered) == "yo"
    assert text(ask("roots", {"result": {"roots": [{"uri": "file:///x"}]}})[1]) == '[{"uri":"file:///x"}]'
    assert text(ask("roots", {"error": {"message": "not now"}})[1]) == "not now"


def test_ask_without_a_client_that_can_answer(serve: Any) -> None:
    worker = serve({"a.py": ASKING})
    error = worker.error("one")
    assert error["code"] == "input_required" and "`elicitation/form`" in error["message"]
    assert not any(note["op"] == "ask" for note in worker.notes)


def test_cancelled_ask_and_late_answer(serve: Any) -> None:
    worker = serve({"a.py": ASKING})
    call = worker.start("one", context={"asks": ASKS})
    note = worker.wait_note(lambda note: note["op"] == "ask")
    worker.request("tools.cancel", target=call)
    assert worker.wait(call)["error"]["code"] == "cancelled"
    for name in (note["ask"], "a999", None, 7):
        worker.send({"op": "answer", "ask": name, "result": {}})
    assert worker.wait(worker.request("ping"))["ok"]


def test_note_over_the_line_limit_fails_the_call_alone(serve: Any) -> None:
    text = HEAD + "@tool\nasync def big(ctx: Context) -> None:\n    await ctx.info('x' * 20_000_000)\n"
    worker = serve({"a.py": text})
    assert "limit" in worker.error("big")["message"]
    assert worker.wait(worker.request("ping"))["ok"]


def test_streams_look_like_files(serve: Any) -> None:
    text = HEAD + (
        "sys.stdout.reconfigure(line_buffering=True)\nlogging.basicConfig(level='INFO')\n"
        "@tool\ndef look() -> list:\n    logging.info('logged')\n    sys.stdout.writelines(['a', 'b\\n'])\n"
        "    return [sys.stdout.encoding, sys.stdout.isatty(), sys.stdout.fileno(), sys.stderr.writable()]\n"
    )
    worker = serve({"a.py": text})
    assert worker.ready["errors"] == []
    assert worker.result("look")["content"][0]["text"] == '["utf-8",false,1,true]'
    assert [(note["stream"], note["text"]) for note in worker.notes] == [
        ("stderr", "INFO:root:logged\n"),
        ("stdout", "ab\n"),
    ]


def test_after_the_answer_nothing_belongs_to_the_call(serve: Any) -> None:
    text = HEAD + (
        "go, over = asyncio.Event(), asyncio.Event()\n"
        "async def late(ctx):\n    await go.wait()\n    print('too late')\n    await ctx.info('too late')\n    over.set()\n"
        "@tool\nasync def begin(ctx: Context) -> None:\n    asyncio.get_running_loop().create_task(late(ctx))\n"
        "@tool\nasync def release() -> bool:\n    go.set()\n    return await over.wait()\n"
    )
    worker = serve({"a.py": text})
    worker.result("begin")
    assert worker.result("release")["structuredContent"] == {"result": True}
    assert worker.notes == []
    worker.request("shutdown", grace_ms=0)
    worker.process.wait(10)
    assert b"too late\n" in worker.process.stdout.read()


def test_cancelled_question_is_forgotten() -> None:
    from tooldock_worker.asks import Asks
    from tooldock_worker.call import Call

    sent: list[bytes] = []
    waits: list[bool] = []
    asks = Asks(sent.append, lambda call, line: None, lambda call, begins: waits.append(begins))
    call = Call(1, tool=None, arguments={}, context={"asks": ["roots"]})  # type: ignore[arg-type]

    async def ask_and_cancel() -> None:
        task = asyncio.ensure_future(asks.ask(call, "roots", "roots/list", {}))
        await asyncio.sleep(0)
        assert len(asks.waiting) == len(sent) == 1
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(ask_and_cancel())
    assert asks.waiting == {} and waits == [True, False]
    assert json.loads(sent[1]) == {"op": "withdraw", "id": 1, "ask": "a1"}


CHOOSING = HEAD + (
    "from fastmcp.server.elicitation import AcceptedElicitation, DeclinedElicitation\n"
    "@tool\nasync def match_it(ctx: Context) -> str:\n"
    "    match await ctx.elicit('Which?', {'a': {'title': 'First'}, 'b': {}}, key='which'):\n"
    "        case AcceptedElicitation(data=data):\n            return data\n"
    "        case DeclinedElicitation():\n            return 'no'\n        case other:\n            return other.action\n"
    "@tool\nasync def several(ctx: Context) -> list:\n    return (await ctx.elicit('Which?', [['a', 'b']])).data\n"
    "@tool\nasync def titled(ctx: Context) -> list:\n    return (await ctx.elicit('Which?', [{'a': {'title': 'A'}}])).data\n"
    "@tool\nasync def written(ctx: Context) -> dict:\n"
    "    return (await ctx.elicit('Which?', schema={'type': 'object', 'properties': {'x': {'default': 1}}})).data\n"
    "@tool\nasync def prefer(ctx: Context) -> str:\n    return (await ctx.sample('Hi', model_preferences='small')).result\n"
    "@tool\nasync def ready(ctx: Context) -> list:\n    return [ctx.supports('sampling'), ctx.supports('roots')]\n"
)


def test_choices_and_matching(serve: Any) -> None:
    worker = serve({"a.py": CHOOSING})
    ask = make_ask(worker)
    accept = lambda **content: {"result": {"action": "accept", "content": content}}  # noqa: E731
    note, answered = ask("match_it", accept(value="b"))
    titled = [{"const": "a", "title": "First"}, {"const": "b", "title": "b"}]
    assert note["params"]["requestedSchema"]["properties"]["value"] == {"type": "string", "oneOf": titled}
    assert (note["key"], read_text(answered)) == ("which", "b")
    assert read_text(ask("match_it", {"result": {"action": "decline"}})[1]) == "no"
    assert read_text(ask("match_it", {"result": {"action": "cancel"}})[1]) == "cancel"
    assert "does not fit" in read_text(ask("match_it", accept(value="c"))[1])
    note, answered = ask("several", accept(value=["b", "a"]))
    assert note["params"]["requestedSchema"]["properties"]["value"]["items"]["enum"] == ["a", "b"]
    assert read_text(answered) == '["b","a"]'
    note, answered = ask("titled", accept(value=["a"]))
    items = note["params"]["requestedSchema"]["properties"]["value"]["items"]
    assert items == {"anyOf": [{"const": "a", "title": "A"}]}
    note, answered = ask("written", accept(x=2))
    assert note["params"]["requestedSchema"] == {"type": "object", "properties": {"x": {"default": 1}}}
    assert read_text(answered) == '{"x":2}' and "key" not in note
    note, answered = ask("prefer", {"result": {"content": {"type": "text", "text": "yo"}}})
    assert note["params"]["modelPreferences"] == {"hints": [{"name": "small"}]}
    assert read_text(answered) == "yo"
    call = worker.start("ready", context={"asks": ["sampling"]})
    assert read_text(worker.wait(call)) == "[true,false]"


WAITING = HEAD + (
    "@tool(timeout=0.2)\nasync def after(ctx: Context) -> str:\n"
    "    await ctx.elicit('Who?', str)\n    await asyncio.sleep(60)\n"
    "@tool\ndef plain(ctx: Context) -> str:\n    return ctx.wait(ctx.elicit('Who?', str)).data\n"
    "@tool\ndef quick() -> str:\n    return 'quick'\n"
    "@tool\nasync def impatient(ctx: Context) -> str:\n"
    "    try:\n        await asyncio.wait_for(ctx.list_roots(), 0.01)\n"
    "    except asyncio.TimeoutError:\n        return 'gave up'\n"
)


def test_a_limit_goes_on_after_the_answer(serve: Any) -> None:
    worker = serve({"a.py": WAITING})
    call = worker.start("after", context={"asks": ASKS})
    note = worker.wait_note(lambda note: note["op"] == "ask")
    worker.send({"op": "answer", "ask": note["ask"], "result": {"action": "decline"}})
    assert worker.wait(call)["error"]["code"] == "execution_timeout"


class Hands:
    """A loop whose time a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Any]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, fire: Any) -> Any:
        timer = (self.now + delay, fire)
        self.timers.append(timer)
        handle = unittest.mock.Mock()
        handle.cancel = lambda: self.timers.remove(timer)
        return handle


def test_a_deadline_stands_still_while_a_question_is_open() -> None:
    from tooldock_worker.deadline import Deadline

    hands: Any = Hands()
    deadline = Deadline(hands, 5.0, lambda: None)
    hands.now = 102.0
    deadline.wait(True)
    deadline.wait(True)
    assert hands.timers == []
    hands.now = 200.0
    deadline.wait(False)
    assert hands.timers == [], "another question is open"
    deadline.wait(False)
    assert [due for due, _ in hands.timers] == [203.0]
    deadline.cancel()
    deadline.wait(True)
    deadline.wait(False)
    assert hands.timers == []


def test_a_synchronous_tool_asks_without_keeping_others_waiting(serve: Any) -> None:
    worker = serve({"a.py": WAITING}, threads=1)
    calls = [worker.start("plain", context={"asks": ASKS}) for _ in range(3)]
    asked = {
        call: worker.wait_note(lambda note, call=call: note["op"] == "ask" and note["id"] == call)
        for call in calls
    }
    assert worker.result("quick")["content"][0]["text"] == "quick"
    for call, note in asked.items():
        answer = {"action": "accept", "content": {"value": str(call)}}
        worker.send({"op": "answer", "ask": note["ask"], "result": answer})
        assert read_text(worker.wait(call)) == str(call)
    call = worker.start("plain", context={"asks": ASKS})
    worker.wait_note(lambda note: note["op"] == "ask" and note["id"] == call)
    worker.request("tools.cancel", target=call)
    assert worker.wait(call)["error"]["code"] == "cancelled"
    counts = [
        worker.wait_note(lambda note, n=n: note["op"] == "abandoned" and note["count"] == n) for n in (1, 0)
    ]
    assert len(counts) == 2, "the thread of a cancelled question does not wait on"


def test_a_question_that_nobody_waits_for_is_withdrawn(serve: Any) -> None:
    worker = serve({"a.py": WAITING})
    call = worker.start("impatient", context={"asks": ASKS})
    assert read_text(worker.wait(call)) == "gave up"
    asked, withdrawn = (note for note in worker.notes if note["op"] in ("ask", "withdraw"))
    assert withdrawn == {"op": "withdraw", "id": call, "ask": asked["ask"]}
