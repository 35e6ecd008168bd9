//! How many connections fit into the descriptors that the process may have.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// As many of `wanted` connections as leave a fifth of the descriptors to everything else. Raises the soft limit to the hard one.
pub(super) fn connections(wanted: usize) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    let current = if setrlimit(Resource::Nofile, raised).is_ok() {
        maximum
    } else {
        current
    };
    // Without a limit there is nothing to fit into.
    let Some(descriptors) = current else { return wanted };
    let fitting = usize::try_from(descriptors / 5 * 4).unwrap_or(usize::MAX).max(1);
    if fitting < wanted {
        tracing::warn!(
            wanted,
            fitting,
            "MAX_CONNECTIONS is more than the limit of open files allows"
        );
    }
    wanted.min(fitting)
}
