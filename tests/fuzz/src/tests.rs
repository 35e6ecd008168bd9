//! Every seed holds, and the table that `cargo xtask` reads says the truth.

use std::path::Path;

use super::*;

type Check = fn(&[u8], bool);

const CHECKS: [(&str, Check); 12] = [
    ("message", message::check),
    ("era", era::check),
    ("header", header::check),
    ("cursor", cursor::check),
    ("event_id", event_id::check),
    ("state", state::check),
    ("json", json::check),
    ("uri", uri::check),
    ("frame", frame::check),
    ("envelope", envelope::check),
    ("requirements", requirements::check),
    ("lock", lock::check),
];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_seed_holds_and_none_gives_the_planted_bug_away() {
    for (name, check) in CHECKS {
        let seeds = folder().join("seeds").join(name);
        for planted in [false, true] {
            let inputs = replay::replay(&seeds, check, planted).unwrap();
            assert!(inputs >= 3, "`{name}` has {inputs} seeds");
        }
    }
}

#[test]
fn the_table_names_every_target_and_files_that_are_there() {
    let table = include_str!("../targets.txt");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, CHECKS.map(|(name, _)| name));
    for row in rows {
        assert!(row.len() > 1, "`{}` has no parser", row[0]);
        for file in &row[1..] {
            assert!(folder().join("../..").join(file).is_file(), "{file}");
        }
    }
}
