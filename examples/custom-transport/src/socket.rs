//! MCP over a Unix socket: the operating system says who is at the other end.

use std::{io, sync::Arc};

use tokio::{
    net::{UnixListener, UnixStream},
    sync::Semaphore,
};
use tokio_util::task::TaskTracker;
use tooldock::{
    Caller, NamespaceName,
    engine::{Door, context::Principal},
    mcp::{
        ConnectionInfo, Server,
        io::{IoSettings, serve},
    },
};

/// Clients at one time; further ones wait in the queue of the operating system.
const CLIENTS: usize = 64;

/// Serves `namespace` to whoever connects, until the future is dropped; that closes every connection.
///
/// # Errors
/// When nobody can be accepted any more.
///
/// # Cancel safety
/// Dropping the future ends every conversation.
pub async fn listen(listener: UnixListener, server: Server, namespace: NamespaceName) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(CLIENTS));
    let clients = TaskTracker::new();
    let stop = tokio_util::sync::CancellationToken::new();
    let _ends_all_on_drop = stop.clone().drop_guard();
    loop {
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = listener.accept().await?;
        let (server, namespace, stop) = (server.clone(), namespace.clone(), stop.clone());
        clients.spawn(async move {
            // A client that goes away in the middle of a message is no failure of ours.
            stop.run_until_cancelled(converse(stream, &server, namespace))
                .await;
            drop(place);
        });
    }
}

async fn converse(stream: UnixStream, server: &Server, namespace: NamespaceName) -> io::Result<()> {
    let user = stream.peer_cred()?.uid();
    let caller = Caller {
        principal: Principal::new(&format!("user-{user}")),
        door: Door::Mcp,
        peer: None,
    };
    let connection = server.connect(ConnectionInfo::new(caller, namespace));
    let (reader, writer) = stream.into_split();
    serve(connection, reader, writer, IoSettings::default()).await
}
