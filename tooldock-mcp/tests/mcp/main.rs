//! Behaviour of the server.
