"""Resources, prompts and completions."""

import json
from typing import Any

import pytest

HEAD = "from tooldock import *\nimport asyncio, threading\nfrom typing import Annotated\n"
FASTMCP = "from fastmcp.resources import resource\nfrom fastmcp.prompts import prompt, Message\n"
SERVER = (
    "from fastmcp import FastMCP\nserver = FastMCP('x')\nresource, prompt = server.resource, server.prompt\n"
)

NOTES = '''
@resource("note://a")
def note_a() -> str:
    """A note."""
    return "hi"

@resource("note://{name}/x{?v}", mime_type="text/csv", title="T", name="n", meta={"k": 1.5})
async def notes(name: str, v: int = 1) -> str:
    """Notes."""
    return f"{name} {v!r}"

@resource("data://bytes", mime_type="image/png")
def raw() -> bytes:
    return b"\\xff"

@resource("data://json")
async def js() -> dict:
    return {"a": 1}
'''
PROMPTS = '''
@prompt
def greet(who: str, times: int = 1, rest: list[int] | None = None) -> str:
    """Greet.

    Args:
        who: Whom.
        times: How often.
    """
    return f"hi {who}" * times + repr(rest)

@prompt(name="p2", title="P2")
async def talk():
    return ["a", Message({"x": 1}, role="assistant")]
'''


def drop_places(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    gone = {"file", "line", "sync", "enabled", "tags"}
    return [{key: value for key, value in one.items() if key not in gone} for one in listed]


def read(worker: Any, resource: str, uri: str | None = None, **values: str) -> dict[str, Any]:
    id = worker.request("resources.read", resource=resource, uri=uri or resource, arguments=values)
    answer: dict[str, Any] = worker.wait(id)
    return answer


def get(worker: Any, prompt: str, **arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = worker.wait(worker.request("prompts.get", prompt=prompt, arguments=arguments))
    return answer


@pytest.mark.parametrize("head", [HEAD, FASTMCP, SERVER + "from fastmcp.prompts import Message\n"])
@pytest.mark.parametrize("library", ["stand-in", "fastmcp 3", "fastmcp 4"])
def test_what_is_offered_is_listed_and_served(
    serve: Any, library_python: Any, head: str, library: str
) -> None:
    python = {} if library == "stand-in" else {"python": library_python(library)}
    worker = serve({"a.py": head + NOTES + PROMPTS}, **python)
    assert worker.ready["errors"] == []
    assert drop_places(worker.ready["resources"]) == [
        {"uri": "note://a", "name": "note_a", "description": "A note.", "mimeType": "text/plain"},
        {"uri": "data://bytes", "name": "raw", "mimeType": "image/png"},
        {"uri": "data://json", "name": "js", "mimeType": "text/plain"},
    ]
    assert drop_places(worker.ready["templates"]) == [
        {"uriTemplate": "note://{name}/x{?v}", "name": "n", "title": "T", "description": "Notes.",
         "mimeType": "text/csv", "_meta": {"k": 1.5}},
    ]  # fmt: skip
    greet, talk = drop_places(worker.ready["prompts"])
    assert (greet["name"], greet["description"]) == ("greet", "Greet.")
    note = "Provide a value matching the following JSON schema: {}. Encode non-string values as JSON."
    assert greet["arguments"] == [
        {"name": "who", "description": "Whom.", "required": True},
        {"name": "times", "description": "How often.\n\n" + note.format('{"type":"integer"}'), "required": False},
        {"name": "rest", "required": False, "description": note.format(
            '{"anyOf":[{"items":{"type":"integer"},"type":"array"},{"type":"null"}]}')},
    ]  # fmt: skip
    assert talk == {"name": "p2", "title": "P2", "arguments": []}

    assert read(worker, "note://a")["result"] == {
        "contents": [{"uri": "note://a", "mimeType": "text/plain", "text": "hi"}]
    }
    answer = read(worker, "note://{name}/x{?v}", "note://q/x?v=3", name="q", v="3")
    assert answer["result"]["contents"] == [
        {"uri": "note://q/x?v=3", "mimeType": "text/csv", "_meta": {"k": 1.5}, "text": "q 3"}
    ]
    assert read(worker, "data://bytes")["result"]["contents"] == [
        {"uri": "data://bytes", "mimeType": "image/png", "blob": "/w=="}
    ]
    assert read(worker, "data://json")["result"]["contents"][0]["text"] == '{"a": 1}'
    said = get(worker, "greet", who="ann", times="2", rest="[1]")["result"]
    assert said == {
        "description": "Greet.",
        "messages": [{"role": "user", "content": {"type": "text", "text": "hi annhi ann[1]"}}],
    }
    roles = [
        (message["role"], message["content"]["text"]) for message in get(worker, "p2")["result"]["messages"]
    ]
    assert roles == [("user", "a"), ("assistant", '{"x":1}')]


def test_objects_of_fastmcp_2(serve: Any, library_python: Any) -> None:
    text = SERVER + NOTES.replace(', meta={"k": 1.5}', "") + PROMPTS.partition("@prompt(name")[0]
    worker = serve({"a.py": text}, python=library_python("fastmcp 2"))
    assert worker.ready["errors"] == []
    assert worker.ready["tools"] == []
    assert [one["uri"] for one in worker.ready["resources"]] == ["note://a", "data://bytes", "data://json"]
    assert [one["uriTemplate"] for one in worker.ready["templates"]] == ["note://{name}/x{?v}"]
    assert read(worker, "note://a")["result"]["contents"][0]["text"] == "hi"
    assert get(worker, "greet", who="ann")["result"]["messages"][0]["content"]["text"] == "hi annNone"


def test_a_broken_offer_costs_itself_alone(serve: Any) -> None:
    text = HEAD + (
        "@resource('note://{a}')\ndef lacks() -> str: return ''\n"
        "@resource('note://b')\ndef wants(b: str) -> str: return ''\n"
        "@resource('nowhere')\ndef bare() -> str: return ''\n"
        "@prompt\ndef star(*a) -> str: return ''\n"
        "@prompt\ndef good() -> str: return ''\n"
        "@prompt('good')\ndef again() -> str: return ''\n"
        "@prompt(enabled=False)\ndef off() -> str: return ''\n"
    )
    worker = serve({"a.py": text})
    assert [one["name"] for one in worker.ready["prompts"]] == ["good"]
    assert worker.ready["resources"] == worker.ready["templates"] == []
    messages = [error["message"] for error in worker.ready["errors"]]
    for named, why in [
        ("`note://{a}`", "no parameter `a`"),
        ("`note://b`", "no `{b}`"),
        ("`nowhere`", "no scheme"),
        ("`star`", "`*a`"),
        ("`good`", "already"),
    ]:
        assert any(named in message and why in message for message in messages), (named, messages)
    assert len(messages) == 5


def test_what_fails_says_what_was_done(serve: Any) -> None:
    text = HEAD + (
        "@resource('note://bad')\ndef bad() -> str: raise ValueError('no ink')\n"
        "@resource('note://big')\ndef big() -> str: return 'x' * 5000\n"
        "@prompt\ndef sad(n: int) -> str: raise ToolError('out of words')\n"
    )
    worker = serve({"a.py": text}, max_result_bytes=1000)
    error = read(worker, "note://bad")["error"]
    assert error["code"] == "tool_error"
    assert error["message"] == "Error reading resource 'note://bad': no ink"
    assert read(worker, "note://big")["error"]["code"] == "result_too_large"
    assert read(worker, "note://none")["error"]["code"] == "resource_not_found"
    assert get(worker, "none")["error"]["code"] == "prompt_not_found"
    assert get(worker, "sad", n="1")["error"]["message"] == "out of words"
    assert get(worker, "sad", n="x")["error"]["code"] == "invalid_arguments"


def test_parts_that_a_resource_chooses(serve: Any) -> None:
    text = HEAD + (
        "@resource('note://all')\ndef all() -> ResourceResult:\n"
        "    return ResourceResult([ResourceContent('a', meta={'k': 1}), ResourceContent(b'b'), ResourceContent([1])])\n"
        "@prompt\ndef described() -> PromptResult:\n    return PromptResult(['a', Image(data=b'x')], description='d')\n"
    )
    worker = serve({"a.py": text})
    assert worker.ready["errors"] == []
    assert read(worker, "note://all")["result"]["contents"] == [
        {"uri": "note://all", "mimeType": "text/plain", "_meta": {"k": 1}, "text": "a"},
        {"uri": "note://all", "mimeType": "application/octet-stream", "blob": "Yg=="},
        {"uri": "note://all", "mimeType": "application/json", "text": "[1]"},
    ]
    result = get(worker, "described")["result"]
    assert result["description"] == "d"
    assert [message["content"]["type"] for message in result["messages"]] == ["text", "image"]


def test_completions(serve: Any) -> None:
    text = HEAD + (
        "from fastmcp import FastMCP\nserver = FastMCP('x')\n"
        "@completion('greet', 'who')\ndef who(typed, chosen):\n"
        "    return [f'{typed}{n}' for n in range(150)] if typed == 'm' else [typed, chosen.get('how', '')]\n"
        "@server.completion()\nasync def rest(ref, argument, context):\n"
        "    return [ref.type, argument.name, argument.value] if argument.name != 'none' else None\n"
    )
    worker = serve({"a.py": text})
    assert worker.ready["errors"] == []

    def complete(argument: str, value: str, **chosen: str) -> Any:
        ref = {"type": "ref/prompt", "name": "greet"}
        arguments = {"ref": ref, "argument": argument, "value": value, "arguments": chosen}
        return worker.wait(worker.request("completions.complete", arguments=arguments))["result"]

    assert complete("who", "a", how="loud") == {"values": ["a", "loud"], "hasMore": False}
    many = complete("who", "m")
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 150, True)
    assert complete("how", "x")["values"] == ["ref/prompt", "how", "x"]
    assert complete("none", "x")["values"] == []


def test_updates_are_told_from_calls_and_from_elsewhere(serve: Any) -> None:
    text = HEAD + (
        "@tool\nasync def write(ctx: Context) -> None:\n    await ctx.notify_resource_updated('note://a')\n"
        "@tool\ndef later() -> None:\n"
        "    threading.Thread(target=lambda: notify_resource_updated('note://b')).start()\n"
    )
    worker = serve({"a.py": text})
    worker.result("write")
    worker.result("later")
    for uri in ("note://a", "note://b"):
        worker.wait_note(lambda note, uri=uri: note == {"op": "updated", "uri": uri})


def test_contexts_and_cancellation(serve: Any) -> None:
    text = HEAD + (
        "@resource('note://{x}')\nasync def wait(x: str, ctx: Context) -> str:\n"
        "    await ctx.info('reading')\n    await asyncio.sleep(60)\n"
    )
    worker = serve({"a.py": text})
    id = worker.request("resources.read", resource="note://{x}", uri="note://1", arguments={"x": "1"})
    worker.wait_note(lambda note: note.get("data") == "reading" and note["id"] == id)
    assert worker.wait(worker.request("tools.cancel", target=id))["result"] == {"found": True}
    assert worker.wait(id)["error"]["code"] == "cancelled"


def test_bytes_of_listings_survive(serve: Any) -> None:
    text = HEAD + (
        "@resource('ui://panel', mime_type='text/html;profile=mcp-app', annotations={'audience': ['user']},\n"
        "    icons=[{'src': 'data:x'}], meta={'ui': {'csp': {'a': []}}})\ndef panel() -> str: return '<p>'\n"
    )
    (panel,) = serve({"a.py": text}).ready["resources"]
    assert panel["_meta"] == {"ui": {"csp": {"a": []}}}
    assert (panel["annotations"], panel["icons"]) == ({"audience": ["user"]}, [{"src": "data:x"}])
    assert json.dumps(panel["mimeType"]) == '"text/html;profile=mcp-app"'
