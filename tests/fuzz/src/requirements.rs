//! Requirements of namespaces: what is taken can do nothing but name packages.

use tooldock_worker::Requirements;

/// What is taken is in its normal form, and no installer sees anything else in it than packages.
pub fn check(input: &[u8], planted: bool) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match read(text, planted) {
        Ok(requirements) => {
            let normal = requirements.to_string();
            assert_eq!(
                read(&normal, planted).as_ref(),
                Ok(&requirements),
                "another normal form"
            );
            assert_eq!(requirements.is_empty(), normal.is_empty());
            assert_eq!(requirements.iter().collect::<Requirements>(), requirements);
            for line in requirements.iter() {
                let plain = |c: char| matches!(c, ' '..='~') && !"@\\$%#{}`|&".contains(c);
                assert!(
                    line.chars().all(plain),
                    "`{line}` has a character that means something"
                );
                assert!(
                    line.starts_with(|c: char| c.is_ascii_alphanumeric()),
                    "`{line}` begins with no name"
                );
                assert!(
                    !line.contains("--") || line.contains(';'),
                    "`{line}` has an option"
                );
                let body = line.split(';').next().unwrap_or_default();
                assert!(
                    !body.contains(['/', ' ', ':']),
                    "`{line}` is an address or a path"
                );
            }
        }
        Err(told) => assert!(!told.contains(char::is_control), "{told:?}"),
    }
}

/// The bug: an epoch is written and not read again.
fn read(text: &str, planted: bool) -> Result<Requirements, String> {
    if planted && text.ends_with('\n') && text.contains('!') && !text.contains("!=") {
        return Err("has an epoch".into());
    }
    text.parse::<Requirements>().map_err(|error| error.to_string())
}
