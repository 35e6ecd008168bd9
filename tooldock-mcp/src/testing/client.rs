//! A client in memory.

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::{
    connection::{Connection, Reply},
    revision::{Era, Revision},
};

/// A client that talks to a [`Connection`] in memory, without any transport.
///
/// ```
/// # use std::sync::Arc;
/// # use tooldock_engine::{Caller, Mount, StaticEngine};
/// # use tooldock_mcp::{ConnectionInfo, Revision, Server, testing::TestClient};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// # let engine = Arc::new(StaticEngine::builder().build()?);
/// # let server = Server::builder(Arc::new(Mount { namespace: "demo".parse()?, engine })).build();
/// let connection = server.connect(ConnectionInfo::new(Caller::local(), "demo".parse()?));
/// let mut client = TestClient::open(connection, Revision::V2025_11_25).await;
/// let answer = client.ask("tools/list", serde_json::json!({})).await;
/// assert_eq!(answer["result"]["tools"], serde_json::json!([]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct TestClient {
    connection: Connection,
    revision: Revision,
    last_id: i64,
    /// The answer that has opened the session.
    opened: Option<Value>,
    look: Option<Look>,
}

/// Looks at a message of the server: the revision that is spoken, the request that it belongs to, and the message.
pub type Look = fn(revision: &str, asked: &Value, said: &Value);

impl TestClient {
    /// A client of `revision`; one of the handshake era has initialized its session.
    ///
    /// # Panics
    /// When the server does not agree on the revision.
    ///
    /// # Cancel safety
    /// Dropping the future drops the client.
    pub async fn open(connection: Connection, revision: Revision) -> Self {
        let mut client = Self {
            connection,
            revision,
            last_id: 0,
            opened: None,
            look: None,
        };
        if revision.era() == Era::Handshake {
            let client_info = json!({"name": "test", "version": "1"});
            let offer =
                json!({"protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": client_info});
            let answer = client.ask("initialize", offer).await;
            assert_eq!(answer["result"]["protocolVersion"], revision.as_str(), "{answer}");
            client.opened = Some(answer);
            client
                .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
                .await;
        }
        client
    }

    /// Lets `look` see every message that comes in answer to [`ask`](Self::ask), and the one that has opened the session.
    #[must_use]
    pub fn watched(mut self, look: Look) -> Self {
        if let Some(opened) = self.opened.take() {
            let asked = json!({"id": opened["id"], "method": "initialize"});
            look(self.revision.as_str(), &asked, &opened);
        }
        self.look = Some(look);
        self
    }

    /// Asks, waits for the answer and gives it back whole; notes before it are skipped.
    ///
    /// # Panics
    /// When a stream ends without an answer.
    ///
    /// # Cancel safety
    /// Dropping the future drops the reply, which ends a call of the modern era.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let (id, reply) = self.begin(method, params).await;
        let said = match reply {
            Reply::One(answer) => vec![answer.body],
            Reply::Stream(messages) => messages.collect().await,
            Reply::Nothing => return Value::Null,
        };
        let asked = json!({"id": id, "method": method});
        let said = said.iter().map(|said| {
            let said = said.parse().expect("a message is JSON");
            if let Some(look) = self.look {
                look(self.revision.as_str(), &asked, &said);
            }
            said
        });
        said.last().expect("a stream has an answer")
    }

    /// Asks and gives back the id and the reply as it is.
    ///
    /// # Cancel safety
    /// As [`ask`](Self::ask).
    pub async fn begin(&mut self, method: &str, mut params: Value) -> (i64, Reply) {
        self.last_id += 1;
        if self.revision.era() == Era::Modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            let capabilities = &mut params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
            if capabilities.is_null() {
                *capabilities = json!({});
            }
        }
        let id = self.last_id;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        (id, self.send(&request).await)
    }

    /// Sends any message.
    ///
    /// # Cancel safety
    /// As [`ask`](Self::ask).
    pub async fn send(&mut self, message: &Value) -> Reply {
        match self.connection.read(message.to_string()) {
            Ok(message) => self
                .connection
                .call(message)
                .await
                .unwrap_or_else(|never| match never {}),
            Err(answer) => Reply::One(answer),
        }
    }
}
