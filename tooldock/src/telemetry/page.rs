//! The text format of Prometheus.

use std::fmt::Write as _;

use super::{
    Family, FamilyKind,
    histogram::{ENDS, Histogram},
};

/// A page of metrics.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    /// What the page is in the terms of HTTP.
    pub(crate) const CONTENT_TYPE: &'static str = "text/plain; version=0.0.4; charset=utf-8";

    /// Adds a family; `write` adds its numbers.
    pub(crate) fn family(&mut self, family: &Family, write: impl FnOnce(&mut Samples<'_>)) {
        let (name, kind) = (family.name, family.kind.label());
        // Backticks are for the page of documentation.
        let help = family.help.replace('`', "'");
        self.add(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
        write(&mut Samples { page: self, family });
    }

    /// Adds a family with one number and no labels.
    pub(crate) fn single(&mut self, family: &Family, value: f64) {
        self.family(family, |samples| samples.add(&[], value));
    }

    /// The whole text.
    pub(crate) fn finish(self) -> String {
        self.0
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("a String takes every text");
    }
}

/// The numbers of one family.
pub(crate) struct Samples<'a> {
    page: &'a mut Page,
    family: &'a Family,
}

impl Samples<'_> {
    /// Adds a number; `labels` are in the order of the family.
    pub(crate) fn add(&mut self, labels: &[&str], value: f64) {
        self.line("", labels, None, value);
    }

    /// Adds everything that a histogram consists of.
    pub(super) fn add_histogram(&mut self, labels: &[&str], histogram: &Histogram) {
        debug_assert_eq!(self.family.kind, FamilyKind::Histogram);
        let (counts, sum) = histogram.read();
        let ends = ENDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (end, count) in ends.zip(counts) {
            self.line("_bucket", labels, Some(&end), count as f64);
        }
        self.line("_sum", labels, None, sum);
        self.line("_count", labels, None, counts[ENDS.len()] as f64);
    }

    fn line(&mut self, suffix: &str, labels: &[&str], end: Option<&str>, value: f64) {
        debug_assert_eq!(labels.len(), self.family.labels.len(), "{}", self.family.name);
        self.page.add(format_args!("{}{suffix}", self.family.name));
        let labels = self.family.labels.iter().copied().zip(labels.iter().copied());
        let mut opening = '{';
        for (name, text) in labels.chain(end.map(|end| ("le", end))) {
            self.page.add(format_args!("{opening}{name}=\""));
            escape(&mut self.page.0, text);
            self.page.0.push('"');
            opening = ',';
        }
        if opening == ',' {
            self.page.0.push('}');
        }
        self.page.add(format_args!(" {value}\n"));
    }
}

/// Adds `text` so that it can stand between quotes.
fn escape(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::telemetry::{CALL_SECONDS, NAMESPACE_STATE, READY};

    #[test]
    fn s103_no_text_ends_a_line_of_the_page() {
        let mut page = Page::default();
        page.family(&NAMESPACE_STATE, |samples| samples.add(&["a\"b", "c\\d\ne"], 1.5));
        page.single(&READY, 0.0);
        let text = page.finish();
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                r#"tooldock_namespace_state{namespace="a\"b",state="c\\d\ne"} 1.5"#,
                "tooldock_ready 0",
            ]
        );
    }

    #[test]
    fn a_histogram_has_its_buckets_its_sum_and_its_count() {
        let mut page = Page::default();
        let histogram = Histogram::default();
        histogram.add(Duration::from_millis(40));
        page.family(&CALL_SECONDS, |samples| {
            samples.add_histogram(&["demo", "tool", "add", "mcp"], &histogram);
        });
        let text = page.finish();
        let labels = r#"namespace="demo",what="tool",tool="add",door="mcp""#;
        let line = |name: &str, more: &str, value: &str| {
            format!("tooldock_call_duration_seconds_{name}{{{labels}{more}}} {value}\n")
        };
        for expected in [
            line("bucket", ",le=\"0.025\"", "0"),
            line("bucket", ",le=\"0.05\"", "1"),
            line("bucket", ",le=\"+Inf\"", "1"),
            line("sum", "", "0.04"),
            line("count", "", "1"),
        ] {
            assert!(text.contains(&expected), "{expected} is missing in {text}");
        }
    }
}
