//! Addresses from which wrong credentials come.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// How long failures are held against an address.
const WINDOW: Duration = Duration::from_secs(60);
/// How often it is looked at all addresses, at the most.
const SWEEP: Duration = Duration::from_secs(1);
/// Addresses that are kept; whoever commands more of them is not slowed by counting.
const ADDRESSES: usize = 10_000;

/// Counts wrong credentials by address (setting `AUTH_FAILURES_PER_MINUTE`).
#[derive(Debug, Clone)]
pub(super) struct Failures {
    allowed: u32,
    windows: Arc<Mutex<Windows>>,
}

#[derive(Debug, Default)]
struct Windows {
    by: HashMap<IpAddr, Window>,
    /// When those that were over were last looked for.
    swept: Option<Instant>,
}

#[derive(Debug)]
struct Window {
    began: Instant,
    count: u32,
}

impl Failures {
    pub(super) fn new(allowed: u32) -> Self {
        Self {
            allowed,
            windows: Arc::default(),
        }
    }

    pub(super) fn allowed(&self) -> u32 {
        self.allowed
    }

    /// Counts one more; how long to wait, if that is one too many.
    pub(super) fn count(&self, ip: IpAddr) -> Option<Duration> {
        let now = Instant::now();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let Windows { by: windows, swept } = &mut *windows;
        // Who has many addresses must not make each failure look at all of them.
        if windows.len() >= ADDRESSES && swept.is_none_or(|swept| now - swept >= SWEEP) {
            windows.retain(|_, window| now - window.began < WINDOW);
            *swept = Some(now);
        }
        let full = windows.len() >= ADDRESSES;
        let window = match windows.entry(network(ip)) {
            std::collections::hash_map::Entry::Vacant(_) if full => return None,
            entry => entry.or_insert(Window { began: now, count: 0 }),
        };
        if now - window.began >= WINDOW {
            *window = Window { began: now, count: 0 };
        }
        window.count = window.count.saturating_add(1);
        (window.count > self.allowed).then(|| WINDOW - (now - window.began))
    }
}

/// Of IPv6 the network: one customer has all addresses of it.
fn network(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn s15_one_network_is_slowed_for_a_minute() {
        let failures = Failures::new(2);
        let [one, same, other] =
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(|ip| ip.parse().unwrap());
        assert_eq!([failures.count(one), failures.count(same)], [None, None]);
        tokio::time::advance(Duration::from_secs(20)).await;
        assert_eq!(failures.count(one), Some(Duration::from_secs(40)));
        assert_eq!(failures.count(other), None);
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(failures.count(one), None);
    }

    #[tokio::test(start_paused = true)]
    async fn s15_the_memory_of_it_is_bounded() {
        let failures = Failures::new(1);
        for n in 0..30_000_u32 {
            failures.count(IpAddr::V4(n.into()));
        }
        assert_eq!(failures.windows.lock().unwrap().by.len(), ADDRESSES);
        tokio::time::advance(WINDOW).await;
        failures.count([10, 0, 0, 1].into());
        assert_eq!(failures.windows.lock().unwrap().by.len(), 1);
    }
}
