//! Forms for clients of 2025-06-18, which knows fewer fields.

use serde::Deserialize;
use tooldock_engine::{
    EngineError, ErrorKind, RawJson,
    error::Result,
    json::{Members, ObjectWriter},
};

/// What is read of a field.
#[derive(Deserialize)]
struct Field {
    r#type: Option<String>,
    #[serde(rename = "oneOf")]
    one_of: Option<Vec<Choice>>,
}

#[derive(Deserialize)]
struct Choice {
    r#const: RawValue,
    #[serde(default)]
    title: Option<String>,
}

type RawValue = Box<serde_json::value::RawValue>;

/// The schema of a form as 2025-06-18 has it: choices with titles become `enum` and `enumNames`.
///
/// # Errors
/// When it asks for a choice of several, which that revision cannot.
pub(super) fn lower(schema: &RawJson) -> Result<RawJson> {
    let Members(members) = schema.parse().map_err(unreadable)?;
    let mut out = ObjectWriter::with_capacity(schema.len());
    for (name, value) in members {
        let value = schema.part(value);
        match &*name {
            "properties" => out.raw(&name, &lower_all(&value)?),
            _ => out.raw(&name, &value),
        };
    }
    Ok(out.finish())
}

fn lower_all(properties: &RawJson) -> Result<RawJson> {
    let Members(members) = properties.parse().map_err(unreadable)?;
    let mut out = ObjectWriter::with_capacity(properties.len());
    for (name, property) in members {
        out.raw(&name, &lower_one(&properties.part(property))?);
    }
    Ok(out.finish())
}

fn lower_one(property: &RawJson) -> Result<RawJson> {
    let field: Field = property.parse().map_err(unreadable)?;
    if field.r#type.as_deref() == Some("array") {
        let text = "the tool asks for a choice of several values, for which the client's protocol revision 2025-06-18 has no form";
        return Err(EngineError::new(ErrorKind::InputRequired, text));
    }
    let Some(choices) = field.one_of else {
        return Ok(property.clone());
    };
    let (mut values, mut titles) = (Vec::new(), Vec::new());
    for choice in choices {
        let value = RawJson::from_serialize(&choice.r#const).map_err(unreadable)?;
        let title = choice.title.map(|title| RawJson::string(&title));
        titles.push(title.unwrap_or_else(|| value.clone()));
        values.push(value);
    }
    let mut out = ObjectWriter::with_capacity(property.len());
    out.members(property, &["oneOf"]);
    out.array("enum", &values).array("enumNames", &titles);
    Ok(out.finish())
}

fn unreadable(error: serde_json::Error) -> EngineError {
    let text =
        "the form that the tool shows is no schema of an object with simple fields; correct it in the tool";
    EngineError::new(ErrorKind::ToolFailed, text).with_source(error)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn titles_of_choices_stay_and_several_choices_are_refused() {
        let kept = json!({"type": "string", "default": "x"});
        let choice = json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]});
        let schema = json!({"type": "object", "required": ["z"], "properties": {"z": kept, "a": choice}});
        let lowered: Value = lower(&(&schema).into()).unwrap().parse().unwrap();
        let named = json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "b"]});
        assert_eq!(
            lowered,
            json!({"type": "object", "required": ["z"], "properties": {"z": kept, "a": named}})
        );
        let several = json!({"properties": {"a": {"type": "array"}}});
        assert_eq!(
            lower(&(&several).into()).unwrap_err().kind(),
            ErrorKind::InputRequired
        );
        let broken = json!({"properties": 1});
        assert_eq!(
            lower(&(&broken).into()).unwrap_err().kind(),
            ErrorKind::ToolFailed
        );
    }
}
