"""The least that answers calls in Python: one JSON line in, one JSON line out, over a Unix socket and over TCP.

`python echo.py SOCKET` prints where it listens on TCP and ends when its standard input does.
"""

import asyncio
import json
import sys


class Echo(asyncio.Protocol):
    """One connection: answers every complete line of what has arrived in one write."""

    def __init__(self) -> None:
        """Nothing has arrived yet."""
        self.rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where answers go."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer the lines that are complete."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.transport.write(b"".join(map(answer, lines)))


def answer(line: bytes) -> bytes:
    """Give the arguments back as a tool result."""
    call = json.loads(line)
    arguments = call["arguments"]
    text = json.dumps(arguments, separators=(",", ":"))
    result = {"content": [{"type": "text", "text": text}], "structuredContent": arguments}
    return json.dumps({"id": call["id"], "result": result}, separators=(",", ":")).encode() + b"\n"


async def main(path: str) -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    await loop.create_unix_server(Echo, path)
    server = await loop.create_server(Echo, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(f"ready http://{host}:{port}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main(sys.argv[1]))
