"""A first tool. Change it, or put files of your own beside it: they are live a moment after they are saved."""

from tooldock import tool


@tool
def hello(name: str = "World") -> str:
    """Greet somebody by name.

    Args:
        name: Who is greeted.
    """
    return f"Hello, {name}!"
