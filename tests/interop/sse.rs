//! Clients of the transport of 2024-11-05: one stream that brings everything, and messages that are sent by themselves.

use std::path::Path;

use tooldock_tests::{Gateway, Tools, fixtures};

use crate::client::Client;
use crate::library::{LIBRARY, compare_visit};
use crate::way::Way;
use crate::{TALK, expected, for_each_client};

/// The same tools, answers and errors as over Streamable HTTP, wherever the namespace is named.
#[test]
fn clients_of_the_first_transport_see_what_all_others_see() {
    let gateway = Gateway::start(fixtures());
    let (way, token) = (Way::to(gateway.base_url()), gateway.token());
    let base = way.base_url();
    let ways = [
        (format!("sse:{base}/demo/sse"), None),
        (format!("sse:{base}/sse"), Some("demo")),
    ];
    for_each_speaker(|client| {
        for (url, namespace) in &ways {
            let seen = client.report(url, token, *namespace);
            seen.and_then(|seen| expected::compare_calls(client, &seen))
                .map_err(|problem| format!("at {url}: {problem}"))?;
        }
        Ok(())
    });
}

/// Resources, prompts, completion and questions.
#[test]
fn clients_of_the_first_transport_read_and_are_asked() {
    let gateway = Gateway::start(Path::new(LIBRARY));
    let (way, token) = (Way::to(gateway.base_url()), gateway.token());
    let url = format!("sse:{}/library/sse", way.base_url());
    for_each_speaker(|client| {
        let seen = client.run(&url, token, "library", "visit")?;
        compare_visit(client, &seen)
    });
}

/// Progress, logs, a cancelled call and a changed list.
#[test]
fn clients_of_the_first_transport_hear_what_all_others_hear() {
    let tools = Tools::new();
    let namespace = |client: &Client| format!("talk{}", client.number());
    for_each_speaker(|client| {
        tools.write(&namespace(client), "talk.py", TALK);
        Ok(())
    });
    let gateway = Gateway::start(tools.path());
    let (way, token) = (Way::to(gateway.base_url()), gateway.token());
    let url = format!("sse:{}/sse", way.base_url());
    for_each_speaker(|client| {
        let namespace = namespace(client);
        let folder = tools.path().join(&namespace);
        let seen = client.run(&url, token, &namespace, &folder)?;
        expected::compare_talk(client, &seen)
    });
}

fn for_each_speaker(attempt: impl Fn(&Client) -> Result<(), String> + Sync) {
    for_each_client(|client| {
        if client.speaks_sse() {
            attempt(client)
        } else {
            Ok(())
        }
    });
}
