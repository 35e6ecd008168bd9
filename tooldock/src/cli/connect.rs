//! `tooldock-core connect`: standard input and output on this side, Streamable HTTP on the other.

use std::collections::BTreeMap;

use tokio::io::{stdin, stdout};
use tooldock_mcp::upstream::{Upstream, bridge};

use super::{Failure, args::ConnectArguments, log};
use crate::{
    config::{ConnectSettings, ProcessEnvironment, Sources},
    run,
};

pub(super) async fn connect(arguments: ConnectArguments) -> Result<(), Failure> {
    let mut flags = arguments.flags.0;
    flags.extend(
        arguments
            .token_file
            .map(|file| ("TOOLDOCK_TOKEN_FILE".to_owned(), file)),
    );
    let sources = Sources {
        flags,
        environment: &ProcessEnvironment,
        file: BTreeMap::new(),
    };
    let settings = ConnectSettings::read(&arguments.url, &sources)?;
    log::init(&settings.log)?;
    let (address, headers) = (&settings.upstream.address, &settings.upstream.headers);
    if !headers.is_empty() && !address.is_encrypted() && !address.is_loopback() {
        tracing::warn!(%address, "the token travels unencrypted; whoever is on the way can read it");
    }
    let upstream = Upstream::new(settings.upstream).map_err(|error| Failure::Run(error.to_string()))?;
    let mut signals = run::Signals::catch()?;
    tokio::select! {
        result = bridge(upstream.clone(), stdin(), stdout(), settings.io) => Ok(result?),
        signal = signals.next() => {
            tracing::info!(signal, "ending");
            upstream.leave().await;
            Ok(())
        }
    }
}
