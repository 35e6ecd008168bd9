//! TLS of its own, and certificates that are exchanged while it serves.

use std::{fs, path::Path, sync::Arc, time::Duration};

use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};
use tooldock::{
    Gateway,
    http::Bearer,
    run::{Certificate, CertificateError, Limits, Listener},
};
use tooldock_tests::certify;

use crate::listeners::ask;

fn certificate(folder: &Path) -> Result<Certificate, CertificateError> {
    Certificate::open(folder.join("cert.pem"), folder.join("key.pem"))
}

/// Connects, and trusts no certificate but the one in `folder`.
async fn connect(address: std::net::SocketAddr, folder: &Path) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap())
        .unwrap();
    let mut config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[tokio::test]
async fn a_certificate_is_exchanged_under_an_open_connection() {
    let [served, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (served, other) = (served.path(), other.path());
    certify(served);
    certify(other);
    let first = tempfile::tempdir().unwrap();
    fs::copy(served.join("cert.pem"), first.path().join("cert.pem")).unwrap();
    let shown = certificate(served).unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let listener = Listener::from(socket).with_certificate(&shown);
    let gateway = Gateway::builder().bearer(Bearer::anonymous()).build().unwrap();
    let client = async {
        let mut before = connect(address, first.path()).await.unwrap();
        assert_eq!(before.get_ref().1.alpn_protocol(), Some(b"http/1.1".as_slice()));
        assert!(ask(&mut before).await.starts_with("HTTP/1.1 200"));

        // Between the two files there is a moment in which they do not fit.
        fs::copy(other.join("cert.pem"), served.join("cert.pem")).unwrap();
        assert_eq!(shown.refresh().await, Err(CertificateError::Mismatch));
        connect(address, first.path())
            .await
            .expect("the one before it stays");
        fs::copy(other.join("key.pem"), served.join("key.pem")).unwrap();
        assert_eq!(shown.refresh().await, Ok(true));
        assert_eq!(shown.refresh().await, Ok(false));

        assert!(
            ask(&mut before).await.starts_with("HTTP/1.1 200"),
            "what is open goes on"
        );
        connect(address, first.path())
            .await
            .expect_err("another one is shown");
        let mut after = connect(address, other).await.unwrap();
        assert!(ask(&mut after).await.starts_with("HTTP/1.1 200"));
    };
    tokio::select! {
        () = gateway.serve(listener, Limits::default(), std::future::pending()) => {}
        () = client => {}
    }
}

#[tokio::test]
async fn s21_a_handshake_that_does_not_come_is_closed_in_time() {
    let folder = tempfile::tempdir().unwrap();
    certify(folder.path());
    let mut limits = Limits::default();
    limits.header = Duration::from_millis(100);
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let listener = Listener::from(socket).with_certificate(&certificate(folder.path()).unwrap());
    let gateway = Gateway::builder().bearer(Bearer::anonymous()).build().unwrap();
    let client = async {
        let mut silent = TcpStream::connect(address).await.unwrap();
        let mut bytes = [0; 8];
        let read = tokio::io::AsyncReadExt::read(&mut silent, &mut bytes);
        let closed = tokio::time::timeout(Duration::from_secs(5), read).await;
        assert_eq!(closed.expect("it is closed").unwrap_or_default(), 0);
    };
    tokio::select! {
        () = gateway.serve(listener, limits, std::future::pending()) => {}
        () = client => {}
    }
}

#[test]
fn files_that_are_no_certificate_are_told_apart() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (one, two) = (one.path(), two.path());
    assert!(told(one).contains("TLS_CERT_FILE names"));
    certify(one);
    certify(two);
    assert!(certificate(one).is_ok());
    fs::copy(two.join("key.pem"), one.join("key.pem")).unwrap();
    assert!(told(one).contains("is not that of the first certificate"));
    fs::write(one.join("key.pem"), "no key-canary").unwrap();
    let text = told(one);
    assert!(
        text.contains("TLS_KEY_FILE") && text.contains("private key"),
        "{text}"
    );
    assert!(!text.contains("canary"), "{text}");
    fs::write(one.join("cert.pem"), "").unwrap();
    assert!(told(one).contains("there is no certificate"));
}

fn told(folder: &Path) -> String {
    certificate(folder).unwrap_err().to_string()
}
