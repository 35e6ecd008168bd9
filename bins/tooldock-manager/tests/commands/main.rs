//! The commands as an operator meets them: typed at a terminal, in scripts, and killed.
#![expect(clippy::unwrap_used, reason = "what tests share may end a test")]

mod edit;
mod keygen;
mod kills;
mod scripts;
mod shop;
mod terminal;
mod token;
mod trouble;
mod typed;
