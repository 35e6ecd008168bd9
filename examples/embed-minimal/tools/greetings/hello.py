"""A tool in Python."""

from tooldock import tool


@tool
def greet(name: str) -> str:
    """Greet somebody.

    Args:
        name: Who is greeted.
    """
    return f"Hello, {name}!"
