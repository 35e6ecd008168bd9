//! Packages of npm.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sha2::{Digest as _, Sha512};

use super::{
    Package,
    archive::{Archive, ArchiveKind},
    directory::encoded,
    server::text,
};
use crate::{manager::repo::SourceError, outbound::Outbound};

/// Bytes that the description of one version may have.
const DESCRIPTION: usize = 4 << 20;

/// Fetches the archive of a version, or of the newest one.
pub(super) async fn fetch(
    client: &Outbound,
    base: &str,
    package: &Package,
    most: usize,
) -> Result<Archive, SourceError> {
    let version = package.version.as_deref().unwrap_or("latest");
    let address = format!("{base}/{}/{}", encoded(&package.identifier), encoded(version));
    let described: Value =
        serde_json::from_slice(&client.get(&address, &[], DESCRIPTION).await?).unwrap_or_default();
    let odd =
        |what: &str| SourceError::Archive(format!("npm describes `{}` without {what}", package.identifier));
    let dist = &described["dist"];
    let tarball = text(dist, &["tarball"]).ok_or_else(|| odd("an archive"))?;
    let integrity = text(dist, &["integrity"]).ok_or_else(|| odd("a digest"))?;
    let wanted = integrity
        .split_whitespace()
        .find_map(|one| one.strip_prefix("sha512-"))
        .ok_or_else(|| odd("a digest of SHA-512"))?;
    let content = client.get(&tarball, &[], most).await?;
    if STANDARD.encode(Sha512::digest(&content)) != wanted {
        return Err(SourceError::Archive(format!(
            "the archive of `{}` has another digest than npm says",
            package.identifier
        )));
    }
    Ok(Archive {
        version: text(&described, &["version"]).ok_or_else(|| odd("a version"))?,
        kind: ArchiveKind::Tarball,
        content,
    })
}
