//! The visit to the library: reading, a prompt, completion, and answers to what tools ask.

use rmcp::model::{
    ArgumentInfo, CompleteRequestParams, GetPromptRequestParams, ReadResourceRequestParams, Reference,
};
use serde_json::{Value, json};

use crate::talk::Outcome;
use crate::{Client, call};

/// Makes the visit.
pub(crate) async fn visit(client: &Client) -> Outcome<Value> {
    let prompt = GetPromptRequestParams::new("review").with_arguments(rmcp::object!({"title": "emma"}));
    let prompt = json!(client.get_prompt(prompt).await?);
    let names = |list: Value, name: &str| -> Vec<Value> {
        let items = list.as_array().into_iter().flatten();
        items.map(|item| item[name].clone()).collect()
    };
    Ok(json!({
        "resources": names(json!(client.list_all_resources().await?), "uri"),
        "templates": names(json!(client.list_all_resource_templates().await?), "uriTemplate"),
        "read": read(client, "book://catalog").await?,
        "read_by_template": read(client, "book://emma/summary").await?,
        "prompts": names(json!(client.list_all_prompts().await?), "name"),
        "prompt": prompt["messages"][0]["content"]["text"],
        "completed": complete(client, Reference::for_prompt("review"), "em").await?,
        "completed_template": complete(client, Reference::for_resource("book://{title}/summary"), "au").await?,
        "accepted": call(client, "lend", json!({"title": "emma"})).await?["text"],
        "declined": call(client, "lend", json!({"title": "faust"})).await?["text"],
        "sampled": call(client, "recommend", json!({"taste": "rain"})).await?["text"],
    }))
}

/// Makes a call whose stream somebody cuts after the first note.
pub(crate) async fn fetch(client: &Client) -> Outcome<Value> {
    client.service().take_progress();
    let fetched = call(client, "fetch", json!({})).await?;
    Ok(json!({"fetched": fetched["text"], "progress": client.service().take_progress()}))
}

async fn read(client: &Client, uri: &str) -> Outcome<Value> {
    let result = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
    Ok(json!(result)["contents"][0]["text"].take())
}

async fn complete(client: &Client, of: Reference, typed: &str) -> Outcome<Vec<String>> {
    let request = CompleteRequestParams::new(of, ArgumentInfo::new("title", typed));
    Ok(client.complete(request).await?.completion.values)
}
