//! tooldock-worker.
