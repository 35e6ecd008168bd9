//! Resources, prompts, completion and questions as every client meets them, and an answer whose stream is cut.

use std::path::Path;

use serde_json::{Value, json};
use tooldock_tests::Gateway;

use crate::client::{Client, MODERN};
use crate::expected::compare;
use crate::for_each_client;
use crate::way::Way;

/// What is served: the namespace `library`.
pub(crate) const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/library");

/// A client, or `*`; the revision, if it is for that one only; what its report lacks; why.
type Exception = (
    &'static str,
    Option<&'static str>,
    &'static [&'static str],
    &'static str,
);

/// What clients cannot do. What is said to be missing from a visit must be missing, so no line outlives its reason.
const EXCEPTIONS: &[Exception] = &[
    (
        "inspector.mjs",
        None,
        &["completed", "completed_template"],
        "its command line has no method for completion",
    ),
    (
        "inspector.mjs",
        None,
        &["accepted", "declined", "sampled"],
        "its command line has nobody who answers",
    ),
    (
        "inspector.mjs",
        None,
        &["fetched"],
        "each of its connections is one process and one request",
    ),
    (
        "*",
        MODERN,
        &["fetched"],
        "2026-07-28 has no streams to come back to: a connection that ends is a call that is cancelled",
    ),
];

/// What a visit to the library shows.
pub(crate) fn compare_visit(client: &Client, seen: &Value) -> Result<(), String> {
    compare_but_exceptions(
        client,
        seen,
        &[
            ("protocol", json!(client.2)),
            ("resources", json!(["book://catalog"])),
            ("templates", json!(["book://{title}/summary"])),
            ("read", json!("emma, emil, faust")),
            ("read_by_template", json!("What happens in emma.")),
            ("prompts", json!(["review"])),
            ("prompt", json!("Review the book emma.")),
            ("completed", json!(["emma", "emil"])),
            ("completed_template", json!(["faust"])),
            ("accepted", json!("accept: 14 days")),
            ("declined", json!("decline")),
            (
                "sampled",
                json!("The model says: I was asked: A book for somebody who likes rain"),
            ),
        ],
    )
}

/// What a call gives whose stream is cut; `address` makes what the client is told out of the URL that is cut.
pub(crate) fn compare_fetch(
    client: &Client,
    base_url: &str,
    token: &str,
    address: impl Fn(&str) -> String,
) -> Result<(), String> {
    if lacks(client, "fetched") {
        return Ok(());
    }
    let way = Way::that_breaks(base_url);
    let url = address(&format!("{}/library/mcp", way.base_url()));
    let seen = client.run(&url, token, "library", "fetch")?;
    compare(
        &seen,
        &[
            ("protocol", json!(client.2)),
            ("fetched", json!("here it is")),
            ("progress", json!([[1, 2, "on its way"]])),
        ],
    )?;
    way.was_mended()
}

fn compare_but_exceptions(client: &Client, seen: &Value, expected: &[(&str, Value)]) -> Result<(), String> {
    let due: Vec<_> = expected
        .iter()
        .map(|(check, value)| {
            let value = if lacks(client, check) { &Value::Null } else { value };
            (*check, value.clone())
        })
        .collect();
    compare(seen, &due)
}

/// Whether `client` is known not to show `check`.
fn lacks(client: &Client, check: &str) -> bool {
    EXCEPTIONS.iter().any(|(program, revision, checks, _)| {
        let named = *program == "*" || *program == client.name();
        named && (revision.is_none() || *revision == client.2) && checks.contains(&check)
    })
}

/// Every client lists, reads, completes and prompts; its person accepts and declines, its model answers. An answer whose stream is cut in the
/// middle reaches every client that has a stream to come back to.
#[test]
fn every_client_reads_prompts_completes_is_asked_and_resumes() {
    let gateway = Gateway::start(Path::new(LIBRARY));
    let (base, token) = (gateway.base_url(), gateway.token());
    let way = Way::to(base);
    let url = format!("{}/mcp", way.base_url());
    for_each_client(|client| {
        let seen = client.run(&url, token, "library", "visit")?;
        compare_visit(client, &seen)?;
        compare_fetch(client, base, token, str::to_owned)
    });
}
