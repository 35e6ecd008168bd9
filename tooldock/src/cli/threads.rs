//! The threads that serve requests.

use std::{io, num::NonZero, thread};

use tokio::runtime::{Builder, Runtime};

use crate::config::{Environment as _, ProcessEnvironment};

/// Says how many there are, as in every program on tokio. It is needed before there are settings.
const VARIABLE: &str = "TOKIO_WORKER_THREADS";
/// The most there may be.
const MOST: usize = 1024;

/// A runtime with as many threads as `TOKIO_WORKER_THREADS` says; else with half as many as there are processors, for the workers
/// that run the tools need as much, and threads that wake each other in their place only delay them.
pub(super) fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(wanted()?)
        .enable_all()
        .build()
}

fn wanted() -> io::Result<usize> {
    let wrong = |text: &str| {
        io::Error::other(format!(
            "{VARIABLE} is `{text}`; it must be a whole number from 1 to {MOST}"
        ))
    };
    match ProcessEnvironment.get(VARIABLE) {
        Ok(None) => Ok(thread::available_parallelism()
            .map_or(1, NonZero::get)
            .div_ceil(2)),
        Ok(Some(text)) => match text.parse() {
            Ok(number) if (1..=MOST).contains(&number) => Ok(number),
            _ => Err(wrong(&text)),
        },
        Err(text) => Err(wrong(&text.to_string_lossy())),
    }
}
