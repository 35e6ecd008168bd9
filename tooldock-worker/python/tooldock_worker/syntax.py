"""Finds decorated functions in a file's text, without running it."""

import ast


def find_decorated(source: bytes) -> dict[str, int]:
    """Names of module-level functions decorated with something named ``tool``, with their first line.

    Counts ``@tool``, ``@tool(...)``, ``@x.tool`` and ``@x.tool(...)``. Raises ``SyntaxError``.
    """
    return {
        node.name: node.decorator_list[0].lineno
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(_name_of(decorator) == "tool" for decorator in node.decorator_list)
    }


def _name_of(decorator: ast.expr) -> str | None:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else None
