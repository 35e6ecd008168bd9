"""One line of the protocol, both ways."""

import json
from typing import Any

import pytest

from tooldock_worker.frames import MAX_LINE, FrameError, decode_frame, encode_frame


@pytest.mark.parametrize(
    "value", ["a\n\u2028\x7f\x00", "é\U0001f600", 10**50, -0.0, 1e300, [None, True, {"k": []}], ""]
)
def test_values_survive(value: Any) -> None:
    line = encode_frame({"v": value})
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode_frame(line) == {"v": value} == json.loads(line)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), [float("nan")]])
def test_non_finite_numbers_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="Out of range"):
        encode_frame({"v": value})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ud800", "\ufffd"),
        ("a\udfffb", "a\ufffdb"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
    ],
)
def test_unpaired_surrogates_are_replaced(text: str, expected: str) -> None:
    line = encode_frame({"v": text})
    assert json.loads(line.decode()) == {"v": expected}


def test_too_long_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        encode_frame({"v": "x" * MAX_LINE})


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"1", b'{"a":1} {"b":2}', b'{"a":NaN}', b'{"a":-Infinity}', b"\xff", b"{"]
)
def test_what_is_no_frame(line: bytes) -> None:
    with pytest.raises(FrameError) as caught:
        decode_frame(line)
    assert caught.value.id is None


def test_id_is_found_where_a_number_cannot_be_read() -> None:
    with pytest.raises(FrameError) as caught:
        decode_frame(b'{"id":"x","n":' + b"9" * 5000 + b"}")
    assert caught.value.id == "x"


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(FrameError):
        decode_frame(b'{"a":' + b"[" * 200_000 + b"}")
