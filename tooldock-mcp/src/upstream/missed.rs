//! What a client may have missed while nobody listened for it.

use tooldock_engine::RawJson;

use crate::wire::{Message, MessageId, names, write_notification};

/// The lists whose changes a client is told of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Kinds {
    tools_list_changed: bool,
    prompts_list_changed: bool,
    resources_list_changed: bool,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Offer {
    capabilities: Capabilities,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Capabilities {
    tools: Capability,
    prompts: Capability,
    resources: Capability,
}

#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Capability {
    list_changed: bool,
}

impl Kinds {
    /// Those that the answer to an `initialize` offers.
    pub(super) fn offered(answer: &RawJson) -> Self {
        let Ok(Message::Response(response)) = Message::read(answer) else {
            return Self::default();
        };
        let offer = response.outcome.ok().and_then(|result| result.parse().ok());
        let Offer { capabilities } = offer.unwrap_or_default();
        Self {
            tools_list_changed: capabilities.tools.list_changed,
            prompts_list_changed: capabilities.prompts.list_changed,
            resources_list_changed: capabilities.resources.list_changed,
        }
    }

    /// Those that an acknowledgement of a subscription names; nothing if `message` is none.
    pub(super) fn acknowledged(message: &RawJson) -> Option<Self> {
        match Message::read(message) {
            Ok(Message::Notification(told))
                if &*told.method == "notifications/subscriptions/acknowledged" =>
            {
                Some(told.params.get("notifications")?.parse().unwrap_or_default())
            }
            _ => None,
        }
    }

    /// A notice for each, as they are told in the subscription `id`, or in a session.
    pub(super) fn notices(self, id: Option<&MessageId>) -> Vec<RawJson> {
        let told = [
            (self.tools_list_changed, "notifications/tools/list_changed"),
            (self.prompts_list_changed, "notifications/prompts/list_changed"),
            (
                self.resources_list_changed,
                "notifications/resources/list_changed",
            ),
        ];
        let notice = |method| {
            write_notification(method, |params| {
                if let Some(id) = id {
                    params.object("_meta", |meta| {
                        meta.raw(names::SUBSCRIPTION_ID, id.as_json());
                    });
                }
            })
        };
        told.into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, method)| notice(method))
            .collect()
    }
}
