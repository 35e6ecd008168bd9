//! The settings of the layers in front of the protocols.

use ipnet::IpNet;
use tooldock_engine::{NamespaceName, json::ScanLimits};

use super::reader::Reader;
use crate::http::{Bearer, Cors, Hosts, HttpSettings, Namespaces, Origins, Proxies};

/// Reads them; `bearer` guards the door.
pub(super) fn read(read: &mut Reader<'_>, bearer: Bearer) -> HttpSettings {
    let default: Option<String> = read.optional("DEFAULT_NAMESPACE");
    let namespaces = match default.map(|name| name.parse::<NamespaceName>()).transpose() {
        Ok(name) => name.map(Namespaces::or).unwrap_or_default(),
        Err(error) => {
            read.mistakes.push(format!("DEFAULT_NAMESPACE: {error}"));
            Namespaces::required()
        }
    };
    let max_body_bytes = read.count("MAX_BODY_BYTES", 1024..=64 << 20);
    let bearer = bearer.with_failures(read.rate("AUTH_FAILURES_PER_MINUTE"));
    HttpSettings {
        proxies: Proxies::new(ranges(read, "TRUSTED_PROXIES")),
        hosts: Hosts::new(read.list("ALLOWED_HOSTS", "a host name")),
        cors: Cors::new(Origins::new(read.origins("CORS_ORIGINS"))),
        origins: Origins::new(read.origins("ALLOWED_ORIGINS")),
        max_body_bytes,
        max_bodies_bytes: read.count("MAX_BODIES_BYTES", max_body_bytes as u64..=64 << 30),
        json: ScanLimits {
            depth: read.count("MAX_JSON_DEPTH", 8..=128),
            values: read.count("MAX_JSON_VALUES", 100..=1_000_000),
        },
        body_timeout: read.seconds("BODY_TIMEOUT_SECONDS", 1..=3600),
        namespaces,
        ..HttpSettings::new(bearer)
    }
}

/// Address ranges; one that leaves nobody out is worth a warning.
pub(super) fn ranges(read: &mut Reader<'_>, name: &str) -> Vec<IpNet> {
    let ranges: Vec<IpNet> = read.list(name, "an address range such as `10.0.0.0/8`");
    if ranges.iter().any(|range| range.prefix_len() == 0) {
        read.warnings.push(format!("{name} holds every address there is"));
    }
    ranges
}
