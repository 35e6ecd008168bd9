#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod aead;
mod atomic;
mod check;
mod clock;
mod disk;
mod edit;
mod envelope;
mod kdf;
mod key;
mod keys;
mod lock;
mod merge;
mod meta;
mod name;
mod payload;
mod remedy;
mod scope;
mod store;
#[cfg(feature = "testing")]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
mod value;
mod yaml;

pub use self::{
    atomic::replace,
    check::{Check, Entry, Status},
    disk::{Disk, RealDisk},
    edit::{Desk, EditError, EditSession, Edited, Places},
    envelope::{EnvelopeError, MAX_FILE_BYTES},
    kdf::{Kdf, KdfError},
    key::{Key, KeyError},
    keys::Keys,
    merge::Effective,
    meta::MetaError,
    name::{NameError, SecretName},
    payload::PayloadError,
    remedy::remedy,
    scope::{Scope, ScopeError},
    store::{Contents, Follower, Health, Locked, META_FILE, NameRule, SECRETS_FILE, Store, StoreError},
    value::{SecretValue, ValueError},
};
