//! A client whose answers a test writes beforehand.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{
    EngineError, ErrorKind, RawJson,
    context::{Ask, AskKind, ClientChannel, Note},
    error::Result,
};

/// A client whose answers a test writes beforehand, kind by kind; it keeps what it is told and asked. Clones are the same client.
///
/// It can be asked whatever it has an answer for, or had. One that has given all its answers of a kind never answers again, like a
/// person who has gone for lunch.
///
/// ```
/// # use tooldock_engine::{*, context::{Ask, AskKind}, testing::ScriptedClient};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("confirm".parse()?), async |cx: CallContext, _arguments| {
///         let answer = cx.client().ask(Ask::new(AskKind::ElicitForm, RawJson::empty_object())).await?;
///         Ok(ToolOutput::structured(&answer))
///     })
///     .build()?;
/// let client = ScriptedClient::new().answers(AskKind::ElicitForm, Ok(serde_json::json!({"action": "accept"}).into()));
/// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_client(client.clone());
/// let output = engine.call_tool(cx, "confirm", RawJson::empty_object()).await?;
/// assert_eq!(output.structured.unwrap().as_str(), r#"{"action":"accept"}"#);
/// assert_eq!(client.asked().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct ScriptedClient(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    answers: HashMap<AskKind, VecDeque<Result<RawJson>>>,
    asked: Vec<Ask>,
    notes: Vec<Note>,
}

impl ScriptedClient {
    /// A client that can be asked nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `answer` to the next question of `kind` that has none yet.
    #[must_use]
    pub fn answers(self, kind: AskKind, answer: Result<RawJson>) -> Self {
        self.script(|script| script.answers.entry(kind).or_default().push_back(answer));
        self
    }

    /// What it was asked, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Ask> {
        self.script(|script| script.asked.clone())
    }

    /// What it was told since the last time, in order.
    #[must_use]
    pub fn take_notes(&self) -> Vec<Note> {
        self.script(|script| std::mem::take(&mut script.notes))
    }

    fn script<T>(&self, look: impl FnOnce(&mut Script) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ClientChannel for ScriptedClient {
    fn supports(&self, kind: AskKind) -> bool {
        self.script(|script| script.answers.contains_key(&kind))
    }

    fn notify(&self, note: Note) {
        self.script(|script| script.notes.push(note));
    }

    async fn ask(&self, ask: Ask) -> Result<RawJson> {
        let kind = ask.kind;
        if !self.supports(kind) {
            let text = format!("the client of this test cannot be asked `{}`", kind.method());
            return Err(EngineError::new(ErrorKind::InputRequired, text));
        }
        let answer = self.script(|script| {
            script.asked.push(ask);
            script.answers.get_mut(&kind).and_then(VecDeque::pop_front)
        });
        match answer {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }
}
