//! Prints the page of error codes: `cargo run -p tooldock-engine --example errors`.
#![allow(
    clippy::print_stdout,
    reason = "the page on standard output is what the program is for"
)]

fn main() {
    print!("{}", tooldock_engine::error::as_markdown());
}
