//! `read_repo_file`: the text of a file of a repository or a package.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::{Manager, names::Named, refusal::refuse, repo::Source},
    tool::{Effect, ManagementTool},
};

/// Bytes of one answer.
const PART: usize = 64 << 10;

pub(super) struct ReadRepoFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// As the analysis gave it: an address, or `npm:name@1.2.3`.
    repo_url: Named<Source>,
    /// Such as `src/index.ts`, exactly as in `files`.
    path: String,
    /// `next_offset` of the part before.
    #[serde(default)]
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    path: String,
    content: String,
    /// Where a longer file goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

impl ManagementTool for ReadRepoFile {
    const NAME: &'static str = "read_repo_file";
    const DESCRIPTION: &'static str = "Read a file of a repository or package that was analyzed. Use it to understand a tool; then translate \
        it with `generate_tool`. Long files come in parts.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let text = manager.intake.read(input.repo_url.0, input.path.clone()).await?;
        let Some(rest) = text.get(input.offset..) else {
            return Err(refuse(format!(
                "`offset` {} is no place in a file of {} bytes; take `next_offset` of the part before",
                input.offset,
                text.len()
            )));
        };
        let end = (0..=PART.min(rest.len()))
            .rev()
            .find(|end| rest.is_char_boundary(*end))
            .unwrap_or_default();
        Ok(Output {
            path: input.path,
            content: rest[..end].to_owned(),
            next_offset: (end < rest.len()).then_some(input.offset + end),
        })
    }
}
