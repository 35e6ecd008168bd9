//! An engine whose answers a test writes.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::sync::{broadcast, oneshot};

use crate::{
    CallContext, Catalog, Change, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine,
    error::Result, request::ResourceUri,
};

/// An engine whose answers a test writes: every request waits until the test [takes](Self::next) and answers it.
///
/// ```
/// # use tooldock_engine::{*, testing::EngineMock};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = std::sync::Arc::new(EngineMock::new(Catalog::builder().tool(Tool::new("hi".parse()?)).build()?));
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// let call = engine.call_tool(cx, "hi", RawJson::empty_object());
/// let test = async { engine.next().await.answer(Ok(EngineReply::Tool(ToolOutput::text("hello")))) };
/// assert_eq!(tokio::join!(call, test).0?, ToolOutput::text("hello"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct EngineMock {
    catalog: Mutex<Arc<Catalog>>,
    changes: broadcast::Sender<Change>,
    requests: async_queue::Queue<Answering>,
}

/// A request that waits for its answer. Dropping it leaves the caller with an internal error.
#[derive(Debug)]
pub struct Answering {
    /// The context of the call.
    pub cx: CallContext,
    /// The request.
    pub request: EngineRequest,
    answer: oneshot::Sender<Result<EngineReply>>,
}

impl Answering {
    /// Answers the request; a caller that is gone hears nothing.
    pub fn answer(self, reply: Result<EngineReply>) {
        self.answer.send(reply).ok();
    }

    /// Waits until the caller has dropped the call.
    pub async fn abandoned(&mut self) {
        self.answer.closed().await;
    }
}

impl EngineMock {
    /// A mock that lists `catalog`.
    #[must_use]
    pub fn new(catalog: Catalog) -> Self {
        Self {
            catalog: Mutex::new(Arc::new(catalog)),
            changes: broadcast::Sender::new(64),
            requests: async_queue::Queue::new(),
        }
    }

    /// The next request.
    pub async fn next(&self) -> Answering {
        self.requests.pop().await
    }

    /// Lists `catalog` from now on and says so.
    pub fn change(&self, catalog: Catalog) {
        *self.catalog.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalog);
        for change in [Change::Tools, Change::Resources, Change::Prompts] {
            self.tell(change);
        }
    }

    /// Tells whoever listens of `change`, whether there is one or not.
    pub fn tell(&self, change: Change) {
        self.changes.send(change).ok();
    }
}

#[async_trait]
impl ToolEngine for EngineMock {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self
            .catalog
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone())
    }

    fn changes(&self, _cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        Changes::from_receiver(self.changes.subscribe()).watching(watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let (answer, reply) = oneshot::channel();
        self.requests.push(Answering { cx, request, answer });
        reply
            .await
            .unwrap_or_else(|_| Err(EngineError::new(ErrorKind::Internal, "the test did not answer")))
    }

    async fn shutdown(&self, _grace: Duration) {}
}

mod async_queue {
    //! A queue that one side of a test fills and the other waits for.

    use std::{
        collections::VecDeque,
        sync::{Mutex, PoisonError},
    };

    use tokio::sync::Notify;

    #[derive(Debug)]
    pub(super) struct Queue<T> {
        items: Mutex<VecDeque<T>>,
        pushed: Notify,
    }

    impl<T> Queue<T> {
        pub(super) fn new() -> Self {
            Self {
                items: Mutex::default(),
                pushed: Notify::new(),
            }
        }

        pub(super) fn push(&self, item: T) {
            self.items
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push_back(item);
            self.pushed.notify_one();
        }

        pub(super) async fn pop(&self) -> T {
            loop {
                let item = self
                    .items
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .pop_front();
                match item {
                    Some(item) => return item,
                    None => self.pushed.notified().await,
                }
            }
        }
    }
}
