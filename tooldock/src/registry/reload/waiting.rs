//! Requests for a reload, until they are answered.

use tooldock_engine::NamespaceName;

use super::{
    super::{CatalogDiff, ReloadReport},
    Request,
};

/// Requests that are answered when their last namespace is settled.
#[derive(Debug)]
pub(super) struct Waiting {
    requests: Vec<Request>,
    report: ReloadReport,
    open: Vec<NamespaceName>,
}

impl Waiting {
    /// Requests that are answered with `report` when the namespaces in `open` are settled.
    pub(super) fn new(requests: Vec<Request>, report: ReloadReport, open: Vec<NamespaceName>) -> Self {
        Self {
            requests,
            report,
            open,
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether it is a reload whose source could be looked at.
    pub(super) fn is_reload(&self) -> bool {
        !self.report.dry_run && self.report.error.is_none()
    }

    /// Whether everything could be loaded; nothing for a mere plan, and where nobody has asked.
    pub(super) fn verdict(&self) -> Option<bool> {
        (!self.report.dry_run && !self.requests.is_empty()).then_some(self.report.ok)
    }

    /// Waits no longer for namespaces whose start is over without having been settled.
    pub(super) fn give_up(&mut self, is_over: impl Fn(&NamespaceName) -> bool) {
        let over: Vec<_> = self.open.iter().filter(|name| is_over(name)).cloned().collect();
        for name in over {
            self.settle(&name, &Err("a later reload stopped this start".to_owned()));
        }
    }

    pub(super) fn settle(&mut self, namespace: &NamespaceName, result: &Result<CatalogDiff, String>) {
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
            outcome.lists = result.as_ref().ok().cloned();
        }
    }

    pub(super) fn answer(self) {
        for request in self.requests {
            // Who asked may have gone.
            request.report.send(self.report.clone()).ok();
        }
    }
}
