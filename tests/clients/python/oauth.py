"""The OAuth client of the second Python SDK: `oauth.py URL ISSUER CLIENT SECRET`. Prints the names of the tools, and what the first says."""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.auth import TokenStorage
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken


class Memory(TokenStorage):
    """Keeps tokens for as long as the program runs."""

    tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        pass


async def main(url: str, issuer: str, client_id: str, secret: str) -> None:
    auth = ClientCredentialsOAuthProvider(
        server_url=url, storage=Memory(), client_id=client_id, client_secret=secret, issuer=issuer
    )
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http), read_timeout_seconds=30) as client,
    ):
        names = [tool.name for tool in (await client.list_tools()).tools]
        said = await client.call_tool(names[0], {})
        print(json.dumps({"names": names, "said": said.content[0].text}))


asyncio.run(main(*sys.argv[1:]))
