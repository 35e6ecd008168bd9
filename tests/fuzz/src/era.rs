//! The decision which era a message belongs to.
//!
//! The input is written like an HTTP request. Its first line is a verb (`POST`, `GET`, `DELETE`, or `STDIO` for a message without
//! headers), what is known of the session (`none`, `unknown` or a revision), and the revisions that are spoken, or `all`.

use http::{HeaderMap, HeaderName, HeaderValue};
use tooldock_engine::{RawJson, json::ScanLimits};
use tooldock_mcp::{
    Era, Refusal, Revision, Revisions,
    era::{Ask, Exchange, Headers, Route, SessionFact, Single, classify},
    wire::Message,
};

/// Every exchange has a decision that its parts allow, whatever the order and case of its headers, and no refusal blames the server.
pub fn check(input: &[u8], planted: bool) {
    let Some(scene) = std::str::from_utf8(input).ok().and_then(Scene::read) else {
        return;
    };
    let decision = scene.decide(&scene.headers, planted);
    let reversed: Vec<_> = scene.headers.iter().rev().cloned().collect();
    assert_eq!(
        scene.decide(&reversed, planted),
        decision,
        "the order of headers decides"
    );

    let session = match scene.session {
        SessionFact::Open(revision) => Some(revision),
        SessionFact::Unnamed | SessionFact::Unknown => None,
    };
    let claims = scene
        .message
        .params()
        .is_some_and(|params| params.meta().is_claim());
    let is_notification = matches!(scene.message, Message::Notification(_));
    match decision {
        Ok(Route::Modern(revision)) => {
            assert!(scene.verb == "POST" || scene.verb == "STDIO");
            assert!(revision.era() == Era::Modern && scene.spoken.has(revision) && claims);
            if scene.verb == "POST" && !is_notification {
                let version = |(name, _): &&(HeaderName, HeaderValue)| *name == "mcp-protocol-version";
                assert_eq!(
                    scene.headers.iter().filter(version).count(),
                    1,
                    "the header stands once"
                );
                let meta = scene.message.params().map(|params| params.meta());
                let said = meta.and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
                let said = said.and_then(|said| said.parse::<String>().ok());
                assert_eq!(said.as_deref(), Some(revision.as_str()), "body and header agree");
            }
        }
        Ok(Route::Open) => {
            assert!(matches!(&scene.message, Message::Request(request) if &*request.method == "initialize"));
            assert!(scene.spoken.newest(Era::Handshake).is_some() && scene.session != SessionFact::Unknown);
        }
        Ok(Route::Session(revision)) => assert_eq!(Some(revision), session),
        Ok(Route::Drop) => assert!(is_notification, "only what wants no answer is dropped"),
        Err(refusal) => {
            assert!([400, 404, 405].contains(&refusal.status()), "{refusal:?}");
            assert!((-32_768..-32_000).contains(&refusal.code()), "{refusal:?}");
            assert!(!refusal.message().contains(char::is_control), "{refusal:?}");
        }
    }
}

/// What an input says.
struct Scene<'a> {
    verb: &'a str,
    session: SessionFact,
    spoken: Revisions,
    headers: Vec<(HeaderName, HeaderValue)>,
    message: Message,
}

impl<'a> Scene<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (head, body) = text.split_once("\n\n")?;
        let (first, headers) = head.split_once('\n').unwrap_or((head, ""));
        let mut words = first.split(' ');
        let (verb, session, spoken) = (words.next()?, words.next()?, words.next()?);
        if !["POST", "GET", "DELETE", "STDIO"].contains(&verb) {
            return None;
        }
        let headers = headers.lines().take(16).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.parse().ok()?, value.trim().parse().ok()?))
        });
        let json = RawJson::scan(body.to_owned(), ScanLimits::MESSAGE).ok()?;
        let named: Vec<Revision> = spoken.split(',').filter_map(Revision::named).collect();
        Some(Self {
            verb,
            session: match session {
                "none" => SessionFact::Unnamed,
                "unknown" => SessionFact::Unknown,
                name => SessionFact::Open(Revision::named(name)?),
            },
            spoken: if spoken == "all" {
                Revisions::default()
            } else {
                Revisions::of(&named)
            },
            headers: headers.collect(),
            message: Message::read(&json).ok()?,
        })
    }

    /// The bug: of a repeated header the first counts.
    fn decide(&self, headers: &[(HeaderName, HeaderValue)], planted: bool) -> Result<Route, Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            if !(planted && map.contains_key(name)) {
                map.append(name, value.clone());
            }
        }
        let headers = (self.verb != "STDIO").then(|| Headers::read(&map));
        if let Some(Single::One(version)) = headers.map(|headers| headers.version) {
            assert_eq!(version.trim(), version);
        }
        classify(&Exchange {
            ask: match self.verb {
                "GET" => Ask::Watch,
                "DELETE" => Ask::End,
                _ => Ask::Send(&self.message),
            },
            headers,
            session: self.session,
            spoken: self.spoken,
        })
    }
}
