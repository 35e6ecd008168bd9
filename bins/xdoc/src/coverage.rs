//! How much of the public API is documented, and how much of what wants an example has one.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::rustdoc::{self, Form};

/// How many of a hundred items that want an example have one, over all crates.
const EXAMPLES: u64 = 40;

/// What rustdoc counts, by file.
type Counted = BTreeMap<String, Count>;

#[derive(Debug, Default, Clone, Copy, Deserialize)]
struct Count {
    total: u64,
    with_docs: u64,
    total_examples: u64,
    with_examples: u64,
}

impl Count {
    fn add(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            with_docs: self.with_docs + other.with_docs,
            total_examples: self.total_examples + other.total_examples,
            with_examples: self.with_examples + other.with_examples,
        }
    }
}

/// Counts all `packages`, prints a table and says what lacks.
pub(crate) fn check(packages: &[&str]) -> Result<(), String> {
    let mut sum = Count::default();
    let mut lacking = Vec::new();
    println!("{:<18} {:>11} {:>15}", "crate", "documented", "with example");
    for package in packages {
        let counted = count(package)?;
        let own = counted.values().copied().fold(Count::default(), Count::add);
        println!("{}", row(package, own));
        sum = sum.add(own);
        let bare = counted.iter().filter(|(_, count)| count.with_docs < count.total);
        lacking.extend(bare.map(|(file, count)| {
            format!(
                "{file}: {} public items without a word",
                count.total - count.with_docs
            )
        }));
    }
    println!("{}", row("together", sum));
    if sum.with_examples * 100 < sum.total_examples * EXAMPLES {
        lacking.push(format!(
            "{} of {} items that want an example have one; {EXAMPLES} of 100 are asked for",
            sum.with_examples, sum.total_examples
        ));
    }
    if lacking.is_empty() {
        Ok(())
    } else {
        Err(lacking.join("\n"))
    }
}

fn count(package: &str) -> Result<Counted, String> {
    let text = rustdoc::document(package, Form::Coverage)?;
    let line = text.lines().find(|line| line.starts_with('{'));
    let line = line.ok_or_else(|| format!("rustdoc counted nothing in `{package}`"))?;
    serde_json::from_str(line).map_err(|error| format!("what rustdoc counted in `{package}`: {error}"))
}

fn row(name: &str, count: Count) -> String {
    let of = |part: u64, whole: u64| format!("{part}/{whole}");
    let (docs, examples) = (
        of(count.with_docs, count.total),
        of(count.with_examples, count.total_examples),
    );
    format!("{name:<18} {docs:>11} {examples:>15}")
}
