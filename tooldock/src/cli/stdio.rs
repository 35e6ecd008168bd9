//! `tooldock-core stdio`: one namespace on standard input and output.

use std::time::Duration;

use tokio::{
    io::{stdin, stdout},
    sync::oneshot,
};
use tooldock_engine::{Caller, Door, NamespaceName, context::Principal};
use tooldock_mcp::{
    ConnectionInfo,
    io::{self, IoSettings},
};

use super::{
    Failure,
    args::StdioArguments,
    core::{Core, tools_folder},
    log,
};
use crate::{
    Gateway,
    config::{CoreSettings, ProcessEnvironment, Sources},
    registry::ReloadReport,
    run,
};

/// What calls are given to end after a signal; whoever sends one wants no answer any more.
const GRACE: Duration = Duration::from_secs(1);

pub(super) async fn stdio(arguments: StdioArguments) -> Result<(), Failure> {
    let (sources, _) = Sources::load(arguments.flags.0, &ProcessEnvironment)?;
    let settings = CoreSettings::read_stdio(&sources)?;
    log::init(&settings.log)?;
    let folder = tools_folder(arguments.folder.as_deref(), &settings.data_dir)?;
    let root = folder.root().to_owned();
    let core = Core::build(settings, folder, Some(&arguments.namespace))?;
    let mut signals = run::Signals::catch()?;
    let (tell, loaded) = oneshot::channel();
    let loading = core.load(async |report| drop(tell.send(report)));
    let talking = async {
        // While it loads nothing is read: the first request waits instead of being refused.
        let Ok(report) = loaded.await else {
            return std::future::pending().await;
        };
        check(&core.gateway, &arguments.namespace, &report)
            .map_err(|why| Failure::Run(format!("{why} (looked for in `{}`)", root.display())))?;
        let connection = core.gateway.mcp().connect(info(&arguments.namespace));
        let mut settings = IoSettings::default();
        settings.drain = core.settings.limits.drain;
        Ok(io::serve(connection, stdin(), stdout(), settings).await?)
    };
    let result = tokio::select! {
        result = talking => result,
        result = loading => result.map(|never| match never {}),
        signal = signals.next() => {
            tracing::info!(signal, "ending");
            Ok(())
        }
    };
    core.gateway.shutdown(GRACE).await;
    core.witness.finish().await;
    result
}

/// Who is at the other end: whoever has started this program.
fn info(namespace: &NamespaceName) -> ConnectionInfo {
    let caller = Caller {
        principal: Principal::new("local"),
        door: Door::Mcp,
        peer: None,
    };
    ConnectionInfo::new(caller, namespace.clone())
}

/// Whether there is the namespace, and if not, why. One that cannot be started says so at each call, and starts once it is repaired.
fn check(gateway: &Gateway, namespace: &NamespaceName, report: &ReloadReport) -> Result<(), String> {
    let there = gateway.registry().snapshot();
    if there.describe().iter().any(|one| one.name == *namespace) {
        return Ok(());
    }
    Err(report.rejected.first().map_or_else(
        || format!("there is no namespace `{namespace}`; give the name of a folder with tool files"),
        |rejected| format!("`{}` is no namespace: {}", rejected.name, rejected.reason),
    ))
}
