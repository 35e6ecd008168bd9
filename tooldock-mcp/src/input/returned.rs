//! What a client brings along when it sends a request again.

use std::collections::HashMap;

use tooldock_engine::{RawJson, json::Members};

use crate::{refusal::Refusal, wire::Params};

/// What a client brings along when it sends a request again (2026-07-28, Multi Round-Trip Requests).
#[derive(Debug, Clone, Default)]
pub(crate) struct Returned {
    /// `inputResponses`.
    pub(crate) responses: Option<RawJson>,
    /// `requestState`.
    pub(crate) state: Option<String>,
    /// The responses that have the form of one, by key.
    answers: HashMap<String, RawJson>,
}

impl Returned {
    /// Reads it from the parameters of a request.
    pub(crate) fn read(params: &Params) -> Result<Self, Refusal> {
        let responses = params.get("inputResponses").filter(|value| !value.is_null());
        let state = match params.get("requestState") {
            None => None,
            Some(_) => Some(
                params
                    .text("requestState")
                    .ok_or_else(|| Refusal::params("`params.requestState` must be a text"))?,
            ),
        };
        let Some(responses) = responses else {
            return Ok(Self {
                state,
                ..Self::default()
            });
        };
        let members = responses.parse::<Members<'_>>();
        let Members(members) =
            members.map_err(|_| Refusal::params("`params.inputResponses` must be an object"))?;
        let answers = members
            .into_iter()
            .map(|(key, value)| (key.into_owned(), responses.part(value)));
        Ok(Self {
            // What is no answer is as good as missing: the question is put again.
            answers: answers.filter(|(_, value)| value.is_object()).collect(),
            responses: Some(responses.clone()),
            state,
        })
    }

    /// The answer under that key.
    pub(crate) fn answer(&self, key: &str) -> Option<RawJson> {
        self.answers.get(key).cloned()
    }
}
