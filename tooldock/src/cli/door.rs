//! Serving a gateway as a program: listen, answer, drain after a signal.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use tokio::sync::oneshot;

use super::Failure;
use crate::{
    Gateway,
    run::{self, Limits},
};

/// Listens at `address` and serves until a signal comes, then drains. `work` is told where that is and goes on beside it; it ends only
/// when it fails, and the program with it.
pub(super) async fn serve(
    gateway: &Gateway,
    address: SocketAddr,
    limits: Limits,
    work: impl AsyncFnOnce(SocketAddr) -> Result<Infallible, Failure>,
) -> Result<(), Failure> {
    let listener = run::bind(address).await?;
    let address = listener.local_addr()?;
    tracing::info!(%address, "listening");
    let mut signals = run::Signals::catch()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = gateway.serve(listener, limits, async {
        stopped.await.unwrap_or_default();
    });
    let signalled = async {
        let signal = signals.next().await;
        tracing::info!(
            signal,
            "ending: calls may go on for DRAIN_SECONDS; a second signal ends at once"
        );
        drop(stop);
        let signal = signals.next().await;
        tracing::warn!(signal, "ending at once");
    };
    let result = tokio::select! {
        () = serving => return Ok(()),
        result = work(address) => result.map(|never| match never {}),
        () = signalled => Ok(()),
    };
    gateway.shutdown(Duration::ZERO).await;
    result
}
