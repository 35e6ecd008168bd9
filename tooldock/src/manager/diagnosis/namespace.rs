//! Why a namespace does not work: its files, what it asks for, and what the core says of it.

use tooldock_engine::{NamespaceName, error::Result};
use tooldock_secrets::Contents;
use tooldock_worker::NamespaceFolder;

use super::{
    super::{
        Manager,
        core::{CoreNamespace, CoreState, LoadProblem},
    },
    Finding,
};

/// Everything that is wrong with a namespace.
pub(super) async fn look(
    manager: &Manager,
    name: &NamespaceName,
    state: Option<&CoreState>,
    secrets: Option<&Contents>,
) -> Result<Vec<Finding>> {
    let place = name.clone();
    let folder = manager
        .on_volume(move |volume| Ok(volume.place(&place)?.read()))
        .await?;
    let sources = manager.sources(name).await?;
    let about = name.as_str();
    let mut findings = Vec::new();
    if sources.is_empty() {
        findings.push(Finding::new(about, "it has no tool file", "call `write_tool`"));
    }
    if let Some(problem) = &folder.problem {
        findings.push(Finding::new(
            about,
            problem,
            "correct the file that the problem names",
        ));
    }
    for (file, source) in &sources {
        let outline = manager.host.outline(source).await?;
        findings.extend(outline.problems.iter().map(|problem| {
            let place = problem
                .line
                .map(|line| format!(", line {line}"))
                .unwrap_or_default();
            let what = format!("{file}{place}: {}", problem.problem);
            Finding::new(about, what, format!("{}; then `write_tool`", problem.remedy))
        }));
    }
    if let Some(secrets) = secrets {
        findings.extend(missing_secrets(&folder, secrets));
    }
    let Some(state) = state else { return Ok(findings) };
    let rejected = state.rejected.iter().find(|one| one.name == about);
    findings.extend(rejected.map(|one| Finding::new(about, &one.reason, "correct that, then `reload_core`")));
    match state.namespace(about) {
        Some(served) => findings.extend(served_badly(served)),
        None if rejected.is_none() && !sources.is_empty() => {
            findings.push(Finding::new(
                about,
                "the core has not loaded it",
                "call `reload_core`",
            ));
        }
        None => {}
    }
    Ok(findings)
}

/// Declared secrets without a value.
fn missing_secrets(folder: &NamespaceFolder, secrets: &Contents) -> Vec<Finding> {
    let name = folder.name.as_str();
    let check = secrets.check(name, folder.manifest.secrets.iter().map(String::as_str));
    let missing = check.missing.iter().map(|key| {
        Finding::new(
            name,
            format!("the secret `{key}` does not exist"),
            format!("call `prepare_secret` with the key `{key}`, and let the user run what it tells"),
        )
    });
    let waiting = check.placeholders.iter().map(|key| {
        Finding::new(
            name,
            format!("the secret `{key}` has no value yet"),
            format!("let the user run `tooldock-manager secrets set {key}`, then call `reload_core`"),
        )
    });
    missing.chain(waiting).collect()
}

/// What the core says of a namespace that it serves, or tries to.
fn served_badly(served: &CoreNamespace) -> Vec<Finding> {
    let about = &served.name;
    let mut findings = Vec::new();
    if let Some(failure) = &served.failure {
        let problem = format!("the newest version does not serve, the last good one goes on: {failure}");
        findings.push(Finding::new(
            about,
            problem,
            "correct it and call `reload_core`, or call `rollback_namespace`",
        ));
    }
    if let Some(reason) = &served.reason {
        let problem = format!("it is {}: {reason}", served.state);
        findings.push(Finding::new(
            about,
            problem,
            "`get_logs` shows what it printed; correct that, then `reload_core`",
        ));
    }
    findings.extend(served.errors.iter().map(|error| {
        let LoadProblem {
            file,
            line,
            message,
            hint,
            ..
        } = error;
        let place = line.map(|line| format!(", line {line}")).unwrap_or_default();
        let fix = hint
            .clone()
            .unwrap_or_else(|| "correct the file with `write_tool`".to_owned());
        Finding::new(
            about,
            format!("{file}{place}: {message}"),
            format!("{fix}; then `reload_core`"),
        )
    }));
    findings
}
