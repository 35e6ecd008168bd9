//! A Python worker as an engine.

mod load;
mod offers;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine,
    error::Result,
    fixed::{unknown_prompt, unknown_resource},
    request::ResourceUri,
};

pub(crate) use self::load::load;
use crate::{
    output::{LogLine, LogTail},
    report::{LoadReport, WorkerState},
    rpc::Address,
    supervise::{Crew, Plan},
};

/// The engine of one namespace: one supervised Python process, or several. Dropping it kills them and everything they started.
#[derive(Debug)]
pub struct WorkerEngine {
    crew: Crew,
    tail: LogTail,
    /// How long gateways let a call run whose tool does not say.
    call_time: Option<Duration>,
}

impl WorkerEngine {
    pub(crate) async fn start(plan: Plan, workers: usize) -> Result<Self> {
        let (tail, call_time) = (plan.tail.clone(), plan.limits.call_time);
        let crew = Crew::start(plan, workers).await?;
        Ok(Self {
            crew,
            tail,
            call_time,
        })
    }

    /// The id of the first process that has loaded its files, while there is one.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.crew.board().pids().next()
    }

    /// The ids of all processes that have loaded their files.
    #[must_use]
    pub fn pids(&self) -> Vec<u32> {
        self.crew.board().pids().collect()
    }

    /// What was loaded last, and what each process does right now.
    #[must_use]
    pub fn report(&self) -> LoadReport {
        self.crew.board().report()
    }

    /// The last `lines` lines that the processes of this namespace printed, newest last, calls included. At most 1,000 are kept,
    /// each of at most 8 KiB. For operators.
    #[must_use]
    pub fn log_tail(&self, lines: usize) -> Vec<LogLine> {
        self.tail.last(lines)
    }

    /// Starts ended processes at once instead of after their wait, and replaces those that could not load tools which the namespace
    /// offers; others that serve are left alone. A start that is under way is
    /// followed by another one if it fails.
    pub fn retry(&self) {
        self.crew.retry();
    }

    /// Waits until [`report`](Self::report) would say something else, or the engine has been shut down.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn changed(&self) {
        // An error means that the supervisors are gone: nothing will change any more.
        let mut board = self.crew.watch();
        board.mark_unchanged();
        board.changed().await.ok();
    }

    /// Waits until the state of the namespace is one that `wanted` accepts; false when it never will be.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn reached(&self, mut wanted: impl FnMut(&WorkerState) -> bool) -> bool {
        let mut board = self.crew.watch();
        let reached = board.wait_for(|board| wanted(board.state())).await;
        reached.is_ok()
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for WorkerEngine {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.crew.board().newest().catalog.clone())
    }

    fn changes(&self, _cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.crew.changes().watching(watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let (_busy, board) = self.crew.enter().await;
        match request {
            EngineRequest::CallTool(call) => {
                let (connection, own) = board.route(call.tool.as_str())?;
                let output = connection.call_within(&cx, &call, own.or(self.call_time));
                output.await.map(EngineReply::Tool)
            }
            EngineRequest::ReadResource(read) => {
                let Some(address) = Address::find(&board.newest().catalog, &read.uri) else {
                    return Err(unknown_resource(&read.uri));
                };
                let connection = board.route_offer(|catalog| address.is_in(catalog))?;
                let output = connection.read(&cx, &address, self.call_time);
                output.await.map(EngineReply::Resource)
            }
            EngineRequest::GetPrompt(get) => {
                if board.newest().catalog.prompt(&get.name).is_none() {
                    return Err(unknown_prompt(&get.name));
                }
                let connection = board.route_offer(|catalog| catalog.prompt(&get.name).is_some())?;
                let output = connection.get(&cx, &get, self.call_time);
                output.await.map(EngineReply::Prompt)
            }
            EngineRequest::Complete(complete) => {
                let connection = board.route_offer(|_| true)?;
                let output = connection.complete(&cx, &complete, self.call_time);
                output.await.map(EngineReply::Completion)
            }
            _ => Err(EngineError::new(
                ErrorKind::Unsupported,
                "this namespace does not know such requests",
            )),
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.crew.shutdown(grace).await;
    }
}
