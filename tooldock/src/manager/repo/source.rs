//! Where source code comes from.

use std::{fmt, str::FromStr};

use sha2::{Digest as _, Sha256};

use super::{RepoAddress, SourceError};

/// A repository or a version of a package; written as people write it: an address, or `npm:name@1.2.3`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A git repository.
    Repository(RepoAddress),
    /// A version of a package.
    Package {
        /// `npm` or `pypi`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Its exact version.
        version: String,
    },
}

/// The kinds of packages whose archives are read.
pub(crate) const KINDS: [&str; 2] = ["npm", "pypi"];

impl Source {
    /// The name of the folder that keeps it: a digest, so that no part of what somebody wrote becomes part of a path.
    pub(super) fn digest(&self) -> String {
        let digest = Sha256::digest(self.to_string());
        digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repository(address) => address.fmt(f),
            Self::Package { kind, name, version } => write!(f, "{kind}:{name}@{version}"),
        }
    }
}

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let package = |kind: &'static str| {
            let (name, version) = text.strip_prefix(kind)?.strip_prefix(':')?.rsplit_once('@')?;
            (!name.is_empty()).then(|| Self::Package {
                kind,
                name: name.to_owned(),
                version: version.to_owned(),
            })
        };
        match KINDS.into_iter().find_map(package) {
            Some(package) => Ok(package),
            None => text.parse().map(Self::Repository),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_as_they_are_written() {
        for text in [
            "https://git.example/o/r.git",
            "npm:@scope/server@1.2.3",
            "pypi:mcp-server@0.1",
        ] {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
        let digests = ["https://git.example/o/r", "https://git.example/o/s", "npm:o@1"]
            .map(|text| text.parse::<Source>().unwrap().digest());
        assert!(digests.iter().all(|digest| digest.len() == 32));
        assert!(digests[0] != digests[1] && digests[1] != digests[2]);
    }
}
