//! `subscriptions/listen`: a stream that tells a modern client of changes, for as long as it wants to hear of them.

use std::future::pending;

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use tooldock_engine::{RawJson, json::ObjectWriter};

use crate::{
    call::Entered,
    connection::{Reply, ReplyStream},
    methods::Turn,
    refusal::{Refusal, code},
    watch::{Place, TOOLS_CHANGED, Told, ToolWatch},
    wire::{Request, names::SUBSCRIPTION_ID, write_notification},
};

/// What a client may want to hear of; kinds that are not served are not read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    tools_list_changed: bool,
}

/// An open subscription.
struct Subscription {
    /// `_meta` of everything it sends.
    tag: RawJson,
    watch: Option<ToolWatch>,
    told: Told,
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
    let catalog = turn.catalog(&cx).await?;
    let cancel = turn.cancel_token();
    let entered = turn.enter(&request.id.detached(), cancel.clone())?;
    let told = Told::default();
    let mut watch = wanted
        .tools_list_changed
        .then(|| ToolWatch::begin(&inner.server, cx, turn.revision()));
    if let Some(watch) = &mut watch {
        told.set(watch.look().await);
    }

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
        answer: Some(answer),
        closing: inner.server.shared().closing.clone(),
        cancel,
        _entered: entered,
        _place: place,
    };
    let acknowledged = stream::iter([subscription.acknowledge()]);
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

impl Subscription {
    /// Says what will be told: of what the client wants, that which is served.
    fn acknowledge(&self) -> RawJson {
        write_notification("notifications/subscriptions/acknowledged", |params| {
            params.raw("_meta", &self.tag).object("notifications", |served| {
                if self.watch.is_some() {
                    served.flag("toolsListChanged", true);
                }
            });
        })
    }

    /// The next notice; the answer when the server shuts down; nothing once either side has ended it.
    async fn next(&mut self) -> Option<RawJson> {
        self.answer.as_ref()?;
        let changed = async {
            match &mut self.watch {
                Some(watch) => watch.changed(&self.told).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.closing.cancelled() => self.answer.take(),
            () = self.cancel.cancelled() => None,
            () = changed => Some(write_notification(TOOLS_CHANGED, |params| {
                params.raw("_meta", &self.tag);
            })),
        }
    }
}
