//! What must hold in one run on two processors. Ratios are taken round by round, and their middle counts.

use serde::{Deserialize, Serialize};

use crate::{measure::Sample, median::median, run::Samples};

/// A bar and where the run is.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Bar {
    /// What is compared.
    pub(crate) name: String,
    /// What was measured.
    pub(crate) measured: f64,
    /// The least or the most it may be.
    pub(crate) limit: String,
    /// Whether it is kept.
    pub(crate) holds: bool,
}

/// Which number of a row.
#[derive(Debug, Clone, Copy)]
enum Number {
    Cpu,
    Rate,
}

/// How far a number may go.
#[derive(Debug, Clone, Copy)]
enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

use Limit::{AtLeast, AtMost};
use Number::{Cpu, Rate};

/// Number of the first row in relation to that of the second.
#[rustfmt::skip]
const RATIOS: &[(Number, &str, &str, Limit)] = &[
    (Cpu, "tooldock closure", "axum echo", AtMost(2.2)),
    (Cpu, "tooldock closure", "rmcp closure", AtMost(0.75)),
    (Cpu, "tooldock closure session", "rmcp closure session", AtMost(0.75)),
    (Cpu, "tooldock closure whole", "tooldock closure alone", AtMost(1.25)),
    (Rate, "tooldock python", "relay python", AtLeast(0.7)),
    (Rate, "tooldock python rest", "relay python", AtLeast(0.7)),
    (Cpu, "tooldock list 50", "axum list 50", AtMost(1.6)),
    (Cpu, "tooldock list 500", "axum list 500", AtMost(1.6)),
];

/// New sessions with one call each, a second.
const SESSIONS: (&str, Limit) = ("tooldock new session", AtLeast(5000.0));

/// Memory of the core after 256 clients, in MiB.
const MEMORY: (&str, Limit) = ("core", AtMost(30.0));

/// Milliseconds from the start of a program to the first answer of its Rust engine.
const START: Limit = AtMost(30.0);

impl Bar {
    fn new(name: String, measured: f64, limit: Limit) -> Self {
        let (limit, holds) = match limit {
            AtMost(most) => (format!("at most {most}"), measured <= most),
            AtLeast(least) => (format!("at least {least}"), measured >= least),
        };
        Self {
            name,
            measured,
            limit,
            holds,
        }
    }
}

/// Every bar whose rows were measured.
pub(super) fn judge(samples: &Samples, memory: &[(&str, f64)], start_ms: f64) -> Vec<Bar> {
    let ratio = |(number, row, other, limit): &(Number, &str, &str, Limit)| {
        let rounds = samples.get(row)?.iter().zip(samples.get(other)?);
        let ratios = rounds.map(|(row, other)| number.of(row) / number.of(other));
        let name = format!("{} of `{row}` to `{other}`", number.name());
        Some(Bar::new(name, median(ratios), *limit))
    };
    let mut bars: Vec<Bar> = RATIOS.iter().filter_map(ratio).collect();
    if let Some(sessions) = samples.get(SESSIONS.0) {
        let rate = median(sessions.iter().map(|sample| sample.rate));
        bars.push(Bar::new(
            "new sessions a second, each with a call".into(),
            rate,
            SESSIONS.1,
        ));
    }
    if let Some((_, mib)) = memory.iter().find(|(name, _)| *name == MEMORY.0) {
        bars.push(Bar::new(
            "MiB of the core after 256 clients".into(),
            *mib,
            MEMORY.1,
        ));
    }
    bars.push(Bar::new(
        "ms to the first answer of a Rust engine".into(),
        start_ms,
        START,
    ));
    bars
}

impl Number {
    fn of(self, sample: &Sample) -> f64 {
        match self {
            Cpu => sample.cpu_of_all(),
            Rate => sample.rate,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Cpu => "CPU per call",
            Rate => "calls/s",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Latencies;

    fn sample(rate: f64, cpu: f64) -> Sample {
        Sample {
            rate,
            latencies: Latencies::new(Vec::new()),
            cpu: vec![("a".into(), cpu / 2.0), ("b".into(), cpu / 2.0)],
        }
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let mut samples = Samples::new();
        samples.insert(
            "axum echo",
            vec![sample(1.0, 1.0), sample(1.0, 2.0), sample(1.0, 1.0)],
        );
        samples.insert(
            "tooldock closure",
            vec![sample(1.0, 2.0), sample(1.0, 4.0), sample(1.0, 9.0)],
        );
        samples.insert("relay python", vec![sample(100.0, 1.0)]);
        samples.insert("tooldock python", vec![sample(69.0, 1.0)]);
        let bars = judge(&samples, &[("core", 31.0)], 12.0);
        let found: Vec<_> = bars.iter().map(|bar| (bar.measured, bar.holds)).collect();
        assert_eq!(found, [(2.0, true), (0.69, false), (31.0, false), (12.0, true)]);
        assert_eq!(bars[0].name, "CPU per call of `tooldock closure` to `axum echo`");
    }
}
