//! The way of a secret: from the store to the tool, and nowhere else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tooldock_secrets::{Kdf, Scope, SecretValue, Store};
use tooldock_tests::{Gateway, Tools, eventually};

const TOOLS: &str = "\
import os, sys
from tooldock import tool

@tool
def hashed() -> str:
    import hashlib
    return hashlib.sha256(os.environ['API_TOKEN'].encode()).hexdigest()

@tool
def told() -> dict:
    print('printed', os.environ['API_TOKEN'])
    print('complained', os.environ['API_TOKEN'], file=sys.stderr)
    return {'plain': os.environ['API_TOKEN'], 'deep': [{os.environ['API_TOKEN']: 1}]}

@tool
def raised() -> str:
    raise ValueError('it was ' + os.environ['API_TOKEN'])

@tool
def waits() -> str:
    return os.environ['WAITS']
";
/// Quotes, a dollar sign and a line break: it arrives byte for byte.
const VALUE: &str = "canary \"71c0\" $HOME\nsecond line";
/// SHA-256 of [`VALUE`].
const HASH: &str = "d4214a21f3ee4bdaa906ae3aee680e72d3e331952f0618ca4ff7743ea372450d";

fn set(store: &Store, scope: Scope, value: &str) {
    let (name, value) = (
        "API_TOKEN".parse().unwrap(),
        SecretValue::new(value.to_owned()).unwrap(),
    );
    store
        .change(|contents| {
            contents.set(scope, name, value);
            Ok(())
        })
        .unwrap();
}

#[test]
fn f52_f53_s99_s102_a_secret_reaches_its_tool_and_nothing_else() {
    let tools = Tools::new();
    for namespace in ["holder", "neighbour"] {
        tools.write(namespace, "tools.py", TOOLS);
    }
    tools.write("holder", "tooldock.yaml", "secrets: [API_TOKEN, WAITS]\n");
    let gateway = Gateway::start(tools.path());
    let http = gateway.http();
    let call = |tool: &str| http.post(&format!("/holder/tools/{tool}"), &json!({}), &[]);
    let missing = call("hashed");
    assert!(
        missing.error().contains("the secret `API_TOKEN` is not set"),
        "{missing:?}"
    );

    let store = gateway.secrets();
    set(&store, "holder".parse().unwrap(), VALUE);
    store.prepare(Scope::Global, "WAITS".parse().unwrap()).unwrap();
    let before = gateway.worker("neighbour");
    assert_eq!(gateway.reload()["ok"], true);
    assert_eq!(call("hashed").body, json!(HASH));
    assert_eq!(
        gateway.worker("neighbour"),
        before,
        "only what changed is exchanged"
    );
    let waiting = call("waits");
    assert!(
        waiting
            .error()
            .contains("`WAITS` is a placeholder without a value"),
        "{waiting:?}"
    );
    let list = http.get("/namespaces").body;
    assert_eq!(
        list["namespaces"][0]["missing_secrets"],
        json!(["WAITS"]),
        "{list}"
    );
    assert_eq!(
        list["namespaces"][0]["placeholder_secrets"],
        json!(["WAITS"]),
        "{list}"
    );

    for tool in ["told", "raised"] {
        let answer = call(tool);
        let text = format!("{answer:?}");
        assert!(
            text.contains("[redacted:API_TOKEN]") && !text.contains("71c0"),
            "{text}"
        );
    }
    let log = gateway.log();
    assert!(log.contains("printed [redacted:API_TOKEN]"), "{log}");
    assert!(
        !log.contains("71c0") && !list.to_string().contains("71c0"),
        "{log}"
    );
}

/// Tools that give a secret away on every way that an answer, a note or a line of output can take.
const EVERYWHERE: &str = "\
import logging, os
from tooldock import Context, tool

KEY = os.environ['API_TOKEN']
print('at import', KEY)

@tool
def default(key: str = os.environ['API_TOKEN']) -> str:
    return 'fine'

@tool
async def notes(ctx: Context) -> str:
    await ctx.report_progress(1, 2, KEY)
    await ctx.info(KEY)
    logging.getLogger('x').warning('logged %s', KEY)
    return KEY

@tool
def chained() -> str:
    try:
        raise KeyError(KEY)
    except KeyError as error:
        raise RuntimeError(f'because of {KEY!r}') from error
";
/// Everything that Python's libraries make of the mark that each worker is given.
const SPELLED: &str = r#"
import base64, json, os
from urllib.parse import quote, quote_plus, urlencode
from tooldock import tool

MARK = os.environ['MARK']
SPELLINGS = [
    MARK,
    repr(MARK),
    repr(MARK.encode()),
    json.dumps(MARK),
    json.dumps(json.dumps(MARK)),
    quote(MARK),
    quote(MARK, safe="!#$%&'()*+,/:;=?@[]~"),
    quote_plus(MARK),
    urlencode({'next': '/?key=' + quote(MARK)}),
    base64.b64encode(MARK.encode()).decode(),
    base64.urlsafe_b64encode(b'user:' + MARK.encode()).decode(),
    base64.encodebytes(b'in a text that is longer than a line of mail: ' + MARK.encode()).decode(),
]

@tool
def spelled() -> list[str]:
    for one in SPELLINGS:
        print(one)
    return SPELLINGS

@tool
def thrown() -> str:
    try:
        raise KeyError(SPELLINGS)
    except KeyError as error:
        raise RuntimeError(*SPELLINGS) from error

@tool
def cut() -> str:
    print('x' * 8180, os.environ['API_TOKEN'])
    os.write(2, b'x' * 8180 + b' ' + os.environ['API_TOKEN'].encode() + b'\n')
    raise ValueError('x' * 16350 + ' ' + os.environ['API_TOKEN'] + ' ' + 'y' * 16374)
"#;
const BROKEN: &str = "import os\nraise ValueError('no service takes ' + os.environ['API_TOKEN'])\n";

/// F40 in every place: results, messages and tracebacks of exceptions, notes, schemas, files that cannot be loaded, the log at its
/// most talkative.
#[test]
fn f40_s99_no_way_out_shows_a_secret() {
    let tools = Tools::new();
    tools.write("holder", "everywhere.py", EVERYWHERE);
    tools.write("holder", "broken.py", BROKEN);
    tools.write("holder", "tooldock.yaml", "secrets: [API_TOKEN]\n");
    let gateway = Gateway::start(tools.path());
    set(&gateway.secrets(), "holder".parse().unwrap(), VALUE);
    assert_eq!(gateway.reload()["ok"], true);
    let http = gateway.http();
    let rest = |tool: &str| http.post(&format!("/holder/tools/{tool}"), &json!({}), &[]);
    let meta = json!({
        "progressToken": 1,
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "notes", "arguments": {}, "_meta": meta}});
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "notes"),
    ];
    let told = http.post_raw("/holder/mcp", &call.to_string(), &headers).1;
    for way in ["notifications/progress", "notifications/message"] {
        let line = told.lines().find(|line| line.contains(way)).unwrap();
        assert!(line.contains("[redacted:API_TOKEN]"), "{told}");
    }
    let texts = [
        told,
        format!("{:?}", rest("chained")),
        format!("{:?}", rest("notes")),
        http.get("/holder/tools").body.to_string(),
        http.get("/holder/openapi.json").body.to_string(),
        http.get("/namespaces").body.to_string(),
        gateway.log(),
    ];
    for text in texts {
        assert!(text.contains("[redacted:API_TOKEN]"), "{text}");
        assert!(!text.contains("71c0"), "{text}");
    }
    let log = gateway.log();
    for word in [
        "at import [redacted",
        "logged [redacted",
        "no service takes [redacted",
    ] {
        assert!(log.contains(word), "{word} is missing in {log}");
    }
}

/// However a library has written a secret, and wherever a text is cut: each spelling is replaced in results, errors, tracebacks and the log.
/// When the gateway ends, it is looked through for what has been overlooked here.
#[test]
fn s99_no_spelling_of_a_secret_gets_out() {
    let tools = Tools::new();
    tools.write("holder", "spelled.py", SPELLED);
    let gateway = Gateway::start(tools.path());
    set(
        &gateway.secrets(),
        "holder".parse().unwrap(),
        "canary of the cuts",
    );
    assert_eq!(gateway.reload()["ok"], true);
    let call = |tool: &str| {
        gateway
            .http()
            .post(&format!("/holder/tools/{tool}"), &json!({}), &[])
    };
    let told = call("spelled").body;
    let spellings = told.as_array().unwrap();
    assert_eq!(spellings.len(), 12, "{told}");
    for spelling in spellings {
        assert!(
            spelling.as_str().unwrap().contains("[redacted:MARK]"),
            "{spelling}"
        );
    }
    let told = [call("thrown"), call("cut")].map(|answer| answer.body.to_string());
    for text in told.into_iter().chain([gateway.log()]) {
        for part in ["7d3e", "in two", "alle", "bWFyay", "canary", "cuts"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }
}

/// The operator of a namespace whose work it is to hand secrets out can let it.
#[test]
fn s99_an_operator_can_let_a_namespace_show_its_secrets() {
    let tools = Tools::new();
    tools.write("holder", "tools.py", TOOLS);
    let gateway = Gateway::start(tools.path());
    set(&gateway.secrets(), "holder".parse().unwrap(), VALUE);
    let told = |config: &str| {
        gateway.configure(config);
        assert_eq!(gateway.reload()["ok"], true);
        gateway.http().post("/holder/tools/told", &json!({}), &[]).body
    };
    assert_eq!(told("")["plain"], "[redacted:API_TOKEN]");
    assert!(!gateway.log().contains("71c0"));
    assert_eq!(
        told("namespaces: { holder: { redact: false } }\n")["plain"],
        VALUE
    );
    assert!(gateway.log().contains("printed canary"));
    assert_eq!(told("")["plain"], "[redacted:API_TOKEN]");
}

/// A secret is changed again and again while calls go on: none fails, none sees anything but one of the values, and no other
/// namespace is touched. What is written counts from the next reload on, whoever asks for that.
#[test]
fn s102_a_changed_secret_costs_no_call() {
    let tools = Tools::new();
    for namespace in ["holder", "neighbour"] {
        tools.write(namespace, "tools.py", TOOLS);
    }
    let gateway = Gateway::start(tools.path());
    let store = gateway.secrets();
    let change = |number: u32| {
        set(
            &store,
            "holder".parse().unwrap(),
            &format!("value number {number}"),
        );
    };
    change(0);
    assert_eq!(gateway.reload()["ok"], true);
    let neighbour = gateway.worker("neighbour");
    let now = || gateway.http().post("/holder/tools/hashed", &json!({}), &[]).body;
    let mut seen = vec![now()];
    let stop = AtomicBool::new(false);
    let answers: Vec<Value> = thread::scope(|scope| {
        let callers: Vec<_> = (0..3)
            .map(|_| {
                let (http, stop) = (gateway.http(), &stop);
                scope.spawn(move || {
                    let mut answers = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let answer = http.post("/holder/tools/hashed", &json!({}), &[]);
                        assert_eq!(answer.status, 200, "{answer:?}");
                        answers.push(answer.body);
                    }
                    answers
                })
            })
            .collect();
        for number in 1..=5 {
            change(number);
            assert_eq!(Some(&now()), seen.last(), "nobody has asked for a reload");
            assert_eq!(gateway.reload()["ok"], true);
            assert!(!seen.contains(&now()), "after the reload the new value counts");
            seen.push(now());
        }
        stop.store(true, Ordering::Relaxed);
        callers
            .into_iter()
            .flat_map(|caller| caller.join().unwrap())
            .collect()
    });
    assert!(answers.len() > 50 && answers.iter().all(|answer| seen.contains(answer)));
    assert_eq!(gateway.worker("neighbour"), neighbour);
    change(6);
    tools.write("neighbour", "more.py", TOOLS);
    let found = || Some(now()).filter(|value| !seen.contains(value));
    eventually("the reload by the watch", Duration::from_secs(20), found);
}

/// With the cost that keys have in earnest: a reload pays for the key once, and later sees another value within milliseconds.
#[test]
fn s118_a_reload_derives_the_key_once() {
    let tools = Tools::new();
    tools.write("holder", "tools.py", TOOLS);
    let gateway = Gateway::start(tools.path());
    let store = gateway.secrets().with_kdf(Kdf::STRONG);
    store.rekey().unwrap();
    let planned = || {
        let begin = Instant::now();
        let plan = gateway.plan();
        (begin.elapsed(), plan)
    };
    let (first, _) = planned();
    let again = (0..10).map(|number| {
        set(
            &store,
            "holder".parse().unwrap(),
            &format!("value number {number}"),
        );
        let (took, plan) = planned();
        assert_eq!(plan["namespaces"][0]["action"], "replace", "{plan}");
        took
    });
    let quickest = again.min().unwrap();
    assert!(quickest * 5 < first, "{quickest:?} after {first:?} with the key");
    assert!(quickest < Duration::from_millis(50), "{quickest:?}");
}
