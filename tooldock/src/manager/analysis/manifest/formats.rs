//! The formats of manifests.

use serde_json::Value;

use super::Manifest;

impl Manifest {
    pub(super) fn package_json(&mut self, text: &str) {
        let package: Value = serde_json::from_str(text).unwrap_or_default();
        for kind in ["dependencies", "peerDependencies", "optionalDependencies"] {
            for (name, version) in package[kind].as_object().into_iter().flatten() {
                self.need(name, version.as_str().unwrap_or_default());
            }
        }
    }

    /// A requirement of Python: a name, perhaps extras, and what else stands there.
    fn requirement(&mut self, line: &str) {
        let line = line.split([';', '#']).next().unwrap_or_default().trim();
        let end = line
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')))
            .unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let rest = rest
            .split_once(']')
            .map_or(rest, |(_, rest)| rest)
            .trim_matches(['(', ')', ' ']);
        if !name.starts_with('-') {
            self.need(name, rest);
        }
    }

    pub(super) fn requirements(&mut self, text: &str) {
        text.lines().for_each(|line| self.requirement(line));
    }

    pub(super) fn metadata(&mut self, text: &str) {
        let head = text.lines().take_while(|line| !line.is_empty());
        for line in head
            .filter_map(|line| line.strip_prefix("Requires-Dist: "))
            .filter(|line| !line.contains("extra =="))
        {
            self.requirement(line);
        }
    }

    pub(super) fn pyproject(&mut self, text: &str) {
        let Ok(project) = text.parse::<toml::Table>() else {
            return;
        };
        let project = toml::Value::Table(project);
        let listed = project
            .get("project")
            .and_then(|project| project.get("dependencies"))
            .and_then(toml::Value::as_array);
        listed
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_str)
            .for_each(|line| self.requirement(line));
        let poetry = project
            .get("tool")
            .and_then(|tool| tool.get("poetry"))
            .and_then(|poetry| poetry.get("dependencies"));
        for (name, version) in poetry.and_then(toml::Value::as_table).into_iter().flatten() {
            self.need(name, &version_of(version));
        }
    }

    pub(super) fn cargo(&mut self, text: &str) {
        let Ok(project) = text.parse::<toml::Table>() else {
            return;
        };
        let workspace = project
            .get("workspace")
            .and_then(|workspace| workspace.get("dependencies"));
        for (name, version) in [project.get("dependencies"), workspace]
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_table)
            .flatten()
        {
            self.need(name, &version_of(version));
        }
    }

    pub(super) fn go_mod(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.contains("// indirect")) {
            let mut words = line.trim().trim_start_matches("require ").split_whitespace();
            if let (Some(name), Some(version)) =
                (words.next().filter(|name| name.contains('.')), words.next())
            {
                self.need(name, version);
            }
        }
    }

    /// `<PackageReference Include="…" Version="…" />`
    pub(super) fn project(&mut self, text: &str) {
        for part in text.split("<PackageReference").skip(1) {
            let element = part.split('>').next().unwrap_or_default();
            let attribute = |name: &str| {
                element
                    .split_once(&format!("{name}=\""))
                    .and_then(|(_, rest)| rest.split('"').next())
            };
            self.need(
                attribute("Include").unwrap_or_default(),
                attribute("Version").unwrap_or_default(),
            );
        }
    }

    pub(super) fn pom(&mut self, text: &str) {
        for part in text.split("<dependency>").skip(1) {
            let element = part.split("</dependency>").next().unwrap_or_default();
            let inner = |name: &str| {
                element
                    .split_once(&format!("<{name}>"))
                    .and_then(|(_, rest)| rest.split('<').next())
                    .unwrap_or_default()
            };
            self.need(inner("artifactId"), inner("version"));
            if inner("groupId") == "io.modelcontextprotocol.sdk" {
                self.need("io.modelcontextprotocol.sdk", inner("version"));
            }
        }
    }

    /// `implementation("group:name:version")`
    pub(super) fn gradle(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.contains("mplementation")) {
            let coordinates = line.split(['"', '\'']).nth(1).unwrap_or_default();
            let mut parts = coordinates.split(':');
            let (group, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let version = parts.next().unwrap_or_default();
            self.need(name, version);
            if group.starts_with("io.modelcontextprotocol") {
                self.need(group, version);
            }
        }
    }

    /// The server's own definition for registries, which names its variables.
    pub(super) fn server_json(&mut self, text: &str) {
        let server: Value = serde_json::from_str(text).unwrap_or_default();
        let packages = server["packages"].as_array().into_iter().flatten();
        let variables =
            packages.flat_map(|package| package["environmentVariables"].as_array().into_iter().flatten());
        for variable in variables {
            if let Some(name) = variable["name"].as_str() {
                let list = if variable["isSecret"] == true {
                    &mut self.secrets
                } else {
                    &mut self.variables
                };
                list.push(name.to_owned());
            }
        }
    }
}

fn version_of(value: &toml::Value) -> String {
    let inner = value.get("version").unwrap_or(value);
    inner.as_str().unwrap_or_default().to_owned()
}
