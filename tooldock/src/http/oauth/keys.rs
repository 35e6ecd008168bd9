//! The keys that an issuer publishes (JWKS), fetched when they are needed.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jsonwebtoken::{
    Algorithm, DecodingKey, Header,
    jwk::{AlgorithmParameters, Jwk, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;
use tokio::{sync::Mutex as Turn, time::Instant};

use crate::outbound::Outbound;

/// Bytes that the answer may have.
const BYTES: usize = 256 << 10;
/// Keys that are kept of one answer.
const KEYS: usize = 100;
/// How long to wait between two attempts, whatever arrives meanwhile.
const PAUSE: Duration = Duration::from_secs(30);
/// How old keys may be before it is looked for new ones.
const FRESH: Duration = Duration::from_secs(600);
/// How old keys may be that are still believed when there are no new ones.
const STALE: Duration = Duration::from_secs(86_400);

/// The keys of one issuer.
pub(super) struct Keys {
    address: String,
    outbound: Outbound,
    known: Mutex<Known>,
    /// Whoever has it fetches; the others wait for what comes of it.
    turn: Turn<()>,
}

#[derive(Default)]
struct Known {
    keys: Arc<[Key]>,
    fetched: Option<Instant>,
    tried: Option<Instant>,
}

struct Key {
    id: Option<String>,
    algorithm: Option<Algorithm>,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Published {
    keys: Vec<Value>,
}

impl Keys {
    pub(super) fn new(address: &str, outbound: Outbound) -> Self {
        Self {
            address: address.to_owned(),
            outbound,
            known: Mutex::default(),
            turn: Turn::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The keys that may have made a signature with this header; without an id in it, all that fit.
    pub(super) fn fitting(&self, header: &Header) -> Vec<DecodingKey> {
        let known = self.known();
        if known.fetched.is_none_or(|at| at.elapsed() >= STALE) {
            return Vec::new();
        }
        let fits = |key: &&Key| {
            (header.kid.is_none() || header.kid == key.id)
                && key.algorithm.is_none_or(|algorithm| algorithm == header.alg)
        };
        let keys = known.keys.iter().filter(fits);
        keys.map(|key| key.key.clone()).collect()
    }

    /// Whether a token with this header waits for new keys before it is judged: those that are looked for now, or for which it is time.
    pub(super) fn lacks(&self, header: &Header) -> bool {
        self.are_insufficient(header) && (self.is_time() || self.turn.try_lock().is_err())
    }

    /// Whether there is none that fits, or all are old.
    fn are_insufficient(&self, header: &Header) -> bool {
        let fetched = self.known().fetched;
        fetched.is_none_or(|at| at.elapsed() >= FRESH) || self.fitting(header).is_empty()
    }

    fn is_time(&self) -> bool {
        let tried = self.known().tried;
        tried.is_none_or(|at| at.elapsed() >= PAUSE)
    }

    /// Fetches the keys, unless that was just tried. What cannot be fetched leaves those that are there.
    pub(super) async fn refresh(&self, header: &Header) {
        let _turn = self.turn.lock().await;
        // Whoever had the turn before may have found what is wanted.
        if !self.is_time() || !self.are_insufficient(header) {
            return;
        }
        self.known().tried = Some(Instant::now());
        match self.fetch().await {
            Ok(keys) => {
                let mut known = self.known();
                (known.keys, known.fetched) = (keys, Some(Instant::now()));
            }
            Err(reason) => tracing::warn!(
                address = self.address,
                reason,
                "the keys of the issuer (OAUTH_JWKS_URL) cannot be fetched; those that are there stay"
            ),
        }
    }

    async fn fetch(&self) -> Result<Arc<[Key]>, String> {
        let text = self.outbound.get(&self.address, &[], BYTES).await;
        let text = text.map_err(|error| error.to_string())?;
        let published: Published =
            serde_json::from_slice(&text).map_err(|_| "the answer is no set of keys".to_owned())?;
        let keys: Arc<[Key]> = published.keys.into_iter().filter_map(read).take(KEYS).collect();
        if keys.is_empty() {
            return Err("there is no key for signatures in it".to_owned());
        }
        Ok(keys)
    }
}

/// One key, if it is for checking signatures and not symmetric.
fn read(value: Value) -> Option<Key> {
    let jwk: Jwk = serde_json::from_value(value).ok()?;
    let usable = jwk
        .common
        .public_key_use
        .as_ref()
        .is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
    if !usable || matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_)) {
        return None;
    }
    let algorithm = jwk.common.key_algorithm.map(|name| name.to_string().parse());
    Some(Key {
        key: DecodingKey::from_jwk(&jwk).ok()?,
        algorithm: algorithm.transpose().ok()?,
        id: jwk.common.key_id,
    })
}
