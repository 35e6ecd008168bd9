//! What the crate tells the operator's log, kept for a test to look at.

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex},
};

use serde_json::json;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::shop::{call, serve, text};

/// Everything that was logged on this thread, a line per event. Clones are the same log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// Whether one event says all of this.
    pub(crate) fn has(&self, parts: &[&str]) -> bool {
        let lines = self.0.lock().unwrap();
        lines
            .iter()
            .any(|line| parts.iter().all(|part| line.contains(part)))
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tooldock_worker")
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[tokio::test]
async fn what_cannot_be_loaded_is_logged_with_its_place_and_its_traceback() {
    let log = Log::default();
    let _logs = tracing::subscriber::set_default(log.clone());
    let (tools, engine) = serve(
        "from tooldock import tool\n@tool\ndef hi() -> str:\n    return 'hi'\n\n@tool\ndef bad(*all): pass\n",
    )
    .await;
    assert!(
        log.has(&[
            "WARN",
            "namespace=demo",
            "file=\"tools.py\"",
            "line=6",
            "tool=\"bad\"",
            "`*all`"
        ]),
        "{log:?}"
    );
    assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");
    tools.write("demo/more.py", "import nowhere_to_be_found\n");
    let folder = tools.only();
    let host = crate::shop::host();
    let options = tooldock_worker::NamespaceOptions::default();
    let again = host.start(&folder, &options, Default::default(), &crate::shop::Quiet);
    let _again = again.await.unwrap();
    let named = "No module named 'nowhere_to_be_found'; add the package";
    assert!(log.has(&["WARN", "file=\"more.py\"", "line=1", named]), "{log:?}");
    assert!(log.has(&["DEBUG", "Traceback"]), "{log:?}");
    assert!(log.has(&["DEBUG", "more.py", ", line 1, in"]), "{log:?}");
    assert!(!log.has(&["WARN", "Traceback"]), "{log:?}");
}
