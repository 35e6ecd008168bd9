//! The settings of a gateway that believes the tokens of an issuer.

use super::reader::Reader;
#[cfg(feature = "oauth")]
use crate::{
    http::{OAuth, Resource, Scopes},
    outbound::{Guard, HostPort, OutboundSettings},
};

/// Which of them are set, in order: the issuer, its keys, our address.
fn given(read: &mut Reader<'_>) -> Option<[String; 3]> {
    const NAMES: [&str; 3] = ["OAUTH_ISSUER", "OAUTH_JWKS_URL", "PUBLIC_URL"];
    let values = NAMES.map(|name| read.optional(name));
    // The address alone has other uses.
    if values[..2].iter().all(Option::is_none) {
        return None;
    }
    for (name, value) in NAMES.iter().zip(&values) {
        if value.is_none() {
            let text = format!("{name} is not set; OAuth needs OAUTH_ISSUER, OAUTH_JWKS_URL and PUBLIC_URL");
            read.mistakes.push(text);
        }
    }
    let [issuer, keys, base] = values;
    Some([issuer?, keys?, base?])
}

/// Reads them; nothing when nobody wants it.
#[cfg(feature = "oauth")]
pub(super) fn read(read: &mut Reader<'_>) -> Option<OAuth> {
    let word = read.text("OAUTH_SCOPE");
    let algorithms = read.text("OAUTH_ALGORITHMS");
    let certificates = read.optional("OUTBOUND_CA_FILE");
    let [issuer, keys, base] = given(read)?;
    let resource = Resource::new(&base, &issuer)
        .map_err(|error| read.mistakes.push(format!("PUBLIC_URL or OAUTH_ISSUER: {error}")))
        .ok()?;
    let place = reqwest::Url::parse(&keys)
        .ok()
        .filter(|url| url.scheme() == "https");
    let place = place.and_then(|url| {
        let host = url.host_str()?;
        Some(HostPort::new(host, url.port_or_known_default()?))
    });
    let Some(place) = place else {
        let shown = keys.escape_debug();
        read.mistakes.push(format!(
            "OAUTH_JWKS_URL is `{shown}`; it must be an address such as `https://login.example.org/keys`"
        ));
        return None;
    };
    // The operator has named it, so it may be in a network of his own.
    let mut outbound = OutboundSettings::new(Guard::new([place]));
    outbound.certificates = certificates.map(Into::into);
    let resource = resource.with_scopes(Scopes::new(&word));
    let oauth = OAuth::new(resource, &keys, &outbound);
    let names = algorithms
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let oauth = oauth.with_algorithms(names);
    if oauth.is_none() {
        let shown = algorithms.escape_debug();
        read.mistakes.push(format!(
            "OAUTH_ALGORITHMS is `{shown}`; each part must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA"
        ));
    }
    oauth
}

/// Says that there is no such thing.
#[cfg(not(feature = "oauth"))]
pub(super) fn read(read: &mut Reader<'_>) -> Option<std::convert::Infallible> {
    if given(read).is_some() {
        let text = "OAUTH_ISSUER is set, but this program was built without the feature `oauth`";
        read.mistakes.push(text);
    }
    None
}
