//! `embed-in-axum`: who is signed in at the application is who calls the tools.

use axum::Router;
use example_embed_in_axum::app;

use crate::call::{call, get, post, text};

async fn sign_in(app: &Router, user: &str) -> String {
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let answer = post(app, "/login", &form, &format!("user={user}")).await;
    answer.cookie.expect("signing in gives a cookie")
}

#[tokio::test]
async fn the_sign_in_of_the_host_decides_who_calls() {
    let app = app().unwrap();
    assert_eq!(get(&app, "/", &[]).await.body, "the application itself");
    assert_eq!(call(&app, "/tools/desk/tools/whoami", "{}").await.status, 401);
    let forged = [("cookie", "session=0"), ("content-type", "application/json")];
    assert_eq!(
        post(&app, "/tools/desk/tools/whoami", &forged, "{}").await.status,
        401
    );

    for (user, may_reset) in [("ann", false), ("admin", true)] {
        let cookie = sign_in(&app, user).await;
        let headers = [("cookie", cookie.as_str()), ("content-type", "application/json")];
        let told = post(&app, "/tools/desk/tools/whoami", &headers, "{}").await;
        assert_eq!((told.status, told.body), (200, text(user)));
        let listed = get(&app, "/tools/desk/tools", &headers).await.body;
        assert_eq!(listed.contains("reset"), may_reset, "{listed}");
        let reset = post(&app, "/tools/desk/tools/reset", &headers, "{}").await.status;
        assert_eq!(reset, if may_reset { 200 } else { 404 }, "{user}");
    }
}
