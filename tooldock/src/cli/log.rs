//! Log lines of the programs, on standard error.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::EnvFilter;

use super::Failure;
use crate::config::{LogSettings, Mistakes};

/// Starts writing log lines.
pub(super) fn init(settings: &LogSettings) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&settings.filter).map_err(|error| {
        let mut mistakes = Mistakes::default();
        mistakes.push(format!(
            "LOG_LEVEL is `{}`: {error}",
            settings.filter.escape_debug()
        ));
        Failure::Settings(mistakes)
    })?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal());
    let started = if settings.json {
        lines.json().try_init()
    } else {
        lines.try_init()
    };
    started.map_err(|error| Failure::Run(format!("log lines cannot be written: {error}")))
}

/// Tells of settings that are taken all the same, and should be different.
pub(super) fn warn(warnings: &[String]) {
    for warning in warnings {
        tracing::warn!("{warning}");
    }
}
