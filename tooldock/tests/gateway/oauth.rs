//! Signed tokens of an issuer on loopback: which are believed, how its keys are fetched, what strangers are told.

use std::{
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use axum::{Router, body::Body, response::IntoResponse as _, routing::get};
use http::{Request, Response, StatusCode, header::LOCATION};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tooldock::{
    Gateway, StaticEngine, Tool, ToolOutput,
    http::{Bearer, HttpSettings, OAuth, Resource, Token, Tokens},
    outbound::{Guard, HostPort, OutboundSettings},
    run::{Certificate, Limits, Listener, serve},
};
use tooldock_tests::certify;
use tower::ServiceExt as _;

const BASE: &str = "https://tools.example.org";
const ISSUER: &str = "https://login.example.org/";
const STATIC: &str = "a-listed-token-of-this-test";

/// A key pair of an issuer.
struct Pair {
    id: &'static str,
    key: EncodingKey,
}

impl Pair {
    fn new(id: &'static str) -> Self {
        let script = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 | openssl pkcs8 -topk8 -nocrypt -outform DER";
        let made = Command::new("sh").args(["-c", script]).output().expect("a shell");
        assert!(made.status.success(), "`openssl` is needed: {made:?}");
        let key = EncodingKey::from_ec_der(&made.stdout);
        Self { id, key }
    }

    fn public(&self) -> Jwk {
        let mut jwk = Jwk::from_encoding_key(&self.key, Algorithm::ES256).unwrap();
        jwk.common.key_id = Some(self.id.to_owned());
        jwk
    }

    fn header(&self) -> Header {
        Header {
            kid: Some(self.id.to_owned()),
            ..Header::new(Algorithm::ES256)
        }
    }

    fn sign(&self, header: &Header, claims: &Value) -> String {
        encode(header, claims, &self.key).unwrap()
    }

    /// A good token with a change.
    fn token(&self, change: impl FnOnce(&mut Value)) -> String {
        let mut claims = claims();
        change(&mut claims);
        self.sign(&self.header(), &claims)
    }
}

/// Seconds since 1970, so many from now.
fn at(from_now: i64) -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap() + from_now
}

fn claims() -> Value {
    json!({"sub": "ann", "iss": ISSUER, "aud": BASE, "exp": at(600), "scope": "openid tooldock:demo"})
}

/// What the issuer answers.
#[derive(Clone)]
enum Says {
    Keys(Value),
    Text(String),
    Location(String),
    Nothing,
}

/// An issuer that counts how often it is asked, and a gateway that believes it.
struct Scene {
    gateway: Gateway,
    says: Arc<Mutex<Says>>,
    asked: Arc<AtomicUsize>,
    base: String,
    _folder: TempDir,
}

impl Scene {
    async fn new(keys: &[&Pair]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        certify(folder.path());
        let [chain, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let says = Arc::new(Mutex::new(Says::Nothing));
        let asked = Arc::new(AtomicUsize::new(0));
        let (saying, counted) = (says.clone(), asked.clone());
        let router = Router::new().route(
            "/{*path}",
            get(move || async move {
                counted.fetch_add(1, Ordering::Relaxed);
                let says = saying.lock().unwrap().clone();
                match says {
                    Says::Keys(keys) => axum::Json(keys).into_response(),
                    Says::Text(text) => text.into_response(),
                    Says::Location(address) => (StatusCode::FOUND, [(LOCATION, address)]).into_response(),
                    Says::Nothing => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                }
            }),
        );
        let listener = Listener::from(listener).with_certificate(&Certificate::open(&chain, key).unwrap());
        tokio::spawn(serve(listener, router, Limits::default(), std::future::pending()));
        let mut outbound = OutboundSettings::new(Guard::new([HostPort::new("localhost", port)]));
        outbound.certificates = Some(chain);
        let base = format!("https://localhost:{port}");
        let resource = Resource::new(BASE, ISSUER).unwrap();
        let oauth = OAuth::new(resource, &format!("{base}/keys"), &outbound);
        let listed = Tokens::new([Token::new("default", STATIC).unwrap()]);
        let mut http = HttpSettings::new(Bearer::new(listed).with_failures(1_000_000).with_oauth(&oauth));
        http.oauth = Some(oauth);
        http.hosts =
            tooldock::http::Hosts::new(["tools.example.org".to_owned(), "evil.example.com".to_owned()]);
        let engine = || {
            StaticEngine::builder()
                .tool(
                    Tool::new("who".parse().unwrap()),
                    async |cx: tooldock::CallContext, _| Ok(ToolOutput::text(cx.caller().principal.name())),
                )
                .build()
                .unwrap()
        };
        let gateway = Gateway::builder()
            .namespace("demo", engine())
            .namespace("other", engine())
            .http(http)
            .build()
            .unwrap();
        let scene = Self {
            gateway,
            says,
            asked,
            base,
            _folder: folder,
        };
        scene.say(Says::Keys(
            json!({"keys": keys.iter().map(|pair| pair.public()).collect::<Vec<_>>()}),
        ));
        scene
    }

    fn say(&self, says: Says) {
        *self.says.lock().unwrap() = says;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.gateway
            .clone()
            .into_service()
            .oneshot(request)
            .await
            .unwrap()
    }

    async fn call(&self, namespace: &str, token: &str) -> (StatusCode, Value, String) {
        let request = Request::post(format!("/{namespace}/tools/who"))
            .header("host", "tools.example.org")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(Body::from("{}"))
            .unwrap();
        let answer = self.send(request).await;
        let challenge = answer.headers().get("www-authenticate");
        let challenge = challenge.map_or("", |value| value.to_str().unwrap()).to_owned();
        let (head, body) = answer.into_parts();
        let bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        (
            head.status,
            serde_json::from_slice(&bytes).unwrap_or_default(),
            challenge,
        )
    }

    async fn status(&self, token: &str) -> u16 {
        self.call("demo", token).await.0.as_u16()
    }

    async fn get(&self, path: &str, host: &str) -> (u16, Value) {
        let request = Request::get(path)
            .header("host", host)
            .body(Body::empty())
            .unwrap();
        let answer = self.send(request).await;
        let status = answer.status().as_u16();
        let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

/// So long that it may be looked for keys again.
async fn rest() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn s11_a_token_counts_when_everything_in_it_does() {
    let (pair, stranger) = (Pair::new("one"), Pair::new("one"));
    let scene = Scene::new(&[&pair]).await;
    let (status, name, _) = scene.call("demo", &pair.token(|_| ())).await;
    assert_eq!((status.as_u16(), name), (200, json!("oauth:ann")));
    assert_eq!(scene.status(STATIC).await, 200, "listed tokens go on counting");

    type Change = fn(&mut Value);
    let changes: [(&str, Change, u16); 20] = [
        ("a little late", |c| c["exp"] = json!(at(-30)), 200),
        ("too late", |c| c["exp"] = json!(at(-90)), 401),
        ("for ever", |c| c["exp"] = Value::Null, 401),
        ("no time", |c| c["exp"] = json!("soon"), 401),
        ("a little early", |c| c["nbf"] = json!(at(30)), 200),
        ("too early", |c| c["nbf"] = json!(at(90)), 401),
        (
            "another issuer",
            |c| c["iss"] = json!("https://login.example.org"),
            401,
        ),
        ("several issuers", |c| c["iss"] = json!([ISSUER]), 401),
        ("no issuer", |c| c["iss"] = Value::Null, 401),
        (
            "for another server",
            |c| c["aud"] = json!("https://tools.example.com"),
            401,
        ),
        (
            "for one that begins like it",
            |c| c["aud"] = json!("https://tools.example.org.evil.com"),
            401,
        ),
        ("for nobody", |c| c["aud"] = json!([]), 401),
        ("no audience", |c| c["aud"] = Value::Null, 401),
        (
            "for several",
            |c| c["aud"] = json!(["https://x.example", format!("{BASE}/")]),
            200,
        ),
        (
            "for the namespace",
            |c| c["aud"] = json!(format!("{BASE}/demo/mcp")),
            200,
        ),
        (
            "for another namespace",
            |c| c["aud"] = json!(format!("{BASE}/other/mcp")),
            403,
        ),
        (
            "for no endpoint",
            |c| c["aud"] = json!(format!("{BASE}/demo/tools")),
            401,
        ),
        ("nobody", |c| c["sub"] = Value::Null, 401),
        ("a name that breaks lines", |c| c["sub"] = json!("ann\nbob"), 401),
        ("no scope of ours", |c| c["scope"] = json!("openid"), 403),
    ];
    for (what, change, status) in changes {
        assert_eq!(scene.status(&pair.token(change)).await, status, "{what}");
    }

    let forged = [
        ("another key", stranger.sign(&pair.header(), &claims())),
        ("a key of its own", {
            let header = Header {
                jwk: Some(stranger.public()),
                ..pair.header()
            };
            stranger.sign(&header, &claims())
        }),
        ("keys of its own", {
            let keys = Some(format!("{}/others", scene.base));
            let header = Header {
                jku: keys.clone(),
                x5u: keys,
                ..pair.header()
            };
            stranger.sign(&header, &claims())
        }),
        ("something critical", {
            let header = Header {
                crit: Some(vec!["b64".to_owned()]),
                ..pair.header()
            };
            pair.sign(&header, &claims())
        }),
        ("a secret that everybody knows", {
            let public = serde_json::to_vec(&pair.public()).unwrap();
            let header = Header {
                kid: pair.header().kid,
                ..Header::new(Algorithm::HS256)
            };
            encode(&header, &claims(), &EncodingKey::from_secret(&public)).unwrap()
        }),
        ("no signature", {
            let good = pair.token(|_| ());
            let (_, rest) = good.split_once('.').unwrap();
            let body = rest.split_once('.').unwrap().0;
            // {"alg":"none","typ":"JWT"}
            format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{body}.")
        }),
        ("half of it", pair.token(|_| ())[..60].to_owned()),
    ];
    let asked = scene.asked();
    for (what, token) in forged {
        let (status, _, challenge) = scene.call("demo", &token).await;
        assert_eq!(status.as_u16(), 401, "{what}");
        assert!(
            challenge.contains(r#"error="invalid_token""#),
            "{what}: {challenge}"
        );
    }
    assert_eq!(scene.asked(), asked, "nothing that a token points to is fetched");
    let without_id = pair.sign(&Header::new(Algorithm::ES256), &claims());
    assert_eq!(scene.status(&without_id).await, 200);
}

#[tokio::test]
async fn s12_unknown_keys_are_looked_for_now_and_then() {
    let (old, new) = (Pair::new("old"), Pair::new("new"));
    let scene = Scene::new(&[&old]).await;
    assert_eq!((scene.status(&old.token(|_| ())).await, scene.asked()), (200, 1));
    for _ in 0..50 {
        assert_eq!(scene.status(&new.token(|_| ())).await, 401);
    }
    assert_eq!(scene.asked(), 1, "whatever arrives");

    // What is no good leaves the keys that are there.
    let large = json!({"keys": [new.public()], "more": "x".repeat(300 << 10)}).to_string();
    let elsewhere = Says::Location("https://127.0.0.1:1/keys".to_owned());
    for says in [
        Says::Nothing,
        Says::Text(large),
        Says::Text("<html>".to_owned()),
        elsewhere,
    ] {
        scene.say(says);
        rest().await;
        let asked = scene.asked();
        assert_eq!(scene.status(&new.token(|_| ())).await, 401);
        assert_eq!(scene.asked(), asked + 1);
        assert_eq!(
            scene.status(&old.token(|_| ())).await,
            200,
            "the last good keys stay"
        );
    }

    scene.say(Says::Keys(
        json!({"keys": [{"kty": "oct", "k": "AAAA", "kid": "old"}, new.public()]}),
    ));
    rest().await;
    let tokens = [new.token(|_| ()), new.token(|c| c["sub"] = json!("bob"))];
    let (one, two) = tokio::join!(scene.status(&tokens[0]), scene.status(&tokens[1]));
    assert_eq!((one, two), (200, 200), "both wait for the same answer");
    assert_eq!(
        scene.status(&old.token(|_| ())).await,
        401,
        "a key that is gone is gone"
    );
    let asked = scene.asked();
    assert_eq!(scene.status(STATIC).await, 200);
    assert_eq!(scene.asked(), asked);
}

#[tokio::test]
async fn s12_keys_that_nobody_confirms_end() {
    let pair = Pair::new("one");
    let scene = Scene::new(&[&pair]).await;
    let token = pair.token(|_| ());
    assert_eq!(scene.status(&token).await, 200);
    scene.say(Says::Nothing);
    for (hours, status) in [(12, 200), (13, 401)] {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(hours * 3600)).await;
        tokio::time::resume();
        assert_eq!(scene.status(&token).await, status, "{hours}");
    }
}

#[tokio::test]
async fn s13_the_documents_come_from_the_settings() {
    let scene = Scene::new(&[]).await;
    let document = |path: &str, scope: &str| {
        json!({
            "resource": format!("{BASE}{path}"),
            "authorization_servers": [ISSUER],
            "scopes_supported": [scope],
            "bearer_methods_supported": ["header"],
        })
    };
    const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
    for host in ["tools.example.org", "evil.example.com"] {
        for (path, scope) in [
            ("", "tooldock"),
            ("/mcp", "tooldock"),
            ("/demo/mcp", "tooldock:demo"),
            ("/mcp/demo", "tooldock:demo"),
            ("/demo/sse", "tooldock:demo"),
            ("/nobody-knows-it/mcp", "tooldock:nobody-knows-it"),
        ] {
            let told = scene.get(&format!("{WELL_KNOWN}{path}"), host).await;
            assert_eq!(told, (200, document(path, scope)), "{host} {path}");
        }
    }
    for path in ["/demo/tools", "/BAD name/mcp", "/health", "s"] {
        let path = format!("{WELL_KNOWN}{}", path.replace(' ', "%20"));
        assert_eq!(scene.get(&path, "tools.example.org").await.0, 404, "{path}");
    }
    let authorization_server = "/.well-known/oauth-authorization-server";
    assert_eq!(scene.get(authorization_server, "tools.example.org").await.0, 404);
    assert_eq!(scene.asked(), 0, "nobody is asked for a document");

    // Below a prefix a proxy may pass on both forms.
    let resource = Resource::new("https://example.org/tools/", ISSUER).unwrap();
    let mut http = HttpSettings::new(Bearer::new(Tokens::default()));
    let outbound = OutboundSettings::new(Guard::new([]));
    let oauth = OAuth::new(resource, "https://login.example.org/keys", &outbound);
    http.bearer = http.bearer.with_oauth(&oauth);
    http.oauth = Some(oauth);
    let gateway = Gateway::builder().http(http).build().unwrap();
    for path in ["/tools/demo/mcp", "/demo/mcp"] {
        let request = Request::get(format!("{WELL_KNOWN}{path}")).header("host", "localhost");
        let answer = gateway
            .clone()
            .into_service()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        let told: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(told["resource"], "https://example.org/tools/demo/mcp");
    }
}

#[tokio::test]
async fn s6_with_oauth_a_challenge_says_where_to_go() {
    let pair = Pair::new("one");
    let scene = Scene::new(&[&pair]).await;
    let metadata = format!(r#"resource_metadata="{BASE}/.well-known/oauth-protected-resource"#);
    let request = Request::get("/demo/tools")
        .header("host", "tools.example.org")
        .body(Body::empty());
    let answer = scene.send(request.unwrap()).await;
    let told = answer.headers()["www-authenticate"].to_str().unwrap();
    assert_eq!(
        told,
        format!(r#"Bearer realm="tooldock", {metadata}/demo/mcp", scope="tooldock:demo""#)
    );
    let (_, _, unknown) = scene.call("demo", "nobody-knows-this-token").await;
    assert_eq!(
        unknown,
        format!(
            r#"Bearer realm="tooldock", error="invalid_token", {metadata}/demo/mcp", scope="tooldock:demo""#
        )
    );
    // Whether there is such a namespace is told by none of it.
    for namespace in ["other", "never-was"] {
        let (status, _, challenge) = scene.call(namespace, &pair.token(|_| ())).await;
        assert_eq!(status.as_u16(), 403);
        assert_eq!(
            challenge,
            format!(
                r#"Bearer realm="tooldock", error="insufficient_scope", {metadata}/{namespace}/mcp", scope="tooldock:{namespace}""#
            )
        );
    }
    let everything = pair.token(|c| c["scope"] = json!("tooldock"));
    assert_eq!(scene.call("other", &everything).await.0.as_u16(), 200);
    let request = Request::post("/reload")
        .header("host", "localhost")
        .header("authorization", format!("Bearer {everything}"));
    assert_eq!(
        scene
            .send(request.body(Body::empty()).unwrap())
            .await
            .status()
            .as_u16(),
        403
    );
}
