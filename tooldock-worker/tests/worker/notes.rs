//! Notes and questions of a running call.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::Notify;
use tooldock_engine::{
    ErrorKind, RawJson,
    context::{Ask, AskKind, ClientChannel, LogLevel, Note, note_channel},
    error::Result,
};
use tooldock_worker::testing::{End, FakeWorker};

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
            json!({"action": "accept", "saw": ask.params.as_str(), "key": ask.key.as_deref()}),
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
        let ask = async |worker: &mut FakeWorker, name: &str, method: &str, params: serde_json::Value| {
            let ask = json!({"op": "ask", "id": frame["id"], "ask": name, "key": "k", "method": method, "params": params});
            worker.send(format!("{ask}\n")).await;
            if method == "roots/list" {
                json!(null)
            } else {
                worker.next().await.unwrap()
            }
        };
        let form = ask(
            &mut worker,
            "a1",
            "elicitation/create",
            json!({"message": "who?"}),
        )
        .await;
        let expected = json!({"action": "accept", "saw": r#"{"message":"who?"}"#, "key": "k"});
        assert_eq!(form, json!({"op": "answer", "ask": "a1", "result": expected}));
        let url = ask(&mut worker, "a2", "elicitation/create", json!({"mode": "url"})).await;
        assert_eq!(url["result"]["action"], "accept");
        let sample = ask(&mut worker, "a3", "sampling/createMessage", json!({})).await;
        assert!(
            sample["error"]["message"]
                .as_str()
                .unwrap()
                .contains("sampling/createMessage")
        );
        let unknown = ask(&mut worker, "a4", "made/up", json!({})).await;
        assert_eq!(unknown["error"]["message"], "the gateway knows no such question");
        for (number, name) in ["a5", "a6"].into_iter().enumerate() {
            ask(&mut worker, name, "roots/list", json!({})).await;
            while asked.lock().unwrap().len() < 3 + number {
                tokio::task::yield_now().await;
            }
            if name == "a5" {
                worker
                    .send(format!(
                        "{}\n",
                        json!({"op": "withdraw", "id": frame["id"], "ask": name})
                    ))
                    .await;
                withdrawn.notified().await;
                assert!(!context.clock().is_paused(), "the clock goes on");
            }
        }
        worker.answer(&frame, OUTPUT).await;
    };
    let request = call_frame("ask");
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &request), script) }).await;
    output.unwrap();
    soon(withdrawn.notified()).await;
    assert_eq!(
        *asked.lock().unwrap(),
        [
            AskKind::ElicitForm,
            AskKind::ElicitUrl,
            AskKind::Roots,
            AskKind::Roots
        ]
    );
}

/// Answers everything at once and at length.
#[derive(Debug)]
struct Talker;

#[async_trait]
impl ClientChannel for Talker {
    fn supports(&self, _kind: AskKind) -> bool {
        true
    }
    fn notify(&self, _note: Note) {}
    async fn ask(&self, _ask: Ask) -> Result<RawJson> {
        Ok(RawJson::string(&"x".repeat(1 << 20)))
    }
}

#[tokio::test]
async fn a_worker_that_asks_and_does_not_read_is_given_up() {
    let (connection, mut worker, end) = FakeWorker::connect();
    let context = cx().with_client(Talker);
    let request = call_frame("ask");
    let script = async {
        let frame = worker.next().await.unwrap();
        for name in 0..200 {
            let ask =
                json!({"op": "ask", "id": frame["id"], "ask": name.to_string(), "method": "roots/list"});
            worker.send(format!("{ask}\n")).await;
            // What was asked is answered before the next question, so that none is one too many.
            tokio::task::yield_now().await;
        }
        let end = end.await.unwrap();
        assert!(matches!(end, End::Unread) && end.is_breach(), "{end:?}");
        connection.end(ErrorKind::Crashed, &format!("the worker {end}"));
    };
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &request), script) }).await;
    assert_eq!(
        output.unwrap_err().message(),
        "the worker did not read its channel until 64 MiB waited"
    );
}

#[tokio::test]
async fn a_question_with_a_long_name_is_none_and_a_huge_one_is_refused() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let context = cx().with_client(Person::default());
    let request = call_frame("ask");
    let script = async {
        let frame = worker.next().await.unwrap();
        for (name, method, text) in [
            ("n".repeat(129), "made/up", String::new()),
            ("n".repeat(129), "elicitation/create", String::new()),
            ("n".repeat(128), "elicitation/create", "x".repeat(4 << 20)),
        ] {
            let ask =
                json!({"op": "ask", "id": frame["id"], "ask": name, "method": method, "params": {"m": text}});
            worker.send(format!("{ask}\n")).await;
        }
        let answer = worker.next().await.unwrap();
        assert_eq!(
            (&answer["ask"], &answer["error"]["message"]),
            (
                &json!("n".repeat(128)),
                &json!("a question may have at most 4 MiB")
            ),
            "no name is longer than 128 bytes when it comes back"
        );
        worker.answer(&frame, OUTPUT).await;
    };
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &request), script) }).await;
    output.unwrap();
    assert_eq!(connection.strays(), 2);
}
