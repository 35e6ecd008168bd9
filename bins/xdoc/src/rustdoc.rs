//! Runs rustdoc with options that a stable one has only when it is told to pretend.
//!
//! Cargo calls this program in rustdoc's place, so that nothing but rustdoc itself is told so and no dependency is built again.

use std::{
    env,
    ffi::OsString,
    process::{Command, ExitCode},
};

/// The variable that says which form is wanted; set only for rustdoc's stand-in.
const FORM: &str = "XDOC_FORM";

/// What rustdoc is to give.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// The whole crate as JSON, in a file.
    Json,
    /// Counts of documented items as JSON, on standard output.
    Coverage,
}

impl Form {
    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["-Zunstable-options", "--output-format=json"],
            Self::Coverage => &["-Zunstable-options", "--output-format=json", "--show-coverage"],
        }
    }
}

/// The form that this process, standing in for rustdoc, is to give.
pub(crate) fn form() -> Option<Form> {
    match env::var(FORM).ok()?.as_str() {
        "coverage" => Some(Form::Coverage),
        _ => Some(Form::Json),
    }
}

/// Calls the real rustdoc with the options of `form`; questions about its version it answers as ever.
pub(crate) fn stand_in(form: &Form) -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(&arguments);
    if arguments.iter().any(|argument| argument == "--crate-name") {
        rustdoc.args(form.options()).env("RUSTC_BOOTSTRAP", "1");
    }
    match rustdoc.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("`rustdoc` could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Documents one crate with all its features and returns what came on standard output.
pub(crate) fn document(package: &str, form: Form) -> Result<String, String> {
    let stand_in = env::current_exe().map_err(|error| format!("this program cannot find itself: {error}"))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let name = match form {
        Form::Json => "json",
        Form::Coverage => "coverage",
    };
    let output = Command::new(cargo)
        .args([
            "doc",
            "--quiet",
            "--no-deps",
            "--all-features",
            "--lib",
            "--package",
            package,
        ])
        .arg("--target-dir")
        .arg(folder())
        .env("RUSTDOC", stand_in)
        .env(FORM, name)
        // Cargo knows what it has documented by the flags; these mean nothing to rustdoc.
        .env("RUSTDOCFLAGS", format!("--cfg xdoc_{name}"))
        .output()
        .map_err(|error| format!("`cargo doc` could not be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A target folder of our own: what we make there is no page that anyone reads.
pub(crate) fn folder() -> std::path::PathBuf {
    env::var_os("CARGO_TARGET_DIR")
        .unwrap_or_else(|| "target".into())
        .into()
}
