"""Records what fastmcp lists for the corpus. Run it with requirements-golden.txt installed:

python tests/golden/record.py
"""

import asyncio
import importlib
import json
import pathlib
import sys
from typing import Any

import fastmcp

VERSION = "4.2.3"
FILES = ("corpus", "later", "plain")
MEMBERS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")


async def list_tools(file: str) -> list[dict[str, Any]]:
    """The members of tools/list that the worker also sends, in the order of definition."""
    module = importlib.import_module(file)
    server = fastmcp.FastMCP("golden")
    for value in vars(module).values():
        if getattr(getattr(value, "__fastmcp__", None), "type", None) == "tool":
            server.add_tool(value)
    async with fastmcp.Client(server) as client:
        listed = (await client.list_tools_mcp()).tools
    wire = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    return [{key: tool[key] for key in MEMBERS if key in tool} for tool in wire]


def main() -> None:
    if fastmcp.__version__ != VERSION:
        sys.exit(f"fastmcp {VERSION} is needed, {fastmcp.__version__} is installed")
    folder = pathlib.Path(__file__).parent
    sys.path.insert(0, str(folder))
    recorded = {"fastmcp": VERSION, "files": {f: asyncio.run(list_tools(f)) for f in FILES}}
    text = json.dumps(recorded, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "golden.json").write_text(f"{text}\n")


if __name__ == "__main__":
    main()
