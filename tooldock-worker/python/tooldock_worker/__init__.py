"""The ToolDock worker runtime: serves one folder of Python tools over one byte stream."""

PROTOCOL = 1
"""The version of the wire this runtime speaks, as sent in ``start`` and ``ready``."""
