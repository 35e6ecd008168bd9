//! Serving a gateway as a program: listen, answer, drain after a signal, make room for a successor.

use std::{collections::BTreeMap, convert::Infallible, fs::File, future::pending, io, time::Duration};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::oneshot,
};
use tokio_util::sync::CancellationToken;

use super::{
    Failure, notify,
    succession::{Heritage, Predecessor},
};
use crate::{
    Gateway,
    config::CoreSettings,
    run::{self, Address, Listener},
};

/// How a program comes to its socket.
#[derive(Debug, Default)]
pub(super) struct Entrance {
    /// The socket that somebody else has opened.
    pub(super) socket: Option<Listener>,
    /// The gateway that serves until this one is ready.
    pub(super) predecessor: Option<Predecessor>,
}

impl Entrance {
    /// Lets the settings say where it is listened, wherever that was decided: what is too weak for a network is refused there.
    pub(super) fn describe(&self, flags: &mut BTreeMap<String, String>) -> io::Result<()> {
        let Some(listener) = &self.socket else {
            return Ok(());
        };
        let mut set = |name: &str, value: String| flags.insert(name.to_owned(), value);
        match listener.address()? {
            Address::Tcp(address) => {
                set("BIND_ADDRESS", address.ip().to_string());
                set("PORT", address.port().to_string());
            }
            address @ Address::Unix(_) => {
                set("UNIX_SOCKET", address.to_string());
            }
        }
        Ok(())
    }
}

/// A gateway that can be reached.
pub(super) struct Door<'a> {
    gateway: &'a Gateway,
    listener: Listener,
    predecessor: Option<Predecessor>,
    heritage: Option<Heritage>,
    settings: &'a CoreSettings,
}

impl<'a> Door<'a> {
    /// Takes the socket that there is, or listens where `settings` say. Does not accept yet. A program that can be replaced while it runs
    /// gives the lock of its data folder.
    pub(super) async fn open(
        gateway: &'a Gateway,
        settings: &'a CoreSettings,
        entrance: Entrance,
        volume: Option<&File>,
    ) -> Result<Self, Failure> {
        let listener = match entrance.socket {
            Some(listener) => listener,
            None => run::bind(settings.address, settings.socket.as_ref()).await?,
        };
        #[cfg(feature = "tls")]
        let listener = match &settings.certificate {
            Some(certificate) => listener.with_certificate(certificate),
            None => listener,
        };
        let heritage = volume.map(|volume| Heritage::new(&listener, volume));
        Ok(Self {
            gateway,
            heritage: heritage.transpose()?,
            listener,
            predecessor: entrance.predecessor,
            settings,
        })
    }

    /// Serves until a signal comes, then drains. `work` goes on beside it; it is told where that is, and tells whether everything is
    /// loaded. It ends only when it fails, and the program with it.
    pub(super) async fn serve(
        self,
        work: impl AsyncFnOnce(Address, oneshot::Sender<bool>) -> Result<Infallible, Failure>,
    ) -> Result<(), Failure> {
        let Self {
            gateway,
            listener,
            predecessor,
            heritage,
            settings,
        } = self;
        let address = listener.address()?;
        let mut signals = run::Signals::catch()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let (loaded, is_loaded) = oneshot::channel();
        let retired = CancellationToken::new();
        let serving = async {
            if let Some(predecessor) = predecessor {
                succeed(predecessor, is_loaded).await?;
            }
            tracing::info!(%address, "listening");
            tell(settings.notify.as_deref());
            let stopped = async { stopped.await.unwrap_or_default() };
            gateway
                .serve_until(listener, settings.limits, retired.clone(), stopped)
                .await;
            Ok(())
        };
        let signalled = async {
            let signal = tokio::select! {
                signal = signals.next() => signal,
                error = bequeath(heritage, &retired) => match error { Err(error) => return Err(error.into()), Ok(never) => match never {} },
            };
            tracing::info!(
                signal,
                "ending: calls may go on for DRAIN_SECONDS; a second signal ends at once"
            );
            drop(stop);
            let signal = signals.next().await;
            tracing::warn!(signal, "ending at once");
            Ok(())
        };
        let result = tokio::select! {
            served = serving => return served,
            result = work(address.clone(), loaded) => result.map(|never| match never {}),
            ended = signalled => ended,
            never = renew(settings) => match never {},
        };
        gateway.shutdown(Duration::ZERO).await;
        result
    }
}

/// Takes the place of `predecessor` when everything is loaded that it serves.
async fn succeed(predecessor: Predecessor, is_loaded: oneshot::Receiver<bool>) -> Result<(), Failure> {
    if !is_loaded.await.unwrap_or_default() {
        let text = "not every namespace could be loaded, so the gateway before this one goes on";
        return Err(Failure::Run(text.to_owned()));
    }
    Ok(predecessor.release()?)
}

/// Starts a successor whenever SIGUSR2 comes; when one serves, everything is its own.
async fn bequeath(heritage: Option<Heritage>, retired: &CancellationToken) -> io::Result<Infallible> {
    let Some(heritage) = heritage else {
        return pending().await;
    };
    let mut asked = signal(SignalKind::user_defined2())?;
    loop {
        asked.recv().await;
        tracing::info!("starting a successor");
        match heritage.hand_over().await {
            Ok(process) => {
                tracing::info!(process, "a successor serves; ending when every client has moved");
                break;
            }
            Err(error) => tracing::error!(%error, "the successor does not serve, so this gateway goes on"),
        }
    }
    // Nobody must wait at a socket that only a process keeps open which does not accept.
    drop(heritage);
    retired.cancel();
    pending().await
}

fn tell(notify: Option<&str>) {
    if let Some(error) = notify.and_then(|socket| notify::ready(socket).err()) {
        tracing::warn!(%error, "systemd cannot be told that this gateway serves (NOTIFY_SOCKET)");
    }
}

/// Takes up a certificate that is exchanged.
async fn renew(settings: &CoreSettings) -> Infallible {
    #[cfg(feature = "tls")]
    if let Some(certificate) = &settings.certificate {
        return certificate.follow().await;
    }
    #[cfg(not(feature = "tls"))]
    let _ = settings;
    pending().await
}
