"""Shared by the tool files of a namespace; no tool file itself."""

PLACE = "Lyon"


def praise(name: str) -> str:
    return f"{name} of {PLACE}"
