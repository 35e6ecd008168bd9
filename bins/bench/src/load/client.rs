//! One client: a connection, and what it does again and again.

use std::io;

use memchr::memmem;

use super::{
    request::{self, MESSAGE, Method, Request},
    target::{Door, Target},
    wire::{Answer, Wire},
};

/// A client that is ready to call.
#[derive(Debug)]
pub(crate) struct Client {
    wire: Wire,
    target: Target,
    request: Request,
}

impl Client {
    /// Connects; where the door has sessions, opens one.
    pub(crate) async fn connect(target: &Target) -> io::Result<Self> {
        let path = &target.path;
        let mut wire = Wire::connect(target.address).await?;
        let request = match target.door {
            Door::Modern => request::modern(path, Method::Call),
            Door::List => request::modern(path, Method::List),
            Door::Rest => request::rest(path),
            Door::Lines => request::line(),
            Door::NewSession => request::initialize(path),
            Door::Session => {
                let mut initialize = request::initialize(path);
                open(&mut wire, path, &mut initialize).await?
            }
        };
        Ok(Self {
            wire,
            target: target.clone(),
            request,
        })
    }

    /// Does once what is measured, and checks the answer.
    pub(crate) async fn call(&mut self) -> io::Result<()> {
        let Self {
            wire,
            target,
            request,
        } = self;
        match target.door {
            Door::Lines => expect(wire.line(request.next()).await?, MESSAGE),
            Door::NewSession => {
                let mut call = open(wire, &target.path, request).await?;
                check(&wire.exchange(call.next()).await?, MESSAGE)
            }
            Door::List => check(&wire.exchange(request.next()).await?, "inputSchema"),
            Door::Modern | Door::Session | Door::Rest => {
                check(&wire.exchange(request.next()).await?, MESSAGE)
            }
        }
    }

    /// Asks once and gives the body of the answer.
    pub(crate) async fn body(&mut self) -> io::Result<Vec<u8>> {
        let answer = self.wire.exchange(self.request.next()).await?;
        check(&answer, "")?;
        Ok(answer.body.to_vec())
    }
}

/// Opens a session and gives the call to make in it.
async fn open(wire: &mut Wire, path: &str, initialize: &mut Request) -> io::Result<Request> {
    let answer = wire.exchange(initialize.next()).await?;
    check(&answer, "protocolVersion")?;
    let session = answer
        .header("mcp-session-id")
        .ok_or_else(|| io::Error::other("no session was opened"))?
        .to_owned();
    let mut initialized = request::initialized(path, &session);
    check(&wire.exchange(initialized.next()).await?, "")?;
    Ok(request::session_call(path, &session))
}

fn check(answer: &Answer<'_>, text: &str) -> io::Result<()> {
    if answer.is_success() {
        return expect(answer.body, text);
    }
    let shown = [answer.head, answer.body].concat();
    Err(io::Error::other(format!(
        "refused: {}",
        String::from_utf8_lossy(&shown)
    )))
}

/// The text is near the beginning of what came.
fn expect(body: &[u8], text: &str) -> io::Result<()> {
    if memmem::find(&body[..body.len().min(2048)], text.as_bytes()).is_some() {
        return Ok(());
    }
    let shown = String::from_utf8_lossy(body);
    Err(io::Error::other(format!("no `{text}` in the answer: {shown}")))
}
