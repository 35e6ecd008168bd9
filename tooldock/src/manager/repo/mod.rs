//! Source code of others: fetched under limits, kept as names and bytes, never checked out and never run.
//!
//! A repository is cloned by the `git` program into a bare folder, its files are copied out of the object store into a [`Snapshot`], and
//! the clone is removed. Archives of packages are unpacked into the same form. A path in a snapshot is a name and nothing else, so links,
//! `..`, submodules and names that a file system would take for each other have no effect. A [`Shelf`] keeps the snapshots.

mod address;
mod blobs;
mod clone;
mod git;
mod limits;
mod listing;
mod path;
mod shelf;
mod snapshot;
mod source;
mod writer;

pub(in crate::manager) use self::path::plain as plain_path;
pub use self::{
    address::RepoAddress,
    clone::{Cloner, ClonerSettings},
    limits::{Limits, SourceError},
    shelf::Shelf,
    snapshot::{Entry, EntryKind, Snapshot},
    source::Source,
    writer::SnapshotWriter,
};
