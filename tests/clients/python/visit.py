"""A visit of a Python client to the library: it reads, fills in a prompt, completes, and answers what tools ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peer import Peer


async def visit(peer: Peer) -> dict[str, Any]:
    """Reads, fills in a prompt, completes, and answers what tools ask."""

    async def ask(method: str, *params: Any) -> dict[str, Any]:
        result: dict[str, Any] = (await peer.ask(method, *params)).model_dump(mode="json", by_alias=True)
        return result

    async def complete(ref: Any, typed: str) -> Any:
        return (await ask("complete", ref, {"name": "title", "value": typed}))["completion"]["values"]

    async def call(tool: str, arguments: dict[str, Any]) -> Any:
        return (await peer.outcome(tool, arguments))["text"]

    template = "book://{title}/summary"
    review = await ask("get_prompt", "review", {"title": "emma"})
    return {
        "resources": [item["uri"] for item in (await ask("list_resources"))["resources"]],
        "templates": [item["uriTemplate"] for item in (await ask("list_resource_templates"))["resourceTemplates"]],
        "read": (await ask("read_resource", "book://catalog"))["contents"][0]["text"],
        "read_by_template": (await ask("read_resource", "book://emma/summary"))["contents"][0]["text"],
        "prompts": [item["name"] for item in (await ask("list_prompts"))["prompts"]],
        "prompt": review["messages"][0]["content"]["text"],
        "completed": await complete(peer.types.PromptReference(type="ref/prompt", name="review"), "em"),
        "completed_template": await complete(
            peer.types.ResourceTemplateReference(type="ref/resource", uri=template), "au"
        ),
        "accepted": await call("lend", {"title": "emma"}),
        "declined": await call("lend", {"title": "faust"}),
        "sampled": await call("recommend", {"taste": "rain"}),
    }


def decide(message: str) -> dict[str, Any]:
    """What the person decides: nobody wants to read `faust`."""
    return {"action": "decline"} if "faust" in message else {"action": "accept", "content": {"days": 14}}


def think(messages: Any) -> str:
    """What the model answers: what it was asked."""
    return f"I was asked: {messages[0].content.text}"


async def fetch(peer: Peer) -> dict[str, Any]:
    """Makes a call whose stream somebody cuts after the first note."""
    heard: list[Any] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append([progress, total, message])

    result = await peer.call("fetch", {}, hear)
    return {"fetched": result.content[0].text, "progress": heard}
