//! A server as a registry lists it (`server.json`, schema of 2025-12-11; older spellings are read too).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tooldock_engine::catalog::clean_prose;

/// A listed server.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Server {
    /// Its name: a domain backwards, a slash, a word.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its version.
    pub version: String,
    /// Whether it should be used.
    pub status: Status,
    /// Why it has this status.
    pub status_message: Option<String>,
    /// Where its source code is.
    pub source_url: Option<String>,
    /// Its packages.
    pub packages: Vec<Package>,
    /// All of it, as it was listed.
    pub(super) raw: Value,
}

/// Whether a server should be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// Yes.
    Active,
    /// Better not.
    Deprecated,
    /// No.
    Deleted,
}

/// A package that a server is installed from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Package {
    /// `npm`, `pypi`, `oci`, …
    pub kind: String,
    /// Its name there.
    pub identifier: String,
    /// Its exact version.
    pub version: Option<String>,
    /// The digest that its file must have.
    pub sha256: Option<String>,
}

impl Server {
    /// Reads a row of a list: the server, and what the registry says about it. Nothing when it has no name.
    pub(super) fn read(row: &Value) -> Option<Self> {
        let raw = row.get("server").unwrap_or(row);
        let official = &row["_meta"]["io.modelcontextprotocol.registry/official"];
        let status = match text(official, &["status"])
            .or_else(|| text(raw, &["status"]))
            .as_deref()
        {
            Some("deprecated") => Status::Deprecated,
            Some("deleted") => Status::Deleted,
            _ => Status::Active,
        };
        let packages = raw["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Package::read);
        Some(Self {
            name: text(raw, &["name"])?,
            description: text(raw, &["description"]).unwrap_or_default(),
            version: text(raw, &["version"])
                .or_else(|| text(&raw["version_detail"], &["version"]))
                .unwrap_or_default(),
            status,
            status_message: text(official, &["statusMessage", "status_message"])
                .filter(|text| !text.is_empty()),
            source_url: text(&raw["repository"], &["url"]),
            packages: packages.collect(),
            raw: raw.clone(),
        })
    }

    /// The package whose archive can be read: of PyPI before one of npm, as it needs less translation.
    #[must_use]
    pub fn readable(&self) -> Option<&Package> {
        let of = |kind: &str| self.packages.iter().find(|package| package.kind == kind);
        of("pypi").or_else(|| of("npm"))
    }

    /// How the server could be run as it is, in the form that an operator puts into a file of servers; nothing when that is not known.
    #[must_use]
    pub fn definition(&self) -> Option<Value> {
        super::definition::of(&self.raw).map(|definition| {
            let short = self.name.rsplit('/').next().unwrap_or(&self.name);
            json!({"mcpServers": {short: definition}})
        })
    }
}

impl Package {
    fn read(raw: &Value) -> Option<Self> {
        Some(Self {
            kind: text(raw, &["registryType", "registry_type", "registry_name"])?,
            identifier: text(raw, &["identifier", "name"])?,
            version: text(raw, &["version"]).filter(|version| !version.is_empty() && version != "latest"),
            sha256: text(raw, &["fileSha256", "file_sha256"]),
        })
    }
}

/// The text of a member, under any of its names, without characters that read differently than they look.
pub(super) fn text(of: &Value, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| of.get(name)?.as_str())?;
    Some(clean_prose(found).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s76_rows_are_read_with_tolerance_and_without_hidden_text() {
        let row = json!({"server": {
            "name": "io.example/one", "description": "Does\u{202e} it.\u{200b}", "version": "1.0.0", "repository": {"url": "https://git.example/o/r"},
            "packages": [{"registryType": "oci", "identifier": "x/y"}, {"registryType": "npm", "identifier": "@o/one", "version": "1.0.0"}],
        }, "_meta": {"io.modelcontextprotocol.registry/official": {"status": "deprecated", "statusMessage": "use two"}}});
        let server = Server::read(&row).unwrap();
        assert_eq!(
            (server.description.as_str(), server.status),
            ("Does it.", Status::Deprecated)
        );
        assert_eq!(server.readable().unwrap().identifier, "@o/one");
        let old = json!({"name": "io.example/old", "status": "deleted", "version_detail": {"version": "0.1"}, "packages": [{"registry_name": "pypi", "name": "old"}]});
        let server = Server::read(&old).unwrap();
        assert_eq!(
            (
                server.version.as_str(),
                server.status,
                server.packages[0].kind.as_str()
            ),
            ("0.1", Status::Deleted, "pypi")
        );
        assert!(Server::read(&json!({"server": {}})).is_none());
    }
}
