//! Names of the protocol's own members of `_meta`.

/// `_meta`: the revision of a modern message.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// `_meta`: what the client of a modern request can do.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// `_meta`: who sends a modern request.
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// `_meta`: from which level on a modern request wants log notes.
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// `_meta`: the subscription that a message of the server belongs to.
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// `_meta`: who answers a modern request.
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
