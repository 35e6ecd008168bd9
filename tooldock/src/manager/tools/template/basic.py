"""Greetings."""

from tooldock import tool


@tool
def greet(name: str, times: int = 1) -> str:
    """Greet somebody. Use it when a user wants to be greeted.

    Args:
        name: Who is greeted.
        times: How often.
    """
    return " ".join([f"Hello, {name}!"] * times)
