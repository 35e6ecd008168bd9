//! `tooldock-manager token`.

use std::collections::BTreeMap;

use tooldock::config::{CoreSettings, Sources};

use crate::shop::{Shop, err, out};

#[test]
fn s3_what_is_printed_is_a_line_of_the_list_and_not_the_token() {
    let shop = Shop::new();
    let output = shop.run("token ci@example", "");
    let told = err(&output);
    let token = told.trim_end().rsplit(' ').next().unwrap();
    assert!(token.len() == 64 && !out(&output).contains(token), "{told}");
    let list = shop.path("tokens.yaml");
    std::fs::write(&list, format!("tokens:\n{}", out(&output))).unwrap();
    let environment = BTreeMap::from([
        ("TOKENS_FILE".to_owned(), list.display().to_string()),
        ("ALLOW_INSECURE_SECRETS".to_owned(), "1".to_owned()),
    ]);
    let settings = CoreSettings::read(&Sources::environment(&environment)).unwrap();
    let file = settings.token_file.expect("the file is read");
    let found = file.tokens().find(token.as_bytes()).expect("the token is known");
    assert_eq!(found.principal().name(), "ci@example");
    assert!(!shop.run("token spaced name", "").status.success());
    assert!(!shop.run("token a/b", "").status.success());
}
