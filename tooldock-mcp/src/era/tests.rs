//! The decision, row by row.

use tooldock_engine::{RawJson, json::ScanLimits};

use super::{
    Ask, Exchange, Headers, Refusal, Route,
    SessionFact::{self, Open, Unknown, Unnamed},
    Single::{self, Absent, One, Unclear},
    classify,
};
use crate::{
    revision::{Revision, Revisions},
    wire::Message,
};

const NEW: &str = "2026-07-28";
const OLD: &str = "2025-11-25";
const MODERN: Result<Route, (u16, i32)> = Ok(Route::Modern(Revision::V2026_07_28));
const SESSION: Result<Route, (u16, i32)> = Ok(Route::Session(Revision::V2025_11_25));
const OPEN: SessionFact = Open(Revision::V2025_11_25);

fn message(text: &str) -> Message {
    Message::read(&RawJson::scan(text.to_owned(), ScanLimits::MESSAGE).unwrap()).unwrap()
}

/// A request; `meta` is the inside of `_meta`, `more` is put before it.
fn request(method: &str, more: &str, meta: &str) -> Message {
    message(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{more}"_meta":{{{meta}}}}}}}"#
    ))
}

fn envelope(version: &str) -> String {
    format!(
        r#""io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}"#
    )
}

fn headers<'a>(version: Single<'a>, method: Single<'a>, name: Single<'a>) -> Headers<'a> {
    Headers {
        version,
        method,
        name,
    }
}

fn decide(
    ask: Ask<'_>,
    headers: Option<Headers<'_>>,
    session: SessionFact,
    spoken: Revisions,
) -> Result<Route, (u16, i32)> {
    let decided = classify(&Exchange {
        ask,
        headers,
        session,
        spoken,
    });
    decided.map_err(|refusal: Refusal| (refusal.status(), refusal.code()))
}

type Row<'a> = (
    &'a str,
    Message,
    Headers<'a>,
    SessionFact,
    Result<Route, (u16, i32)>,
);

#[test]
#[rustfmt::skip]
fn s40_requests_that_describe_themselves() {
    let list = |meta: &str| request("tools/list", "", meta);
    let call = || request("tools/call", r#""name":"größe","#, &envelope(NEW));
    let (listing, calling) = (One("tools/list"), One("tools/call"));
    let sentinel = One("=?base64?Z3LDtsOfZQ==?=");
    let odd = r#""io.modelcontextprotocol/protocolVersion":null"#;
    let rows: Vec<Row<'_>> = vec![
        ("plain", list(&envelope(NEW)), headers(One(NEW), listing, Absent), Unnamed, MODERN),
        ("stale session", list(&envelope(NEW)), headers(One(NEW), listing, Absent), Unknown, MODERN),
        ("open session", list(&envelope(NEW)), headers(One(NEW), listing, Absent), OPEN, MODERN),
        ("name that is not mirrored", list(&envelope(NEW)), headers(One(NEW), listing, One("x")), Unnamed, MODERN),
        ("no version", list(&envelope(NEW)), headers(Absent, listing, Absent), Unnamed, Err((400, -32_020))),
        ("other version", list(&envelope(NEW)), headers(One(OLD), listing, Absent), Unnamed, Err((400, -32_020))),
        ("two versions", list(&envelope(NEW)), headers(Unclear, listing, Absent), Unnamed, Err((400, -32_020))),
        ("no method", list(&envelope(NEW)), headers(One(NEW), Absent, Absent), Unnamed, Err((400, -32_020))),
        ("other method", list(&envelope(NEW)), headers(One(NEW), calling, Absent), Unnamed, Err((400, -32_020))),
        ("two methods", list(&envelope(NEW)), headers(One(NEW), Unclear, Absent), Unnamed, Err((400, -32_020))),
        ("name decoded", call(), headers(One(NEW), calling, sentinel), Unnamed, MODERN),
        ("no name", call(), headers(One(NEW), calling, Absent), Unnamed, Err((400, -32_020))),
        ("other name", call(), headers(One(NEW), calling, One("x")), Unnamed, Err((400, -32_020))),
        ("broken name", call(), headers(One(NEW), calling, One("=?base64?*?=")), Unnamed, Err((400, -32_020))),
        ("other sentinel", call(), headers(One(NEW), calling, One("=?BASE64?Z3LDtsOfZQ==?=")), Unnamed, Err((400, -32_020))),
        ("no envelope", list(""), headers(One(NEW), listing, Absent), Unnamed, Err((400, -32_602))),
        ("no envelope, in a session", list(""), headers(One(NEW), listing, Absent), OPEN, Err((400, -32_602))),
        ("odd version", list(odd), headers(Absent, Absent, Absent), Unnamed, Err((400, -32_602))),
        ("later version", list(&envelope("2027-01-01")), headers(One("2027-01-01"), listing, Absent), Unnamed, Err((400, -32_022))),
        ("older version", list(&envelope(OLD)), headers(One(OLD), listing, Absent), Unnamed, Err((400, -32_022))),
        ("initialize", request("initialize", "", &envelope(NEW)), headers(One(NEW), One("initialize"), Absent), Unnamed, MODERN),
        ("initialize by header", request("initialize", "", ""), headers(One(NEW), Absent, Absent), Unnamed, Err((400, -32_020))),
    ];
    check(rows, Revisions::default());
}

#[test]
#[rustfmt::skip]
fn messages_of_the_handshake_era() {
    let ping = || request("ping", "", "");
    let opening = || request("initialize", "", "");
    let told = |meta: &str| {
        message(&format!(
            r#"{{"jsonrpc":"2.0","method":"n","params":{{"_meta":{{{meta}}}}}}}"#
        ))
    };
    let response = || message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    let batch = || message(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#);
    let at = |version| headers(version, Absent, Absent);
    let rows: Vec<Row<'_>> = vec![
        ("initialize", opening(), at(Absent), Unnamed, Ok(Route::Open)),
        ("initialize with header", opening(), at(One(OLD)), Unnamed, Ok(Route::Open)),
        ("initialize again", opening(), at(One(OLD)), OPEN, Ok(Route::Open)),
        ("initialize, ended session", opening(), at(One(OLD)), Unknown, Err((404, -32_600))),
        ("initialize, unknown header", opening(), at(One("1999-01-01")), Unnamed, Ok(Route::Open)),
        ("initialize, revision not spoken", opening(), at(One("2024-11-05")), Unnamed, Ok(Route::Open)),
        ("in a session", ping(), at(One(OLD)), OPEN, SESSION),
        ("without header", ping(), at(Absent), OPEN, SESSION),
        ("older revision", ping(), at(One("2025-03-26")), OPEN, SESSION),
        ("revision not spoken", ping(), at(One("2024-11-05")), OPEN, Err((400, -32_600))),
        ("unknown header", ping(), at(One("1999-01-01")), OPEN, Err((400, -32_022))),
        ("two headers", ping(), at(Unclear), OPEN, Err((400, -32_022))),
        ("no session", ping(), at(One(OLD)), Unnamed, Err((400, -32_600))),
        ("nothing at all", ping(), at(Absent), Unnamed, Err((400, -32_600))),
        ("ended session", ping(), at(One(OLD)), Unknown, Err((404, -32_600))),
        ("notification", told(""), at(One(OLD)), OPEN, SESSION),
        ("notification, no session", told(""), at(Absent), Unnamed, Err((400, -32_600))),
        ("notification, ended session", told(""), at(Absent), Unknown, Err((404, -32_600))),
        ("notification, modern header", told(""), at(One(NEW)), Unnamed, Ok(Route::Drop)),
        ("notification, unknown header", told(""), at(One("x")), OPEN, Ok(Route::Drop)),
        ("notification with envelope", told(&envelope(NEW)), at(Absent), Unnamed, Ok(Route::Drop)),
        ("response", response(), at(One(OLD)), OPEN, SESSION),
        ("response, no session", response(), at(One(NEW)), Unnamed, Err((400, -32_600))),
        ("response, ended session", response(), at(Absent), Unknown, Err((404, -32_600))),
        ("batch", batch(), at(Absent), Unnamed, Err((400, -32_600))),
        ("s48 batch, other revision", batch(), at(One("2025-03-26")), OPEN, Err((400, -32_600))),
        ("s48 batch, older revision", batch(), at(Absent), Open(Revision::V2024_11_05), Err((400, -32_600))),
        ("s48 batch", batch(), at(Absent), Open(Revision::V2025_03_26), Ok(Route::Session(Revision::V2025_03_26))),
        ("s48 batch, modern header", batch(), at(One(NEW)), Open(Revision::V2025_03_26), Err((400, -32_600))),
        ("s48 batch, ended session", batch(), at(Absent), Unknown, Err((404, -32_600))),
    ];
    let spoken = Revision::ALL.into_iter().filter(|revision| *revision != Revision::V2024_11_05);
    check(rows, Revisions::of(&spoken.collect::<Vec<_>>()));
}

fn check(rows: Vec<Row<'_>>, spoken: Revisions) {
    for (row, message, headers, session, expected) in rows {
        let decided = decide(Ask::Send(&message), Some(headers), session, spoken);
        assert_eq!(decided, expected, "{row}");
    }
}

#[test]
fn any_revision_with_sessions_may_stand_in_the_header_if_it_is_spoken() {
    let every = Revisions::of(&Revision::ALL);
    let ping = request("ping", "", "");
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", OLD] {
        let headers = headers(One(version), Absent, Absent);
        assert_eq!(
            decide(Ask::Send(&ping), Some(headers), OPEN, every),
            SESSION,
            "{version}"
        );
    }
}

#[test]
fn streams_and_ends_belong_to_sessions() {
    let (old, new) = (
        headers(One(OLD), Absent, Absent),
        headers(One(NEW), Absent, Absent),
    );
    let modern_only = Revisions::of(&[Revision::V2026_07_28]);
    for ask in [Ask::Watch, Ask::End] {
        assert_eq!(decide(ask, Some(old), OPEN, Revisions::default()), SESSION);
        assert_eq!(
            decide(ask, Some(old), Unnamed, Revisions::default()),
            Err((400, -32_600))
        );
        assert_eq!(
            decide(ask, Some(old), Unknown, Revisions::default()),
            Err((404, -32_600))
        );
        assert_eq!(
            decide(ask, Some(new), OPEN, Revisions::default()),
            Err((405, -32_600))
        );
        assert_eq!(decide(ask, Some(old), OPEN, modern_only), Err((405, -32_600)));
    }
}

#[test]
fn without_headers_the_message_decides() {
    let list = request("tools/list", "", &envelope(NEW));
    let decide = |message: &Message, session| decide(Ask::Send(message), None, session, Revisions::default());
    assert_eq!(decide(&list, Unnamed), MODERN);
    assert_eq!(decide(&request("ping", "", ""), Unnamed), Err((400, -32_600)));
    assert_eq!(decide(&request("ping", "", ""), OPEN), SESSION);
    assert_eq!(decide(&request("initialize", "", ""), Unnamed), Ok(Route::Open));
    let told = format!(
        r#"{{"jsonrpc":"2.0","method":"n","params":{{"_meta":{{{}}}}}}}"#,
        envelope(NEW)
    );
    assert_eq!(decide(&message(&told), OPEN), MODERN, "it may cancel a call");
}

#[test]
fn with_one_era_off_its_messages_are_told_what_is_spoken() {
    let modern_only = Revisions::of(&[Revision::V2026_07_28]);
    let handshake_only = Revisions::of(&[Revision::V2025_11_25]);
    let bare = Some(headers(Absent, Absent, Absent));
    for method in ["initialize", "ping"] {
        let message = request(method, "", "");
        assert_eq!(
            decide(Ask::Send(&message), bare, Unnamed, modern_only),
            Err((400, -32_022))
        );
    }
    let list = request("tools/list", "", &envelope(NEW));
    let mirrored = Some(headers(One(NEW), One("tools/list"), Absent));
    assert_eq!(
        decide(Ask::Send(&list), mirrored, Unnamed, handshake_only),
        Err((400, -32_022))
    );
}
