//! What a development server prints when everything answers.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    sync::Arc,
};

use tooldock_engine::{Catalog, Tool};

use super::{core::Announced, snippets::snippets};
use crate::registry::Namespace;

/// Where the token comes from, and whether it must be shown.
#[derive(Debug, Clone)]
pub(super) enum TokenSource {
    /// Nobody is asked for one.
    None,
    /// The user has given it and knows it.
    Given,
    /// It was made, or made earlier and kept in `file`.
    Made { token: String, file: PathBuf },
}

/// The page that is printed once everything answers.
pub(super) struct Greeting<'a> {
    pub(super) core: &'a Announced,
    pub(super) token: &'a TokenSource,
}

impl Greeting<'_> {
    pub(super) async fn print(&self) {
        let base = format!("http://{}", self.core.address);
        let registry = self.core.gateway.registry();
        let mut namespaces = Vec::new();
        for namespace in registry.snapshot().describe() {
            let catalog = registry.catalog(&namespace.name);
            namespaces.push((namespace, catalog));
        }
        let mut page = String::new();
        self.write(&mut page, &base, &namespaces)
            .expect("a String takes every text");
        let mut out = io::stdout().lock();
        // Who started us may have closed our output; the server goes on.
        out.write_all(page.as_bytes()).and_then(|()| out.flush()).ok();
    }

    fn write(
        &self,
        page: &mut String,
        base: &str,
        namespaces: &[(Namespace, Arc<Catalog>)],
    ) -> std::fmt::Result {
        let style = Style::of_terminal();
        writeln!(
            page,
            "\n{}",
            style.bold(&format!("ToolDock {} serves {base}", env!("CARGO_PKG_VERSION")))
        )?;
        match self.token {
            TokenSource::None => writeln!(page, "\nNobody is asked for a token.")?,
            TokenSource::Given => writeln!(
                page,
                "\nClients send the token that you gave; for the lines below:  export TOOLDOCK_TOKEN=<your token>"
            )?,
            TokenSource::Made { token, file } => writeln!(
                page,
                "\nToken (kept in {}, with the manager token for POST /reload); for the lines below:\n\n  export TOOLDOCK_TOKEN={token}",
                file.display()
            )?,
        }
        for (namespace, catalog) in namespaces {
            self.namespace(page, &style, base, namespace, catalog)?;
        }
        for rejected in &self.core.report.rejected {
            writeln!(
                page,
                "\n{} is no namespace: {}",
                style.bold(&rejected.name),
                rejected.reason
            )?;
        }
        if let Some(error) = &self.core.report.error {
            writeln!(page, "\n{error}")?;
        } else if namespaces.is_empty() {
            writeln!(
                page,
                "\nThere is no namespace yet: put a folder with a Python file into the tools folder."
            )?;
        }
        writeln!(page, "\nready {base}")
    }

    fn namespace(
        &self,
        page: &mut String,
        style: &Style,
        base: &str,
        namespace: &Namespace,
        catalog: &Catalog,
    ) -> std::fmt::Result {
        let name = &namespace.name;
        writeln!(page, "\n{}  {base}/{name}/mcp", style.bold(name.as_str()))?;
        if let Some(text) = &catalog.about().description {
            writeln!(page, "  {text}")?;
        }
        if let Some(failure) = &namespace.failure {
            writeln!(page, "  does not run: {failure}")?;
        }
        for error in &namespace.state.errors {
            let what = error
                .tool
                .as_ref()
                .map_or(error.file.clone(), |tool| format!("{tool} in {}", error.file));
            let line = error
                .line
                .map(|line| format!(", line {line}"))
                .unwrap_or_default();
            let hint = error
                .hint
                .as_ref()
                .map(|hint| format!("; {hint}"))
                .unwrap_or_default();
            writeln!(page, "  {what}{line}: {}{hint}", error.message)?;
        }
        for secret in &namespace.state.missing_secrets {
            writeln!(page, "  the secret {secret} has no value yet")?;
        }
        for tool in catalog.tools() {
            writeln!(page, "  {:<24} {}", tool.name.as_str(), first_line(tool))?;
        }
        let Some(example) = catalog.tools().first() else {
            return Ok(());
        };
        writeln!(page)?;
        let token = !matches!(self.token, TokenSource::None);
        for (client, line) in snippets(base, name.as_str(), example, token) {
            writeln!(page, "  {}\n    {line}", style.dim(client))?;
        }
        Ok(())
    }
}

fn first_line(tool: &Tool) -> &str {
    tool.description
        .as_deref()
        .and_then(|text| text.lines().next())
        .unwrap_or_default()
}

/// Bold and dim on a terminal, plain elsewhere.
struct Style {
    terminal: bool,
}

impl Style {
    fn of_terminal() -> Self {
        Self {
            terminal: io::stdout().is_terminal(),
        }
    }
    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }
    fn dim(&self, text: &str) -> String {
        self.wrap("2", text)
    }
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.terminal {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
