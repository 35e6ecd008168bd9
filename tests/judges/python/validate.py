"""Validates the OpenAPI document of a namespace: `validate.py URL TOKEN`, URL being that of the namespace.

Fails with every fault of the document; every reference in it is followed.
"""

import json
import sys
import urllib.request
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator


def fetch(url: str, token: str) -> Any:
    """The document, read as a tool server is read: with the key alone."""
    request = urllib.request.Request(f"{url}/openapi.json", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def dangling(document: Any) -> list[str]:
    """References that lead nowhere in the document."""
    found = []
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            reference = value.get("$ref")
            if isinstance(reference, str) and not leads(document, reference):
                found.append(reference)
    return found


def leads(document: Any, reference: str) -> bool:
    """Whether a reference leads to something."""
    at = document
    for step in reference.removeprefix("#/").split("/"):
        if not isinstance(at, dict) or step not in at:
            return False
        at = at[step]
    return True


if __name__ == "__main__":
    url, token = sys.argv[1:]
    document = fetch(url, token)
    faults = [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]
    faults += [f"`{reference}` leads nowhere" for reference in dangling(document)]
    if faults:
        sys.exit("\n".join(faults))
    print(json.dumps({"operations": len(document["paths"])}))
