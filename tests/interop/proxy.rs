//! The proxies of the guide for operators, in front of a gateway: below a prefix, with TLS.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tooldock_tests::{certify, eventually, needed};

/// The settings in the guide, and how they are tried here.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The very file that the guide shows.
    pub(crate) settings: &'static str,
    program: &'static str,
    /// Another port than 443, and no certificate authority of the world.
    listen: [&'static str; 2],
    start: fn(&mut Command, &Path),
}

pub(crate) static KINDS: [Kind; 2] = [
    Kind {
        name: "nginx",
        settings: include_str!("../../docs/proxies/nginx.conf"),
        program: "TOOLDOCK_NGINX",
        listen: ["listen 443 ssl;", "listen 127.0.0.1:{port} ssl;"],
        start: |command, folder| {
            let around = format!(
                "daemon off;\npid nginx.pid;\nuser root;\nevents {{}}\nhttp {{\naccess_log off;\n{}\ninclude site.conf;\n}}\n",
                ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map(|name| format!("{name}_temp_path {name};"))
                    .join("\n")
            );
            fs::write(folder.join("nginx.conf"), around).unwrap();
            command
                .arg("-p")
                .arg(folder)
                .args(["-c", "nginx.conf", "-e", "stderr"]);
        },
    },
    Kind {
        name: "Caddy",
        settings: include_str!("../../docs/proxies/Caddyfile"),
        program: "TOOLDOCK_CADDY",
        listen: [
            "tools.example.org {",
            "{\nadmin off\nauto_https disable_redirects\n}\nhttps://localhost:{port} {",
        ],
        start: |command, folder| {
            command.args(["run", "--adapter", "caddyfile", "--config", "site.conf"]);
            command.env("HOME", folder).current_dir(folder);
        },
    },
];

/// A running proxy.
#[derive(Debug)]
pub(crate) struct Proxy {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Proxy {
    /// Starts one of a kind in front of the gateway at `base_url`.
    pub(crate) fn start(kind: &Kind, base_url: &str) -> Self {
        let folder = TempDir::with_prefix("proxy").unwrap();
        certify(folder.path());
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let [written, tried] = kind.listen;
        let mut settings = kind.settings.to_owned();
        for (from, to) in [
            (written, tried.replace("{port}", &port.to_string())),
            (
                "127.0.0.1:8000",
                base_url.trim_start_matches("http://").to_owned(),
            ),
            ("/etc/ssl/tools.example.org", folder.path().display().to_string()),
        ] {
            assert!(settings.contains(from), "{}: `{from}`", kind.name);
            settings = settings.replace(from, &to);
        }
        fs::write(folder.path().join("site.conf"), settings).unwrap();
        let mut command = Command::new(needed(kind.program));
        (kind.start)(&mut command, folder.path());
        let log = folder.path().join("log");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        eventually("a proxy that listens", Duration::from_secs(30), || {
            let told = || fs::read_to_string(&log).unwrap_or_default();
            assert!(child.try_wait().unwrap().is_none(), "{}: {}", kind.name, told());
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Self { child, folder, port }
    }

    /// The gateway behind it, as clients reach it.
    pub(crate) fn base_url(&self) -> String {
        format!("https://localhost:{}/tools", self.port)
    }

    /// Lets a client trust its certificate; each SDK has its own variable.
    pub(crate) fn trust(&self, command: &mut Command) {
        let certificate = self.folder.path().join("cert.pem");
        for name in [
            "SSL_CERT_FILE",
            "REQUESTS_CA_BUNDLE",
            "NODE_EXTRA_CA_CERTS",
            "CURL_CA_BUNDLE",
        ] {
            command.env(name, &certificate);
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
