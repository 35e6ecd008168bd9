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

/// What a `traceparent` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceIds<'a> {
    /// The trace: 32 hexadecimal digits.
    pub trace: &'a str,
    /// The span that caused this one: 16 hexadecimal digits.
    pub span: &'a str,
    /// Whether whoever began the trace records it.
    pub sampled: bool,
}

impl TraceContext {
    /// What the parent says, if it is of the form that W3C Trace Context gives it: `00-<trace>-<span>-<flags>` in lower-case digits,
    /// no id of zeros. Later versions may say more behind it.
    ///
    /// ```
    /// use tooldock_engine::context::TraceContext;
    /// let mut trace = TraceContext::default();
    /// trace.parent = Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into());
    /// let ids = trace.ids().expect("it is well formed");
    /// assert_eq!((ids.span, ids.sampled), ("b7ad6b7169203331", true));
    /// ```
    #[must_use]
    pub fn ids(&self) -> Option<TraceIds<'_>> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_hex = |text: &str, length: usize| text.len() == length && text.bytes().all(digit);
        let is_id = |text: &str, length| is_hex(text, length) && text.bytes().any(|byte| byte != b'0');
        let mut parts = self.parent.as_deref()?.split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let known = is_hex(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
        if !known || !is_id(trace, 32) || !is_id(span, 16) || !is_hex(flags, 2) {
            return None;
        }
        let flags = u8::from_str_radix(flags, 16).ok()?;
        Some(TraceIds {
            trace,
            span,
            sampled: flags & 1 == 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn ids_are_read_from_well_formed_parents_only() {
        const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
        const SPAN: &str = "b7ad6b7169203331";
        let read = |parent: String| {
            let parent = Some(parent.into());
            let trace = TraceContext { parent, state: None };
            trace.ids().map(|ids| ids.sampled)
        };
        assert_eq!(read(format!("00-{TRACE}-{SPAN}-01")), Some(true));
        assert_eq!(read(format!("00-{TRACE}-{SPAN}-02")), Some(false));
        assert_eq!(read(format!("cc-{TRACE}-{SPAN}-01-more")), Some(true));
        for wrong in [
            String::new(),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}é-{SPAN}-01"),
        ] {
            assert_eq!(read(wrong.clone()), None, "{wrong}");
        }
    }

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
