//! Connections without HTTP: what a transport of one's own sees.

use futures_util::{FutureExt as _, StreamExt as _};
use serde_json::{Value, json};
use tooldock_mcp::{ConnectionInfo, Reply, Revision, testing::TestClient};

use crate::{
    lifetimes::said,
    scene::{Scene, caller, judge, mock, progress},
};

fn connect(scene: &Scene) -> tooldock_mcp::Connection {
    scene
        .server
        .connect(ConnectionInfo::new(caller("ann"), "demo".parse().unwrap()))
}

#[tokio::test]
async fn both_eras_are_spoken_on_one_connection() {
    let scene = Scene::new();
    let connection = connect(&scene);
    let mut modern = TestClient::open(connection.clone(), Revision::V2026_07_28)
        .await
        .watched(judge);
    let discovered = modern.ask("server/discover", json!({})).await;
    assert_eq!(discovered["result"]["supportedVersions"], json!(["2026-07-28"]));
    let mut handshake = TestClient::open(connection.clone(), Revision::V2025_11_25)
        .await
        .watched(judge);
    let call = json!({"name": "echo"});
    assert!(
        handshake.ask("tools/call", call.clone()).await["result"]
            .get("resultType")
            .is_none()
    );
    assert_eq!(
        modern.ask("tools/call", call).await["result"]["resultType"],
        "complete"
    );
    let again = handshake
        .ask("initialize", crate::scene::offer("2025-11-25"))
        .await;
    assert_eq!(again["error"]["code"], -32_600, "a connection has one session");
    assert_eq!(
        scene.server.sessions().count().await,
        0,
        "such a session belongs to its connection"
    );
}

#[tokio::test]
async fn a_session_has_to_be_opened() {
    let scene = Scene::new();
    let mut client = TestClient::open(connect(&scene), Revision::V2026_07_28)
        .await
        .watched(judge);
    let early = client
        .send(&json!({"jsonrpc": "2.0", "id": "x", "method": "tools/list"}))
        .await;
    let Reply::One(answer) = early else {
        panic!("{early:?}")
    };
    let answer: Value = answer.body.parse().unwrap();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("x"), &json!(-32_600))
    );
    for unheard in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "x"}),
    ] {
        assert!(
            matches!(client.send(&unheard).await, Reply::Nothing),
            "notifications are never answered"
        );
    }
    let broken = client.send(&json!(5)).await;
    assert!(matches!(broken, Reply::One(answer) if answer.body.as_str().contains("-32600")));
}

#[tokio::test]
async fn a_message_cancels_a_call_in_both_eras() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), tooldock_mcp::Settings::default());
    for revision in [Revision::V2026_07_28, Revision::V2025_11_25] {
        let connection = connect(&scene);
        let mut client = TestClient::open(connection.clone(), revision)
            .await
            .watched(judge);
        let mut other = TestClient::open(connect(&scene), Revision::V2026_07_28)
            .await
            .watched(judge);
        let mut call = Box::pin(client.ask("tools/call", json!({"name": "t"})));
        assert!((&mut call).now_or_never().is_none());
        let mut running = engine.next().await;
        let request_id = if revision == Revision::V2025_11_25 { 2 } else { 1 };
        let params = json!({"requestId": request_id, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        let mut cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        if revision == Revision::V2025_11_25 {
            cancel["params"].as_object_mut().unwrap().remove("_meta");
        }
        other.send(&cancel).await;
        assert!(
            !running.cx.cancelled().is_cancelled(),
            "connections have their own ids"
        );
        let cancelling = async {
            let told = connection.read(cancel.to_string()).unwrap();
            tower::Service::call(&mut connection.clone(), told).await.unwrap();
            running.abandoned().await;
        };
        let (answer, ()) = tokio::join!(call, cancelling);
        assert_eq!(answer["error"]["code"], -32_800);
    }
}

#[tokio::test]
async fn a_reply_with_notes_is_a_stream() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), tooldock_mcp::Settings::default());
    let mut client = TestClient::open(connect(&scene), Revision::V2026_07_28)
        .await
        .watched(judge);
    let call = client.begin(
        "tools/call",
        json!({"name": "t", "_meta": {"progressToken": "p"}}),
    );
    let answers = async {
        let running = engine.next().await;
        running.cx.client().notify(progress(1));
        running.answer(Ok(said("done")));
    };
    let ((_, reply), ()) = tokio::join!(call, answers);
    let Reply::Stream(messages) = reply else {
        panic!("{reply:?}")
    };
    let messages: Vec<String> = messages.map(|message| message.to_string()).collect().await;
    assert!(
        messages.len() == 2 && messages[0].contains("progress") && messages[1].contains("done"),
        "{messages:?}"
    );
}

#[tokio::test]
async fn the_end_of_a_connection_ends_its_session() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), tooldock_mcp::Settings::default());
    let connection = connect(&scene);
    assert!(connection.watch().is_err(), "there is no session yet");
    let mut client = TestClient::open(connection.clone(), Revision::V2025_11_25)
        .await
        .watched(judge);
    let mut notices = connection.watch().unwrap();
    let mut call = Box::pin(client.ask("tools/call", json!({"name": "t"})));
    assert!((&mut call).now_or_never().is_none());
    let mut running = engine.next().await;
    drop(call);
    drop(client);
    assert!(
        !running.cx.cancelled().is_cancelled(),
        "the call outlives its reply"
    );
    drop(connection);
    running.abandoned().await;
    assert!(notices.next().await.is_none());
}
