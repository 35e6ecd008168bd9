//! Requests for a reload, until they are answered.

use tooldock_engine::NamespaceName;

use super::{
    super::{ReloadReport, ToolDiff},
    Request,
};

/// Requests that are answered when their last namespace is settled.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) requests: Vec<Request>,
    pub(super) report: ReloadReport,
    pub(super) open: Vec<NamespaceName>,
}

impl Waiting {
    pub(super) fn settle(&mut self, namespace: &NamespaceName, result: &Result<ToolDiff, String>) {
        if !self.open.contains(namespace) {
            return;
        }
        self.open.retain(|name| name != namespace);
        self.report.ok &= result.is_ok();
        for outcome in self
            .report
            .namespaces
            .iter_mut()
            .filter(|outcome| outcome.step.namespace == *namespace)
        {
            outcome.error = result.as_ref().err().cloned();
            outcome.tools = result.as_ref().ok().cloned();
        }
    }

    pub(super) fn answer(self) {
        for request in self.requests {
            // Who asked may have gone.
            request.report.send(self.report.clone()).ok();
        }
    }
}
