"""Issues of GitHub."""

import os
from typing import Literal

import httpx

from tooldock import tool

API = "https://api.github.com"


@tool
async def list_issues(owner: str, repo: str, state: Literal["open", "closed", "all"] = "open") -> list[dict]:
    """List the issues of a GitHub repository. Use it to find issues by their state.

    Args:
        owner: Owner of the repository.
        repo: Name of the repository.
        state: Which issues.
    """
    headers = {"Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}"}
    async with httpx.AsyncClient(base_url=API, headers=headers, timeout=20) as client:
        answer = await client.get(f"/repos/{owner}/{repo}/issues", params={"state": state})
        answer.raise_for_status()
    return [{"number": one["number"], "title": one["title"], "state": one["state"]} for one in answer.json()]
