//! An event stream that stays open.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use tooldock_judge::Exchange;
use ureq::{Body, BodyReader};

use crate::evidence::Evidence;

/// An event stream that stays open. What is read of it is judged by the schema of its revision, and kept to be searched.
pub struct Stream {
    reader: BufReader<BodyReader<'static>>,
    exchange: Exchange,
    evidence: Arc<Evidence>,
}

impl Stream {
    pub(crate) fn new(body: Body, exchange: Exchange, evidence: &Arc<Evidence>) -> Self {
        Self {
            reader: BufReader::new(body.into_reader()),
            exchange,
            evidence: Arc::clone(evidence),
        }
    }
}

/// The data of its events; nothing once it has ended, or broken off.
impl Iterator for Stream {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            self.exchange.hear(&line);
            let data = line.strip_prefix("data:").map(|data| data.trim().to_owned());
            self.evidence.hear(line.into_bytes());
            if data.is_some() {
                return data;
            }
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}
