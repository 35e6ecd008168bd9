//! Door by policy: who may do what is one decision, whichever way somebody comes.

use axum::Router;
use tooldock::{
    Gateway, StaticEngine, Tool, ToolOutput,
    engine::{context::Rights, name::NameChoice},
    http::{Bearer, Token, Tokens},
};

use crate::doors::{Door, Verdict, Visitor};

/// Who there is: name, namespaces, tools.
const PEOPLE: [(&str, &[&str], &[&str]); 5] = [
    ("everything", &["*"], &["*"]),
    ("one-namespace", &["files"], &["*"]),
    ("all-but-one", &["*", "!files"], &["*"]),
    ("readers", &["*"], &["get_*", "!get_secret", "nothing"]),
    ("nobody", &[], &["*"]),
];

const NAMESPACES: [&str; 3] = ["files", "mail", "invented"];
const TOOLS: [&str; 3] = ["get_all", "get_secret", "put_all"];

fn value(name: &str) -> String {
    format!("the-token-of-{name}")
}

pub(crate) fn tokens() -> Tokens {
    let choice = |patterns: &[&str]| NameChoice::parse(patterns.iter().copied()).unwrap();
    Tokens::new(PEOPLE.map(|(name, namespaces, tools)| {
        let rights = Rights::default()
            .in_namespaces(choice(namespaces))
            .with_tools(choice(tools));
        Token::new(name, &value(name)).unwrap().limited(rights)
    }))
}

pub(crate) fn engine() -> StaticEngine {
    let done = async |_cx, _arguments| Ok(ToolOutput::text("done"));
    TOOLS
        .iter()
        .fold(StaticEngine::builder(), |engine, tool| {
            engine.tool(Tool::new(tool.parse().unwrap()), done)
        })
        .build()
        .unwrap()
}

/// What the rules say, written down a second time.
fn may(name: &str, namespace: &str, tool: &str) -> (bool, bool) {
    let enters = match name {
        "one-namespace" => namespace == "files",
        "all-but-one" => namespace != "files",
        "nobody" => false,
        _ => true,
    };
    let uses = name != "readers" || tool == "get_all";
    (enters, uses && TOOLS.contains(&tool))
}

/// Everybody at every door of `app`, where `files` and `mail` are namespaces of [`engine`].
pub(crate) async fn judge(app: &Router) {
    for (name, door) in PEOPLE
        .iter()
        .flat_map(|(name, ..)| Door::ALL.map(|door| (*name, door)))
    {
        let visitor = Visitor {
            app,
            token: &value(name),
        };
        for namespace in ["files", "mail"] {
            let (enters, _) = may(name, namespace, "");
            let visible = TOOLS.iter().filter(|tool| may(name, namespace, tool).1);
            let visible = enters.then(|| visible.map(|tool| (*tool).to_owned()).collect());
            assert_eq!(
                visitor.list(door, namespace).await,
                visible,
                "{name} {door:?} {namespace}"
            );
            let unknown = match visitor.call(door, namespace, "nothing").await {
                Verdict::NoTool(text) => text,
                verdict => {
                    assert_eq!((verdict, enters), (Verdict::Forbidden, false), "{name} {door:?}");
                    continue;
                }
            };
            for tool in TOOLS {
                let verdict = visitor.call(door, namespace, tool).await;
                if may(name, namespace, tool).1 {
                    assert_eq!(verdict, Verdict::Called, "{name} {door:?} {namespace} {tool}");
                } else {
                    // A hidden tool is answered like one that never was.
                    let text = unknown.replace("nothing", tool);
                    let hidden = |text: &str| text.split(';').next().unwrap_or_default().to_owned();
                    let Verdict::NoTool(told) = verdict else {
                        panic!("{name} {door:?} {namespace} {tool}: {verdict:?}");
                    };
                    assert_eq!(hidden(&told), hidden(&text), "{name} {door:?} {namespace} {tool}");
                }
            }
        }
    }
}

#[tokio::test]
async fn s5_every_door_gives_the_same_verdict() {
    let gateway = NAMESPACES[..2]
        .iter()
        .fold(Gateway::builder(), |gateway, name| {
            gateway.namespace(name, engine())
        })
        .bearer(Bearer::new(tokens()))
        .build()
        .unwrap();
    judge(&gateway.router()).await;
}

#[tokio::test]
async fn s5_the_layers_alone_give_the_same_verdict() {
    judge(&example_embed_layers::app(tokens()).unwrap()).await;
}

#[tokio::test]
async fn s8_invented_and_forbidden_namespaces_are_answered_alike() {
    let gateway = NAMESPACES[..2]
        .iter()
        .fold(Gateway::builder(), |gateway, name| {
            gateway.namespace(name, engine())
        })
        .bearer(Bearer::new(tokens()))
        .build()
        .unwrap();
    let app = gateway.router();
    for (method, below) in [
        ("GET", "tools"),
        ("GET", "tools/get_all/schema"),
        ("POST", "tools/get_all"),
        ("POST", "get_all"),
        ("GET", "openapi.json"),
        ("GET", "info"),
        ("POST", "mcp"),
        ("GET", "mcp"),
        ("DELETE", "mcp"),
        ("GET", "sse"),
        ("POST", "messages"),
    ] {
        let mut answers = Vec::new();
        for namespace in ["mail", "invented"] {
            let request = axum::http::Request::builder()
                .method(method)
                .uri(format!("/{namespace}/{below}"))
                .header("host", "localhost")
                .header("x-request-id", "same")
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {}", value("one-namespace")))
                .body(axum::body::Body::from("{}"))
                .unwrap();
            let answer = tower::ServiceExt::oneshot(app.clone(), request).await.unwrap();
            let (head, body) = answer.into_parts();
            let body = http_body_util::BodyExt::collect(body).await.unwrap().to_bytes();
            let body = String::from_utf8(body.to_vec()).unwrap().replace(namespace, "…");
            assert_eq!(
                head.headers["www-authenticate"],
                r#"Bearer realm="tooldock", error="insufficient_scope""#
            );
            let headers = head
                .headers
                .into_iter()
                .filter(|(name, _)| name.as_ref().is_none_or(|name| name != "content-length"));
            answers.push((head.status, headers.collect::<Vec<_>>(), body));
        }
        assert_eq!(answers[0], answers[1], "{method} {below}");
        assert_eq!(answers[0].0, 403, "{method} {below}: {}", answers[0].2);
    }
}
