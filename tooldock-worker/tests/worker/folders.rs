//! What counts as a namespace, and what a folder may ask for.

use std::{
    os::unix::fs::symlink,
    time::{Duration, Instant},
};

use tooldock_worker::{Manifest, Requirements, ToolsFolder};

use crate::shop::Tools;

const TOOL: &str = "from tooldock import tool\n";

fn why<'a>(scan: &'a tooldock_worker::Scan, name: &str) -> &'a str {
    &scan
        .rejected
        .iter()
        .find(|rejected| rejected.name == name)
        .unwrap_or_else(|| panic!("`{name}` was taken"))
        .why
}

/// S54: the rule for names holds for folders.
#[test]
fn folders_with_bad_names_are_rejected_with_advice() {
    let bad = [
        "GitHub",
        "a b",
        "ä",
        "mcp",
        "_system",
        "-x",
        "a.b",
        "ａ",
        "x,y",
        &"a".repeat(64),
    ]
    .map(str::to_owned);
    let files: Vec<String> = bad.iter().map(|name| format!("{name}/t.py")).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), TOOL)).collect();
    files.extend([
        ("good/t.py", TOOL),
        (".hidden/t.py", TOOL),
        ("__pycache__/t.py", TOOL),
        ("empty/_x.py", TOOL),
        ("loose.py", TOOL),
        ("README.md", ""),
    ]);
    let scan = Tools::with(&files).scan();
    assert_eq!(
        scan.namespaces
            .iter()
            .map(|found| found.name.as_str())
            .collect::<Vec<_>>(),
        ["good"]
    );
    for name in &bad {
        assert!(
            why(&scan, name).ends_with("rename the folder"),
            "{name}: {}",
            why(&scan, name)
        );
    }
    assert!(why(&scan, "empty").contains("no tool file"));
    assert!(why(&scan, "loose.py").contains("subfolder"));
    assert_eq!(scan.rejected.len(), bad.len() + 2);
}

/// S56: links and pipes are neither followed nor waited for.
#[test]
fn links_and_pipes_are_not_followed() {
    let tools = Tools::with(&[
        ("a/t.py", TOOL),
        ("b/t.py", TOOL),
        ("c/t.py", TOOL),
        ("d/t.py", TOOL),
        ("e/t.py", TOOL),
        ("secret.txt", "x"),
    ]);
    symlink("/etc", tools.path("linked")).unwrap();
    symlink(tools.path("secret.txt"), tools.path("a/x.py")).unwrap();
    std::fs::hard_link(tools.path("b/t.py"), tools.path("secret.py")).unwrap();
    symlink("/proc/self/environ", tools.path("c/tooldock.yaml")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(tools.path("d/x.py"))
        .status()
        .unwrap();
    assert!(pipe.success());
    symlink(tools.path("a"), tools.path("e/inner")).unwrap();
    let scan = tools.scan();
    assert!(why(&scan, "linked").contains("link"));
    let problem = |name: &str| {
        scan.namespaces
            .iter()
            .find(|found| found.name.as_str() == name)
            .unwrap()
            .problem
            .clone()
    };
    for (name, file) in [
        ("a", "`x.py`"),
        ("b", "`t.py`"),
        ("c", "`tooldock.yaml`"),
        ("d", "`x.py`"),
    ] {
        let problem = problem(name).unwrap_or_else(|| panic!("{name} has no problem"));
        assert!(
            problem.contains(file) && problem.contains("regular file"),
            "{name}: {problem}"
        );
    }
    assert_eq!(problem("e"), None, "a link to a folder is just not entered");
}

#[test]
fn the_digest_follows_contents_and_nothing_else() {
    let tools = Tools::with(&[("a/t.py", TOOL), ("a/inner/x.py", "x = 1"), ("a/data.txt", "1")]);
    let first = tools.only().digest;
    tools.write("a/t.py", TOOL);
    tools.write("a/data.txt", "2");
    tools.write("a/__pycache__/t.py", "x");
    assert_eq!(tools.only().digest, first, "times, data and caches do not count");
    let mut seen = vec![first];
    for (file, text) in [
        ("a/inner/x.py", "x = 2"),
        ("a/tooldock.yaml", "version: '1'"),
        ("a/requirements.txt", "httpx"),
        ("a/_y.py", ""),
    ] {
        tools.write(file, text);
        let digest = tools.only().digest;
        assert!(!seen.contains(&digest), "{file} does not count");
        seen.push(digest);
    }
}

#[test]
fn a_folder_to_work_in_is_one_namespace_when_it_holds_tools() {
    let tools = Tools::with(&[
        ("My Tools!/t.py", TOOL),
        ("My Tools!/sub/t.py", TOOL),
        ("mcp/t.py", TOOL),
    ]);
    let scan = ToolsFolder::dev(tools.path("My Tools!")).unwrap().scan().unwrap();
    assert_eq!(scan.namespaces.len(), 1);
    assert_eq!(scan.namespaces[0].name.as_str(), "my-tools");
    let reserved = ToolsFolder::dev(tools.path("mcp")).unwrap().scan().unwrap();
    assert_eq!(reserved.namespaces[0].name.as_str(), "local");
    let parent = ToolsFolder::dev(tools.path("")).unwrap().scan().unwrap();
    assert_eq!((parent.namespaces.len(), parent.rejected.len()), (0, 2));
    assert!(ToolsFolder::dev(tools.path("nowhere")).is_err());
}

/// S60: hostile YAML is refused at once, by line and key, without its content.
#[test]
fn hostile_manifests_are_refused_fast_and_quietly() {
    let deep = format!("description: {}x{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_map = format!("env: {}", "{a: ".repeat(7000));
    let large = format!("description: {}", "x".repeat(33 << 10));
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    let cases: [(&str, &str, &str); 16] = [
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

/// S61: names that steer something outside the namespace are refused, as secrets and in `env`.
#[test]
fn control_variables_are_refused() {
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

/// S69, S70: one plain requirement a line, before any installer sees it.
#[test]
fn requirements_are_plain_or_refused_with_their_line() {
    for (line, normal) in [
        ("httpx", "httpx"),
        ("Zope.Interface_X", "zope-interface-x"),
        ("httpx>=0.28.0", "httpx>=0.28.0"),
        ("httpx >= 0.28 , < 1.0 # web", "httpx<1.0,>=0.28"),
        ("rich[jupyter, a_b]~=13.0", "rich[a-b,jupyter]~=13.0"),
        ("x==1.*", "x==1.*"),
        ("x!=1!2.0rc1.post2.dev3", "x!=1!2.0rc1.post2.dev3"),
        ("x==1.0+local.1", "x==1.0+local.1"),
        (
            "x; python_version<'3.13' and (sys_platform == \"linux\" or 'a' in platform_release)",
            "x; python_version < \"3.13\" and ( sys_platform == \"linux\" or \"a\" in platform_release )",
        ),
        ("x ; extra not in 'test'", "x; extra not in \"test\""),
    ] {
        assert_eq!(
            line.parse::<Requirements>().map(|read| read.to_string()),
            Ok(format!("{normal}\n")),
            "{line}"
        );
    }
    for line in [
        "-r other.txt",
        "--index-url http://x",
        "-e .",
        "-c x",
        "--hash=sha256:00",
        "./x",
        "../x",
        "/x",
        "x/y",
        "a.whl/../b",
        "git+https://x/y",
        "https://x/y.whl",
        "file:///x",
        "x @ https://y",
        "x@y",
        "${HOME}",
        "x$HOME",
        "%PATH%",
        "x \\",
        "x\u{b}",
        "x\u{0}",
        "ｈttpx",
        "x\u{200b}",
        "x y",
        "x==",
        "x=1",
        "x===1",
        "x>=a",
        "x>=1.*",
        "x>=1+l",
        "x~=1",
        "x==1 2",
        "x==1,,2",
        "[x]",
        "x[",
        "x[a",
        "x[]",
        "x[a/b]",
        "x;",
        "x; y",
        "x; os_name",
        "x; os_name == linux",
        "x; os_name == 'a' and",
        "x; (os_name == 'a'",
        "x; os_name == 'a')",
        "x; 'a' == 'b'",
        "x; os_name == 'a\\'",
        "x; __import__('os')",
        "x (>=1)",
        "x#y",
        "-",
        ".x",
        "x-",
        "httpx>=0.28;python_version<'3'#x",
        "x; os_name == 'a$b'",
        "x; ((((((((((os_name == 'a'))))))))))",
    ] {
        let text = format!("httpx\n# fine\n{line}\n");
        let error = text.parse::<Requirements>().expect_err(line).to_string();
        assert!(error.starts_with("line 3: `"), "{line}: {error}");
    }
    assert!(
        "a\rb".parse::<Requirements>().is_err(),
        "a lone carriage return is no line end"
    );
    assert_eq!(
        "b\r\na\r\n\n#c\nA\n".parse::<Requirements>().unwrap().to_string(),
        "a\nb\n"
    );
    let many: String = (0..600).map(|number| format!("p{number}\n")).collect();
    assert!(
        many.parse::<Requirements>()
            .unwrap_err()
            .to_string()
            .contains("500")
    );
}

/// S70: a bad file stops its own namespace only.
#[test]
fn a_bad_file_stops_its_own_namespace_only() {
    let tools = Tools::with(&[
        ("a/t.py", TOOL),
        ("a/requirements.txt", "httpx\n-r /etc/passwd\n"),
        ("b/t.py", TOOL),
        ("c/t.py", TOOL),
        ("c/tooldock.yaml", "uid: 0\n"),
    ]);
    std::fs::write(tools.path("b/_x.py"), b"\xff").unwrap();
    let scan = tools.scan();
    let problems: Vec<_> = scan
        .namespaces
        .iter()
        .map(|found| found.problem.as_deref().unwrap_or_default())
        .collect();
    assert!(
        problems[0].starts_with("`requirements.txt`: line 2: `-r /etc/passwd` is an option"),
        "{problems:?}"
    );
    assert_eq!(problems[1], "");
    assert!(
        problems[2].starts_with("`tooldock.yaml`: line 1: key `uid`"),
        "{problems:?}"
    );
}
