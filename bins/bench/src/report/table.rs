//! The result for the terminal.

use std::fmt::Write as _;

use super::{Line, Report};
use crate::rows::{COMPARED, SINGLE};

/// Everything as aligned lines.
pub(super) fn draw(report: &Report, earlier: Option<&Report>) -> String {
    let mut text = format!(
        "\n{:<37} {:>8} {:>8} {:>8} {:>8} {:>9}  per process\n",
        "row", "calls/s", "p50 ms", "p99 ms", "p99.9 ms", "CPU s/10k"
    );
    for row in COMPARED.iter().chain(SINGLE) {
        let Some(line) = report.rows.get(row.name) else {
            continue;
        };
        let before = earlier.and_then(|earlier| earlier.rows.get(row.name));
        writeln!(text, "{:<37} {}{}", row.name, numbers(line), change(line, before)).expect(FITS);
    }
    let memory = |(name, mib): (&String, &f64)| format!("{name} {mib:.1}");
    let memory: Vec<_> = report.memory_mib.iter().map(memory).collect();
    writeln!(text, "\nmemory after the run, MiB: {}", memory.join(", ")).expect(FITS);
    writeln!(
        text,
        "start to the first answer of a Rust engine: {:.1} ms\n",
        report.start_ms
    )
    .expect(FITS);
    for bar in &report.bars {
        let verdict = if bar.holds { "holds" } else { "BROKEN" };
        writeln!(
            text,
            "{verdict:<7} {:<68} {:>9.2}  {}",
            bar.name, bar.measured, bar.limit
        )
        .expect(FITS);
    }
    text
}

const FITS: &str = "a String takes every text";

fn numbers(line: &Line) -> String {
    let several = line.cpu_per_10k.len() > 1;
    let processes = line.cpu_per_10k.iter().filter(|_| several);
    let processes: Vec<_> = processes
        .map(|(name, seconds)| format!("{name} {seconds:.3}"))
        .collect();
    format!(
        "{:>8.0} {:>8.3} {:>8.3} {:>8.3} {:>9.3}  {}",
        line.calls_per_second,
        line.p50_ms,
        line.p99_ms,
        line.p999_ms,
        line.cpu_per_10k_all,
        processes.join(", ")
    )
}

/// How rate and processor time differ from an earlier run.
fn change(line: &Line, before: Option<&Line>) -> String {
    let Some(before) = before else {
        return String::new();
    };
    let percent = |now: f64, then: f64| (now / then - 1.0) * 100.0;
    format!(
        "  (calls/s {:+.0} %, CPU {:+.0} %)",
        percent(line.calls_per_second, before.calls_per_second),
        percent(line.cpu_per_10k_all, before.cpu_per_10k_all)
    )
}
