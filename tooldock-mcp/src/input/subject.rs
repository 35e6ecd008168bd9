//! What sealed state belongs to.

use tooldock_engine::{NamespaceName, RawJson, context::Principal};

use crate::wire::Request;

/// What sealed state belongs to: with any other principal, namespace, method, name or arguments it cannot be opened.
///
/// The parameters count as the bytes they are, since a client repeats them unchanged (2026-07-28, Multi Round-Trip Requests).
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    principal: Principal,
    namespace: NamespaceName,
    method: Box<str>,
    params: [Option<RawJson>; 3],
}

impl Subject {
    pub(crate) fn new(principal: &Principal, namespace: &NamespaceName, request: &Request) -> Self {
        Self {
            principal: principal.clone(),
            namespace: namespace.clone(),
            method: request.method.clone(),
            params: ["name", "uri", "arguments"].map(|name| request.params.get(name).cloned()),
        }
    }

    /// Whose it is.
    pub(crate) fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Everything in one text that no other subject has.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let texts = [self.principal.name(), self.namespace.as_str(), &self.method];
        let texts = texts.map(|text| Some(text.as_bytes()));
        let params = self
            .params
            .each_ref()
            .map(|part| part.as_ref().map(RawJson::as_bytes));
        let mut out = Vec::new();
        for part in texts.into_iter().chain(params) {
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            out.extend_from_slice(&length.to_be_bytes());
            out.extend_from_slice(part.unwrap_or_default());
        }
        out
    }
}
