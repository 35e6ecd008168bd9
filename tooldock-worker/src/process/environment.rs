//! What a process that we start may know of ours.

use std::collections::BTreeMap;

/// Names that every child inherits: where programs are, home, language, time zone, scratch space, proxies, certificates.
const WORKER: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];
/// Those of them whose values name certificates.
const CERTIFICATES: &[&str] = &[
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];
/// Names that an installer inherits besides; its home is a scratch folder.
const INSTALLER: &[&str] = &["PIP_CERT"];

/// The environment of the gateway, of which children get a few names only.
///
/// Whoever embeds the crate passes his own environment in; nothing here reads it by itself.
///
/// ```
/// use tooldock_worker::Environment;
/// let environment: Environment = [("PATH".to_owned(), "/bin".to_owned()), ("SECRETS_KEY".to_owned(), "x".to_owned())].into_iter().collect();
/// assert_eq!(environment.for_worker().collect::<Vec<_>>(), [("PATH", "/bin")]);
/// ```
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// What a worker inherits.
    pub fn for_worker(&self) -> impl Iterator<Item = (&str, &str)> {
        self.only(WORKER)
    }

    /// What an installer inherits, without a home.
    pub fn for_installer(&self) -> impl Iterator<Item = (&str, &str)> {
        self.only(WORKER)
            .chain(self.only(INSTALLER))
            .filter(|(name, _)| *name != "HOME")
    }

    /// Files and folders of certificates that a worker is told of.
    pub(crate) fn certificates(&self) -> impl Iterator<Item = &std::path::Path> {
        self.only(CERTIFICATES)
            .map(|(_, path)| std::path::Path::new(path))
    }

    fn only(&self, names: &'static [&'static str]) -> impl Iterator<Item = (&str, &str)> {
        names
            .iter()
            .filter_map(|name| Some((*name, self.0.get(*name)?.as_str())))
    }

    /// The folders of `PATH`, or the usual ones when it is not set.
    pub(crate) fn search_path(&self) -> impl Iterator<Item = &std::path::Path> {
        let path = self
            .0
            .get("PATH")
            .map_or("/usr/local/bin:/usr/bin:/bin", String::as_str);
        path.split(':')
            .filter(|folder| folder.starts_with('/'))
            .map(std::path::Path::new)
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_get_listed_names_only() {
        let names = [
            "PATH",
            "HOME",
            "PIP_CERT",
            "PIP_INDEX_URL",
            "BEARER_TOKEN",
            "LD_PRELOAD",
            "PYTHONPATH",
        ];
        let all: Environment = names
            .map(|name| (name.to_owned(), "x".to_owned()))
            .into_iter()
            .collect();
        assert_eq!(
            all.for_worker().map(|(name, _)| name).collect::<Vec<_>>(),
            ["PATH", "HOME"]
        );
        assert_eq!(
            all.for_installer().map(|(name, _)| name).collect::<Vec<_>>(),
            ["PATH", "PIP_CERT"]
        );
        assert!(
            !format!("{all:?}").contains("\"x\""),
            "values must not be printed"
        );
    }
}
