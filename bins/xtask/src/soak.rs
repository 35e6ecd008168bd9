//! The long run: mixed calls, kills and reloads for an hour or more, and nothing may grow.

use crate::rust;
use crate::step;
use crate::workshop::Workshop;

/// Minutes of a run that nobody gives a length.
const MINUTES: u32 = 60;

/// Builds, then runs for as long as the options say.
///
/// # Errors
///
/// What the options may be, and what the run finds.
pub(crate) fn run(shop: &Workshop, options: &[&str]) -> Result<(), String> {
    let minutes = minutes(options)?;
    step::run(shop, &[rust::BUILD])?;
    println!("soak: {minutes} minutes");
    let seconds = (u64::from(minutes) * 60).to_string();
    let program = rust::runner(shop, "--package tooldock-tests --test load --no-capture l7_")?;
    program.set("TOOLDOCK_SOAK_SECONDS", seconds).show()
}

fn minutes(options: &[&str]) -> Result<u32, String> {
    let usage = || "Usage: cargo xtask soak [--minutes N | --hours N]".to_owned();
    let [unit, number] = options else {
        return options.is_empty().then_some(MINUTES).ok_or_else(usage);
    };
    let minutes = match *unit {
        "--minutes" => 1,
        "--hours" => 60,
        _ => return Err(usage()),
    };
    let number = number
        .parse()
        .ok()
        .filter(|number| (1..=12 * 60).contains(number));
    number.map(|number: u32| number * minutes).ok_or_else(usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_lasts_an_hour_unless_somebody_says_otherwise() {
        assert_eq!(minutes(&[]), Ok(60));
        assert_eq!(minutes(&["--minutes", "5"]), Ok(5));
        assert_eq!(minutes(&["--hours", "8"]), Ok(480));
        for wrong in [
            &["--hours"][..],
            &["5"],
            &["--days", "1"],
            &["--hours", "0"],
            &["--minutes", "x"],
        ] {
            assert!(minutes(wrong).unwrap_err().starts_with("Usage:"), "{wrong:?}");
        }
    }
}
