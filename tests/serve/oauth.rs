//! The OAuth clients of two SDKs against a small issuer: they find it, get a token there, and are let in with it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_tests::{Http, certify, needed, node};

use crate::upgrades::{Ended, address, core, place};

/// An issuer as a child process.
struct Issuer {
    _child: Ended,
    folder: TempDir,
    url: String,
}

impl Issuer {
    fn start() -> Self {
        let folder = TempDir::with_prefix("issuer").unwrap();
        certify(folder.path());
        let mut child = Command::new(needed("TOOLDOCK_PYTHON_MCP"))
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/servers/serve.py"))
            .arg("issuer")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut port)
            .unwrap();
        Self {
            _child: Ended(child),
            url: format!("https://localhost:{}", port.trim()),
            folder,
        }
    }

    fn certificate(&self) -> std::path::PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// What it was asked for.
    fn asked(&self) -> Vec<Value> {
        let log = fs::read_to_string(self.folder.path().join("tokens.log")).unwrap_or_default();
        log.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A gateway that believes `issuer`, and where it is.
fn start(place: &Path, issuer: &Issuer) -> (Child, String) {
    // Its address stands in its settings, so its port is chosen before.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let base = format!("http://127.0.0.1:{port}");
    let child = core(place)
        .env("PORT", port.to_string())
        .env("PUBLIC_URL", &base)
        .env("OAUTH_ISSUER", &issuer.url)
        .env("OAUTH_JWKS_URL", format!("{}/keys", issuer.url))
        .env("OUTBOUND_CA_FILE", issuer.certificate())
        .spawn()
        .unwrap();
    (child, base)
}

fn python(url: &str, issuer: &Issuer, client: &str) -> Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/oauth.py");
    run(
        Command::new(needed("TOOLDOCK_PYTHON_MCP")).arg(script),
        url,
        issuer,
        client,
    )
}

fn typescript(url: &str, issuer: &Issuer, client: &str) -> Output {
    let script = needed("TOOLDOCK_NODE_CLIENTS").join("oauth.mjs");
    run(Command::new(node()).arg(script), url, issuer, client)
}

fn run(command: &mut Command, url: &str, issuer: &Issuer, client: &str) -> Output {
    let secret = format!("the-secret-of-the-{client}");
    command
        .args([url, &issuer.url, client, &secret])
        .env("SSL_CERT_FILE", issuer.certificate())
        .env("NODE_EXTRA_CA_CERTS", issuer.certificate());
    command.output().unwrap()
}

/// S11, S13: from nothing but the address of a namespace both find their way in; a token without a scope of ours opens nothing.
#[test]
fn s13_clients_find_the_issuer_and_are_let_in_with_its_token() {
    let (issuer, place) = (Issuer::start(), place());
    let (child, base) = start(place.path(), &issuer);
    let _core = Ended(child);
    address(place.path());
    let url = format!("{base}/demo/mcp");
    for client in [python, typescript] {
        let before = issuer.asked().len();
        let output = client(&url, &issuer, "robot");
        let told = String::from_utf8_lossy(&output.stdout);
        let seen: Value = serde_json::from_str(&told).unwrap_or_else(|_| panic!("{output:?}"));
        assert_eq!(seen, json!({"names": ["hi"], "said": "hi"}));
        let asked = issuer.asked();
        let expected = json!({"client": "robot", "resource": url, "scope": "tooldock:demo"});
        assert_eq!(
            asked[before..],
            [expected],
            "one token, for this namespace and no more"
        );
        let refused = client(&url, &issuer, "guest");
        assert!(!refused.status.success(), "{refused:?}");
    }
    let log: String = fs::read_dir(place.path().join("audit"))
        .unwrap()
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(log.contains(r#""principal":"oauth:robot""#), "{log}");
    let denied = log.lines().filter(|line| line.contains(r#""event":"denied""#));
    let guests = denied.filter(|line| line.contains("oauth:guest") && line.contains(r#""status":403"#));
    assert!(guests.count() >= 2, "{log}");
    let well_known = "/.well-known/oauth-protected-resource/demo/mcp";
    assert_eq!(Http::new(&base, None).get(well_known).body["resource"], url);
}
