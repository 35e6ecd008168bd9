//! Settings: declared once in one table, read in one place, every mistake in one report.

mod environment;
mod mistakes;
mod reader;
mod settings;
mod table;

pub use self::{
    environment::{Environment, ProcessEnvironment},
    mistakes::{EXIT_CONFIG, Mistakes},
    settings::{CoreSettings, LogSettings},
    table::{SETTINGS, Setting, as_markdown},
};
