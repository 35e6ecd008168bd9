"""What is read out of docstrings, style by style."""

import inspect

import pytest

from tooldock_worker.docstring import Documented, parse_docstring

CASES = {
    "empty": ("", None, {}),
    "plain": ("Only text.\n\nMore.", "Only text.\n\nMore.", {}),
    "google": (
        """Do it.

        Longer:
          - text

        Args:
            a: First.
            b (int, optional): Second
                goes on.

                New paragraph.
            c: with: colons

        Returns:
            Something.

        Tail.""",
        "Do it.\n\nLonger:\n  - text",
        {"a": "First.", "b": "Second\ngoes on.\n\nNew paragraph.", "c": "with: colons"},
    ),
    "google first": ("\nArgs:\n    a: x\n\nTail.", None, {"a": "x"}),
    "google returns alone": ("Do.\n\nReturns:\n    x", "Do.", {}),
    "google note": ("Do.\n\nNote:\n    n\n\nArgs:\n    a: x", "Do.", {"a": "x"}),
    "google in code": ("Do.\n\n```\nArgs:\n    a: x\n```", "Do.\n\n```\nArgs:\n    a: x\n```", {}),
    "google glued": ("Do.\nArgs:\n    a: x", "Do.\nArgs:\n    a: x", {}),
    "google shallow": ("Do.\n\nArgs:\n  a: x\n   y\n  b: z", "Do.", {"a": "x\ny", "b": "z"}),
    "numpy": (
        """Do it.

        Parameters
        ----------
        a : int
            First.

            More.
        b, c : str, optional
            Both.
        d
            Untyped.

        Returns
        -------
        int
            x""",
        "Do it.",
        {"a": "First.\n\nMore.", "b": "Both.", "c": "Both.", "d": "Untyped."},
    ),
    "sphinx": (
        """Do it.

        :param a: First.
        :param int b: Second
            goes on.
        :type b: int
        :returns: x
        :raises ValueError: y""",
        "Do it.",
        {"a": "First.", "b": "Second\ngoes on."},
    ),
    "sphinx type alone": ("Do.\n\n:rtype: int", "Do.\n\n:rtype: int", {}),
}


@pytest.mark.parametrize("case", CASES)
def test_styles(case: str) -> None:
    text, description, parameters = CASES[case]
    assert parse_docstring(inspect.cleandoc(text)) == Documented(description, parameters)


@pytest.mark.parametrize("case", CASES)
def test_cut_anywhere_never_fails(case: str) -> None:
    text = inspect.cleandoc(CASES[case][0])
    for end in range(len(text)):
        parsed = parse_docstring(text[:end])
        assert parsed.description is None or parsed.description in text
