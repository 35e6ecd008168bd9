//! The threads that serve requests.

use std::{collections::BTreeMap, io, num::NonZero, thread};

use tokio::runtime::{Builder, Runtime};

use crate::config::{MAX_THREADS, ProcessEnvironment, Sources};

/// A runtime with so many threads; for 0 with half as many as there are processors, for the workers that run the tools need as much, and
/// threads that wake each other in their place only delay them.
pub(super) fn runtime(threads: usize) -> io::Result<Runtime> {
    let threads = match threads {
        0 => thread::available_parallelism()
            .map_or(1, NonZero::get)
            .div_ceil(2),
        number => number,
    };
    Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
}

/// How many there should be, before all settings are read. A wrong number is none here: it is reported with all other mistakes.
pub(super) fn wanted(flags: &BTreeMap<String, String>) -> usize {
    let find = || {
        let (sources, _) = Sources::load(flags.clone(), &ProcessEnvironment).ok()?;
        let (number, _) = sources.find("SERVER_THREADS").ok()??;
        number.parse().ok().filter(|number| *number <= MAX_THREADS)
    };
    find().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_the_file_say_how_many_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let place = ("DATA_DIR".to_owned(), folder.path().display().to_string());
        let mut flags = BTreeMap::from([place]);
        assert_eq!(wanted(&flags), 0);
        std::fs::write(
            folder.path().join("config.yaml"),
            "settings: { SERVER_THREADS: 3 }\n",
        )
        .unwrap();
        assert_eq!(wanted(&flags), 3);
        for (number, threads) in [("2", 2), ("many", 0), ("1025", 0)] {
            flags.insert("SERVER_THREADS".to_owned(), number.to_owned());
            assert_eq!(wanted(&flags), threads);
        }
        assert_eq!(runtime(3).unwrap().metrics().num_workers(), 3);
        assert!(runtime(0).unwrap().metrics().num_workers() > 0);
    }
}
