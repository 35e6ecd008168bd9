//! tooldock-mcp.
