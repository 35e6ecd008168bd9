//! Servers that others have published: what a registry lists, and the archives of their packages.
//!
//! The registry is read by its official interface (v0.1), with a tolerance for what older ones answer. Archives of npm and PyPI come from
//! the registries that the installed clients are configured for, are checked against their digests and unpacked under limits. Nothing is
//! installed or started.

mod archive;
mod clients;
mod definition;
mod directory;
mod npm;
mod pypi;
mod server;
mod tarball;
mod wheel;

pub use self::{
    archive::Archives,
    clients::{Bases, PackageClients},
    directory::{Directory, Listing},
    server::{Package, Server, Status},
};
