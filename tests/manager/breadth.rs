//! A large repository costs a bounded time and a bounded amount of memory.

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use tooldock::manager::analysis::{Bounds, Files, analyze};

/// Files that are made when they are read, so that only the analysis is measured.
struct Generated(Vec<String>);

impl Files for Generated {
    fn paths(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        let mut text = String::from("import { z } from \"zod\";\n");
        if path.contains("tools/") {
            let name = path.rsplit(['/', '.']).nth(1)?;
            writeln!(text, "server.registerTool(\"{name}\", {{ description: \"D\", inputSchema: {{ q: z.string() }} }}, async () => ({{}}));").unwrap();
        }
        for line in 0..60 {
            writeln!(
                text,
                "export function f{line}(a: number) {{ return {{ value: a + {line}, list: [a, {line}] }}; }}"
            )
            .unwrap();
        }
        Some(text)
    }
}

/// The most memory that this process has had, in MiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn twenty_thousand_files_cost_at_most_20_s_and_300_mib() {
    let path = |number: usize| {
        if number.is_multiple_of(100) {
            format!("src/tools/t{number}.ts")
        } else {
            format!("src/m{}/f{number}.ts", number % 100)
        }
    };
    let files = Generated((0..20_000).map(path).collect());
    let (before, begin) = (peak(), Instant::now());
    let analysis = analyze(&files, Bounds::default());
    let (took, cost) = (begin.elapsed(), peak() - before);
    assert!(
        took < Duration::from_secs(20) && cost < 300,
        "{took:?}, {cost} MiB"
    );
    assert_eq!(
        analysis.tools_found.len(),
        200,
        "what speaks of tools was read first"
    );
    assert!(
        analysis.notes.iter().any(|note| note.contains("were not parsed")),
        "{:?}",
        analysis.notes
    );
}
