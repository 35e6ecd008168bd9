//! Prints the page of the manager's tools: `cargo run -p tooldock --features analysis --example manager-tools`.
#![allow(
    clippy::print_stdout,
    reason = "the page on standard output is what the program is for"
)]

fn main() {
    print!("{}", tooldock::manager::as_markdown());
}
