//! Which files and sockets a worker reaches.

use serde_json::json;
use tooldock_tests::Unprivileged;

use super::{ask, attempt, start};

/// What a worker has no business with: files of its neighbour and of the gateway, all of them of the same user.
fn strange(gateway: &Unprivileged) -> Vec<(&'static str, String)> {
    let places = ask(gateway, "victim", "places", &json!({}));
    let place = |name: &str| places[name].as_str().expect("a path").to_owned();
    let data = gateway.data_folder().display().to_string();
    let (home, temp, folder) = (place("home"), place("temp"), place("folder"));
    ask(
        gateway,
        "victim",
        "write",
        &json!({"place": format!("{home}/note")}),
    );
    ask(
        gateway,
        "victim",
        "listen",
        &json!({"place": "tooldock-tests-victim"}),
    );
    let core = gateway.pid().to_string();
    let victim = gateway.state("victim")["pid"].to_string();
    vec![
        ("list_", data.clone()),
        ("list_", format!("{data}/tools")),
        ("list_", folder.clone()),
        ("read", format!("{folder}/tools.py")),
        ("link", format!("{folder}/tools.py")),
        ("read", format!("{data}/secrets.enc")),
        ("link", format!("{data}/secrets.enc")),
        ("list_", home.clone()),
        ("read", format!("{home}/note")),
        ("write", format!("{home}/note")),
        ("cut", format!("{home}/note")),
        ("hard_link", format!("{home}/note")),
        ("list_", temp.clone()),
        ("write", format!("{temp}/planted")),
        ("write", format!("{data}/config.yaml")),
        ("list_", "/".to_owned()),
        ("list_", "/tmp".to_owned()),
        ("list_", "/etc".to_owned()),
        ("list_", "/dev/shm".to_owned()),
        ("signal_", core),
        ("signal_", victim),
        ("connect", "tooldock-tests-victim".to_owned()),
    ]
}

/// S80, and the control: without a sandbox each of the attempts succeeds.
#[test]
fn s80_a_worker_reaches_its_own_files_and_nothing_else() {
    let gateway = start(&[]);
    gateway.set_secret("victim", "API_TOKEN", "canary-of-the-victim");
    let outcomes = attempt(&gateway, &strange(&gateway));
    let open: Vec<_> = outcomes
        .iter()
        .filter(|line| {
            !line.ends_with(": EACCES") && !line.ends_with(": EPERM") && !line.ends_with(": EXDEV")
        })
        .collect();
    assert!(open.is_empty(), "{open:#?}");
    let places = ask(&gateway, "spy", "places", &json!({}));
    let place = |name: &str| places[name].as_str().expect("a path").to_owned();
    let own = [
        ("read", format!("{}/tools.py", place("folder"))),
        ("write", format!("{}/kept", place("home"))),
        ("cut", format!("{}/kept", place("home"))),
        ("write", format!("{}/passing", place("temp"))),
        ("read", "/etc/hosts".to_owned()),
        ("read", "/proc/self/maps".to_owned()),
        ("write", "/dev/null".to_owned()),
        ("list_", "/usr/lib".to_owned()),
    ];
    let outcomes = attempt(&gateway, &own);
    assert!(
        outcomes.iter().all(|line| line.ends_with(": done")),
        "{outcomes:#?}"
    );
    // What it serves from is the operator's.
    let folder = [("write", format!("{}/more.py", place("folder")))];
    assert!(attempt(&gateway, &folder)[0].ends_with(": EACCES"));
}

#[test]
fn s80_without_a_sandbox_the_same_attempts_succeed() {
    let gateway = start(&[("WORKER_SANDBOX", "off")]);
    gateway.set_secret("victim", "API_TOKEN", "canary-of-the-victim");
    let outcomes = attempt(&gateway, &strange(&gateway));
    let closed: Vec<_> = outcomes.iter().filter(|line| !line.ends_with(": done")).collect();
    assert!(closed.is_empty(), "{closed:#?}");
}

/// S83 and S84: the channel is one of two connected sockets that the worker inherits. There is no socket file to take or to swap.
#[test]
fn s83_s84_there_is_no_socket_file() {
    let gateway = start(&[]);
    let data = gateway.data_folder().display().to_string();
    let bound = std::fs::read_to_string("/proc/net/unix").expect("the system lists its sockets");
    let ours: Vec<_> = bound
        .lines()
        .filter(|line| line.contains(&data) || line.contains("tooldock"))
        .collect();
    assert!(ours.is_empty(), "{ours:#?}");
    assert_eq!(ask(&gateway, "spy", "who", &json!({})), "spy", "and calls arrive");
}

/// S92: who is asked for a tool of another namespace does not have it, though both names are known.
#[test]
fn s92_a_worker_answers_for_its_own_tools_only() {
    let only = "from tooldock import tool\n\n@tool\ndef mine_NAME() -> str:\n    return 'NAME'\n\n@tool\ndef both() -> str:\n    return 'NAME'\n";
    let (first, second) = (only.replace("NAME", "first"), only.replace("NAME", "second"));
    let files = [
        ("first/tools.py", first.as_str()),
        ("second/tools.py", second.as_str()),
    ];
    let gateway = Unprivileged::start(&files, &[], &[]);
    for namespace in ["first", "second"] {
        for owner in ["first", "second"] {
            let tool = format!("mine_{owner}");
            let answer = gateway
                .http()
                .post(&format!("/{namespace}/tools/{tool}"), &json!({}), &[]);
            let expected = if namespace == owner { 200 } else { 404 };
            assert_eq!(answer.status, expected, "{tool} in {namespace}: {answer:?}");
        }
        let both = gateway
            .http()
            .post(&format!("/{namespace}/tools/both"), &json!({}), &[]);
        assert_eq!((both.status, &both.body), (200, &json!(namespace)), "{both:?}");
    }
}
