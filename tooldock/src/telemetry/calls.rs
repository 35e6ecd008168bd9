//! What happens with calls, counted as it happens.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use tooldock_engine::ErrorKind;

use super::{
    CALL_SECONDS, CALLS, CALLS_RUNNING, Page, QUEUE_SECONDS,
    histogram::{Histogram, microseconds, seconds},
};
use crate::layers::{CallLabels, Meter, Outcome};

/// Tools that are told apart. Those that come later are counted together, as if nobody listed them.
const MOST: usize = 10_000;

/// Counts calls: what a [`MetricsLayer`](crate::layers::MetricsLayer) is given. Clones are the same numbers.
#[derive(Debug, Clone, Default)]
pub struct CallMetrics(Arc<RwLock<AllSeries>>);

/// The numbers by their labels, which no caller makes up.
type AllSeries = HashMap<CallLabels, Arc<Series>, foldhash::fast::RandomState>;

/// The numbers under one set of labels.
#[derive(Debug, Default)]
struct Series {
    running: AtomicI64,
    ended: [AtomicU64; OUTCOMES],
    took: Histogram,
    queued: AtomicU64,
}

/// The outcomes that have a name: every error, and the two that are none.
const OUTCOMES: usize = ErrorKind::ALL.len() + 2;

/// The place of an outcome among the numbers; outcomes of one name have one place.
fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Answered => ErrorKind::ALL.len(),
        Outcome::Abandoned => ErrorKind::ALL.len() + 1,
        Outcome::Failed => ErrorKind::ToolFailed as usize,
        Outcome::InputRequired => ErrorKind::InputRequired as usize,
        Outcome::Refused(kind) => kind as usize,
    }
}

/// The outcomes in the order of their places.
fn outcomes() -> impl Iterator<Item = Outcome> {
    let errors = ErrorKind::ALL.iter().map(|kind| Outcome::Refused(*kind));
    errors.chain([Outcome::Answered, Outcome::Abandoned])
}

impl Series {
    /// The outcomes that came, and how often.
    fn ended(&self) -> Vec<(Outcome, u64)> {
        let counts = self.ended.iter().map(|count| count.load(Ordering::Relaxed));
        outcomes().zip(counts).filter(|(_, count)| *count > 0).collect()
    }
}

impl CallMetrics {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The numbers under `labels`.
    fn series(&self, labels: &CallLabels) -> Arc<Series> {
        if let Some(series) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(labels) {
            return series.clone();
        }
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut labels = labels.clone();
        if all.len() >= MOST {
            labels.tool = None;
        }
        all.entry(labels).or_default().clone()
    }

    /// Gives what is known under each set of labels: how often each outcome came, and how long it took.
    #[cfg(feature = "otel")]
    pub(super) fn each(&self, mut tell: impl FnMut([&str; 4], Vec<(Outcome, u64)>, &Histogram)) {
        for (labels, series) in &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            tell(texts(labels), series.ended(), &series.took);
        }
    }

    /// Adds what is known of calls.
    pub(crate) fn write(&self, page: &mut Page) {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = all
            .iter()
            .map(|(labels, series)| (texts(labels), series))
            .collect();
        all.sort_unstable_by_key(|(labels, _)| *labels);
        page.family(&CALLS, |samples| {
            for ([namespace, what, tool, door], series) in &all {
                for (outcome, count) in series.ended() {
                    samples.add(&[namespace, what, tool, door, outcome.label()], count as f64);
                }
            }
        });
        page.family(&CALLS_RUNNING, |samples| {
            for (labels, series) in &all {
                samples.add(labels, series.running.load(Ordering::Relaxed) as f64);
            }
        });
        page.family(&CALL_SECONDS, |samples| {
            for (labels, series) in &all {
                samples.add_histogram(labels, &series.took);
            }
        });
        page.family(&QUEUE_SECONDS, |samples| {
            for (labels, series) in &all {
                samples.add(labels, seconds(&series.queued));
            }
        });
    }
}

/// The labels in the order of the families.
fn texts(labels: &CallLabels) -> [&str; 4] {
    let tool = labels.tool.as_ref().map_or("", |tool| tool.as_str());
    [labels.namespace.as_str(), labels.what, tool, labels.door.label()]
}

impl Meter for CallMetrics {
    fn began(&self, labels: &CallLabels) {
        self.series(labels).running.fetch_add(1, Ordering::Relaxed);
    }

    fn ended(&self, labels: &CallLabels, outcome: Outcome, took: Duration, queued: Duration) {
        let series = self.series(labels);
        series.running.fetch_sub(1, Ordering::Relaxed);
        series.ended[place(outcome)].fetch_add(1, Ordering::Relaxed);
        series.took.add(took);
        series.queued.fetch_add(microseconds(queued), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tooldock_engine::Door;

    use super::*;

    fn labels(tool: Option<&str>) -> CallLabels {
        CallLabels {
            namespace: "demo".parse().unwrap(),
            what: "tool",
            tool: tool.map(|tool| tool.parse().unwrap()),
            door: Door::Rest,
        }
    }

    fn text(metrics: &CallMetrics) -> String {
        let mut page = Page::default();
        metrics.write(&mut page);
        page.finish()
    }

    #[test]
    fn every_outcome_has_a_place_under_its_own_name() {
        for (at, outcome) in outcomes().enumerate() {
            assert_eq!(place(outcome), at, "{outcome:?}");
        }
        for outcome in [Outcome::Failed, Outcome::InputRequired] {
            let twin = outcomes().nth(place(outcome)).unwrap();
            assert_eq!(twin.label(), outcome.label());
        }
    }

    #[test]
    fn calls_are_counted_while_they_run_and_when_they_end() {
        let metrics = CallMetrics::new();
        let add = labels(Some("add"));
        metrics.began(&add);
        metrics.began(&add);
        metrics.ended(
            &add,
            Outcome::Failed,
            Duration::from_millis(7),
            Duration::from_millis(5),
        );
        let text = text(&metrics);
        let of_add = r#"namespace="demo",what="tool",tool="add",door="rest""#;
        for line in [
            format!(r#"tooldock_calls_total{{{of_add},outcome="tool_error"}} 1"#),
            format!("tooldock_calls_running{{{of_add}}} 1"),
            format!("tooldock_call_duration_seconds_sum{{{of_add}}} 0.007"),
            format!("tooldock_queue_seconds_total{{{of_add}}} 0.005"),
        ] {
            assert!(text.contains(&line), "{line} is missing in\n{text}");
        }
        assert!(!text.contains("outcome=\"ok\""));
    }

    #[test]
    fn the_number_of_series_has_a_bound() {
        let metrics = CallMetrics::new();
        for number in 0..MOST + 100 {
            metrics.began(&labels(Some(&format!("t{number}"))));
        }
        assert_eq!(metrics.0.read().unwrap().len(), MOST + 1);
        assert!(
            text(&metrics)
                .contains(r#"tooldock_calls_running{namespace="demo",what="tool",tool="",door="rest"} 100"#)
        );
    }
}
