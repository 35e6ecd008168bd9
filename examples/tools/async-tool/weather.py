"""An asynchronous tool that asks a web service.

`requirements.txt` beside this file names the package it needs; `tooldock.yaml` names its secret and a setting. Both
are in the environment by the time the tool runs.
"""

import os
from typing import Any, Literal

import httpx
from fastmcp.tools import tool

TIMEOUT_SECONDS = 10.0


@tool
async def get_weather(city: str, units: Literal["metric", "imperial"] = "metric") -> dict[str, Any]:
    """Tell the current weather of a city.

    Args:
        city: Name of the city, such as "Berlin" or "New York".
        units: "metric" for degrees Celsius, "imperial" for degrees Fahrenheit.

    Returns:
        The city with its temperature, a description and the humidity in percent.
    """
    key = os.environ["WEATHER_API_KEY"]
    async with httpx.AsyncClient(base_url=os.environ["WEATHER_BASE_URL"], timeout=TIMEOUT_SECONDS) as client:
        response = await client.get("/data/2.5/weather", params={"q": city, "units": units, "appid": key})
    response.raise_for_status()
    report = response.json()
    return {
        "city": report["name"],
        "temperature": report["main"]["temp"],
        "description": report["weather"][0]["description"],
        "humidity": report["main"]["humidity"],
    }
