//! The secrets that `tooldock.yaml` declares, as the tools add to them: one line is exchanged, so that all else stays as it was.

use tooldock_engine::error::Result;
use tooldock_secrets::SecretName;
use tooldock_worker::disk::Manifest;

use super::{names::Named, refusal::refuse, volume::Place};

/// The name of the file.
const FILE: &str = "tooldock.yaml";

/// Lets a namespace declare these secrets besides those that it declares already. The caller holds the lock of the volume.
pub(super) fn declare(place: &Place, secrets: &[Named<SecretName>]) -> Result<()> {
    let text = place.text(FILE)?.unwrap_or_default();
    match declaring(&text, secrets.iter().map(|name| name.as_str())) {
        Ok(Some(text)) => place.write(FILE, &text),
        Ok(None) => Ok(()),
        Err(problem) => Err(refuse(format!("`{FILE}`: {problem}"))),
    }
}

/// `text` with these secrets declared too; nothing when it declares them all.
fn declaring<'a>(
    text: &str,
    secrets: impl Iterator<Item = &'a str>,
) -> std::result::Result<Option<String>, String> {
    let read = |text: &str| text.parse::<Manifest>().map_err(|error| error.to_string());
    let mut wanted = read(text)?;
    let before = wanted.secrets.len();
    for name in secrets {
        if !wanted.secrets.iter().any(|known| known == name) {
            wanted.secrets.push(name.to_owned());
        }
    }
    if wanted.secrets.len() == before {
        return Ok(None);
    }
    let mut within = false;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.retain(|line| {
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '-', ']']);
        within = line.starts_with("secrets:") || (within && goes_on);
        !within
    });
    let names = wanted.secrets.join(", ");
    let line = format!("secrets: [{names}]");
    lines.push(&line);
    let text = lines.join("\n") + "\n";
    // A file of an unusual form is left to a person.
    if read(&text)? == wanted {
        Ok(Some(text))
    } else {
        Err(format!(
            "it cannot be changed here; let the user write `{line}` into it"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_besides_its_secrets_stays() {
        let table = [
            ("", "secrets: [B]\n"),
            (
                "# about\ndescription: x\n",
                "# about\ndescription: x\nsecrets: [B]\n",
            ),
            ("secrets: [A]\nversion: '1'\n", "version: '1'\nsecrets: [A, B]\n"),
            ("secrets:\n  - A\n- C\nenv:\n  X: y\n", ""),
            (
                "secrets:\n  - A\n  - C\nenv:\n  X: y\n",
                "env:\n  X: y\nsecrets: [A, C, B]\n",
            ),
            (
                "secrets:\n- A\n\n- C\nauthor: me\n",
                "author: me\nsecrets: [A, C, B]\n",
            ),
            (
                "secrets: [\n  A,\n]\nenv: {X: y}\n",
                "env: {X: y}\nsecrets: [A, B]\n",
            ),
        ];
        for (text, changed) in table {
            match declaring(text, ["B"].into_iter()) {
                Ok(found) => assert_eq!(found.as_deref(), Some(changed), "{text}"),
                Err(problem) => assert!(changed.is_empty(), "{text}: {problem}"),
            }
        }
        assert_eq!(declaring("secrets: [A, B]\n", ["A"].into_iter()), Ok(None));
    }

    #[test]
    fn s60_s61_what_cannot_be_changed_safely_is_refused() {
        for (text, name) in [
            ("{description: x}", "B"),
            ("secrets: &a [A]\n", "B"),
            ("env:\n  B: x\n", "B"),
            ("", "LD_PRELOAD"),
            ("---\nsecrets: [A]\n...\n", "B"),
        ] {
            assert!(declaring(text, [name].into_iter()).is_err(), "{text:?} {name}");
        }
    }
}
