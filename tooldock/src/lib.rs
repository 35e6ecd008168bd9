//! tooldock.
