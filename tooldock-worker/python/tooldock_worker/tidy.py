"""Brings a derived JSON Schema into the form that is listed."""

import copy
from typing import Any

_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas", "definitions")
_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_SINGLES = (
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
)  # fmt: skip
_PREFIX = "#/$defs/"
_UNTYPED = {"title", "description", "default", "enum", "examples", "deprecated"}


def _list_parts(schema: dict[str, Any]) -> list[Any]:
    parts = [part for key in _MAPS for part in schema.get(key, {}).values()]
    parts += [part for key in _LISTS for part in schema.get(key, [])]
    return parts + [schema[key] for key in _SINGLES if isinstance(schema.get(key), dict)]


def drop_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove the titles that were derived from names, in place; returns ``schema``.

    As fastmcp does, the title stays where a default or an enumeration says nothing of the type.
    """
    if isinstance(schema.get("title"), str) and not (
        schema.keys() & {"default", "enum"} and schema.keys() <= _UNTYPED
    ):
        del schema["title"]
    for part in _list_parts(schema):
        if isinstance(part, dict):
            drop_titles(part)
    return schema


def inline_references(schema: dict[str, Any]) -> dict[str, Any]:
    """Put definitions where they are used. A schema with a recursive one keeps its references."""
    definitions = schema.get("$defs")
    if not definitions:
        return schema
    if any(_reaches(definitions, name, name, set()) for name in definitions):
        root = definitions.get(schema.get("$ref", "").removeprefix(_PREFIX), {})
        return _drop_unused({**root, **{key: schema[key] for key in schema if not (root and key == "$ref")}})
    plain = {key: value for key, value in schema.items() if key != "$defs"}
    inlined: dict[str, Any] = _inline(plain, definitions)
    return inlined


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        target = copy.deepcopy(definitions[reference.removeprefix(_PREFIX)])
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inline({**target, **beside}, definitions)
    return {key: _inline(value, definitions) for key, value in node.items()}


def _find_references(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_find_references, node))
    if not isinstance(node, dict):
        return set()
    found = set().union(*map(_find_references, node.values()))
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        found.add(reference.removeprefix(_PREFIX))
    return found


def _reaches(definitions: dict[str, Any], start: str, goal: str, seen: set[str]) -> bool:
    for name in _find_references(definitions.get(start, {})):
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            if _reaches(definitions, name, goal, seen):
                return True
    return False


def _drop_unused(schema: dict[str, Any]) -> dict[str, Any]:
    definitions = schema["$defs"]
    used = _find_references({key: value for key, value in schema.items() if key != "$defs"})
    pending = list(used)
    while pending:
        more = _find_references(definitions.get(pending.pop(), {})) - used
        used |= more
        pending += more
    return {**schema, "$defs": {name: definitions[name] for name in definitions if name in used}}


def is_object_schema(schema: dict[str, Any]) -> bool:
    """Whether a JSON Schema describes an object, also through a reference at its root."""
    if "type" in schema:
        return bool(schema["type"] == "object")
    if "properties" in schema:
        return True
    reference = schema.get("$ref", "")
    target = schema.get("$defs", {}).get(reference.removeprefix(_PREFIX))
    return isinstance(target, dict) and target is not schema and is_object_schema(target)
