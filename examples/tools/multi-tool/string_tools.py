"""A second file of the same namespace: its tools stand beside those of the first."""

import re

from fastmcp.tools import tool


@tool
def reverse(text: str) -> str:
    """Turn a text around.

    Args:
        text: The text to turn around.

    Returns:
        The same characters, last one first.
    """
    return text[::-1]


@tool
def word_count(text: str) -> int:
    """Count the words of a text.

    Args:
        text: The text to count in; words are parted by white space.

    Returns:
        The number of words.
    """
    return len(text.split())


@tool
def slugify(text: str, separator: str = "-") -> str:
    """Make a text fit for a file name or a web address.

    Args:
        text: The text, for example a title.
        separator: What stands between two words.

    Returns:
        Lower-case ASCII letters and digits, joined by the separator.
    """
    return separator.join(re.findall(r"[a-z0-9]+", text.lower()))
