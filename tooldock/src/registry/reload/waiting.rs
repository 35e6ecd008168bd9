//! Requests for a reload, until they are answered.

use tooldock_engine::NamespaceName;

use super::{super::ReloadReport, Request};

/// Requests that are answered when their last namespace is settled.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) requests: Vec<Request>,
    pub(super) report: ReloadReport,
    pub(super) open: Vec<NamespaceName>,
}

impl Waiting {
    pub(super) fn settle(&mut self, namespace: &NamespaceName, error: Option<&str>) {
        if !self.open.contains(namespace) {
            return;
        }
        self.open.retain(|name| name != namespace);
        self.report.ok &= error.is_none();
        for outcome in self
            .report
            .namespaces
            .iter_mut()
            .filter(|outcome| outcome.step.namespace == *namespace)
        {
            outcome.error = error.map(str::to_owned);
        }
    }

    pub(super) fn answer(self) {
        for request in self.requests {
            // Who asked may have gone.
            request.send(self.report.clone()).ok();
        }
    }
}
