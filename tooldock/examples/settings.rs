//! Prints the page of settings: `cargo run -p tooldock --example settings`.
#![allow(
    clippy::print_stdout,
    reason = "the page on standard output is what the program is for"
)]

fn main() {
    print!("{}", tooldock::config::as_markdown());
}
