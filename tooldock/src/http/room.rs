//! The memory that all request bodies share.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tooldock_engine::{EngineError, ErrorKind};

/// The memory that all request bodies share (setting `MAX_BODIES_BYTES`).
#[derive(Debug, Clone)]
pub(super) struct Room(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: usize,
    taken: AtomicUsize,
}

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        let taken = AtomicUsize::new(0);
        Self(Arc::new(Shared { bytes, taken }))
    }

    /// A part for one body, which has nothing yet.
    pub(super) fn part(&self) -> Part {
        Part {
            room: self.clone(),
            bytes: AtomicUsize::new(0),
        }
    }
}

/// What one body takes of the room; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Part {
    room: Room,
    bytes: AtomicUsize,
}

impl Part {
    /// Takes more.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn grow(&self, bytes: usize) -> Result<(), EngineError> {
        let Shared { bytes: limit, taken } = &*self.room.0;
        // What is counted is counted back by the drop of the part, whether it fitted or not.
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= *limit {
            return Ok(());
        }
        let text = format!(
            "all bodies that arrive at once have more than {limit} bytes (MAX_BODIES_BYTES); try again in a moment"
        );
        Err(EngineError::new(ErrorKind::Overloaded, text))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.room
            .0
            .taken
            .fetch_sub(*self.bytes.get_mut(), Ordering::Relaxed);
    }
}
