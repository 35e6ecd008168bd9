//! The settings of `tooldock-core connect`.

use tooldock_mcp::{
    io::IoSettings,
    upstream::{Address, UpstreamSettings},
};

use super::{CONNECT_SETTINGS, LogSettings, Mistakes, Sources, reader::Reader};

/// The settings of `tooldock-core connect`, checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConnectSettings {
    /// The server, and what it may do.
    pub upstream: UpstreamSettings,
    /// The bounds of the conversation.
    pub io: IoSettings,
    /// Which log lines are written.
    pub log: LogSettings,
}

impl ConnectSettings {
    /// Reads them, for the server at `address`.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read(address: &str, sources: &Sources<'_>) -> Result<Self, Mistakes> {
        let mut read = Reader::of(&[CONNECT_SETTINGS], sources);
        let token = read.secret("TOOLDOCK_TOKEN", None);
        let patience = read.seconds("CONNECT_PATIENCE_SECONDS", 0..=300);
        let silence = read.seconds("CONNECT_SILENCE_SECONDS", 1..=86_400);
        let message_bytes = read.count("CONNECT_MESSAGE_BYTES", 1024..=1 << 30);
        let mut io = IoSettings::default();
        io.drain = read.seconds("CONNECT_DRAIN_SECONDS", 0..=3600);
        let log = LogSettings::with(&mut read);
        let mut mistakes = read.mistakes;
        let address = address
            .parse::<Address>()
            .map_err(|error| mistakes.push(error.to_string()));
        let settings = address.ok().map(UpstreamSettings::new);
        let upstream = settings.and_then(|settings| match &token {
            Some(token) => settings
                .bearer(token)
                .map_err(|_| mistakes.push("TOOLDOCK_TOKEN must be visible ASCII characters".to_owned()))
                .ok(),
            None => Some(settings),
        });
        let Some(mut upstream) = upstream else {
            return Err(mistakes);
        };
        upstream.patience = patience;
        upstream.silence = silence;
        upstream.message_bytes = message_bytes;
        mistakes.or(Self { upstream, io, log })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(address: &str, pairs: &[(&str, &str)]) -> Result<ConnectSettings, Mistakes> {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let map: BTreeMap<String, String> = pairs.collect();
        ConnectSettings::read(address, &Sources::environment(&map))
    }

    #[test]
    fn s7_the_token_is_sent_and_shown_nowhere() {
        let settings = read(
            "http://127.0.0.1:1/demo/mcp",
            &[("TOOLDOCK_TOKEN", "canary-canary")],
        )
        .unwrap();
        assert_eq!(settings.upstream.headers["authorization"], "Bearer canary-canary");
        assert!(!format!("{settings:?}").contains("canary"));
        assert!(
            read("http://127.0.0.1:1/", &[])
                .unwrap()
                .upstream
                .headers
                .is_empty()
        );
    }

    #[test]
    fn one_report_names_every_mistake_and_no_secret() {
        let wrong = [
            ("TOOLDOCK_TOKEN", "canary\nx"),
            ("CONNECT_PATIENCE_SECONDS", "301"),
            ("LOG_LEVEL", "loud"),
        ];
        let report = read("http://127.0.0.1/", &wrong).unwrap_err();
        assert_eq!(report.lines().len(), 3, "{report}");
        let address = read("http://me:canary@example.org/", &[]).unwrap_err();
        assert!(!format!("{report}{address}").contains("canary"));
    }
}
