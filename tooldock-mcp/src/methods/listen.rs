//! `subscriptions/listen`: a stream that tells a modern client of changes, for as long as it wants to hear of them.

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use tooldock_engine::{Catalog, RawJson, json::ObjectWriter, request::ResourceUri};

use crate::{
    call::Entered,
    connection::{Reply, ReplyStream},
    methods::Turn,
    refusal::{Refusal, code},
    watch::{List, ListWatch, Place, ResourceWatches, Told},
    wire::{Request, names::SUBSCRIPTION_ID, write_notification},
};

/// What a client wants to hear of; kinds that are not served are not read.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Wanted {
    tools_list_changed: bool,
    prompts_list_changed: bool,
    resources_list_changed: bool,
    resource_subscriptions: Vec<ResourceUri>,
}

impl Wanted {
    const fn has(&self, list: List) -> bool {
        match list {
            List::Tools => self.tools_list_changed,
            List::Prompts => self.prompts_list_changed,
            List::Resources => self.resources_list_changed,
        }
    }

    /// That of it which the namespace that lists `catalog` serves.
    fn narrow(self, catalog: &Catalog) -> Self {
        let has = |list: List| self.has(list) && list.is_offered(catalog);
        Self {
            tools_list_changed: has(List::Tools),
            prompts_list_changed: has(List::Prompts),
            resources_list_changed: has(List::Resources),
            resource_subscriptions: self
                .resource_subscriptions
                .iter()
                .filter(|uri| catalog.may_have(uri))
                .cloned()
                .collect(),
        }
    }
}

/// An open subscription.
struct Subscription {
    /// `_meta` of everything it sends.
    tag: RawJson,
    watch: ListWatch,
    told: Told,
    resources: ResourceWatches,
    /// The answer, which ends it; nothing once it is sent.
    answer: Option<RawJson>,
    closing: CancellationToken,
    cancel: CancellationToken,
    _entered: Entered,
    _place: Place,
}

pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let wanted = wanted(request)?;
    let inner = turn.inner();
    if !inner.info.streams {
        let text = "a subscription is an event stream; send `Accept: application/json, text/event-stream`";
        return Err(Refusal::new(406, code::INVALID_REQUEST, text));
    }
    let cx = turn.context(request.params.meta());
    let place = inner.server.shared().places.take(&inner.info.caller.principal)?;
    let catalog = turn.catalog(&cx)?;
    let cancel = turn.cancel_token();
    let entered = turn.enter(&request.id.detached(), cancel.clone())?;
    let wanted = wanted.narrow(&catalog);
    let (told, resources) = (Told::default(), ResourceWatches::default());
    let limit = inner.server.settings().resource_watches;
    for uri in &wanted.resource_subscriptions {
        resources
            .add(&inner.server.shared().mounts, &cx, uri, limit)
            .map_err(|error| Refusal::dispatched(&error, turn.era()))?;
    }
    let mut watch = ListWatch::begin(&inner.server, cx, turn.revision());
    told.set(|list| wanted.has(list), watch.look());

    let mut tag = ObjectWriter::new();
    tag.raw(SUBSCRIPTION_ID, request.id.as_json());
    let tag = tag.finish();
    let answer = turn
        .encoder(Some(&catalog))
        .result(&request.id, 0, Some(&tag), |_| {});
    let subscription = Subscription {
        tag,
        watch,
        told,
        resources,
        answer: Some(answer),
        closing: inner.server.shared().closing.clone(),
        cancel,
        _entered: entered,
        _place: place,
    };
    let acknowledged = stream::iter([acknowledge(&subscription.tag, &wanted)]);
    let rest = stream::unfold(subscription, async |mut subscription| {
        Some((subscription.next().await?, subscription))
    });
    Ok(Reply::Stream(ReplyStream::new(acknowledged.chain(rest))))
}

fn wanted(request: &Request) -> Result<Wanted, Refusal> {
    let wanted = request.params.get("notifications");
    let wanted = wanted
        .filter(|wanted| wanted.is_object())
        .and_then(|wanted| wanted.parse().ok());
    wanted.ok_or_else(|| {
        Refusal::params("`params.notifications` must be an object such as `{\"toolsListChanged\": true}`")
    })
}

/// Says what will be told: of what the client wants, that which is served.
fn acknowledge(tag: &RawJson, wanted: &Wanted) -> RawJson {
    write_notification("notifications/subscriptions/acknowledged", |params| {
        params.raw("_meta", tag).object("notifications", |served| {
            for (name, is_wanted) in [
                ("toolsListChanged", wanted.tools_list_changed),
                ("promptsListChanged", wanted.prompts_list_changed),
                ("resourcesListChanged", wanted.resources_list_changed),
            ] {
                if is_wanted {
                    served.flag(name, true);
                }
            }
            let uris = wanted.resource_subscriptions.iter();
            let uris: Vec<RawJson> = uris.map(|uri| RawJson::string(uri)).collect();
            if !uris.is_empty() {
                served.array("resourceSubscriptions", &uris);
            }
        });
    })
}

impl Subscription {
    /// The next notice; the answer when the server shuts down; nothing once either side has ended it.
    async fn next(&mut self) -> Option<RawJson> {
        self.answer.as_ref()?;
        let tag = |params: &mut ObjectWriter| {
            params.raw("_meta", &self.tag);
        };
        tokio::select! {
            biased;
            () = self.closing.cancelled() => self.answer.take(),
            () = self.cancel.cancelled() => None,
            uri = self.resources.next() => Some(ResourceWatches::notice(&uri, tag)),
            list = self.watch.changed(&self.told) => Some(list.notice(tag)),
        }
    }
}
