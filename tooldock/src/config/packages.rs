//! The settings of installations.

use std::path::PathBuf;

use tooldock_worker::InstallerSettings;

use super::{reader::Reader, sandbox::MIB};

const YES_OR_NO: [&str; 2] = ["true", "false"];

/// Reads how the packages of namespaces are installed.
pub(super) fn read(read: &mut Reader<'_>) -> InstallerSettings {
    let mut settings = InstallerSettings::default();
    settings.index_url = read.secret("PACKAGE_INDEX_URL", None);
    settings.find_links = read.optional("PACKAGE_DIR").map(PathBuf::from);
    settings.offline = read.either("PACKAGE_OFFLINE", YES_OR_NO);
    settings.require_hashes = read.either("REQUIRE_HASHES", YES_OR_NO);
    settings.source_builds = read.either("ALLOW_SOURCE_BUILDS", YES_OR_NO);
    settings.time_limit = read.seconds("INSTALL_TIMEOUT_SECONDS", 1..=86_400);
    settings.memory = read.number("INSTALL_MEMORY_MB", 64..=1 << 20) * MIB;
    settings.disk = read.number("INSTALL_DISK_MB", 1..=1 << 20) * MIB;
    settings.builds_at_once = read.count("INSTALLS_AT_ONCE", 1..=64);
    settings
}
