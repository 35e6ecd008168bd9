//! The ladder of a request that describes itself.

use tooldock_engine::{RawJson, context::LogLevel};

use super::{Exchange, Route};
use crate::{
    refusal::{Refusal, code},
    revision::{Era, Revision},
    wire::{
        Params,
        names::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION},
    },
};

/// The member of `params` that `Mcp-Name` mirrors, by method; no other method has the header.
const NAMED: [(&str, &str); 6] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
];

/// Checks envelope, headers and revision of a request that claims to describe itself, in this order.
pub(super) fn check(exchange: &Exchange<'_>, method: &str, params: &Params) -> Result<Route, Refusal> {
    let version = envelope(params)?;
    headers(exchange, method, params, &version)?;
    match Revision::named(&version) {
        Some(revision) if revision.era() == Era::Modern && exchange.spoken.has(revision) => {
            Ok(Route::Modern(revision))
        }
        _ => Err(exchange.unsupported(&version)),
    }
}

fn envelope(params: &Params) -> Result<String, Refusal> {
    let meta = params.meta();
    let wrong = |name: &str, rule: &str| {
        Refusal::bad(
            code::INVALID_PARAMS,
            format!("`params._meta` must have `{name}`, {rule}"),
        )
    };
    let is_object = |name| meta.get(name).map(RawJson::is_object);
    let version = meta
        .get(PROTOCOL_VERSION)
        .and_then(|version| version.parse().ok());
    let version = version.ok_or_else(|| wrong(PROTOCOL_VERSION, "a text"))?;
    if is_object(CLIENT_CAPABILITIES) != Some(true) {
        return Err(wrong(CLIENT_CAPABILITIES, "an object, which may be empty"));
    }
    if is_object(CLIENT_INFO) == Some(false) {
        return Err(wrong(CLIENT_INFO, "an object, or leave it out"));
    }
    if meta
        .get(LOG_LEVEL)
        .is_some_and(|level| level.parse::<LogLevel>().is_err())
    {
        return Err(wrong(LOG_LEVEL, "`debug` to `emergency`, or leave it out"));
    }
    Ok(version)
}

fn headers(exchange: &Exchange<'_>, method: &str, params: &Params, version: &str) -> Result<(), Refusal> {
    let Some(headers) = exchange.headers else {
        return Ok(());
    };
    mirrors(
        headers.version == super::Single::One(version),
        "MCP-Protocol-Version",
        PROTOCOL_VERSION,
    )?;
    mirrors(
        headers.method == super::Single::One(method),
        "Mcp-Method",
        "method",
    )?;
    let named = NAMED.into_iter().find(|(known, _)| *known == method);
    // A body without the name is refused for that, by its method.
    if let Some((member, name)) = named.and_then(|(_, member)| Some((member, params.text(member)?))) {
        mirrors(
            headers.name.decoded().is_some_and(|header| header == *name),
            "Mcp-Name",
            member,
        )?;
    }
    Ok(())
}

fn mirrors(equal: bool, header: &str, member: &str) -> Result<(), Refusal> {
    if equal {
        return Ok(());
    }
    Err(Refusal::bad(
        code::HEADER_MISMATCH,
        format!(
            "the header `{header}` must occur once and equal `{member}` of the body; if the client sent it so, a proxy on the way drops or changes `Mcp-` headers"
        ),
    ))
}
