//! Notes and questions of a running call.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::Notify;
use tooldock_engine::{
    RawJson,
    context::{Ask, AskKind, ClientChannel, LogLevel, Note, note_channel},
    error::Result,
};
use tooldock_worker::testing::FakeWorker;

use crate::{
    process::soon,
    shop::{call_frame, cx},
};

const OUTPUT: &str = r#"{"content":[],"isError":false}"#;

#[tokio::test]
async fn notes_reach_the_client_of_their_call() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let (client, mut notes) = note_channel();
    let context = cx().with_client(client);
    let script = async {
        let frame = worker.next().await.unwrap();
        let id = &frame["id"];
        let notes = [
            json!({"op": "log", "id": id, "level": "warning", "logger": "l", "data": {"a": 1}}),
            json!({"op": "log", "id": id, "stream": "stdout", "text": "printed\n"}),
            json!({"op": "progress", "id": id, "progress": 1, "total": 10, "message": "m"}),
        ];
        for note in notes {
            worker.send(format!("{note}\n")).await;
        }
        worker.answer(&frame, OUTPUT).await;
    };
    let request = call_frame("echo");
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &request), script) }).await;
    output.unwrap();
    let log = Note::Log {
        level: LogLevel::Warning,
        logger: Some("l".into()),
        data: RawJson::from(json!({"a": 1})),
    };
    let number = |value: i32| RawJson::from(json!(value));
    let progress = Note::Progress {
        progress: number(1),
        total: Some(number(10)),
        message: Some("m".into()),
    };
    let print = Note::Log {
        level: LogLevel::Debug,
        logger: Some("stdout".into()),
        data: RawJson::string("printed"),
    };
    for note in [log, print, progress] {
        assert_eq!(notes.recv().await, Some(note));
    }
    assert!(notes.try_recv().is_err());
}

/// Answers forms at once and never says where its roots are.
#[derive(Debug, Default)]
struct Person {
    asked: Arc<Mutex<Vec<AskKind>>>,
    withdrawn: Arc<Notify>,
}

struct Withdrawn(Arc<Notify>);

impl Drop for Withdrawn {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[async_trait]
impl ClientChannel for Person {
    fn supports(&self, kind: AskKind) -> bool {
        kind != AskKind::Sample
    }
    fn notify(&self, _note: Note) {}
    async fn ask(&self, ask: Ask) -> Result<RawJson> {
        self.asked.lock().unwrap().push(ask.kind);
        if ask.kind == AskKind::Roots {
            let _withdrawn = Withdrawn(self.withdrawn.clone());
            std::future::pending::<()>().await;
        }
        Ok(RawJson::from(
            json!({"action": "accept", "saw": ask.params.as_str()}),
        ))
    }
}

#[tokio::test]
async fn questions_are_answered_refused_and_withdrawn() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let person = Person::default();
    let (asked, withdrawn) = (person.asked.clone(), person.withdrawn.clone());
    let context = cx().with_client(person);
    let script = async {
        let frame = worker.next().await.unwrap();
        assert_eq!(
            frame["context"]["asks"],
            json!(["elicitation/form", "elicitation/url", "roots"])
        );
        let mut ask = async |name: &str, method: &str, params: serde_json::Value| {
            let ask =
                json!({"op": "ask", "id": frame["id"], "ask": name, "method": method, "params": params});
            worker.send(format!("{ask}\n")).await;
            if method == "roots/list" {
                json!(null)
            } else {
                worker.next().await.unwrap()
            }
        };
        let form = ask("a1", "elicitation/create", json!({"message": "who?"})).await;
        let expected = json!({"action": "accept", "saw": r#"{"message":"who?"}"#});
        assert_eq!(form, json!({"op": "answer", "ask": "a1", "result": expected}));
        let url = ask("a2", "elicitation/create", json!({"mode": "url"})).await;
        assert_eq!(url["result"]["action"], "accept");
        let sample = ask("a3", "sampling/createMessage", json!({})).await;
        assert!(
            sample["error"]["message"]
                .as_str()
                .unwrap()
                .contains("sampling/createMessage")
        );
        let unknown = ask("a4", "made/up", json!({})).await;
        assert_eq!(unknown["error"]["message"], "the gateway knows no such question");
        ask("a5", "roots/list", json!({})).await;
        while asked.lock().unwrap().len() < 3 {
            tokio::task::yield_now().await;
        }
        worker.answer(&frame, OUTPUT).await;
    };
    let request = call_frame("ask");
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &request), script) }).await;
    output.unwrap();
    soon(withdrawn.notified()).await;
    assert_eq!(
        *asked.lock().unwrap(),
        [AskKind::ElicitForm, AskKind::ElicitUrl, AskKind::Roots]
    );
}
