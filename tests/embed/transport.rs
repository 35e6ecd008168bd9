//! `custom-transport`: MCP over a Unix socket, whose other end the operating system names.

use std::time::Duration;

use example_custom_transport::{app, listen};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{UnixListener, UnixStream},
};
use tooldock_judge::Judge;

async fn ask(stream: &mut BufReader<UnixStream>, judge: &mut Judge, message: &Value) -> Value {
    judge.note(message);
    stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    let read = tokio::time::timeout(Duration::from_secs(30), stream.read_line(&mut line)).await;
    read.expect("an answer comes").unwrap();
    let said = serde_json::from_str(&line).unwrap();
    judge.check(&said);
    said
}

#[tokio::test]
async fn a_client_on_the_socket_is_its_user() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let gateway = app().unwrap();
    let serving = listen(listener, gateway.mcp().clone(), "demo".parse().unwrap());
    let talking = async {
        let mut stream = BufReader::new(UnixStream::connect(&path).await.unwrap());
        let mut judge = Judge::default();
        let user = stream.get_ref().peer_cred().unwrap().uid();
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        assert_eq!(
            ask(&mut stream, &mut judge, &hello).await["result"]["protocolVersion"],
            "2025-11-25"
        );
        stream
            .write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
            .await
            .unwrap();
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "whoami", "arguments": {}}});
        let answer = ask(&mut stream, &mut judge, &call).await;
        assert_eq!(
            answer["result"]["content"][0]["text"],
            format!("user-{user}"),
            "{answer}"
        );
    };
    tokio::select! {
        ended = serving => panic!("it serves until it is dropped: {ended:?}"),
        () = talking => {}
    }
}
