//! Reading settings, and noting every mistake on the way.

use std::{ops::RangeInclusive, str::FromStr, time::Duration};

use super::{
    Effective, Mistakes, SETTINGS, Setting, Source, Sources,
    secret_file::{Given, read_secret},
};

/// The levels of log lines.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// Whether a text is `*`, `null`, or scheme, host and port.
fn is_origin(text: &str) -> bool {
    let host = text.split_once("://").map(|(_, host)| host.trim_end_matches('/'));
    matches!(text, "*" | "null")
        || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '@', ' ']))
}

/// Reads settings from their sources. A wrong one is noted and read as its default, so that all are seen at once.
pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources<'a>,
    /// The settings that there are.
    tables: &'static [&'static [Setting]],
    pub(super) mistakes: Mistakes,
    /// What is taken all the same, and should be different.
    pub(super) warnings: Vec<String>,
    /// Every setting that was read, as it counts: name, value (secrets only as a word), source.
    pub(super) effective: Vec<Effective>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sources: &'a Sources<'a>) -> Self {
        Self::of(&[SETTINGS], sources)
    }

    pub(super) fn of(tables: &'static [&'static [Setting]], sources: &'a Sources<'a>) -> Self {
        Self {
            sources,
            tables,
            mistakes: Mistakes::default(),
            warnings: Vec::new(),
            effective: Vec::new(),
        }
    }

    /// Keeps how a setting counts, once for those that are read for two purposes.
    fn note(&mut self, name: &'static str, value: &str, source: Source) {
        if self.effective.iter().any(|known| known.name == name) {
            return;
        }
        let source = source.to_string();
        self.effective.push(Effective {
            name,
            value: value.to_owned(),
            source,
        });
    }

    fn declared(&self, name: &str) -> &'static Setting {
        self.tables
            .iter()
            .copied()
            .flatten()
            .find(|setting| setting.name == name)
            .expect("every setting that is read is in the table")
    }

    fn find(&mut self, name: &str) -> Option<(String, Source)> {
        self.sources.find(name).unwrap_or_else(|_| {
            self.mistakes.push(format!("{name} is not UTF-8"));
            None
        })
    }

    /// The text of a setting, or its default.
    pub(super) fn text(&mut self, name: &str) -> String {
        let setting = self.declared(name);
        let (text, source) = self
            .find(name)
            .unwrap_or_else(|| (setting.default.to_owned(), Source::Default));
        self.note(setting.name, &text, source);
        text
    }

    /// A text that may be absent.
    pub(super) fn optional(&mut self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// A value that is read from its text; `wanted` says what it should be.
    pub(super) fn parse<T: FromStr>(&mut self, name: &str, wanted: &str) -> T {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| {
            self.mistakes.push(format!(
                "{name} is `{}`; it must be {wanted}",
                text.escape_debug()
            ));
            let default = self.declared(name).default;
            default
                .parse()
                .unwrap_or_else(|_| unreachable!("the default of {name} is well formed"))
        })
    }

    /// A whole number within bounds.
    pub(super) fn number(&mut self, name: &str, bounds: RangeInclusive<u64>) -> u64 {
        let number = self.parse(name, "a whole number");
        if !bounds.contains(&number) {
            self.mistakes.push(format!(
                "{name} is {number}; it must be {} to {}",
                bounds.start(),
                bounds.end()
            ));
        }
        number
    }

    /// A number of things within bounds.
    pub(super) fn count(&mut self, name: &str, bounds: RangeInclusive<u64>) -> usize {
        usize::try_from(self.number(name, bounds)).unwrap_or(usize::MAX)
    }

    /// How often something may happen in a minute, or how much of it may be used.
    pub(super) fn rate(&mut self, name: &str) -> u32 {
        u32::try_from(self.number(name, 0..=1_000_000)).unwrap_or(u32::MAX)
    }

    /// How long files must be quiet before they are loaded; nothing when they are not watched.
    pub(super) fn watch(&mut self) -> Option<Duration> {
        let quiet = Duration::from_millis(self.number("FS_WATCHER_DEBOUNCE_MS", 10..=60_000));
        self.either("ENABLE_FS_WATCHER", ["true", "false"])
            .then_some(quiet)
    }

    /// Seconds within bounds.
    pub(super) fn seconds(&mut self, name: &str, bounds: RangeInclusive<u64>) -> Duration {
        Duration::from_secs(self.number(name, bounds))
    }

    /// One of two words; whether it is the first.
    pub(super) fn either(&mut self, name: &str, [yes, no]: [&str; 2]) -> bool {
        let text = self.text(name);
        if text != yes && text != no {
            self.mistakes.push(format!(
                "{name} is `{}`; it must be `{yes}` or `{no}`",
                text.escape_debug()
            ));
        }
        text == yes
    }

    /// Values separated by commas.
    pub(super) fn list<T: FromStr>(&mut self, name: &str, wanted: &str) -> Vec<T> {
        let text = self.text(name);
        let mut values = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.parse() {
                Ok(value) => values.push(value),
                Err(_) => self.mistakes.push(format!(
                    "{name} holds `{}`; each part must be {wanted}",
                    part.escape_debug()
                )),
            }
        }
        values
    }

    /// Origins of web pages, separated by commas.
    pub(super) fn origins(&mut self, name: &str) -> Vec<String> {
        let origins: Vec<String> = self.list(name, "an origin");
        for origin in origins.iter().filter(|origin| !is_origin(origin)) {
            let shown = origin.escape_debug();
            self.mistakes.push(format!(
                "{name} holds `{shown}`; each part must be an origin such as `https://chat.example.org`"
            ));
        }
        origins
    }

    /// Which log lines are written: a level, or pairs of a target and a level.
    pub(super) fn filter(&mut self, name: &str) -> String {
        let text = self.text(name);
        // What is no pair has to be a level; a misspelt one would be a target that nobody has, and silence everything.
        let unknown =
            |part: &&str| !part.contains(['=', '[']) && !LEVELS.contains(&part.to_ascii_lowercase().as_str());
        if let Some(part) = text.split(',').map(str::trim).find(unknown) {
            self.mistakes.push(format!(
                "{name} holds `{}`; a level is one of `{}`",
                part.escape_debug(),
                LEVELS.join("`, `")
            ));
        }
        text
    }

    /// A secret, from `name` or from the file that `<name>_FILE` names; when it is `missing`, that is what to do. The value goes into
    /// no report.
    pub(super) fn secret(&mut self, name: &str, missing: Option<&str>) -> Option<String> {
        let bytes = match self.given(name, missing)? {
            Given::Value(text) => return Some(text),
            Given::File(bytes) => bytes,
        };
        match String::from_utf8(bytes) {
            Ok(text) => Some(text.trim_end_matches(['\r', '\n']).to_owned()),
            Err(_) => {
                self.mistakes
                    .push(format!("{name}_FILE names a file that is no UTF-8 text"));
                None
            }
        }
    }

    /// A secret as it stands in the environment or in its file.
    pub(super) fn given(&mut self, name: &str, missing: Option<&str>) -> Option<Given> {
        let setting = self.declared(name);
        let file = format!("{name}_FILE");
        let (given, source) = match (self.find(name), self.find(&file)) {
            (Some(_), Some(_)) => {
                self.mistakes
                    .push(format!("{name} and {file} are both set; keep one of them"));
                return None;
            }
            (Some((value, source)), None) => (Given::Value(value), source),
            (None, Some((path, source))) => match read_secret(&path) {
                Ok(bytes) => (Given::File(bytes), source),
                Err(why) => {
                    self.mistakes
                        .push(format!("{file} names `{}`, which {why}", path.escape_debug()));
                    return None;
                }
            },
            (None, None) => {
                self.note(setting.name, "not set", Source::Default);
                if let Some(remedy) = missing {
                    self.mistakes.push(format!("{name} is not set; {remedy}"));
                }
                return None;
            }
        };
        self.note(setting.name, "set", source);
        Some(given)
    }
}
