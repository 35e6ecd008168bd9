//! A gateway that is replaced while it is called, and sockets that it is given.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tooldock_tests::{Evidence, Marks, eventually, key_file, lives, needed};

const TOKEN: &str = "upgrade-token-of-the-tests-2b8d";
/// The file of the program.
const PROGRAM: &str = "tooldock-core";
/// How long a start may take: the first one builds a Python environment.
const START: Duration = Duration::from_secs(180);
const SOON: Duration = Duration::from_secs(60);
/// Calls of each client in a second; there are four.
const RATE: u32 = 50;

/// A folder with one namespace, and the program in a file of its own, which can be exchanged.
pub(crate) fn place() -> Place {
    let key = fs::read_to_string(key_file()).unwrap();
    let marks = Marks::new(&[("the token", TOKEN), ("the key", &key)]);
    let place = Place {
        folder: TempDir::with_prefix("upgrade").unwrap(),
        evidence: Evidence::of(marks).without(&[PROGRAM, "new"]),
    };
    fs::create_dir_all(place.path().join("data/tools/demo")).unwrap();
    let tool = "from tooldock import tool\n\n@tool\ndef hi() -> str:\n    return 'hi'\n";
    fs::write(place.path().join("data/tools/demo/tool.py"), tool).unwrap();
    install(place.path());
    place
}

/// Where a gateway is and works. When this is dropped, neither its token nor its key may be in a file there.
pub(crate) struct Place {
    folder: TempDir,
    evidence: Evidence,
}

impl Place {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.evidence.search_files(&[self.path()]);
        self.evidence.settle();
    }
}

/// Puts the program into its place, as an upgrade does.
fn install(place: &Path) {
    fs::copy(needed("TOOLDOCK_CORE_BIN"), place.join("new")).unwrap();
    fs::rename(place.join("new"), place.join(PROGRAM)).unwrap();
}

pub(crate) fn core(place: &Path) -> Command {
    let mut command = Command::new(place.join(PROGRAM));
    let path = format!(
        "{}:/usr/bin:/bin",
        needed("TOOLDOCK_UV").parent().unwrap().display()
    );
    command
        .env_clear()
        .env("PATH", path)
        .env("DATA_DIR", place.join("data"))
        .env("BEARER_TOKEN", TOKEN)
        .env("SECRETS_KEY_FILE", key_file())
        .env("AUDIT_DIR", place.join("audit"))
        .env("AUDIT_CHAIN", "true")
        .env("PORT", "0")
        .stderr(File::create(place.join("log")).unwrap());
    command
}

pub(crate) fn log(place: &Path) -> String {
    fs::read_to_string(place.join("log")).unwrap()
}

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// Ends a process of ours when a test fails.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The address in the line that says where it listens, once everything there is loaded.
pub(crate) fn address(place: &Path) -> SocketAddr {
    let listening = || {
        let text = log(place);
        text.contains("namespace is loaded").then_some(())?;
        let line = text.lines().find(|line| line.contains("listening"))?;
        line.rsplit_once("address=")?.1.trim().parse().ok()
    };
    eventually("a gateway that serves", START, listening).0
}

/// One client that keeps its connection for as long as it may.
pub(crate) struct Caller {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

impl Caller {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            stream: None,
        }
    }

    /// The status of one call, which is never sent twice.
    pub(crate) fn call(&mut self) -> Result<u16, std::io::Error> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(TcpStream::connect(self.address)?),
        };
        stream.get_ref().set_read_timeout(Some(SOON))?;
        let request = format!(
            "POST /demo/tools/hi HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length, mut stays) = (0, 0, true);
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(("connection", "close")) => stays = false,
                None if line.is_empty() => break,
                None => {
                    let word = line.split(' ').nth(1).unwrap_or_default();
                    status = word.parse().unwrap_or_default();
                }
                Some(_) => {}
            }
        }
        stream.read_exact(&mut vec![0; length])?;
        self.stream = stays.then_some(stream);
        Ok(status)
    }
}

/// Under 200 calls a second the program is exchanged twice, once for one that does not start: no call fails, and nobody connects in vain.
#[test]
fn an_upgrade_loses_no_call() {
    let place = place();
    let systemd = UnixDatagram::bind(place.path().join("notify")).unwrap();
    systemd.set_read_timeout(Some(SOON)).unwrap();
    let mut command = core(place.path());
    command.env("NOTIFY_SOCKET", place.path().join("notify"));
    let mut old = Ended(command.spawn().unwrap());
    let main_process = || {
        let mut told = [0; 64];
        let length = systemd.recv(&mut told).unwrap();
        let text = String::from_utf8_lossy(&told[..length]).into_owned();
        text.trim()
            .rsplit_once("MAINPID=")
            .unwrap()
            .1
            .parse::<u32>()
            .unwrap()
    };
    assert_eq!(main_process(), old.0.id());
    let address = address(place.path());
    let (over, calls) = (AtomicBool::new(false), AtomicUsize::new(0));
    let failures = thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut caller = Caller::new(address);
                    let (begin, mut due, mut failures) = (Instant::now(), Duration::ZERO, Vec::new());
                    while !over.load(Ordering::Relaxed) {
                        match caller.call() {
                            Ok(200) => {}
                            other => failures.push(format!("{other:?} after {:?}", begin.elapsed())),
                        }
                        calls.fetch_add(1, Ordering::Relaxed);
                        due += Duration::from_secs(1) / RATE;
                        thread::park_timeout(due.saturating_sub(begin.elapsed()));
                    }
                    failures
                })
            })
            .collect();
        let ended = scope.spawn(|| {
            // One that cannot take over is noticed, and changes nothing.
            fs::remove_file(place.path().join("tooldock-core")).unwrap();
            fs::copy("/bin/false", place.path().join("tooldock-core")).unwrap();
            signal(old.0.id(), Signal::USR2);
            eventually("the failure is told", SOON, || {
                log(place.path()).contains("this gateway goes on").then_some(())
            });
            install(place.path());
            signal(old.0.id(), Signal::USR2);
            let new = main_process();
            let (code, _) = eventually("the old one ends", SOON, || old.0.try_wait().unwrap());
            let reached = calls.load(Ordering::Relaxed);
            eventually("calls go on", SOON, || {
                (calls.load(Ordering::Relaxed) > reached + 100).then_some(())
            });
            (new, code.code())
        });
        let ended = ended.join();
        over.store(true, Ordering::Relaxed);
        let failures: Vec<String> = clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect();
        let (new, code) = ended.unwrap_or_else(|_| panic!("{failures:?}\n{}", log(place.path())));
        assert_eq!(code, Some(0));
        assert!(lives(new.into()), "{}", log(place.path()));
        let lock = fs::read_to_string(place.path().join("data/core.lock")).unwrap();
        assert_eq!(lock.trim(), new.to_string());
        signal(new, Signal::TERM);
        eventually("the new one ends", SOON, || (!lives(new.into())).then_some(()));
        failures
    });
    let calls = calls.into_inner();
    println!("{calls} calls");
    assert_eq!(failures, Vec::<String>::new(), "{}", log(place.path()));
    let verified = Command::new(needed("TOOLDOCK_MANAGER_BIN"))
        .args(["audit", "verify"])
        .env_clear()
        .env("AUDIT_DIR", place.path().join("audit"))
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let recorded: usize = fs::read_dir(place.path().join("audit"))
        .unwrap()
        .map(|file| {
            fs::read_to_string(file.unwrap().path())
                .unwrap()
                .matches("\"event\":\"call\"")
                .count()
        })
        .sum();
    assert_eq!(
        recorded, calls,
        "each call leaves one record, whoever answered it"
    );
}

/// What systemd does: it opens the socket, and its descriptor is the third of the program.
#[test]
fn a_socket_of_systemd_is_listened_at() {
    let place = place();
    let opened = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = opened.local_addr().unwrap();
    let start = |descriptors: &str, token: &str| {
        let mut command = Command::new("sh");
        let script = format!("exec 3<&0 {descriptors} </dev/null; LISTEN_PID=$$ exec \"$0\"");
        command
            .args(["-c", &script])
            .arg(place.path().join("tooldock-core"));
        let served = core(place.path());
        command.env_clear();
        for (name, value) in served.get_envs() {
            command.env(name, value.unwrap());
        }
        command
            .env("BEARER_TOKEN", token)
            .env("LISTEN_FDS", (1 + descriptors.matches("<&").count()).to_string())
            .stdin(Stdio::from(OwnedFd::from(opened.try_clone().unwrap())))
            .stderr(File::create(place.path().join("log")).unwrap());
        Ended(command.spawn().unwrap())
    };
    let mut two = start("4<&0", TOKEN);
    let (status, _) = eventually("two are refused", SOON, || two.0.try_wait().unwrap());
    assert!(
        !status.success() && log(place.path()).contains("LISTEN_FDS is 2"),
        "{}",
        log(place.path())
    );

    let served = start("", TOKEN);
    assert_eq!(self::address(place.path()), address);
    let mut caller = Caller::new(address);
    assert_eq!(caller.call().unwrap(), 200);
    drop(served);
}
