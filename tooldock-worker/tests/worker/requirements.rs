//! What `requirements.txt` may ask for.

use tooldock_worker::Requirements;

/// One plain requirement a line, before any installer sees it.
#[test]
fn s69_requirements_are_plain_or_refused_with_their_line() {
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
