//! Parameters that a library fills in and no caller gives.

use super::super::outline::{Expr, Field};

/// Parameters that a library fills in, by their names.
const INJECTED_NAMES: &[&str] = &["self", "cls", "_"];
/// Parameters that a library fills in, by their names where they have no type.
const INJECTED_UNTYPED: &[&str] = &["ctx", "context"];
/// Parameters that a library fills in, by their types.
#[rustfmt::skip]
const INJECTED_TYPES: &[&str] = &[
    "Context", "RequestContext", "CancellationToken", "IMcpServer", "McpServer", "IServiceProvider", "HttpClient",
    "IHttpClientFactory", "IProgress", "ILogger", "ILoggerFactory", "McpSyncServerExchange", "McpAsyncServerExchange", "ToolContext",
    "McpSyncRequestContext", "McpConnection", "McpLog", "McpMeta", "RequestContextExtractor", "Extension", "Peer", "Extensions",
    "CallToolRequest", "IConfiguration", "ClaimsPrincipal",
];

/// What fills a parameter in, as its default or beside its type: `= Depends(f)`, `Annotated[T, Resolve(f)]`.
const FILLERS: &[&str] = &[
    "Depends",
    "Resolve",
    "Inject",
    "Provide",
    "CurrentContext",
    "CurrentFastMCP",
];

/// Whether a parameter is one of them.
pub(super) fn is_injected(field: &Field) -> bool {
    let fills = |expr: &Expr| {
        matches!(expr, Expr::Call(_)) && expr.last_name().is_some_and(|name| FILLERS.contains(&name))
    };
    if field.default.as_ref().is_some_and(fills) || field.kind.positional().any(fills) {
        return true;
    }
    let by_type = |name: &str| INJECTED_TYPES.contains(&name);
    let kind = field.kind.last_name().unwrap_or_default();
    // What may be left out is wrapped: `Context | None`.
    let within = field.kind.positional().filter_map(Expr::last_name).any(by_type);
    let untyped = field.kind == Expr::Unknown && INJECTED_UNTYPED.contains(&field.name.as_str());
    INJECTED_NAMES.contains(&field.name.as_str())
        || untyped
        || kind.ends_with("Context")
        || by_type(kind)
        || (within && kind != "Parameters")
}
