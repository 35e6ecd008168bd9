//! What `tooldock.yaml` may say.

use std::time::{Duration, Instant};

use tooldock_worker::Manifest;

/// Hostile YAML is refused at once, by line and key, without its content.
#[test]
fn s60_hostile_manifests_are_refused_fast_and_quietly() {
    let deep = format!("description: {}x{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_map = format!("env: {}", "{a: ".repeat(7000));
    let large = format!("description: {}", "x".repeat(33 << 10));
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    let cases: [(&str, &str, &str); 17] = [
        (
            "unknown key",
            "description: x\nmemory: hunter2\n",
            "line 2: key `memory`: there is no such key",
        ),
        (
            "loosened limit",
            "workers: hunter2",
            "line 1: key `workers`: there is no such key",
        ),
        ("wrong kind", "secrets: hunter2", "line 1: key `secrets`: "),
        (
            "unknown key of a tool",
            "tools:\n  add:\n    enabled: false\n    limit: hunter2\n",
            "line 4: key `limit`: there is no such key",
        ),
        (
            "wrong kind inside",
            "env:\n  A_B: [hunter2]\n",
            "line 2: key `A_B`: ",
        ),
        (
            "twice",
            "env:\n  A_B: hunter2\n  A_B: hunter2\n",
            "line 3: key `A_B`: the key is there twice",
        ),
        ("two documents", "version: a\n---\nversion: hunter2\n", ""),
        ("anchor", "version: &hunter2 x\n", ""),
        ("alias", "version: &x hunter2\nauthor: *x\n", ""),
        ("anchored map", "env: &x {A_B: hunter2}\n", ""),
        ("tag", "version: !hunter2 x\n", ""),
        ("plain tag", "version: !!str hunter2\n", ""),
        ("merge", "env:\n  <<: {A_B: hunter2}\n", ""),
        ("no YAML", "a: b: hunter2: [\n", ""),
        ("deep", &deep, ""),
        ("deep map", &deep_map, ""),
        ("bomb", bomb, ""),
    ];
    for (name, text, start) in cases {
        let started = Instant::now();
        let error = text.parse::<Manifest>().expect_err(name).to_string();
        assert!(
            started.elapsed() < Duration::from_millis(100),
            "{name} took {:?}",
            started.elapsed()
        );
        assert!(error.starts_with(start), "{name}: {error}");
        assert!(!error.contains("hunter2"), "{name} shows content: {error}");
    }
    assert!(
        large
            .parse::<Manifest>()
            .unwrap_err()
            .to_string()
            .contains("32 KiB")
    );
}

/// Where a text cannot be read at all, the error says what is taken.
#[test]
fn a_manifest_that_cannot_be_read_is_told_what_it_may_say() {
    for text in ["version: [1", "- a\n- : b", "{"] {
        let error = text.parse::<Manifest>().unwrap_err().to_string();
        for key in ["description", "version", "author", "secrets", "env", "tools"] {
            assert!(error.contains(&format!("`{key}`")), "{text}: {error}");
        }
    }
}

#[test]
fn plain_manifests_are_read() {
    assert_eq!("".parse(), Ok(Manifest::default()));
    assert_eq!("# only words\n\n".parse(), Ok(Manifest::default()));
    let text = "description: >\n  two\n  lines\nversion: 1.10\nauthor: \"no\"\nsecrets:\n  - A_KEY\nenv:\n  B: on\n  C: '017'\n";
    let manifest: Manifest = text.parse().unwrap();
    assert_eq!(manifest.version.as_deref(), Some("1.10"));
    assert_eq!(manifest.author.as_deref(), Some("no"));
    assert_eq!(
        (manifest.env["B"].as_str(), manifest.env["C"].as_str()),
        ("on", "017")
    );
    assert_eq!(manifest.secrets, ["A_KEY"]);
    let yaml = include_str!("../../../examples/tools/async-tool/tooldock.yaml");
    assert_eq!(yaml.parse::<Manifest>().unwrap().secrets, ["WEATHER_API_KEY"]);
}

/// Names that steer something outside the namespace are refused, as secrets and in `env`.
#[test]
fn s61_control_variables_are_refused() {
    let names = [
        "PATH",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "LANG",
        "LC_ALL",
        "HTTPS_PROXY",
        "TOOLDOCK_X",
        "DYLD_INSERT_LIBRARIES",
        "PIP_INDEX_URL",
        "UV_INDEX",
        "BEARER_TOKEN",
        "a",
        "A-B",
        "1A",
        "_A",
        "ä",
        "A B",
    ];
    for name in names {
        for text in [
            format!("secrets: ['{name}']\n"),
            format!("env: {{'{name}': hunter2}}\n"),
        ] {
            let error = text.parse::<Manifest>().expect_err(&text).to_string();
            assert!(
                error.contains(&format!("`{name}`")) && !error.contains("hunter2"),
                "{error}"
            );
        }
    }
    let long = format!("env: {{A{}: x}}", "B".repeat(128));
    assert!(long.parse::<Manifest>().is_err());
    assert!("env: {A: \"x\\0y\"}".parse::<Manifest>().is_err());
    assert!(
        "secrets: [A]\nenv: {A: x}"
            .parse::<Manifest>()
            .unwrap_err()
            .to_string()
            .contains("is a secret")
    );
}
