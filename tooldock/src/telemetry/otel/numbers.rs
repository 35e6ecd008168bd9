//! Metrics as OTLP has them (`ExportMetricsServiceRequest`).

use std::time::SystemTime;

use serde_json::{Value, json};

use super::spans::{attribute, nanoseconds};
use crate::telemetry::{
    CALL_SECONDS, CALLS, CallMetrics,
    histogram::{ENDS, Histogram},
};

/// `AGGREGATION_TEMPORALITY_CUMULATIVE` of OTLP.
const CUMULATIVE: u8 = 2;

/// The body that tells what was counted since `began`.
pub(super) fn body(resource: &Value, calls: &CallMetrics, began: SystemTime) -> Value {
    let (mut counts, mut times) = (Vec::new(), Vec::new());
    let (start, now) = (nanoseconds(began), nanoseconds(SystemTime::now()));
    let point = |attributes: Vec<Value>| json!({"attributes": attributes, "startTimeUnixNano": start, "timeUnixNano": now});
    calls.each(|labels, ended, took| {
        let own: Vec<_> = CALL_SECONDS
            .labels
            .iter()
            .zip(labels)
            .map(|(key, text)| attribute(key, text))
            .collect();
        for (outcome, count) in ended {
            let mut attributes = own.clone();
            attributes.push(attribute("outcome", outcome.label()));
            let mut counted = point(attributes);
            counted["asInt"] = json!(count.to_string());
            counts.push(counted);
        }
        let mut timed = point(own);
        fill(&mut timed, took);
        times.push(timed);
    });
    json!({"resourceMetrics": [{
        "resource": resource,
        "scopeMetrics": [{"scope": {"name": "tooldock"}, "metrics": [
            {
                "name": CALLS.name, "description": CALLS.help, "unit": "1",
                "sum": {"aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": counts},
            },
            {
                "name": CALL_SECONDS.name, "description": CALL_SECONDS.help, "unit": "s",
                "histogram": {"aggregationTemporality": CUMULATIVE, "dataPoints": times},
            },
        ]}],
    }]})
}

/// Adds a histogram to its point. OTLP counts each bucket alone.
fn fill(point: &mut Value, histogram: &Histogram) {
    let (upto, sum) = histogram.read();
    let mut before = 0;
    let alone = upto.map(|count| {
        let own = count - before;
        before = count;
        own.to_string()
    });
    point["count"] = json!(upto[ENDS.len()].to_string());
    point["sum"] = json!(sum);
    point["bucketCounts"] = json!(alone);
    point["explicitBounds"] = json!(ENDS);
}
