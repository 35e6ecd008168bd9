//! From a message whose route is decided to the method that answers it.

use tooldock_engine::Mount;

use crate::{
    connection::{Connection, Reply},
    era::Route,
    listing::Listing,
    methods::{self, Turn},
    model,
    refusal::Refusal,
    revision::Era,
    wire::{Message, Notification, Request},
};

/// A method that is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Initialize,
    Ping,
    Discover,
    List(Listing),
    CallTool,
    GetPrompt,
    ReadResource,
    SubscribeResource,
    UnsubscribeResource,
    Complete,
    SetLevel,
    Listen,
}

const BOTH: &[Era] = &[Era::Handshake, Era::Modern];

/// Every method that is served, and in which eras.
const METHODS: [(&str, Method, &[Era]); 15] = [
    ("tools/call", Method::CallTool, BOTH),
    ("tools/list", Method::List(Listing::Tools), BOTH),
    ("prompts/get", Method::GetPrompt, BOTH),
    ("prompts/list", Method::List(Listing::Prompts), BOTH),
    ("resources/read", Method::ReadResource, BOTH),
    ("completion/complete", Method::Complete, BOTH),
    ("resources/list", Method::List(Listing::Resources), BOTH),
    ("resources/templates/list", Method::List(Listing::Templates), BOTH),
    ("server/discover", Method::Discover, &[Era::Modern]),
    ("initialize", Method::Initialize, &[Era::Handshake]),
    (
        "resources/subscribe",
        Method::SubscribeResource,
        &[Era::Handshake],
    ),
    (
        "resources/unsubscribe",
        Method::UnsubscribeResource,
        &[Era::Handshake],
    ),
    ("ping", Method::Ping, &[Era::Handshake]),
    ("logging/setLevel", Method::SetLevel, &[Era::Handshake]),
    ("subscriptions/listen", Method::Listen, &[Era::Modern]),
];

/// Answers a message.
pub(crate) async fn dispatch(connection: &Connection, mount: Mount, route: Route, message: Message) -> Reply {
    match (message, route) {
        (Message::Request(request), _) => {
            let id = request.id.clone();
            answer(connection, mount, route, request)
                .await
                .unwrap_or_else(|refusal| Reply::One(refusal.answer(Some(&id))))
        }
        (Message::Notification(_), Route::Drop) => Reply::Nothing,
        (Message::Notification(told), _) => {
            take(connection, route, &told);
            Reply::Nothing
        }
        (Message::Response(response), Route::Session(_)) => {
            if let Some(session) = connection.session() {
                session.asked().answer(response);
            }
            Reply::Nothing
        }
        (Message::Response(_) | Message::Batch(_), _) => Reply::Nothing,
    }
}

async fn answer(
    connection: &Connection,
    mount: Mount,
    route: Route,
    request: Request,
) -> Result<Reply, Refusal> {
    let turn = Turn::new(connection, mount, route)?;
    let method = METHODS
        .iter()
        .find(|(name, _, eras)| *name == &*request.method && eras.contains(&turn.era()));
    let Some((_, method, _)) = method else {
        return Err(unknown(&turn, &request.method));
    };
    connection.inner().server.admit()?;
    if !request.params.well_formed() {
        return Err(Refusal::params(
            "`params` must be an object, and so must `params._meta`",
        ));
    }
    let running = match method {
        Method::CallTool => methods::tools_call::answer(turn, request).await?,
        Method::GetPrompt => methods::prompts_get::answer(turn, request).await?,
        Method::ReadResource => methods::resources_read::answer(turn, request).await?,
        Method::Complete => methods::completion_complete::answer(turn, request).await?,
        Method::SubscribeResource => return methods::resources_subscribe::answer(&turn, &request).await,
        Method::UnsubscribeResource => return methods::resources_unsubscribe::answer(&turn, &request).await,
        Method::List(listing) => return methods::list::answer(&turn, &request, *listing).await,
        Method::Discover => return methods::discover::answer(&turn, &request).await,
        Method::Initialize => return methods::initialize::answer(&turn, &request).await,
        Method::Ping => return Ok(methods::ping::answer(&turn, &request)),
        Method::SetLevel => return methods::set_level::answer(&turn, &request),
        Method::Listen => return methods::listen::answer(&turn, &request).await,
    };
    // Only here, where nothing of the above is held any longer.
    Ok(running.reply().await)
}

/// Who tries `initialize` where it is no method is told what is spoken instead.
fn unknown(turn: &Turn, method: &str) -> Refusal {
    let refusal = turn.unknown(method);
    match (turn.era(), method) {
        (Era::Modern, "initialize") => {
            let data = serde_json::json!({"supported": model::supported(turn.spoken())});
            refusal.with_data(data.into())
        }
        _ => refusal,
    }
}

fn take(connection: &Connection, route: Route, told: &Notification) {
    let session = connection.session();
    if let Some(session) = &session {
        session.set_initialized();
    }
    let calls = match (route, &session) {
        (Route::Session(_), Some(session)) => session.calls(),
        _ => &connection.inner().calls,
    };
    match &*told.method {
        "notifications/cancelled" => methods::cancelled::take(calls, told),
        // `notifications/initialized` has done its work above; others tell nothing that is used.
        other => tracing::trace!(method = other, "notification taken"),
    }
}
