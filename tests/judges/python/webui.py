"""Uses a namespace as Open WebUI 0.12 uses an OpenAPI tool server: `webui.py URL TOKEN`.

The rules, as that program follows them:

1. The document is fetched from the address of the connection, with the static key and no other header.
2. Operations without `operationId` are left out; the id is the name of the function, the description is `description` or `summary`.
3. Every declared parameter, wherever it goes, becomes an argument; only those in path and query are ever sent.
4. Of the body only `application/json` counts. References are followed as `#/components/schemas/...` alone, circles mostly unseen,
   and a schema without `properties` at its root has no arguments.
5. A call goes to the address of the connection and the path key; `servers` is not read. The body is JSON, `{}` without arguments.
6. A status of 400 or more is an error; anything else is JSON, or text where it is none.

One JSON line on standard output tells, for each function, its arguments and how a call with the example ended.
"""

import json
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

PREFIX = "#/components/schemas/"


@dataclass
class Function:
    """What the model is offered for one operation."""

    name: str
    description: str
    path: str
    method: str
    properties: dict[str, Any]
    required: list[str]
    sent: set[str]
    example: dict[str, Any]


class Server:
    """A connection: an address and a key."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and value of an answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method.upper())
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def functions(self) -> list[Function]:
        """One function for each operation that has an id."""
        status, document = self.ask("get", "/openapi.json")
        assert status == 200 and "paths" in document, document
        return [
            function(document, path, method, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
            if operation.get("operationId")
        ]


def function(document: Any, path: str, method: str, operation: Any) -> Function:
    """The function for an operation."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in operation.get("parameters", []):
        properties[parameter["name"]] = resolve(document, parameter.get("schema", {}))
        if parameter.get("required"):
            required.append(parameter["name"])
    sent = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] in ("path", "query")}
    media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = resolve(document, media.get("schema", {}))
    for name, property_schema in schema.get("properties", {}).items():
        properties[name] = resolve(document, property_schema)
        sent.add(name)
    required += schema.get("required", [])
    description = operation.get("description") or operation.get("summary") or ""
    example = media.get("example", {})
    return Function(operation["operationId"], description, path, method, properties, required, sent, example)


def resolve(document: Any, schema: Any, met: frozenset[str] = frozenset()) -> Any:
    """The schema with its references replaced by their targets.

    A circle is noticed where it goes from reference to reference or through a union. One through `properties` or `items` has no
    end, and takes the whole server with it; so does a schema that is just `true`.
    """
    if not schema:
        return {}
    if "$ref" in schema:
        reference = schema["$ref"]
        if not reference.startswith(PREFIX):
            raise ValueError(f"`{reference}` is not understood")
        if reference in met:
            return {}
        target = document["components"]["schemas"]
        for step in reference.removeprefix(PREFIX).split("/"):
            target = target[step]
        return resolve(document, target, met | {reference})
    whole = dict(schema)
    if "properties" in whole:
        whole["properties"] = {name: resolve(document, value) for name, value in whole["properties"].items()}
    if "items" in whole:
        whole["items"] = resolve(document, whole["items"])
    for keyword in ("oneOf", "anyOf", "allOf"):
        if keyword in whole:
            whole[keyword] = [resolve(document, value, met) for value in whole[keyword]]
    return whole


def made_up(schema: Any) -> Any:
    """Some value for a required argument without an example."""
    values = {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    return schema["enum"][0] if "enum" in schema else values.get(schema.get("type"), "text")


def report(url: str, token: str) -> dict[str, Any]:
    """Offers every function and calls each."""
    server = Server(url, token)
    seen: dict[str, Any] = {}
    for tool in server.functions():
        assert tool.name not in seen, f"two functions are called `{tool.name}`"
        arguments = dict(tool.example)
        for name in tool.required:
            arguments.setdefault(name, made_up(tool.properties[name]))
        status, value = server.ask(tool.method, tool.path, arguments)
        seen[tool.name] = {
            "described": bool(tool.description),
            "arguments": sorted(tool.properties),
            "unsent": sorted(set(tool.properties) - tool.sent),
            "status": status,
            "value": value,
        }
    return seen


if __name__ == "__main__":
    print(json.dumps(report(*sys.argv[1:])))
