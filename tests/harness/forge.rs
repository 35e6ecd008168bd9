//! A server of git repositories and documents over TLS on loopback, with a certificate of its own.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::certify;

/// What is sent for one path and query.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Route {
    /// A document.
    Json(Value),
    /// The bytes of a file.
    Bytes(Vec<u8>),
    /// The way to another address.
    Location(String),
    /// Bytes without end.
    Endless,
}

/// The server as a child process; it ends when this is dropped.
#[derive(Debug)]
pub struct Forge {
    child: Child,
    folder: TempDir,
    port: u16,
    routes: Map<String, Value>,
}

impl Forge {
    /// Starts it with nothing on it.
    ///
    /// # Panics
    ///
    /// When `python3`, `git` or `openssl` is missing.
    #[must_use]
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        fs::create_dir(path.join("git")).expect("a folder");
        fs::write(path.join("gitconfig"), "[uploadpack]\n\tallowFilter = true\n").expect("a file");
        fs::write(path.join("routes.json"), "{}").expect("a file");
        certify(path);
        let mut child = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/servers/serve.py"))
            .arg("forge")
            .arg(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("`python3` is needed");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("its first line");
        let port = line.trim().parse().expect("it prints its port");
        Self {
            child,
            folder,
            port,
            routes: Map::new(),
        }
    }

    /// Its host and port, as a list of hosts has it.
    #[must_use]
    pub fn host(&self) -> String {
        format!("localhost:{}", self.port)
    }

    /// The address of a path on it.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("https://{}{path}", self.host())
    }

    /// The file with the certificate to trust.
    #[must_use]
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// Answers a path (with its query) from now on.
    ///
    /// # Panics
    ///
    /// When the disk does not let it.
    pub fn route(&mut self, path: &str, route: Route) {
        let route = match route {
            Route::Json(value) => serde_json::json!({ "json": value }),
            Route::Location(address) => serde_json::json!({ "location": address }),
            Route::Endless => serde_json::json!({ "endless": true }),
            Route::Bytes(bytes) => {
                let name = format!("file-{}", self.routes.len());
                fs::write(self.folder.path().join(&name), bytes).expect("a file");
                serde_json::json!({ "file": name })
            }
        };
        self.routes.insert(path.to_owned(), route);
        let text = Value::Object(self.routes.clone()).to_string();
        fs::write(self.folder.path().join("routes.json"), text).expect("a file");
    }

    /// Makes the repository `/git/<name>` of one commit from a stream as `git fast-import` reads it, and gives its address.
    ///
    /// # Panics
    ///
    /// When git does not take it.
    #[must_use]
    pub fn import(&self, name: &str, stream: &[u8]) -> String {
        let folder = self.folder.path().join("git").join(name);
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.env_clear().env("PATH", crate::needed::search_path());
            command
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .env("HOME", self.folder.path());
            command.args(args);
            command
        };
        let made = git(&["init", "--quiet", "--bare", "--initial-branch=main"])
            .arg(&folder)
            .status();
        assert!(made.expect("`git` is needed").success());
        let mut import = git(&["fast-import", "--quiet"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("`git` is needed");
        let mut pipe = import.stdin.take().expect("it is piped");
        pipe.write_all(stream).expect("git takes the stream");
        drop(pipe);
        assert!(import.wait().expect("git ends").success(), "git takes the stream");
        self.address(&format!("/git/{name}"))
    }

    /// Makes a repository of plain files.
    #[must_use]
    pub fn repository(&self, name: &str, files: &[(&str, &str)]) -> String {
        let files = files
            .iter()
            .map(|(path, text)| (*path, "100644", text.as_bytes()));
        self.import(name, &commit(files))
    }

    /// Every request so far, as method and path.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        let log = fs::read_to_string(self.folder.path().join("requests.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }
}

impl Drop for Forge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One commit on `main` as `git fast-import` reads it: paths with their modes and contents.
pub fn commit<'a>(files: impl IntoIterator<Item = (&'a str, &'a str, &'a [u8])>) -> Vec<u8> {
    let mut stream = b"commit refs/heads/main\ncommitter Test <test@example.org> 0 +0000\ndata 0\n".to_vec();
    for (path, mode, content) in files {
        if mode == "160000" {
            let line = format!("M {mode} {} {path}\n", String::from_utf8_lossy(content));
            stream.extend_from_slice(line.as_bytes());
            continue;
        }
        let head = format!("M {mode} inline {path}\ndata {}\n", content.len());
        stream.extend_from_slice(head.as_bytes());
        stream.extend_from_slice(content);
        stream.push(b'\n');
    }
    stream
}
