//! `secrets rekey`: changes the key.

use tooldock_secrets::Store;

use super::super::{Failure, say};

pub(super) fn run(store: &Store) -> Result<(), Failure> {
    store.rekey()?;
    say(format_args!(
        "Everything is sealed with SECRETS_KEY. Restart what still runs with the old key, then forget SECRETS_KEY_PREVIOUS."
    ));
    Ok(())
}
