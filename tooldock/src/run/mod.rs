//! Running a gateway as a program: the server with its timers, the signals, the drain.

mod answer;
#[cfg(feature = "cli")]
mod bind;
#[cfg(feature = "tls")]
mod certificate;
mod descriptors;
mod head;
mod listener;
mod places;
mod server;
mod signal;
mod stall;
mod stream;
mod traffic;
mod unread;
mod unsent;

#[cfg(feature = "cli")]
pub(crate) use self::bind::bind;
#[cfg(feature = "tls")]
pub use self::certificate::{Certificate, CertificateError};
pub use self::{
    listener::{Address, Listener},
    server::{Limits, serve},
    signal::{Signals, shutdown_signal},
};
pub(crate) use self::{server::serve_until, traffic::Traffic};
