"""The conversation of a Python client: progress, logs, a cancelled call, and a tool that appears."""

from __future__ import annotations

import asyncio
import pathlib
import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peer import Peer

PATIENCE = 10.0
"""Seconds that something may take to arrive."""


async def talk(peer: Peer, folder: pathlib.Path) -> dict[str, Any]:
    """Hears what a call says, cancels one, and hears that the list has changed."""
    heard: list[Any] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append([progress, total, message])

    await peer.listen()
    counted = await peer.outcome("count", {"steps": 1})
    await peer.call("count", {"steps": 2}, hear)
    seen = {
        "counted": counted,
        "progress": heard,
        "logs": peer.logs,
        "cancelled": await cancel_one(peer),
        "changed": await drop_one(peer, folder),
    }
    if peer.listening is not None:
        peer.listening.cancel()
        await asyncio.wait([peer.listening])
    return seen


async def cancel_one(peer: Peer) -> bool:
    """Whether the tool noticed that its call was cancelled."""
    name, begun = uuid.uuid4().hex, asyncio.Event()

    async def hear(*_: Any) -> None:
        begun.set()

    call = asyncio.ensure_future(peer.call("wait", {"name": name}, hear))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    await peer.cancel(call)
    await asyncio.wait([call], timeout=PATIENCE)
    async with asyncio.timeout(PATIENCE):
        while not (await peer.outcome("was_cancelled", {"name": name}))["structured"]["result"]:
            await asyncio.sleep(0.02)
    return True


async def drop_one(peer: Peer, folder: pathlib.Path) -> bool:
    """Whether a tool that is dropped in is announced and then listed."""
    name = f"dropped_{uuid.uuid4().hex[:8]}"
    text = f'from tooldock import tool\n\n\n@tool\ndef {name}() -> int:\n    """One."""\n    return 1\n'
    peer.changed.clear()
    (folder / f"{name}.py").write_text(text)
    await asyncio.wait_for(peer.changed.wait(), PATIENCE)
    return name in await peer.list_names()
