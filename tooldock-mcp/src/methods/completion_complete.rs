//! `completion/complete`: proposals for an argument of a prompt or template.

use std::collections::BTreeMap;

use serde::Deserialize;
use tooldock_engine::{
    Catalog, EngineReply, EngineRequest, RawJson,
    catalog::Kind,
    error::Result as EngineResult,
    fixed::unknown_prompt,
    output::Completion,
    request::{Complete, Reference},
};

use crate::{
    call::Running,
    methods::{Encoder, Turn, work::Work},
    refusal::Refusal,
    wire::{MessageId, Params, Request},
};

/// Values that one answer may have (every revision, Completion).
const MOST: usize = 100;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Ref {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

#[derive(Deserialize, Default)]
struct Context {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

pub(crate) async fn answer(turn: Turn, request: Request) -> Result<Running, Refusal> {
    let work = Work::begin(turn, &request).await?;
    work.turn.require(&work.catalog, Kind::Completions, &request)?;
    let asked = read(&request.params)?;
    find(&work.catalog, &asked.reference, &work.turn)?;
    work.run(EngineRequest::Complete(asked), encode)
}

fn read(params: &Params) -> Result<Complete, Refusal> {
    let reference = params.get("ref").and_then(|reference| reference.parse().ok());
    let reference = reference.ok_or_else(|| {
        Refusal::params(
            "`params.ref` must be `{\"type\": \"ref/prompt\", \"name\": …}` or `{\"type\": \"ref/resource\", \"uri\": …}`",
        )
    })?;
    let argument = params.get("argument").and_then(|argument| argument.parse().ok());
    let Argument { name, value } = argument
        .ok_or_else(|| Refusal::params("`params.argument` must have the texts `name` and `value`"))?;
    let context = match params.get("context").filter(|context| !context.is_null()) {
        None => Context::default(),
        Some(context) => context
            .parse()
            .map_err(|_| Refusal::params("`params.context.arguments` must be an object of texts"))?,
    };
    Ok(Complete {
        reference: match reference {
            Ref::Prompt { name } => Reference::Prompt(name),
            Ref::Resource { uri } => Reference::Resource(uri),
        },
        argument: name,
        value,
        context: context.arguments,
    })
}

/// Refuses what the caller cannot see.
fn find(catalog: &Catalog, reference: &Reference, turn: &Turn) -> Result<(), Refusal> {
    match reference {
        Reference::Prompt(name) if catalog.prompt(name).is_none() => {
            Err(Refusal::dispatched(&unknown_prompt(name), turn.era()))
        }
        Reference::Resource(uri) => {
            let mut templates = catalog.templates().iter();
            let known = templates.any(|template| template.uri_template == *uri) || catalog.may_have(uri);
            let text =
                "there is no resource template of this address here; list the templates to see what there is";
            known.then_some(()).ok_or_else(|| Refusal::params(text))
        }
        Reference::Prompt(_) => Ok(()),
    }
}

fn encode(encoder: &Encoder, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
    match outcome {
        Ok(EngineReply::Completion(completion)) => encoder.result(id, 256, None, |out| {
            out.object("completion", |out| write(out, &completion));
        }),
        other => encoder.error(id, other),
    }
}

fn write(out: &mut tooldock_engine::json::ObjectWriter, completion: &Completion) {
    let values: Vec<RawJson> = completion
        .values
        .iter()
        .take(MOST)
        .map(|value| RawJson::string(value))
        .collect();
    out.array("values", &values);
    if let Some(total) = completion.total {
        out.number("total", total);
    }
    out.flag("hasMore", completion.has_more || completion.values.len() > MOST);
}
