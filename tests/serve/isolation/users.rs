//! Users of their own for namespaces.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use serde_json::json;
use tooldock_tests::Unprivileged;

use super::{SPY, ask, attempt, start};

/// Users that nothing else belongs to.
const USERS: (&str, &str) = ("WORKER_USERS", "64300-64399");
/// The Python of the system, which every user reaches; the one that root finds first may lie in its home.
const PYTHON: (&str, &str) = ("WORKER_PYTHON", "/usr/bin/python3");

/// S80: of two namespaces with users of their own neither reaches what the other keeps, or the other, even without a sandbox.
#[test]
fn s80_namespaces_with_users_of_their_own_are_closed_to_each_other() {
    let files = [("spy/tools.py", SPY), ("victim/tools.py", SPY)];
    let gateway = Unprivileged::start_as_root(&files, &[USERS, PYTHON, ("WORKER_SANDBOX", "off")]);
    gateway.set_secret("victim", "API_TOKEN", "canary-of-the-victim");
    let places = ask(&gateway, "victim", "places", &json!({}));
    let place = |name: &str| places[name].as_str().expect("a path").to_owned();
    let (home, temp) = (place("home"), place("temp"));
    let note = format!("{home}/note");
    assert_eq!(ask(&gateway, "victim", "write", &json!({"place": note})), "done");
    let victim = gateway.state("victim")["pid"].to_string();
    let data = gateway.data_folder().display().to_string();
    let strange = [
        ("list_", home.clone()),
        ("read", note.clone()),
        ("write", note.clone()),
        ("cut", note.clone()),
        ("list_", temp.clone()),
        ("write", format!("{temp}/planted")),
        ("list_", format!("{data}/homes")),
        ("read", format!("{data}/secrets.enc")),
        ("write", format!("{data}/config.yaml")),
        ("read", format!("/proc/{victim}/environ")),
        ("signal_", victim),
        ("signal_", gateway.pid().to_string()),
    ];
    let outcomes = attempt(&gateway, &strange);
    let open: Vec<_> = outcomes
        .iter()
        .filter(|line| !line.ends_with(": EACCES") && !line.ends_with(": EPERM"))
        .collect();
    assert!(open.is_empty(), "{open:#?}");
    let owner = fs::metadata(&note).expect("root reads everything").uid();
    for namespace in ["spy", "victim"] {
        let who = ask(&gateway, namespace, "identity", &json!({}));
        let user = who[0][0].as_u64().expect("a number");
        assert!((64_300..=64_399).contains(&user), "{who}");
        assert_eq!(
            who,
            json!([[user], []]),
            "in every meaning, and in no other group"
        );
        assert_eq!(user == u64::from(owner), namespace == "victim", "{who}");
        let temp = ask(&gateway, namespace, "places", &json!({}))["temp"].clone();
        let passing = format!("{}/passing", temp.as_str().expect("a path"));
        let written = ask(&gateway, namespace, "write", &json!({"place": passing}));
        assert_eq!(written, "done", "its own temporary folder is its own");
        let enforced = &gateway.state(namespace)["isolation"]["enforced"];
        assert!(
            enforced
                .as_array()
                .is_some_and(|all| all.contains(&json!("own_user"))),
            "{enforced}"
        );
    }
}

/// S82: a worker of a gateway that is root has none of its rights.
#[test]
fn s82_a_worker_of_root_has_no_capabilities() {
    let gateway = Unprivileged::start_as_root(&[("spy/tools.py", SPY)], &[PYTHON]);
    let told = ask(&gateway, "spy", "status", &json!({}));
    for set in ["CapEff", "CapPrm", "CapInh"] {
        assert_eq!(told["status"][set], "0000000000000000", "{set}");
    }
}

/// Where the gateway is not root, what is asked for is told to be missing, and `strict` refuses.
#[test]
fn s80_a_gateway_that_is_not_root_says_that_it_has_no_users_to_give() {
    let gateway = start(&[USERS]);
    assert_eq!(gateway.state("spy")["isolation"]["missing"], json!(["own_user"]));
    assert_eq!(ask(&gateway, "spy", "who", &json!({})), "spy");
    drop(gateway);
    let state = start(&[USERS, ("WORKER_SANDBOX", "strict")]).state("spy");
    let why = state["failure"].as_str().unwrap_or_default();
    assert!(
        why.contains("`own_user` (a gateway that runs as root)"),
        "{state}"
    );
}
