//! Fuzz targets. Each gives its input to one parser and checks what must hold for the answer, whatever the input is.
//!
//! A target is a function `check(input, planted)` which panics on a finding. With `planted` the parser is wrapped in a bug of the kind
//! that the target is there to find, so that `cargo xtask step fuzz-planted` can prove that it finds one; no product code knows of it.
//! Its program is libFuzzer where it is built for fuzzing, and everywhere else one that replays files.

pub mod cursor;
pub mod envelope;
pub mod era;
pub mod event_id;
pub mod frame;
pub mod header;
pub mod json;
pub mod lock;
pub mod message;
pub mod replay;
pub mod requirements;
pub mod state;
pub mod uri;

#[doc(hidden)]
#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// The program of a target.
#[macro_export]
macro_rules! program {
    ($target:ident) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|input: &[u8]| {
            $crate::$target::check(input, $crate::replay::is_planted());
        });
        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay::run($crate::$target::check)
        }
    };
}

#[cfg(test)]
mod tests;
