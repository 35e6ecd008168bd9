//! A prompt as it is listed.

use std::collections::BTreeMap;

use crate::{EngineError, ErrorKind, error::Result, json::RawJson};

/// A prompt as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// The name by which it is asked for.
    pub name: String,
    /// The name people read.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What can be filled in.
    pub arguments: Vec<PromptArgument>,
    /// MCP icons: an array.
    pub icons: Option<RawJson>,
    /// `_meta`: an object.
    pub meta: Option<RawJson>,
}

impl Prompt {
    /// A prompt without arguments.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            arguments: Vec::new(),
            icons: None,
            meta: None,
        }
    }

    /// Checks that everything it requires is given. What it does not know is for the engine to judge.
    ///
    /// # Errors
    /// [`InvalidParams`](ErrorKind::InvalidParams), naming the first argument that is missing.
    pub fn check(&self, given: &BTreeMap<String, String>) -> Result<()> {
        let mut required = self.arguments.iter().filter(|argument| argument.required);
        match required.find(|argument| !given.contains_key(&argument.name)) {
            None => Ok(()),
            Some(missing) => {
                let text = format!("the prompt `{}` needs the argument `{}`", self.name, missing.name);
                Err(EngineError::new(ErrorKind::InvalidParams, text))
            }
        }
    }
}

/// Something that can be filled into a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// The name people read.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Whether the prompt needs it.
    pub required: bool,
}
