//! The page of all settings.

use std::fmt::Write as _;

use super::{CONNECT_SETTINGS, MANAGER_SETTINGS, SETTINGS, Setting};

/// The tables as a page of Markdown, for `docs/settings.md`.
#[must_use]
pub fn as_markdown() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table in `tooldock::config`; do not edit.\n\nSettings are environment variables. \
         Every mistake is named in one report, and the program ends with status 78.\n\n\
         `tooldock-core serve`, `dev` and `stdio`:\n\n",
    );
    write_table(&mut page, SETTINGS);
    page.push_str(
        "\n`tooldock-manager serve` reads those above too, but for PORT and DEFAULT_NAMESPACE, and needs BEARER_TOKEN only to talk to \
         the core:\n\n",
    );
    write_table(&mut page, MANAGER_SETTINGS);
    page.push_str("\n`tooldock-core connect`:\n\n");
    write_table(&mut page, CONNECT_SETTINGS);
    page
}

fn write_table(page: &mut String, settings: &[Setting]) {
    page.push_str("| Setting | Default | Meaning |\n|---|---|---|\n");
    for Setting {
        name,
        default,
        secret,
        doc,
    } in settings
    {
        let twin = if *secret {
            format!(" or `{name}_FILE`")
        } else {
            String::new()
        };
        let default = if default.is_empty() {
            "none".to_owned()
        } else {
            format!("`{default}`")
        };
        writeln!(page, "| `{name}`{twin} | {default} | {doc} |").expect("a String takes every text");
    }
}
