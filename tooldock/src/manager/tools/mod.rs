//! The tools of the manager: one file each, and the table of them.

mod add_requirement;
#[cfg(feature = "analysis")]
mod analyze_repo;
mod check_secrets;
mod create_namespace;
mod delete_namespace;
mod delete_tool;
mod doctor;
mod generate_tool;
mod get_logs;
mod get_tool_source;
mod get_tool_template;
mod health;
#[cfg(feature = "analysis")]
mod install_from_registry;
#[cfg(feature = "analysis")]
mod install_from_repo;
mod install_pip_packages;
mod install_requirements;
mod list_namespaces;
mod list_requirements;
mod list_secrets;
mod list_tools;
mod prepare_secret;
#[cfg(feature = "analysis")]
mod read_repo_file;
mod reload_core;
mod remove_requirement;
mod remove_secret;
mod rename_tool_file;
mod rollback_namespace;
#[cfg(feature = "analysis")]
mod search_registry;
mod server_config;
mod test_tool;
mod tool;
mod write_tool;

use std::{fmt::Write as _, sync::Arc};

use tooldock_engine::{StaticEngine, Tool, catalog::About};

use self::tool::{Entry, entry};
use super::Manager;

/// What a client is told about the whole.
const ABOUT: &str = "Manages the namespaces of a ToolDock gateway: folders of Python tools that it serves over MCP and REST. Begin with \
    `list_namespaces`. To add tools: `create_namespace`, `get_tool_template`, `write_tool`, `add_requirement` for packages, \
    `reload_core`, `test_tool`. To translate a server: `install_from_repo` or `install_from_registry`, `read_repo_file`, then the same. \
    When something does not work: `doctor`. Values of secrets never pass through here: `prepare_secret` tells what the user has to run.";

/// Every tool, in the order in which it is listed.
fn all() -> Vec<Entry> {
    vec![
        entry::<list_namespaces::ListNamespaces>(),
        entry::<create_namespace::CreateNamespace>(),
        entry::<delete_namespace::DeleteNamespace>(),
        entry::<reload_core::ReloadCore>(),
        entry::<list_tools::ListTools>(),
        entry::<get_tool_source::GetToolSource>(),
        entry::<get_tool_template::GetToolTemplate>(),
        entry::<write_tool::WriteTool>(),
        entry::<generate_tool::GenerateTool>(),
        entry::<delete_tool::DeleteTool>(),
        entry::<rename_tool_file::RenameToolFile>(),
        entry::<test_tool::TestTool>(),
        entry::<get_logs::GetLogs>(),
        entry::<rollback_namespace::RollbackNamespace>(),
        entry::<install_requirements::InstallRequirements>(),
        entry::<add_requirement::AddRequirement>(),
        entry::<remove_requirement::RemoveRequirement>(),
        entry::<list_requirements::ListRequirements>(),
        entry::<install_pip_packages::InstallPipPackages>(),
        entry::<prepare_secret::PrepareSecret>(),
        entry::<list_secrets::ListSecrets>(),
        entry::<remove_secret::RemoveSecret>(),
        entry::<check_secrets::CheckSecrets>(),
        #[cfg(feature = "analysis")]
        entry::<search_registry::SearchRegistry>(),
        #[cfg(feature = "analysis")]
        entry::<install_from_registry::InstallFromRegistry>(),
        #[cfg(feature = "analysis")]
        entry::<install_from_repo::InstallFromRepo>(),
        #[cfg(feature = "analysis")]
        entry::<analyze_repo::AnalyzeRepo>(),
        #[cfg(feature = "analysis")]
        entry::<read_repo_file::ReadRepoFile>(),
        entry::<doctor::Doctor>(),
        entry::<health::Health>(),
        entry::<server_config::ServerConfig>(),
    ]
}

/// The engine of all tools.
pub(super) fn engine(manager: &Arc<Manager>) -> StaticEngine {
    let about = About {
        description: Some(ABOUT.to_owned()),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        author: None,
    };
    let builder = StaticEngine::builder().about(about);
    let builder = all()
        .into_iter()
        .fold(builder, |builder, entry| entry.mount(builder, manager.clone()));
    builder.build().expect("no two tools have one name")
}

/// The tools as a page of Markdown, for `docs/manager-tools.md`.
#[must_use]
pub fn as_markdown() -> String {
    let mut page = String::from(
        "# Tools of the manager\n\nGenerated from the table in `tooldock::manager`; do not edit.\n\n",
    );
    writeln!(page, "{ABOUT}\n").expect("a String takes every text");
    for Entry { tool, .. } in all() {
        describe(&mut page, &tool).expect("a String takes every text");
    }
    page.truncate(page.trim_end().len());
    page
}

fn describe(page: &mut String, tool: &Tool) -> std::fmt::Result {
    writeln!(page, "## `{}`\n", tool.name)?;
    writeln!(page, "{}\n", tool.description.as_deref().unwrap_or_default())?;
    let said = [
        ("Annotations", tool.annotations.as_ref()),
        ("Takes", Some(&tool.input_schema)),
        ("Gives", tool.output_schema.as_ref()),
    ];
    for (what, json) in said {
        if let Some(json) = json {
            writeln!(page, "{what}:\n\n```json\n{}\n```\n", json.as_str())?;
        }
    }
    Ok(())
}
