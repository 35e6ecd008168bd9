"""The Python namespace that is measured."""

from tooldock import tool


@tool
async def echo(message: str) -> str:
    """Say the message again."""
    return message
