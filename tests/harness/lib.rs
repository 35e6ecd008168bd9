//! Starts the release binary for the tests of the whole.
