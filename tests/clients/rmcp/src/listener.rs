//! What arrives between a request and its answer, what arrives unasked, and what is said to a question.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, LoggingMessageNotificationParam, ProgressNotificationParam,
    SamplingCapability, SamplingMessage,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Keeps what it hears. Clones share it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listener(Arc<Heard>);

#[derive(Debug, Default)]
struct Heard {
    progress: Mutex<Vec<Value>>,
    logs: Mutex<Vec<Value>>,
    advanced: Notify,
    changed: Notify,
}

impl Listener {
    /// The progress heard so far; the next one begins anew.
    pub(crate) fn take_progress(&self) -> Vec<Value> {
        std::mem::take(&mut lock(&self.0.progress))
    }

    /// The logs heard so far.
    pub(crate) fn logs(&self) -> Vec<Value> {
        lock(&self.0.logs).clone()
    }

    /// Waits for the next note of progress.
    pub(crate) async fn advanced(&self) {
        self.0.advanced.notified().await;
    }

    /// Waits for a change of the list of tools.
    pub(crate) async fn changed(&self) {
        self.0.changed.notified().await;
    }
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.capabilities.elicitation = Some(ElicitationCapability::default());
        info.capabilities.sampling = Some(SamplingCapability::default());
        info
    }

    /// What the person says to a form: nobody wants to read `faust`.
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = json!(request);
        let declined = asked["message"]
            .as_str()
            .is_some_and(|text| text.contains("faust"));
        Ok(if declined {
            ElicitResult::new(ElicitationAction::Decline)
        } else {
            ElicitResult::new(ElicitationAction::Accept).with_content(json!({"days": 14}))
        })
    }

    /// What the model answers: what it was asked.
    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let asked = json!(request.messages);
        let text = asked[0]["content"]["text"].as_str().unwrap_or_default();
        let said = SamplingMessage::assistant_text(format!("I was asked: {text}"));
        Ok(CreateMessageResult::new(said, "librarian".to_owned()))
    }

    async fn on_progress(&self, note: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        lock(&self.0.progress).push(json!([note.progress, note.total, note.message]));
        self.0.advanced.notify_one();
    }

    async fn on_logging_message(
        &self,
        note: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        lock(&self.0.logs).push(note.data);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.changed.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
