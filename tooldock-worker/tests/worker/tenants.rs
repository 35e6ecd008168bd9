//! What one namespace gets and sees: its environment, its secrets, its own mistakes.

use serde_json::{Value, json};
use tooldock_engine::{
    ErrorKind, ToolEngine as _,
    secret::{SecretValue, Secrets},
};

use tooldock_worker::NamespaceOptions;

use crate::shop::{Quiet, Tools, call, cx, host, serve, text};

const ENVIRON: &str =
    "import os\nfrom tooldock import tool\n@tool\ndef environ() -> dict:\n    return dict(os.environ)\n";

/// S78: a tool sees the short list, its namespace's defaults and its secrets, and nothing of the gateway.
#[tokio::test]
async fn s78_the_environment_is_clean() {
    let tools = Tools::with(&[
        ("demo/t.py", ENVIRON),
        (
            "demo/tooldock.yaml",
            "secrets: [API_KEY]\nenv:\n  BASE_URL: http://x\n",
        ),
    ]);
    let secrets: Secrets = [("API_KEY".to_owned(), SecretValue::new("s3cret".to_owned()))].into();
    let engine = host()
        .start(&tools.only(), &NamespaceOptions::default(), secrets, &Quiet)
        .await
        .unwrap();
    let output = call(&engine, "environ", json!({})).await.unwrap();
    let environ: std::collections::BTreeMap<String, String> = output.structured.unwrap().parse().unwrap();
    assert_eq!(
        (environ["API_KEY"].as_str(), environ["BASE_URL"].as_str()),
        ("s3cret", "http://x")
    );
    let known = [
        "API_KEY",
        "BASE_URL",
        "TOOLDOCK_NAMESPACE_DIR",
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TMPDIR",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
    ];
    for name in environ.keys() {
        assert!(
            known.contains(&name.as_str()) || name.to_lowercase().ends_with("_proxy"),
            "`{name}` is not on the list"
        );
    }
    let start = std::fs::read(format!("/proc/{}/environ", engine.pid().unwrap())).unwrap();
    assert!(
        !String::from_utf8_lossy(&start).contains("s3cret"),
        "secrets are not in the start environment"
    );
}

#[tokio::test]
async fn the_operator_wins_over_the_folder_and_secrets_win_over_both() {
    let tools = Tools::with(&[
        (
            "demo/t.py",
            "import os\nfrom tooldock import tool\n@tool\ndef environ() -> dict:\n    return {n: os.environ[n] for n in ('A', 'B', 'C')}\n",
        ),
        (
            "demo/tooldock.yaml",
            "secrets: [C]\nenv: {A: folder, B: folder}\n",
        ),
    ]);
    let mut options = NamespaceOptions::default();
    options.environment = ["B", "C"]
        .map(|name| (name.to_owned(), "operator".to_owned()))
        .into();
    let secrets: Secrets = [("C".to_owned(), SecretValue::new("secret".to_owned()))].into();
    let engine = host()
        .start(&tools.only(), &options, secrets, &Quiet)
        .await
        .unwrap();
    let output = call(&engine, "environ", json!({})).await.unwrap();
    let environ: std::collections::BTreeMap<String, String> = output.structured.unwrap().parse().unwrap();
    let values: Vec<&str> = environ.values().map(String::as_str).collect();
    assert_eq!(values, ["folder", "operator", "secret"]);
}

#[tokio::test]
async fn a_missing_secret_costs_only_the_tools_that_need_it() {
    let tools = Tools::with(&[
        (
            "demo/t.py",
            "import os\nfrom tooldock import tool\n@tool\ndef needs() -> str:\n    return os.environ['API_KEY']\n@tool\ndef free() -> str:\n    return 'fine'\n",
        ),
        ("demo/tooldock.yaml", "secrets: [API_KEY]\n"),
    ]);
    let engine = host()
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(engine.report().missing_secrets, ["API_KEY"]);
    let error = call(&engine, "needs", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dependency);
    assert!(error.message().contains("API_KEY"), "{error}");
    assert_eq!(text(&call(&engine, "free", json!({})).await.unwrap()), "fine");
}

/// A text of the folder or the operator can refer to what the namespace declares, and to nothing else: not to the environment of the
/// gateway, nor to a secret that it does not declare. What cannot be resolved is not there, and is reported.
#[tokio::test]
async fn s62_references_are_to_declared_secrets_only() {
    let tools = Tools::with(&[
        ("demo/t.py", ENVIRON),
        (
            "demo/tooldock.yaml",
            "secrets: [API_KEY, UNSET]\nenv:\n  HEADER: Bearer ${API_KEY}\n  STOLEN: ${CARGO_MANIFEST_DIR}\n  OTHERS: ${GLOBAL}\n  GONE: x${UNSET}\n  MINE: folder\n",
        ),
    ]);
    let mut options = NamespaceOptions::default();
    options.environment = [("URL", "https://${API_KEY}@x"), ("MINE", "${PATH}")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
    let secrets: Secrets = [("API_KEY", "s3cret"), ("GLOBAL", "canary")]
        .map(|(name, value)| (name.to_owned(), SecretValue::new(value.to_owned())))
        .into();
    let engine = host()
        .start(&tools.only(), &options, secrets, &Quiet)
        .await
        .unwrap();
    let output = call(&engine, "environ", json!({})).await.unwrap();
    let environ: std::collections::BTreeMap<String, String> = output.structured.unwrap().parse().unwrap();
    assert_eq!(
        (environ["HEADER"].as_str(), environ["URL"].as_str()),
        ("Bearer s3cret", "https://s3cret@x")
    );
    for name in ["STOLEN", "OTHERS", "GONE", "MINE"] {
        assert!(!environ.contains_key(name), "`{name}` is there: {environ:?}");
        let about = format!("the variable `{name}` ");
        let errors = engine.report().errors;
        assert!(
            errors.iter().any(|error| error.message.starts_with(&about)),
            "{errors:?}"
        );
    }
}

#[tokio::test]
async fn secrets_obey_the_rule_for_variables() {
    let tools = Tools::with(&[("demo/t.py", ENVIRON)]);
    let secrets: Secrets = [("LD_PRELOAD".to_owned(), SecretValue::new("/tmp/x.so".to_owned()))].into();
    let error = host()
        .start(&tools.only(), &NamespaceOptions::default(), secrets, &Quiet)
        .await
        .unwrap_err();
    assert!(
        error.message().contains("`LD_PRELOAD`") && !error.message().contains("/tmp/x.so"),
        "{error}"
    );
}

#[tokio::test]
async fn a_broken_file_leaves_its_siblings() {
    let tools = Tools::with(&[
        ("demo/bad.py", "def broken(:\n"),
        (
            "demo/good.py",
            "from tooldock import tool\n@tool\ndef good() -> str:\n    return 'fine'\n",
        ),
        (
            "demo/own.py",
            "def tool(fn):\n    return fn\n@tool\ndef own(a: int) -> int:\n    return a\n",
        ),
        ("demo/tooldock.yaml", "description: A shop\nversion: '2'\n"),
    ]);
    let engine = host()
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(text(&call(&engine, "good", json!({})).await.unwrap()), "fine");
    assert_eq!(text(&call(&engine, "own", json!({"a": 3})).await.unwrap()), "3");
    let report = engine.report();
    let error = report
        .errors
        .iter()
        .find(|error| error.file == "bad.py")
        .expect("is reported");
    assert_eq!(
        (error.line, error.kind.as_deref()),
        (Some(1), Some("SyntaxError"))
    );
    let source = report
        .sources
        .iter()
        .find(|source| source.tool == "good")
        .unwrap();
    assert_eq!((source.file.as_str(), source.sync), ("good.py", true));
    let catalog = engine.catalog(&cx()).unwrap();
    assert_eq!(catalog.about().description.as_deref(), Some("A shop"));
}

#[tokio::test]
async fn what_a_tool_says_is_what_the_caller_hears() {
    let (_tools, engine) = serve(
        "from fastmcp.tools import tool\nfrom fastmcp.exceptions import ToolError\n@tool\ndef fails(how: str) -> str:\n    if how == 'tool':\n        raise ToolError('out of stock')\n    raise ValueError('bad value')\n",
    )
    .await;
    for (how, message) in [
        ("tool", "out of stock"),
        ("other", "Error calling tool 'fails': bad value"),
    ] {
        let error = call(&engine, "fails", json!({"how": how})).await.unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::ToolFailed, message));
    }
    let error = call(&engine, "fails", json!({"what": 1})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    let details: Value = error.details().expect("says which").parse().unwrap();
    assert!(
        details["errors"]
            .as_array()
            .is_some_and(|errors| !errors.is_empty()),
        "{details}"
    );
}

#[tokio::test]
async fn numbers_keep_their_digits() {
    let (_tools, engine) =
        serve("from tooldock import tool\n@tool\ndef power(n: int) -> int:\n    return 10 ** n\n").await;
    let output = call(&engine, "power", json!({"n": 300})).await.unwrap();
    let digits = format!("1{}", "0".repeat(300));
    assert_eq!(
        output.structured.unwrap().as_str(),
        format!("{{\"result\":{digits}}}")
    );
    // Beyond the range of a double parsers disagree whether it is a number at all.
    let error = call(&engine, "power", json!({"n": 400})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOutput);
    assert!(error.message().contains("has a number out of range"), "{error}");
}
