"""Frames: one JSON object per line, in both directions."""

import json
from typing import Any

MAX_LINE = 16 * 1024 * 1024
"""The longest line of the protocol, but for answers of calls; in bytes."""

MAX_ANSWER = 32 * 1024 * 1024
"""The longest answer of a call, in bytes: a result may stand twice in it, for people and as structure."""

Frame = dict[str, Any]

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class FrameError(ValueError):
    """A line that is no frame. ``id`` is the request's id when it could still be read."""

    def __init__(self, message: str, id: Any = None) -> None:
        super().__init__(message)
        self.id = id


def _refuse_constant(text: str) -> float:
    raise ValueError(f"`{text}` is no JSON number")


def _read_any_integer(text: str) -> int:
    return int(text) if len(text) <= 4000 else 0


_strict: Any = json.JSONDecoder(parse_constant=_refuse_constant)
_scan = _strict.scan_once
_tolerant = json.JSONDecoder(parse_constant=lambda text: None, parse_int=_read_any_integer)


def encode_utf8(text: str) -> bytes:
    """Encode text as UTF-8; surrogate pairs are joined, unpaired ones become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def encode_value(value: Any) -> bytes:
    """Encode one JSON value compactly.

    Raises ``ValueError`` for non-finite numbers and cycles, ``TypeError`` for values that JSON
    has no form for.
    """
    return encode_utf8(_encode(value))


def encode_frame(frame: Frame) -> bytes:
    """Encode one frame with its line end.

    Raises what :func:`encode_value` raises, and ``ValueError`` beyond ``MAX_LINE`` bytes.
    """
    line = encode_value(frame) + b"\n"
    if len(line) > MAX_LINE:
        raise ValueError(f"a frame of {len(line)} bytes is over the protocol's limit of {MAX_LINE} bytes")
    return line


def decode_frame(line: bytes) -> Frame:
    """Read one line. Raises :class:`FrameError` when it is no JSON object."""
    try:
        text = line.decode().strip()
        frame, end = _scan(text, 0)
        if end != len(text):
            raise ValueError("a second value follows the first")
    except (ValueError, RecursionError) as error:
        raise FrameError(f"the frame cannot be read: {error}", _find_id(line)) from error
    except StopIteration as stop:
        raise FrameError(f"the frame cannot be read: no value at {stop.value}", _find_id(line)) from None
    if type(frame) is not dict:
        raise FrameError("the frame is no JSON object")
    return frame


def _find_id(line: bytes) -> Any:
    try:
        frame = _tolerant.decode(line.decode())
    except (ValueError, RecursionError):
        return None
    return frame.get("id") if isinstance(frame, dict) else None
