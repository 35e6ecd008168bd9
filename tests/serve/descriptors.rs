//! A gateway that may have few open files.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use tooldock_tests::eventually;

use crate::upgrades::{Caller, Ended, address, core, log, place};

/// How long something may take on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// The status of the open door on a connection of its own; nothing when there is none in time.
fn health(address: SocketAddr) -> Option<String> {
    status(ask(address)?)
}

/// Asks at the open door.
fn ask(address: SocketAddr) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(SOON)).ok()?;
    let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).ok()?;
    Some(stream)
}

/// The status of the answer.
fn status(mut stream: TcpStream) -> Option<String> {
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    text.lines().next().map(str::to_owned)
}

/// S28, R12: with 256 open files at the most, connections take four fifths of them; strangers that are silent make room for whoever asks,
/// workers can be called, and when they are gone nothing is left of it.
#[test]
fn s28_r12_a_limit_of_open_files_is_kept_to_and_recovered_from() {
    let place = place();
    let served = core(place.path());
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -n 256; exec \"$0\" 2>\"$LOG\""])
        .arg(place.path().join("tooldock-core"))
        .env_clear();
    for (name, value) in served.get_envs() {
        command.env(name, value.unwrap());
    }
    command.env("LOG", place.path().join("log"));
    let core = Ended(command.spawn().unwrap());
    let address = address(place.path());
    let files = || {
        std::fs::read_dir(format!("/proc/{}/fd", core.0.id()))
            .unwrap()
            .count()
    };
    let before = files();
    // None of them waits for another to be closed: who comes in vain stands in the queue of the system.
    let silent: Vec<TcpStream> = (0..300)
        .filter_map(|_| TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok())
        .collect();
    assert!(silent.len() > 256, "{}", silent.len());
    let most = before + 256 / 5 * 4 + 8;
    for _ in 0..5 {
        assert!(files() <= most, "{} of {most}", files());
        assert_eq!(health(address).as_deref(), Some("HTTP/1.1 200 OK"));
        let mut caller = Caller::new(address);
        assert_eq!(caller.call().unwrap(), 200);
    }
    drop(silent);
    eventually("its files are closed", SOON, || {
        (files() <= before + 2).then_some(())
    });
    assert_eq!(health(address).as_deref(), Some("HTTP/1.1 200 OK"));
}

/// S28, R12: with no file left to open a connection waits until there is one again, and those that are open go on meanwhile.
#[test]
fn s28_r12_accepting_recovers_when_no_file_is_left() {
    let place = place();
    let core = Ended(core(place.path()).spawn().unwrap());
    let (address, pid) = (address(place.path()), Pid::from_child(&core.0));
    let mut caller = Caller::new(address);
    assert_eq!(caller.call().unwrap(), 200);
    let limit = |current| {
        let limit = Rlimit {
            current,
            // It has inherited that of this process.
            ..getrlimit(Resource::Nofile)
        };
        prlimit(Some(pid), Resource::Nofile, limit).unwrap()
    };
    let before = limit(Some(1));
    let waiting = ask(address).unwrap();
    eventually("it cannot be accepted", SOON, || {
        log(place.path()).contains("could not be accepted").then_some(())
    });
    assert_eq!(caller.call().unwrap(), 200);
    limit(before.current);
    assert_eq!(status(waiting).as_deref(), Some("HTTP/1.1 200 OK"));
    assert_eq!(health(address).as_deref(), Some("HTTP/1.1 200 OK"));
}
