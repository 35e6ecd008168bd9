//! `tooldock-manager token`: a token for somebody, and its line in the list of tokens.

use clap::Args;
use zeroize::Zeroizing;

use super::{Failure, dev::random, say, tell};
use crate::{config::TokenName, http::digest};

#[derive(Debug, Args)]
pub(super) struct TokenArguments {
    /// Who will use it: 1 to 64 of `A-Z a-z 0-9 _ - . @`.
    name: TokenName,
}

/// Makes a token and shows it once, on standard error; what the list needs of it goes to standard output.
pub(super) fn run(arguments: &TokenArguments) -> Result<(), Failure> {
    let token = Zeroizing::new(random()?);
    let digest: String = digest(token.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    tell(format_args!("The token, which is shown this once: {}", *token));
    say(format_args!(
        "- name: {}\n  sha256: \"{digest}\"",
        arguments.name.0
    ));
    Ok(())
}
