//! Which answers a client takes.

use http::{HeaderMap, header::ACCEPT};

use crate::refusal::{Refusal, code};

/// Which answers a client takes. It is refused only if it takes neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accept {
    /// One JSON object.
    pub(super) json: bool,
    /// An event stream.
    pub(super) events: bool,
}

const EVERYTHING: Accept = Accept {
    json: true,
    events: true,
};

/// What the protocol tells clients to send.
const USUAL: &str = "application/json, text/event-stream";

/// The ranges that take one JSON body.
const JSON: [&str; 3] = ["application/json", "*/*", "application/*"];

/// The ranges that take an event stream.
const EVENTS: [&str; 3] = ["text/event-stream", "*/*", "text/*"];

impl Accept {
    /// Reads the header; without one, everything is taken.
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut values = headers.get_all(ACCEPT).iter();
        if values.next().is_none_or(|first| first == USUAL) {
            return Ok(EVERYTHING);
        }
        let mut taken = Self {
            json: false,
            events: false,
        };
        let values = headers
            .get_all(ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok());
        for range in values.flat_map(|value| value.split(',')) {
            let (media, parameters) = range.split_once(';').unwrap_or((range, ""));
            if is_refused(parameters) {
                continue;
            }
            let is = |name: &&str| media.trim().eq_ignore_ascii_case(name);
            taken.json |= JSON.iter().any(is);
            taken.events |= EVENTS.iter().any(is);
        }
        if taken.json || taken.events {
            return Ok(taken);
        }
        let text =
            "`Accept` excludes every answer there is; send `Accept: application/json, text/event-stream`";
        Err(Refusal::new(406, code::INVALID_REQUEST, text))
    }
}

/// Whether the parameters of a media range give it the weight zero.
fn is_refused(parameters: &str) -> bool {
    let weight = parameters
        .split(';')
        .find_map(|parameter| parameter.trim().strip_prefix("q="));
    weight.and_then(|weight| weight.parse::<f32>().ok()) == Some(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_excludes_everything_is_refused() {
        let table = [
            ("application/json, text/event-stream", Some((true, true))),
            ("*/*", Some((true, true))),
            ("application/*", Some((true, false))),
            ("application/json", Some((true, false))),
            ("Text/Event-Stream;q=0.5", Some((false, true))),
            ("text/html, application/json;q=0", None),
            ("image/png", None),
            ("", None),
        ];
        for (value, expected) in table {
            let headers = HeaderMap::from_iter([(ACCEPT, value.parse().unwrap())]);
            let taken = Accept::read(&headers).ok();
            assert_eq!(taken.map(|taken| (taken.json, taken.events)), expected, "{value}");
        }
        assert_eq!(Accept::read(&HeaderMap::new()).unwrap(), EVERYTHING);
    }
}
