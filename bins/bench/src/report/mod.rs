//! What came out: as JSON for later comparisons, and as a table.

mod bars; // what must hold
mod table; // for the terminal

use std::{collections::BTreeMap, fs, io, path::Path};

use serde::{Deserialize, Serialize};

pub(crate) use self::bars::Bar;
use crate::{measure::Sample, median::median, run::Samples};

/// The result of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// What was seen of each row.
    pub(crate) rows: BTreeMap<String, Line>,
    /// Memory of programs after the run, in MiB.
    pub(crate) memory_mib: BTreeMap<String, f64>,
    /// From the start of a program with a Rust engine to its first answer, in milliseconds.
    pub(crate) start_ms: f64,
    /// What must hold, and whether it does.
    pub(crate) bars: Vec<Bar>,
}

/// One row: the middle of all rounds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Answered calls a second.
    pub(crate) calls_per_second: f64,
    /// Half of the calls took no longer, in milliseconds.
    pub(crate) p50_ms: f64,
    /// 99 of 100.
    pub(crate) p99_ms: f64,
    /// 999 of 1,000.
    pub(crate) p999_ms: f64,
    /// Processor seconds for 10,000 calls, of each process.
    pub(crate) cpu_per_10k: BTreeMap<String, f64>,
    /// The same of all processes together.
    pub(crate) cpu_per_10k_all: f64,
}

impl Report {
    /// Puts together what was seen.
    pub(crate) fn new(samples: &Samples, memory: &[(&str, f64)], start_ms: f64) -> Self {
        let line = |(name, samples): (&&'static str, &Vec<Sample>)| ((*name).to_owned(), Line::of(samples));
        Self {
            rows: samples.iter().map(line).collect(),
            memory_mib: memory
                .iter()
                .map(|(name, mib)| ((*name).to_owned(), *mib))
                .collect(),
            start_ms,
            bars: bars::judge(samples, memory, start_ms),
        }
    }

    /// Reads an earlier result.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    }

    /// Writes `latest.json`.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join("latest.json"), serde_json::to_vec_pretty(self)?)
    }

    /// The table, beside an earlier result where there is one.
    pub(crate) fn table(&self, earlier: Option<&Self>) -> String {
        table::draw(self, earlier)
    }

    /// The bars that do not hold.
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Bar> {
        self.bars.iter().filter(|bar| !bar.holds)
    }
}

impl Line {
    fn of(samples: &[Sample]) -> Self {
        let middle = |of: &dyn Fn(&Sample) -> f64| median(samples.iter().map(of));
        let processes = samples.first().map(|sample| sample.cpu.iter());
        let cpu = processes.into_iter().flatten().enumerate();
        let of_process = |index: usize| {
            let seconds = samples.iter().filter_map(|sample| sample.cpu.get(index));
            median(seconds.map(|(_, seconds)| *seconds))
        };
        Self {
            calls_per_second: middle(&|sample| sample.rate),
            p50_ms: middle(&|sample| sample.latencies.per_mille(500)),
            p99_ms: middle(&|sample| sample.latencies.per_mille(990)),
            p999_ms: middle(&|sample| sample.latencies.per_mille(999)),
            cpu_per_10k: cpu
                .map(|(index, (name, _))| (name.clone(), of_process(index)))
                .collect(),
            cpu_per_10k_all: middle(&Sample::cpu_of_all),
        }
    }
}
