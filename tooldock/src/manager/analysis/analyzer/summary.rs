//! What is told of all that was found.

use std::collections::BTreeMap;

use tooldock_engine::catalog::clean_prose;

use super::{
    super::{
        Analysis, Language, ToolFound,
        environment::is_secret,
        find::Found,
        manifest::Manifest,
        survey::{Role, ordered},
    },
    Analyzer,
};

impl Analyzer {
    /// What is told of what was found.
    pub(super) fn report(
        mut self,
        found: Found,
        manifest: &Manifest,
        manifests: Vec<String>,
        paths: &[&str],
    ) -> Analysis {
        if !found.complete {
            let told =
                "there was not time enough for every declaration; read what is missing with read_repo_file";
            self.notes.push(told.to_owned());
        }
        if found.unnamed_count > 0 {
            let places = found.unnamed.join(", ");
            self.notes.push(format!(
                "{} declarations have names that only running would tell, among them: {places}",
                found.unnamed_count
            ));
        }
        let mut languages: BTreeMap<Language, (usize, usize)> = self
            .bytes
            .iter()
            .map(|(language, bytes)| (*language, (0, *bytes)))
            .collect();
        for (_, language) in &found.tools {
            languages.entry(*language).or_default().0 += 1;
        }
        let mut tools: Vec<ToolFound> = found.tools.into_iter().map(|(tool, _)| clean(tool)).collect();
        self.cut(&mut tools);
        let mut listed = manifests;
        for file in tools.iter().map(|tool| &tool.file).chain(&paths_of_code(paths)) {
            if !listed.contains(file) && listed.len() < self.bounds.listed {
                listed.push(file.clone());
            }
        }
        let variables = std::mem::take(&mut self.environment.variables);
        let declared = manifest.secrets.iter().chain(&manifest.variables).cloned();
        let (mut secrets, mut settings): (Vec<String>, Vec<String>) = variables
            .into_iter()
            .chain(declared)
            .partition(|name| is_secret(name) || manifest.secrets.contains(name));
        for names in [&mut secrets, &mut settings] {
            names.sort();
            names.dedup();
        }
        Analysis {
            language: languages
                .into_iter()
                .max_by_key(|(_, weight)| *weight)
                .map(|(language, _)| language),
            framework: manifest.framework().map(str::to_owned),
            files: listed,
            tools_found: tools,
            dependencies: manifest
                .dependencies
                .iter()
                .take(self.bounds.listed)
                .map(|(name, version)| (plain(name), plain(version)))
                .collect(),
            apis_called: self.environment.hosts.into_iter().collect(),
            secrets_needed: secrets,
            settings_read: settings,
            notes: self.notes,
        }
    }

    /// Cuts the tools to those that are told, and says so.
    fn cut(&mut self, tools: &mut Vec<ToolFound>) {
        let (all, most) = (tools.len(), self.bounds.tools);
        if all > most {
            self.notes
                .push(format!("only the first {most} of {all} tools are listed"));
            tools.truncate(most);
        }
    }
}

/// Source code that people wrote, what speaks of tools first.
fn paths_of_code(paths: &[&str]) -> Vec<String> {
    let mut all = ordered(paths.iter().copied(), Role::Written);
    if all.is_empty() {
        all = ordered(paths.iter().copied(), Role::Built);
    }
    all.into_iter().map(|(path, _)| path.to_owned()).collect()
}

fn clean(tool: ToolFound) -> ToolFound {
    ToolFound {
        description: tool.description.map(|text| plain(&text)),
        ..tool
    }
}

/// A text of others without characters that read differently than they look.
fn plain(text: &str) -> String {
    clean_prose(text).into_owned()
}
