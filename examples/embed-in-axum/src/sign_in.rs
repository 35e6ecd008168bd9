//! The sign-in of the application: a cookie stands for a user.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Form,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tooldock::engine::context::Principal;

/// Users that may be signed in at once.
const MOST: usize = 1000;

/// Who is signed in. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Users(Arc<Mutex<HashMap<String, Principal>>>);

/// The form of `POST /login`. A real one has a password.
#[derive(Debug, Deserialize)]
pub(crate) struct Login {
    user: String,
}

impl Users {
    fn enter(&self, user: &str) -> Option<String> {
        let session = format!("{:016x}{:016x}", getrandom::u64().ok()?, getrandom::u64().ok()?);
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (users.len() < MOST).then(|| {
            users.insert(session.clone(), Principal::new(user));
            session
        })
    }

    fn find(&self, headers: &HeaderMap) -> Option<Principal> {
        let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
        let session = cookies
            .split("; ")
            .find_map(|cookie| cookie.strip_prefix("session="))?;
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(session)
            .cloned()
    }
}

/// `POST /login`: gives a cookie.
pub(crate) async fn login(State(users): State<Users>, Form(login): Form<Login>) -> Response {
    match users.enter(&login.user) {
        Some(session) => {
            // `SameSite` keeps pages of strangers from using the cookie.
            let cookie = format!("session={session}; HttpOnly; SameSite=Strict; Path=/");
            ([(header::SET_COOKIE, cookie)], "welcome").into_response()
        }
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// In front of everything that needs a user: names him to what is behind, the gateway included, or asks him to sign in.
pub(crate) async fn signed_in(State(users): State<Users>, mut request: Request, next: Next) -> Response {
    let Some(principal) = users.find(request.headers()) else {
        return (StatusCode::UNAUTHORIZED, "sign in first: POST /login").into_response();
    };
    request.extensions_mut().insert(principal);
    next.run(request).await
}
