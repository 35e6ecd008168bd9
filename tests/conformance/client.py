"""A client of the simplest kind: it starts `tooldock-core connect` and writes and reads lines.

Usage: `client.py CORE URL`. The suite names the scenario and its revision in the environment. The client does what the
scenario wants of a client; the suite judges what arrives at its server.
"""

import json
import os
import subprocess
import sys
from typing import Any

HANDSHAKE = "2025-11-25"
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"


class Client:
    """A process to talk to, in one of the two eras."""

    def __init__(self, command: list[str], modern: bool) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.modern = modern
        self.version = MODERN
        self.last = 0

    def write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the conversation ended early")
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Asks, and gives the answer: a response of JSON-RPC."""
        self.last += 1
        params = dict(params or {})
        if self.modern:
            params["_meta"] = {
                META + "protocolVersion": self.version,
                META + "clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
                META + "clientInfo": {"name": "lines", "version": "1"},
            }
        self.write({"id": self.last, "method": method, "params": params})
        while (message := self.read()).get("id") != self.last or "method" in message:
            pass
        return message

    def open(self) -> None:
        """Gets to know the server, in the way of the era."""
        if self.modern:
            answer = self.ask("server/discover")
            error = answer.get("error", {})
            if error.get("code") == -32022:
                self.version = error["data"]["supported"][0]
                self.ask("server/discover")
            return
        info = {"name": "lines", "version": "1"}
        self.ask("initialize", {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": info})
        self.write({"method": "notifications/initialized"})

    def names(self) -> list[str]:
        return [tool["name"] for tool in self.ask("tools/list")["result"].get("tools", [])]

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        """Calls a tool, and answers what it asks until it is done."""
        params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
        result = self.ask("tools/call", params).get("result", {})
        while result.get("resultType") == "input_required":
            answers = {key: answer(request) for key, request in result.get("inputRequests", {}).items()}
            state = {"requestState": result["requestState"]} if "requestState" in result else {}
            again = {**params, "inputResponses": answers, **state}
            result = self.ask("tools/call", again).get("result", {})

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        if self.process.wait(timeout=20) != 0:
            raise SystemExit(f"the bridge ended with {self.process.returncode}")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Says yes to whatever is asked."""
    if request["method"] == "elicitation/create":
        asked = request["params"].get("requestedSchema", {}).get("properties", {})
        kinds = {"boolean": True, "integer": 1, "number": 1.5}
        return {"action": "accept", "content": {name: kinds.get(what.get("type"), "yes") for name, what in asked.items()}}
    if request["method"] == "sampling/createMessage":
        return {"role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "none"}
    return {"roots": []}


def play(client: Client, scenario: str) -> None:
    """Does what the scenario wants of a client."""
    names = client.names()
    if scenario == "tools_call":
        client.call("add_numbers", {"a": 5, "b": 3})
    elif scenario == "http-standard-headers":
        for name in names:
            client.call(name)
        for resource in client.ask("resources/list")["result"]["resources"]:
            client.ask("resources/read", {"uri": resource["uri"]})
        for prompt in client.ask("prompts/list")["result"]["prompts"]:
            client.ask("prompts/get", {"name": prompt["name"]})
    elif scenario in ("http-custom-headers", "http-invalid-tool-headers"):
        context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
        for call in context.get("toolCalls", [{"name": name, "arguments": {"region": "us-west1"}} for name in names]):
            client.call(call["name"], call["arguments"])
    elif scenario != "initialize":
        for name in names:
            client.call(name)


def main() -> None:
    core, url = sys.argv[1:]
    modern = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION") == MODERN
    client = Client([core, "connect", url], modern)
    client.open()
    play(client, os.environ["MCP_CONFORMANCE_SCENARIO"])
    client.close()


if __name__ == "__main__":
    main()
