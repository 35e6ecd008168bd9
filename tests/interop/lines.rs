//! Clients that start a process: `stdio`, which serves by itself, and `connect`, which carries what they say to a gateway.

use std::path::Path;

use tooldock_tests::{Gateway, Tools, fixtures};

use crate::client::Client;
use crate::library::{LIBRARY, compare_fetch, compare_visit};
use crate::tape::Tape;
use crate::way::Way;
use crate::{TALK, expected, for_each_client};

/// The same tools, answers and errors as over HTTP; a wrong token is told of, and is no reason to hang.
#[test]
fn clients_that_start_a_process_see_what_all_others_see() {
    let gateway = Gateway::start(fixtures());
    let (way, tape) = (Way::to(gateway.base_url()), Tape::new());
    let url = format!("{}/demo/mcp", way.base_url());
    let (tools, data) = (fixtures().to_str().unwrap(), gateway.data_folder());
    let (data, token) = (data.to_str().unwrap(), gateway.token());
    let ways = [
        tape.start(&["connect", &url]),
        tape.start(&["stdio", tools, "--namespace", "demo", "--data-dir", data]),
    ];
    for_each_starter(|client| {
        for way in &ways {
            let seen = client.report(way, token, None);
            seen.and_then(|seen| expected::compare_calls(client, &seen))
                .map_err(|problem| format!("{way}: {problem}"))?;
        }
        client.is_kept_out(&ways[0])
    });
}

/// Progress, logs, a cancelled call and a changed list, in both directions and both eras.
#[test]
fn clients_that_start_a_process_hear_what_all_others_hear() {
    let tools = Tools::new();
    let namespace = |client: &Client, way: &str| format!("{way}{}", client.number());
    for_each_starter(|client| {
        for way in ["connect", "stdio"] {
            tools.write(&namespace(client, way), "talk.py", TALK);
        }
        Ok(())
    });
    let gateway = Gateway::start(tools.path());
    let (root, data) = (tools.path().to_str().unwrap(), gateway.data_folder());
    let (carried, tape) = (Way::to(gateway.base_url()), Tape::new());
    let (base, token) = (carried.base_url(), gateway.token());
    for_each_starter(|client| {
        for way in ["connect", "stdio"] {
            let namespace = namespace(client, way);
            let url = format!("{base}/{namespace}/mcp");
            let address = if way == "connect" {
                tape.start(&["connect", &url])
            } else {
                tape.start(&[
                    "stdio",
                    root,
                    "--namespace",
                    &namespace,
                    "--data-dir",
                    data.to_str().unwrap(),
                ])
            };
            let folder = tools.path().join(&namespace);
            let seen = client.run(&address, token, &namespace, &folder);
            seen.and_then(|seen| expected::compare_talk(client, &seen))
                .map_err(|problem| format!("{way}: {problem}"))?;
        }
        Ok(())
    });
}

/// Resources, prompts, completion and questions. A client cannot know that its answer was cut; `connect` comes back for the rest.
#[test]
fn clients_that_start_a_process_read_and_are_asked_and_miss_nothing() {
    let gateway = Gateway::start(Path::new(LIBRARY));
    let (way, tape) = (Way::to(gateway.base_url()), Tape::new());
    let url = format!("{}/library/mcp", way.base_url());
    let (base, data, token) = (gateway.base_url(), gateway.data_folder(), gateway.token());
    let stdio = ["stdio", LIBRARY, "--namespace", "library", "--data-dir"];
    let ways = [
        tape.start(&["connect", &url]),
        tape.start(&[&stdio[..], &[data.to_str().unwrap()]].concat()),
    ];
    for_each_starter(|client| {
        for way in &ways {
            let seen = client.run(way, token, "library", "visit");
            seen.and_then(|seen| compare_visit(client, &seen))
                .map_err(|problem| format!("{way}: {problem}"))?;
        }
        compare_fetch(client, base, token, |url| tape.start(&["connect", url]))
    });
}

fn for_each_starter(attempt: impl Fn(&Client) -> Result<(), String> + Sync) {
    for_each_client(|client| {
        if client.starts_processes() {
            attempt(client)
        } else {
            Ok(())
        }
    });
}
