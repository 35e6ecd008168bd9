//! The trace a call belongs to.

use std::sync::Arc;

use http::HeaderMap;

/// W3C trace context as it arrived, to be handed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceContext {
    /// `traceparent`.
    pub parent: Option<Arc<str>>,
    /// `tracestate`.
    pub state: Option<Arc<str>>,
}

impl TraceContext {
    /// The trace that the headers of a request name. A parent that is repeated or no visible ASCII is none, and without a parent there is
    /// no state; a state in several headers is one list.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue};
    /// use tooldock_engine::context::TraceContext;
    /// let mut headers = HeaderMap::new();
    /// headers.append("tracestate", HeaderValue::from_static("a=1"));
    /// headers.append("tracestate", HeaderValue::from_static("b=2"));
    /// assert_eq!(TraceContext::read(&headers), TraceContext::default());
    /// headers.append("traceparent", HeaderValue::from_static("00-1-2-01"));
    /// let trace = TraceContext::read(&headers);
    /// assert_eq!((trace.parent.as_deref(), trace.state.as_deref()), (Some("00-1-2-01"), Some("a=1,b=2")));
    /// ```
    #[must_use]
    pub fn read(headers: &HeaderMap) -> Self {
        let texts = |name| {
            let values = headers.get_all(name).iter();
            values
                .map(|value| value.to_str().map(str::trim).ok())
                .collect::<Option<Vec<_>>>()
        };
        let parents = texts("traceparent").unwrap_or_default();
        let [parent] = *parents else {
            return Self::default();
        };
        Self {
            parent: Some(parent.into()),
            state: texts("tracestate")
                .filter(|states| !states.is_empty())
                .map(|states| states.join(",").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_trace_is_read_from_one_parent_and_any_states() {
        type Row<'a> = (&'a [&'a str], &'a [&'a str], Option<&'a str>, Option<&'a str>);
        let rows: [Row<'_>; 6] = [
            (&[], &["a=1"], None, None),
            (&["p"], &[], Some("p"), None),
            (&[" p "], &["a=1"], Some("p"), Some("a=1")),
            (&["p"], &["a=1", "b=2"], Some("p"), Some("a=1,b=2")),
            (&["p", "p"], &["a=1"], None, None),
            (&["p"], &["\u{e9}"], Some("p"), None),
        ];
        for (parents, states, parent, state) in rows {
            let mut headers = HeaderMap::new();
            for (name, values) in [("traceparent", parents), ("tracestate", states)] {
                for value in values {
                    headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
                }
            }
            let trace = TraceContext::read(&headers);
            assert_eq!(
                (trace.parent.as_deref(), trace.state.as_deref()),
                (parent, state),
                "{headers:?}"
            );
        }
    }
}
