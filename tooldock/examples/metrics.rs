//! Prints the page of metrics: `cargo run -p tooldock --example metrics`.
#![allow(
    clippy::print_stdout,
    reason = "the page on standard output is what the program is for"
)]

fn main() {
    print!("{}", tooldock::telemetry::as_markdown());
}
