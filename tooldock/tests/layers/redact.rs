//! No secret leaves an engine, by whatever way.

use std::{borrow::Cow, sync::Arc};

use serde_json::json;
use tooldock::layers::RedactLayer;
use tooldock_engine::{
    EngineError, EngineExt as _, EngineLayer as _, EngineReply, ErrorKind, RawJson, ToolEngine, ToolOutput,
    context::{Ask, AskKind, ClientChannel, LogLevel, Note},
    error::Result,
    output::{Completion, InputRequired, PromptOutput, ResourceOutput},
    secret::Redactor,
    testing::ScriptedClient,
};

use crate::engine::{cx, layered, mock, raw};

/// Knows a word with a quote and a line end in it, and a number.
#[derive(Debug)]
struct Known;

const WORD: &str = "se\"cr\net";

impl Redactor for Known {
    fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let text_of = String::from_utf8_lossy(text);
        let clean = text_of.replace(WORD, "***").replace("4711", "***");
        if clean == text_of {
            return Cow::Borrowed(text);
        }
        Cow::Owned(clean.into_bytes())
    }
}

fn layer() -> RedactLayer {
    RedactLayer::new(|_namespace| Some(Arc::new(Known)))
}

/// What a caller gets when the engine answers `answer`.
async fn told(answer: Result<EngineReply>) -> Result<EngineReply> {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    let request = tooldock_engine::EngineRequest::call_tool("a".parse().unwrap(), RawJson::empty_object());
    let play = async { inner.next().await.answer(answer) };
    tokio::join!(engine.serve(cx(), request), play).0
}

fn output(content: &str, structured: &str) -> ToolOutput {
    let mut output = ToolOutput::text("");
    output.content = raw(content);
    output.structured = Some(raw(structured));
    output
}

#[tokio::test]
async fn secrets_are_found_however_they_are_written_and_all_other_bytes_stay() {
    let table = [
        (r#"["se\"cr\net"]"#, r#"["***"]"#),
        (
            r#"[ "a se\u0022cr\u000Aet b" , "\u00e9" ]"#,
            r#"[ "a *** b" , "\u00e9" ]"#,
        ),
        (r#"{"se\"cr\net": 1.50}"#, r#"{"***": 1.50}"#),
        (r#"[47112, -4711e5, 1.0]"#, r#"["***2", "-***e5", 1.0]"#),
        (r#"["\\", "4711", true, null]"#, r#"["\\", "***", true, null]"#),
        ("4711", r#""***""#),
        (r#"[ 1.50, "plain\n" ]"#, r#"[ 1.50, "plain\n" ]"#),
    ];
    for (given, expected) in table {
        match told(Ok(EngineReply::Tool(output("[]", given)))).await.unwrap() {
            EngineReply::Tool(output) => assert_eq!(output.structured.unwrap().as_str(), expected, "{given}"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn every_part_of_every_reply_is_cleaned() {
    let secret = || RawJson::string(WORD);
    let mut tool = output(r#"["4711"]"#, "4711");
    tool.meta = Some(raw(r#"{"a":4711}"#));
    let replies = [
        EngineReply::Tool(tool),
        EngineReply::Resource(ResourceOutput { contents: secret() }),
        EngineReply::Prompt(PromptOutput {
            description: Some("4711".to_owned()),
            messages: secret(),
        }),
        EngineReply::Completion(Completion {
            values: vec![WORD.to_owned(), "4711".to_owned()],
            ..Completion::default()
        }),
        EngineReply::InputRequired(InputRequired {
            requests: secret(),
            state: None,
        }),
    ];
    for reply in replies {
        let shown = format!("{:?}", told(Ok(reply)).await.unwrap());
        assert!(shown.contains("***"), "{shown}");
        assert!(!shown.contains("4711") && !shown.contains("net"), "{shown}");
    }
    let state = Some(raw("4711"));
    let parked = InputRequired {
        requests: raw("{}"),
        state: state.clone(),
    };
    let reply = told(Ok(EngineReply::InputRequired(parked))).await.unwrap();
    assert!(
        matches!(reply, EngineReply::InputRequired(parked) if parked.state == state),
        "it comes back as it went"
    );
}

#[tokio::test]
async fn errors_and_their_causes_are_cleaned() {
    let cause = EngineError::new(ErrorKind::Internal, format!("refused {WORD}"));
    let error = EngineError::new(ErrorKind::ToolFailed, "no such key: 4711")
        .with_details(raw(r#"{"key":"4711"}"#))
        .with_source(EngineError::new(ErrorKind::Internal, "outer").with_source(cause));
    let error = told(Err(error)).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::ToolFailed, "no such key: ***")
    );
    assert_eq!(error.details().unwrap().as_str(), r#"{"key":"***"}"#);
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.to_string(), "outer: refused ***");
    assert!(source.source().is_none());

    let harmless = EngineError::new(ErrorKind::ToolFailed, "no").with_source("x".parse::<u8>().unwrap_err());
    let harmless = told(Err(harmless)).await.unwrap_err();
    assert!(
        tooldock_engine::error::cause::<std::num::ParseIntError>(&harmless).is_some(),
        "kept as it is"
    );
}

#[tokio::test]
async fn names_that_become_one_are_not_shown() {
    let reply = told(Ok(EngineReply::Tool(output("[]", r#"{"4711":1,"***":2}"#)))).await;
    assert_eq!(reply.unwrap_err().kind(), ErrorKind::Internal);
}

/// What a call that tells and asks secrets hears from `client`.
async fn talk(client: impl ClientChannel) -> Result<RawJson> {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    let call = engine.call_tool(cx().with_client(client), "a", RawJson::empty_object());
    let play = async {
        let asked = inner.next().await;
        let client = asked.cx.client();
        client.notify(Note::Progress {
            progress: raw("4711"),
            total: None,
            message: Some("key 4711".to_owned()),
        });
        client.notify(Note::Log {
            level: LogLevel::Info,
            logger: Some("4711".to_owned()),
            data: raw("4711"),
        });
        let params = (&json!({"prompt": WORD})).into();
        let kind = AskKind::Sample;
        let answer = client.ask(Ask::new(kind, params)).await;
        asked.answer(Ok(EngineReply::Tool(ToolOutput::text(""))));
        answer
    };
    let (output, answer) = tokio::join!(call, play);
    output.map(|_| answer)?
}

#[tokio::test]
async fn notes_and_questions_are_cleaned_and_answers_are_not() {
    let client = ScriptedClient::new().answers(AskKind::Sample, Ok(raw("4711")));
    assert_eq!(
        talk(client.clone()).await.unwrap().as_str(),
        "4711",
        "what the client says is its own"
    );
    assert_eq!(client.asked()[0].params.as_str(), r#"{"prompt":"***"}"#);
    let told = client.take_notes();
    let Note::Progress {
        message, progress, ..
    } = &told[0]
    else {
        panic!("progress first")
    };
    assert_eq!((message.as_deref(), progress.as_str()), (Some("key ***"), "4711"));
    let Note::Log { logger, data, .. } = &told[1] else {
        panic!("then the log")
    };
    assert_eq!((logger.as_deref(), data.as_str()), (Some("***"), r#""***""#));
    let refusal = talk(ScriptedClient::new()).await.unwrap_err();
    assert_eq!(refusal.kind(), ErrorKind::InputRequired, "it cannot be asked");
}

#[tokio::test]
async fn a_namespace_without_secrets_has_no_layer() {
    let inner: Arc<dyn ToolEngine> = mock();
    let layer = RedactLayer::new(|namespace| (namespace.as_str() == "other").then(|| Arc::new(Known) as _));
    assert!(Arc::ptr_eq(
        &inner,
        &layer.layer(&"demo".parse().unwrap(), inner.clone())
    ));
    assert!(!Arc::ptr_eq(
        &inner,
        &layer.layer(&"other".parse().unwrap(), inner.clone())
    ));
}
