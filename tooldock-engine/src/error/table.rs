//! The one table: what each kind of error means at every door.

use std::{fmt::Write as _, time::Duration};

use super::{ErrorKind, Fault};

/// How MCP tells a caller of an error in a method that was dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpAnswer {
    /// A tool result with `isError: true`, which the model reads and can react to. Outside `tools/call` it is -32603.
    Result,
    /// A JSON-RPC error: the code for 2026-07-28, and the code for the handshake revisions.
    Error {
        /// Code towards 2026-07-28.
        modern: i32,
        /// Code towards 2025-11-25 and older.
        handshake: i32,
    },
}

/// Whether trying again makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Not with the same request.
    No,
    /// Once somebody has changed the tool or the configuration.
    Changed,
    /// After this time.
    After(Duration),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorRow {
    /// The kind this row belongs to.
    pub kind: ErrorKind,
    /// Name in the worker protocol, in REST bodies and as a metric label.
    pub code: &'static str,
    /// Whose fault it is.
    pub fault: Fault,
    /// The answer over MCP.
    pub mcp: McpAnswer,
    /// HTTP status over REST, and over MCP when the request is refused before dispatch.
    pub rest_status: u16,
    /// Whether trying again makes sense.
    pub retry: Retry,
    /// What to do about it, for the reference page.
    pub remedy: &'static str,
}

/// Codes of ToolDock's own conditions start here: outside the ranges that JSON-RPC and MCP reserve.
const OWN: i32 = -33_000;
const INVALID_REQUEST: McpAnswer = same(-32_600);
const INVALID_PARAMS: McpAnswer = same(-32_602);

const fn same(code: i32) -> McpAnswer {
    McpAnswer::Error {
        modern: code,
        handshake: code,
    }
}

const fn soon() -> Retry {
    Retry::After(Duration::from_secs(1))
}

const fn row(
    kind: ErrorKind,
    code: &'static str,
    fault: Fault,
    mcp: McpAnswer,
    rest_status: u16,
    retry: Retry,
    remedy: &'static str,
) -> ErrorRow {
    ErrorRow {
        kind,
        code,
        fault,
        mcp,
        rest_status,
        retry,
        remedy,
    }
}

/// Every kind in order. A kind without a row does not pass the test below, a row out of order neither.
#[rustfmt::skip]
pub static TABLE: [ErrorRow; 25] = {
    use ErrorKind as K;
    use Fault::{Caller, Gateway, Tool};
    use McpAnswer::{Error, Result};
    use Retry::{Changed, No};
    [
        row(K::Unauthorized, "unauthorized", Caller, same(OWN - 1), 401, No, "Send `Authorization: Bearer <token>` with a token that this gateway knows."),
        row(K::Forbidden, "forbidden", Caller, same(OWN - 2), 403, No, "Ask the operator for a token that covers this namespace and tool."),
        row(K::NamespaceMissing, "namespace_missing", Caller, same(OWN - 3), 400, No, "Name the namespace in the path (`/{namespace}/mcp`) or in the header `X-Namespace`."),
        row(K::NamespaceUnknown, "namespace_unknown", Caller, same(OWN - 4), 404, No, "`GET /namespaces` lists those that are there."),
        row(K::InvalidRequest, "invalid_request", Caller, INVALID_REQUEST, 400, No, "Correct the request as the text says."),
        row(K::RequestTooLarge, "request_too_large", Caller, INVALID_REQUEST, 413, No, "Send less, or let the operator raise the limit that the text names."),
        row(K::RequestTimeout, "request_timeout", Caller, INVALID_REQUEST, 408, No, "Send the whole body at once, or let the operator raise the limit that the text names."),
        row(K::InvalidParams, "invalid_params", Caller, INVALID_PARAMS, 400, No, "Correct the parameters as the text says."),
        row(K::UnknownTool, "tool_not_found", Caller, INVALID_PARAMS, 404, No, "List the tools and use one of their names."),
        row(K::UnknownResource, "resource_not_found", Caller, Error { modern: -32_602, handshake: -32_002 }, 404, No, "List the resources and use one of their addresses."),
        row(K::UnknownPrompt, "prompt_not_found", Caller, INVALID_PARAMS, 404, No, "List the prompts and use one of their names."),
        row(K::InvalidArguments, "invalid_arguments", Caller, Result, 422, No, "Send arguments that fit the tool's input schema."),
        row(K::Unsupported, "unsupported", Caller, same(-32_601), 404, No, "Ask only for what the namespace offers."),
        row(K::ToolFailed, "tool_error", Tool, Result, 500, No, "Read what the tool says."),
        row(K::Dependency, "dependency_error", Tool, Result, 500, Changed, "Install the package or set the secret that the text names, then reload."),
        row(K::InvalidOutput, "invalid_output", Tool, Result, 500, Changed, "Let the tool return what its output schema promises."),
        row(K::ResultTooLarge, "result_too_large", Tool, Result, 500, No, "Ask the tool for less, or let the operator raise the limit that the text names."),
        row(K::Timeout, "execution_timeout", Tool, Result, 504, No, "Ask for less work, or let the operator raise the limit that the text names."),
        row(K::Cancelled, "cancelled", Caller, same(-32_800), 499, No, "Call again if the answer is still wanted."),
        row(K::InputRequired, "input_required", Caller, Result, 422, No, "Use an MCP client that can answer questions of a tool."),
        row(K::RateLimited, "rate_limited", Caller, Result, 429, soon(), "Wait as long as `Retry-After` says, or let the operator raise the limit that the text names."),
        row(K::Overloaded, "overloaded", Gateway, Result, 503, soon(), "Wait as long as `Retry-After` says."),
        row(K::Unavailable, "worker_unavailable", Gateway, Result, 503, soon(), "Wait as long as `Retry-After` says; the namespace's state tells why."),
        row(K::Crashed, "worker_crashed", Tool, Result, 500, No, "The namespace's log has the last words of the process."),
        row(K::Internal, "internal_error", Gateway, Result, 500, No, "Give the request id to the operator; the log has the cause."),
    ]
};

/// The table as a page of Markdown, for `docs/errors.md`.
#[must_use]
pub fn as_markdown() -> String {
    let mut page = String::from(
        "# Error codes\n\nGenerated from the table in `tooldock-engine`; do not edit.\n\n\
         | Code | REST status | MCP | Fault | Try again | What to do |\n|---|---|---|---|---|---|\n",
    );
    for row in &TABLE {
        let mcp = match row.mcp {
            McpAnswer::Result => "tool result with `isError`".to_owned(),
            McpAnswer::Error { modern, handshake } if modern == handshake => format!("error {modern}"),
            McpAnswer::Error { modern, handshake } => {
                format!("error {modern} (2026-07-28), {handshake} (older)")
            }
        };
        let retry = match row.retry {
            Retry::No => "no".to_owned(),
            Retry::Changed => "after a change".to_owned(),
            Retry::After(wait) => format!("after {} s", wait.as_secs()),
        };
        writeln!(
            page,
            "| `{}` | {} | {mcp} | {} | {retry} | {} |",
            row.code,
            row.rest_status,
            row.fault.label(),
            row.remedy
        )
        .expect("a String takes every text");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_row_and_code() {
        assert_eq!(ErrorKind::ALL.len(), TABLE.len());
        for (kind, row) in ErrorKind::ALL.iter().zip(&TABLE) {
            assert_eq!(*kind, row.kind);
            assert_eq!(
                ErrorKind::from_code(row.code),
                Some(*kind),
                "`{}` names two kinds",
                row.code
            );
            assert!(row.remedy.ends_with('.') && as_markdown().contains(row.remedy));
        }
    }

    #[test]
    fn own_codes_stay_out_of_the_reserved_ranges() {
        for row in &TABLE {
            let McpAnswer::Error { modern, handshake } = row.mcp else {
                continue;
            };
            for code in [modern, handshake] {
                let defined = [-32_600, -32_601, -32_602, -32_603, -32_002, -32_800].contains(&code);
                assert!(defined || !(-32_768..=-32_000).contains(&code), "{code}");
            }
            assert_ne!(modern, -32_002, "2026-07-28 must not see it");
        }
    }
}
