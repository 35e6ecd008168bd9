//! Programs from packages of Debian, unpacked below `target/xtask`: nothing is installed, and nobody has to be root.

use std::path::PathBuf;

use crate::program::Program;
use crate::workshop::{Workshop, make_once};

/// The checker of metrics, from the package `prometheus`.
pub(crate) fn promtool(shop: &Workshop) -> Result<PathBuf, String> {
    program(shop, "prometheus", "usr/bin/promtool")
}

/// The proxies of the guide for operators.
pub(crate) fn nginx(shop: &Workshop) -> Result<PathBuf, String> {
    program(shop, "nginx", "usr/sbin/nginx")
}

/// The other one.
pub(crate) fn caddy(shop: &Workshop) -> Result<PathBuf, String> {
    program(shop, "caddy", "usr/bin/caddy")
}

/// A program of `package`, by its path in there.
fn program(shop: &Workshop, package: &str, path: &str) -> Result<PathBuf, String> {
    let folder = shop.folder.join("debian").join(package);
    make_once(&folder, &[package], || {
        let fetch = Program::new(shop, "apt-get").words("download").word(package);
        fetch.folder(&folder).run()?;
        let unpack = Program::new(shop, "sh").words("-c").word("dpkg-deb -x *.deb .");
        unpack.folder(&folder).run()
    })
    .map_err(|reason| format!("the package `{package}` of Debian could not be fetched: {reason}"))?;
    Ok(folder.join(path))
}
