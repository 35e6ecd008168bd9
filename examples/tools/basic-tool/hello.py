"""The smallest tool file: one function, one decorator.

The signature becomes the schema, the docstring becomes the description that a model reads.
"""

from tooldock import tool


@tool
def say_hello(name: str = "World") -> str:
    """Greet somebody by name.

    Args:
        name: The person to greet.

    Returns:
        A one-line greeting.
    """
    return f"Hello, {name}!"
