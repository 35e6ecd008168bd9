//! The certificate of a gateway that speaks TLS itself, read again when its files change.

use std::{
    convert::Infallible,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::{CryptoProvider, aws_lc_rs},
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
};

use crate::http::digest;

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);

/// A certificate with its chain and its key, from two files of PEM (settings `TLS_CERT_FILE`, `TLS_KEY_FILE`). Clones are the same.
///
/// Connections that are there keep what they began with; each new one is shown what was read last.
#[derive(Clone)]
pub struct Certificate(Arc<Inner>);

struct Inner {
    chain: PathBuf,
    key: PathBuf,
    config: Arc<ServerConfig>,
    provider: Arc<CryptoProvider>,
    shown: Arc<Shown>,
    /// Of the files that count.
    digest: Mutex<[u8; 32]>,
}

/// Why a certificate cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{setting} names `{}`, which cannot be read: {reason}", .path.display())]
    Unreadable {
        /// Which of the two.
        setting: &'static str,
        /// Its path.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// A file does not hold what it should.
    #[error("{setting} names `{}`, in which there is no {wanted} as PEM writes it (`-----BEGIN …`)", .path.display())]
    Empty {
        /// Which of the two.
        setting: &'static str,
        /// Its path.
        path: PathBuf,
        /// What should be there.
        wanted: &'static str,
    },
    /// They do not belong together.
    #[error(
        "the key that TLS_KEY_FILE names is not that of the first certificate in the file that TLS_CERT_FILE names; the own certificate comes first, those of its issuers follow"
    )]
    Mismatch,
    /// They are of no use.
    #[error("TLS_CERT_FILE and TLS_KEY_FILE cannot be used: {0}")]
    Unusable(String),
}

impl Certificate {
    /// Reads both files.
    ///
    /// # Errors
    /// Why they cannot be used.
    pub fn open(chain: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, CertificateError> {
        let (chain, key) = (chain.into(), key.into());
        let provider = Arc::new(aws_lc_rs::default_provider());
        let files = Files::read(&chain, &key)?;
        let shown = Arc::new(Shown(RwLock::new(files.certify(&provider, &chain, &key)?)));
        let builder = ServerConfig::builder_with_provider(provider.clone());
        let mut config = builder
            .with_safe_default_protocol_versions()
            .map_err(|error| CertificateError::Unusable(error.to_string()))?
            .with_no_client_auth()
            .with_cert_resolver(shown.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(Inner {
            chain,
            key,
            config: Arc::new(config),
            provider,
            shown,
            digest: Mutex::new(files.digest()),
        })))
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.0.config.clone().into()
    }

    /// Reads both files again; whether they have changed.
    ///
    /// # Errors
    /// As [`open`](Self::open); the certificate before it stays.
    ///
    /// # Cancel safety
    /// Dropping the future may leave the files unread.
    pub async fn refresh(&self) -> Result<bool, CertificateError> {
        let this = self.clone();
        let taken = tokio::task::spawn_blocking(move || this.take());
        taken
            .await
            .unwrap_or_else(|error| Err(CertificateError::Unusable(error.to_string())))
    }

    fn take(&self) -> Result<bool, CertificateError> {
        let Inner {
            chain,
            key,
            provider,
            shown,
            digest,
            ..
        } = &*self.0;
        let files = Files::read(chain, key)?;
        let mut digest = digest.lock().unwrap_or_else(PoisonError::into_inner);
        if *digest == files.digest() {
            return Ok(false);
        }
        let new = files.certify(provider, chain, key)?;
        *shown.0.write().unwrap_or_else(PoisonError::into_inner) = new;
        *digest = files.digest();
        Ok(true)
    }

    /// Reads the files every two seconds. They are two, and are seldom exchanged at once: between them they may not fit, and count only
    /// when they do.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn follow(&self) -> Infallible {
        let mut told = None;
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let trouble = match self.refresh().await {
                Ok(changed) => {
                    if changed {
                        tracing::info!("a new certificate is shown from now on");
                    }
                    None
                }
                Err(error) => Some(error),
            };
            // Once each, not every two seconds.
            if let Some(error) = trouble.as_ref().filter(|_| trouble != told) {
                tracing::error!(%error, "the new certificate is not taken; the one before it stays");
            }
            told = trouble;
        }
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Certificate").field(&self.0.chain).finish()
    }
}

/// What both files hold.
struct Files {
    chain: Vec<u8>,
    key: Vec<u8>,
}

impl Files {
    fn read(chain: &Path, key: &Path) -> Result<Self, CertificateError> {
        let read = |setting, path: &Path| {
            fs::read(path).map_err(|error| CertificateError::Unreadable {
                setting,
                path: path.to_owned(),
                reason: error.to_string(),
            })
        };
        Ok(Self {
            chain: read("TLS_CERT_FILE", chain)?,
            key: read("TLS_KEY_FILE", key)?,
        })
    }

    fn digest(&self) -> [u8; 32] {
        digest(&[digest(&self.chain), digest(&self.key)].concat())
    }

    /// Takes them for what they are called.
    fn certify(
        &self,
        provider: &CryptoProvider,
        chain: &Path,
        key: &Path,
    ) -> Result<Arc<CertifiedKey>, CertificateError> {
        let empty = |setting, path: &Path, wanted| CertificateError::Empty {
            setting,
            path: path.to_owned(),
            wanted,
        };
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(&self.chain)
            .collect::<Result<_, _>>()
            .ok()
            .filter(|list: &Vec<_>| !list.is_empty())
            .ok_or_else(|| empty("TLS_CERT_FILE", chain, "certificate"))?;
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| empty("TLS_KEY_FILE", key, "private key"))?;
        match CertifiedKey::from_der(certificates, key, provider) {
            Ok(certified) => Ok(Arc::new(certified)),
            Err(rustls::Error::InconsistentKeys(_)) => Err(CertificateError::Mismatch),
            Err(error) => Err(CertificateError::Unusable(error.to_string())),
        }
    }
}

/// The certificate that is shown at the moment.
#[derive(Debug)]
struct Shown(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Shown {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
