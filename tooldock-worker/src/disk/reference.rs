//! References to secrets in the texts of an environment: `${NAME}`.

use std::borrow::Cow;

use tooldock_engine::secret::Secrets;

use super::variable::check_variable;

/// `text` with the values of the secrets that it refers to by `${NAME}`; `$${` stands for `${`. Nothing but `declared` secrets can be
/// referred to, so that neither the gateway's environment nor an undeclared secret comes in this way. What was put in is not read again.
///
/// # Errors
/// What is wrong with a reference, without any value.
pub(crate) fn resolve<'a>(
    text: &'a str,
    declared: &[String],
    secrets: &Secrets,
) -> Result<Cow<'a, str>, String> {
    let mut whole = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, behind) = (&rest[..at], &rest[at + 2..]);
        if let Some(before) = before.strip_suffix('$') {
            whole.push_str(before);
            whole.push_str("${");
            rest = behind;
            continue;
        }
        let Some((name, behind)) = behind.split_once('}') else {
            return Err("has a `${` without a `}`; write `$${` where no reference is meant".to_owned());
        };
        check_variable(name, "").map_err(|error| format!("has a reference, but {error}"))?;
        if !declared.iter().any(|known| known == name) {
            return Err(format!(
                "refers to `{name}`, which is no declared secret of this namespace; add it to `secrets` in tooldock.yaml"
            ));
        }
        let value = secrets.get(name).ok_or_else(|| {
            format!("refers to the secret `{name}`, which is not set; `tooldock-manager secrets set {name}`")
        })?;
        whole.push_str(before);
        whole.push_str(value.expose());
        rest = behind;
    }
    if rest.len() == text.len() {
        return Ok(Cow::Borrowed(text));
    }
    whole.push_str(rest);
    check_variable("A", &whole).map_err(|_| "is more than 64 KiB with what it refers to".to_owned())?;
    Ok(Cow::Owned(whole))
}

#[cfg(test)]
mod tests {
    use tooldock_engine::secret::SecretValue;

    use super::*;

    #[test]
    fn s62_only_declared_secrets_are_referred_to() {
        let secrets: Secrets = [
            ("KEY", "a${OTHER}$"),
            ("UNDECLARED", "canary"),
            ("BIG", &"x".repeat(64 << 10)),
        ]
        .map(|(name, value)| (name.to_owned(), SecretValue::new(value.to_owned())))
        .into();
        let declared = ["KEY", "BIG", "UNSET"].map(str::to_owned);
        let resolved = |text| resolve(text, &declared, &secrets);
        for (text, becomes) in [
            ("plain $HOME $ } {", "plain $HOME $ } {"),
            ("Bearer ${KEY}, ${KEY}!", "Bearer a${OTHER}$, a${OTHER}$!"),
            ("$${KEY} is ${KEY}", "${KEY} is a${OTHER}$"),
            ("$$${KEY}", "$${KEY}"),
        ] {
            assert_eq!(resolved(text).as_deref(), Ok(becomes), "{text}");
        }
        for (text, says) in [
            ("${UNDECLARED}", "`UNDECLARED`, which is no declared secret"),
            ("${HOME}", "`HOME` steers programs"),
            ("${CARGO_MANIFEST_DIR}", "no declared secret"),
            ("${UNSET}", "`tooldock-manager secrets set UNSET`"),
            ("${KEY:-default}", "is no name of a variable"),
            ("${KEY", "without a `}`"),
            ("${}", "is no name of a variable"),
            ("${BIG}x", "more than 64 KiB"),
        ] {
            let error = resolved(text).expect_err(text);
            assert!(
                error.contains(says) && !error.contains("canary"),
                "{text}: {error}"
            );
        }
    }
}
