//! What a Python file asks for itself: the `script` block of inline script metadata (PEP 723).

use serde::Deserialize;

use super::requirements::Requirements;

const BEGIN: &str = "# /// script";
const END: &str = "# ///";
const FORM: &str = "write it as in `# dependencies = [\"httpx>=0.28\"]` between `# /// script` and `# ///`";

/// What counts of the block. Python is the gateway's own, so `requires-python` does not.
#[derive(Debug, Default, Deserialize)]
struct Block {
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The packages that the source of a file asks for; none if it has no block.
pub(super) fn read(source: &str) -> Result<Requirements, String> {
    let wrong = |what: &str| format!("its script block {what}");
    let Some(text) = find(source).map_err(wrong)? else {
        return Ok(Requirements::default());
    };
    let block: Block = toml::from_str(&text)
        .map_err(|error| wrong(&format!("cannot be read: {}; {FORM}", error.message())))?;
    let packages = block.dependencies.join("\n").parse();
    packages.map_err(|error| wrong(&format!("asks for what is no package: {error}")))
}

/// The text of the block without its comment signs.
fn find(source: &str) -> Result<Option<String>, &'static str> {
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    let mut begins = (0..lines.len()).filter(|at| lines[*at] == BEGIN);
    let Some(begin) = begins.next() else {
        return Ok(None);
    };
    if begins.next().is_some() {
        return Err("is there twice; keep one");
    }
    let inside = lines[begin + 1..].iter().take_while(|line| line.starts_with('#'));
    let inside: Vec<&str> = inside.copied().collect();
    let end = inside
        .iter()
        .rposition(|line| *line == END)
        .ok_or("has no end; add a line `# ///`")?;
    let plain = |line: &&str| {
        line.strip_prefix("# ")
            .or(line.strip_prefix('#'))
            .unwrap_or_default()
            .to_owned()
    };
    Ok(Some(
        inside[..end].iter().map(plain).collect::<Vec<_>>().join("\n"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_wherever_it_stands() {
        let source = "\"\"\"Doc.\"\"\"\n# /// script\n# requires-python = \">=3.10\"\n# dependencies = [\n#   \"HTTPX>=0.28\",\n# ]\n#\n# [tool.uv]\n# x = 1\n# ///\nimport httpx\n";
        assert_eq!(read(source).unwrap().to_string(), "httpx>=0.28\n");
        assert!(read("import os\n# /// other\n").unwrap().is_empty());
    }

    #[test]
    fn s69_a_wrong_block_says_what_is_wrong() {
        for (block, told) in [
            ("# dependencies = [\"httpx\"]\nx = 1\n", "has no end"),
            ("# dependencies = [1]\n# ///\n", "cannot be read"),
            (
                "# dependencies = [\"-r /etc/passwd\"]\n# ///\n",
                "`-r /etc/passwd` is an option",
            ),
            ("# dependencies = [\"a @ https://x\"]\n# ///\n", "is an address"),
            (
                "# dependencies = [\"a\\nb @ https://x\"]\n# ///\n",
                "is an address",
            ),
            ("# ///\n# /// script\n# ///\n", "twice"),
        ] {
            let error = read(&format!("# /// script\n{block}")).unwrap_err();
            assert!(error.contains(told), "{block}: {error}");
        }
    }
}
