//! From the operator's text to the key of the cipher: scrypt (RFC 7914).

use std::fmt;

use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use crate::key::Key;

/// The cost of deriving a key, as it stands in the file. Only bounded costs can be made, so that a crafted file costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kdf {
    log_n: u8,
    r: u32,
    p: u32,
}

impl Kdf {
    /// 128 MiB of memory and about half a second: for new files.
    pub const STRONG: Self = Self {
        log_n: 17,
        r: 8,
        p: 1,
    };
    /// The same time with 32 MiB of memory: for small machines.
    pub const LEAN: Self = Self {
        log_n: 15,
        r: 8,
        p: 3,
    };

    /// A cost that was read from a file.
    ///
    /// # Errors
    /// Unless `log_n` is 10 to 18, `r` is 8, `p` is 1 to 10 and both together need at most 256 MiB and four times the time of
    /// [`Kdf::STRONG`].
    pub fn checked(log_n: u64, r: u64, p: u64) -> Result<Self, KdfError> {
        let (Ok(log), Ok(lanes)) = (u8::try_from(log_n), u32::try_from(p)) else {
            return Err(KdfError);
        };
        if !(10..=18).contains(&log) || r != 8 || !(1..=10).contains(&lanes) {
            return Err(KdfError);
        }
        let total = u32::from(log) + lanes.next_power_of_two().trailing_zeros();
        (total <= 18)
            .then_some(Self {
                log_n: log,
                r: 8,
                p: lanes,
            })
            .ok_or(KdfError)
    }

    /// `log_n`, `r` and `p`.
    #[must_use]
    pub fn numbers(self) -> [u64; 3] {
        [self.log_n.into(), self.r.into(), self.p.into()]
    }

    /// The cheapest cost that is read, for tests.
    #[cfg(feature = "testing")]
    pub(crate) const fn cheapest() -> Self {
        Self {
            log_n: 10,
            r: 8,
            p: 1,
        }
    }

    /// Takes about half a second and as much memory as the numbers say.
    pub(crate) fn derive(self, key: &Key, salt: &[u8; 32]) -> Derived {
        let params =
            scrypt::Params::new(self.log_n, self.r, self.p).expect("the bounds are narrower than scrypt's");
        let mut output = Zeroizing::new([0; 48]);
        scrypt::scrypt(key.bytes(), salt, &params, &mut *output)
            .expect("48 is a length that scrypt can make");
        let mut derived = Derived {
            cipher: Zeroizing::new([0; 32]),
            check: [0; 16],
        };
        derived.cipher.copy_from_slice(&output[..32]);
        derived.check.copy_from_slice(&output[32..]);
        derived
    }
}

/// What is derived: the key of the cipher, and a value that tells whether it is the right one.
pub(crate) struct Derived {
    pub(crate) cipher: Zeroizing<[u8; 32]>,
    pub(crate) check: [u8; 16],
}

impl Derived {
    /// Whether this is the key that a file with this `check` was sealed with.
    pub(crate) fn fits(&self, check: &[u8; 16]) -> bool {
        self.check.ct_eq(check).into()
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derived(…)")
    }
}

/// A cost out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the cost of the key is out of bounds: `log_n` is 10 to 18, `r` is 8, `p` is 1 to 10, and `log_n` plus the bits of `p` is at most 18"
)]
pub struct KdfError;
