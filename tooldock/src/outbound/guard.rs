//! Resolves a name once and says whether it may be connected to.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use super::{HostPort, is_public};

/// Names that are resolved; by the system unless a test brings its own.
type Resolve = dyn Fn(&HostPort) -> std::io::Result<Vec<SocketAddr>> + Send + Sync;

/// Refuses hosts with an address that is not public, unless the operator has named them.
#[derive(Clone)]
pub struct Guard {
    exempt: Arc<[HostPort]>,
    resolve: Arc<Resolve>,
}

/// Why a host is not connected to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It has no address.
    #[error("the name `{0}` cannot be resolved; check it, and the network of this server")]
    Unknown(HostPort),
    /// It points into a network that is not public.
    #[error("`{0}` is not on the public Internet; an operator can allow it with OUTBOUND_ALLOWED_HOSTS")]
    NotPublic(HostPort),
    /// Its port is not the usual one.
    #[error("`{0}` has an unusual port; an operator can allow it with OUTBOUND_ALLOWED_HOSTS")]
    Port(HostPort),
}

impl Guard {
    /// A guard that lets `exempt` pass whatever their addresses and ports are, and of others port 443 of public addresses.
    #[must_use]
    pub fn new(exempt: impl IntoIterator<Item = HostPort>) -> Self {
        Self {
            exempt: exempt.into_iter().collect(),
            resolve: Arc::new(|place| {
                std::net::ToSocketAddrs::to_socket_addrs(&(place.host(), place.port())).map(Iterator::collect)
            }),
        }
    }

    /// The same guard, with hosts of which the operator's own settings speak.
    #[must_use]
    pub fn and(&self, more: impl IntoIterator<Item = HostPort>) -> Self {
        Self {
            exempt: self.exempt.iter().cloned().chain(more).collect(),
            resolve: Arc::clone(&self.resolve),
        }
    }

    /// The addresses of a host, all of them checked. Whoever connects uses these and does not resolve again.
    ///
    /// # Errors
    /// The name cannot be resolved, one of its addresses is not public, or the port is not 443.
    ///
    /// # Cancel safety
    /// Nothing is lost; the system may go on resolving for a while.
    pub async fn check(&self, place: &HostPort) -> Result<Vec<SocketAddr>, Refused> {
        let exempt = self.exempt.contains(place);
        if place.port() != 443 && !exempt {
            return Err(Refused::Port(place.clone()));
        }
        let addresses = match place.host().parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, place.port())],
            Err(_) => self.addresses(place).await?,
        };
        if !exempt && !addresses.iter().all(|address| is_public(address.ip())) {
            return Err(Refused::NotPublic(place.clone()));
        }
        Ok(addresses)
    }

    async fn addresses(&self, place: &HostPort) -> Result<Vec<SocketAddr>, Refused> {
        let (resolve, asked) = (Arc::clone(&self.resolve), place.clone());
        let resolved = tokio::task::spawn_blocking(move || resolve(&asked)).await;
        match resolved {
            Ok(Ok(addresses)) if !addresses.is_empty() => Ok(addresses),
            _ => Err(Refused::Unknown(place.clone())),
        }
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard")
            .field("exempt", &self.exempt)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn resolving(answers: &'static [&'static str]) -> Guard {
        let asked = AtomicUsize::new(0);
        let answer = move |place: &HostPort| {
            let all = answers[asked.fetch_add(1, Ordering::Relaxed).min(answers.len() - 1)];
            let address = |text: &str| SocketAddr::new(text.parse().unwrap(), place.port());
            Ok(all.split_whitespace().map(address).collect())
        };
        Guard {
            exempt: [HostPort::new("inside.example", 8443)].into(),
            resolve: Arc::new(answer),
        }
    }

    #[tokio::test]
    async fn s29_one_private_address_is_enough_to_refuse() {
        let host = HostPort::new("host.example", 443);
        let fine = resolving(&["1.1.1.1 2606:4700::1"]).check(&host).await.unwrap();
        assert_eq!(fine.len(), 2);
        for answers in [
            &["1.1.1.1 127.0.0.1"],
            &["10.0.0.1"],
            &["::ffff:10.0.0.1"],
            &["fe80::1"],
        ] {
            let refused = resolving(answers).check(&host).await.unwrap_err();
            assert!(matches!(refused, Refused::NotPublic(_)), "{answers:?}");
        }
        assert!(matches!(
            resolving(&[""]).check(&host).await.unwrap_err(),
            Refused::Unknown(_)
        ));
    }

    #[tokio::test]
    async fn s29_literals_and_ports_are_judged_too() {
        let guard = resolving(&["10.0.0.1"]);
        for (host, port) in [("127.0.0.1", 443), ("[::1]", 443), ("169.254.169.254", 443)] {
            let refused = guard.check(&HostPort::new(host, port)).await.unwrap_err();
            assert!(matches!(refused, Refused::NotPublic(_)), "{host}");
        }
        let other = guard.check(&HostPort::new("1.1.1.1", 22)).await.unwrap_err();
        assert!(matches!(other, Refused::Port(_)));
        assert!(
            guard.check(&HostPort::new("inside.example", 8443)).await.is_ok(),
            "an operator allowed it"
        );
        assert!(
            guard.check(&HostPort::new("inside.example", 8444)).await.is_err(),
            "on this port only"
        );
    }

    #[tokio::test]
    async fn s29_the_checked_addresses_are_the_ones_to_use() {
        let changing = resolving(&["1.1.1.1", "127.0.0.1"]);
        let first = changing.check(&HostPort::new("host.example", 443)).await.unwrap();
        assert_eq!(
            first,
            ["1.1.1.1:443".parse().unwrap()],
            "whoever resolves again gets another answer"
        );
    }
}
