//! Packages of PyPI, by the simple interface in JSON (PEP 691).

use http::{HeaderValue, header::ACCEPT};
use reqwest::Url;
use serde_json::Value;

use super::{
    Package,
    archive::{Archive, ArchiveKind, sha256},
    directory::encoded,
    server::text,
};
use crate::{manager::repo::SourceError, outbound::Outbound};

/// Bytes that the list of a project's files may have.
const LIST: usize = 32 << 20;

/// A file that could be read.
#[derive(Debug)]
struct Candidate<'a> {
    file: &'a Value,
    version: String,
    kind: ArchiveKind,
}

/// Fetches the source archive of a version, or else its wheel; of the newest version where none is named.
pub(super) async fn fetch(
    client: &Outbound,
    base: &str,
    package: &Package,
    most: usize,
) -> Result<Archive, SourceError> {
    let name = normalized(&package.identifier);
    let address = format!("{base}/{}/", encoded(&name));
    let accept = [(
        ACCEPT,
        HeaderValue::from_static("application/vnd.pypi.simple.v1+json"),
    )];
    let listed: Value =
        serde_json::from_slice(&client.get(&address, &accept, LIST).await?).unwrap_or_default();
    let files = listed["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = choose(files, &name, package.version.as_deref());
    let missing = || {
        SourceError::Archive(format!(
            "PyPI has no archive of `{}` in the version `{}`",
            package.identifier,
            package.version.as_deref().unwrap_or("latest")
        ))
    };
    let Candidate { file, version, kind } = found.ok_or_else(missing)?;
    let odd = || {
        SourceError::Archive(format!(
            "PyPI describes a file of `{}` without an address or a digest",
            package.identifier
        ))
    };
    let place = text(file, &["url"])
        .and_then(|place| Url::parse(&address).ok()?.join(&place).ok())
        .ok_or_else(odd)?;
    let wanted = text(&file["hashes"], &["sha256"]).ok_or_else(odd)?;
    let content = client.get(place.as_str(), &[], most).await?;
    if sha256(&content) != wanted {
        return Err(SourceError::Archive(format!(
            "the archive of `{}` has another digest than PyPI says",
            package.identifier
        )));
    }
    Ok(Archive {
        version,
        kind,
        content,
    })
}

/// The file to read: a source archive before a wheel; files are listed in the order in which they came.
fn choose<'a>(files: &'a [Value], name: &str, version: Option<&str>) -> Option<Candidate<'a>> {
    let all = files
        .iter()
        .filter(|file| matches!(file["yanked"], Value::Bool(false) | Value::Null));
    let all: Vec<Candidate<'_>> = all.filter_map(|file| candidate(file, name)).collect();
    let stable =
        |candidate: &&Candidate<'_>| candidate.version.chars().all(|c| c.is_ascii_digit() || c == '.');
    let wanted = match version {
        Some(version) => version.to_owned(),
        None => all.iter().rfind(stable).or_else(|| all.last())?.version.clone(),
    };
    let of_version = all.into_iter().filter(|candidate| candidate.version == wanted);
    of_version.max_by_key(|candidate| candidate.kind == ArchiveKind::Tarball)
}

/// A file of this project by its name: `name-version.tar.gz` or `name-version-….whl`.
fn candidate<'a>(file: &'a Value, name: &str) -> Option<Candidate<'a>> {
    let filename = file["filename"].as_str()?;
    if let Some(stem) = filename.strip_suffix(".tar.gz") {
        let (project, version) = stem.rsplit_once('-')?;
        return (normalized(project) == name).then(|| Candidate {
            file,
            version: version.to_owned(),
            kind: ArchiveKind::Tarball,
        });
    }
    let mut parts = filename.strip_suffix(".whl")?.split('-');
    let (project, version) = (parts.next()?, parts.next()?);
    (normalized(project) == name).then(|| Candidate {
        file,
        version: version.to_owned(),
        kind: ArchiveKind::Wheel,
    })
}

/// A name as the index compares it (PEP 503).
fn normalized(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_source_of_the_wanted_version_is_chosen() {
        let files = [
            json!({"filename": "my_server-1.0-py3-none-any.whl"}),
            json!({"filename": "my-server-1.0.tar.gz"}),
            json!({"filename": "my_server-1.1-py3-none-any.whl"}),
            json!({"filename": "my_server-2.0rc1.tar.gz"}),
            json!({"filename": "my_server-1.2.tar.gz", "yanked": "broken"}),
            json!({"filename": "other-9.tar.gz"}),
        ];
        let chosen = |version| choose(&files, "my-server", version).map(|one| (one.version, one.kind));
        assert_eq!(
            chosen(Some("1.0")),
            Some(("1.0".to_owned(), ArchiveKind::Tarball))
        );
        assert_eq!(chosen(None), Some(("1.1".to_owned(), ArchiveKind::Wheel)));
        assert_eq!(chosen(Some("1.2")), None);
        assert_eq!(normalized("My_Server.x"), "my-server-x");
    }
}
