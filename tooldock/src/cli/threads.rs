//! The threads that serve requests.

use std::{env, io, num::NonZero, thread};

use tokio::runtime::{Builder, Runtime};

/// Says how many there are; tokio reads it itself.
const VARIABLE: &str = "TOKIO_WORKER_THREADS";

/// A runtime with as many threads as `TOKIO_WORKER_THREADS` says; else with half as many as there are processors, for the workers
/// that run the tools need as much, and threads that wake each other in their place only delay them.
pub(super) fn runtime() -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if env::var_os(VARIABLE).is_none() {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        builder.worker_threads(processors.div_ceil(2));
    }
    builder.enable_all().build()
}
