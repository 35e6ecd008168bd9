//! `keygen`.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::shop::{Shop, err, out};

/// Tokens and key are new, strong, written for the owner alone, and not shown; what is there stays.
#[test]
fn keygen_writes_a_file_for_its_owner() {
    let shop = Shop::new();
    fs::write(shop.path(".env"), "# mine\nBEARER_TOKEN=kept-token-1").unwrap();
    let output = shop.run("keygen", "");
    assert!(output.status.success(), "{}", err(&output));
    let file = fs::read_to_string(shop.path(".env")).unwrap();
    assert_eq!(
        fs::metadata(shop.path(".env")).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        file.starts_with("# mine\nBEARER_TOKEN=kept-token-1\nMANAGER_INTERNAL_TOKEN="),
        "{file}"
    );
    let made: Vec<_> = file
        .lines()
        .skip(2)
        .map(|line| line.split_once('=').unwrap())
        .collect();
    let names: Vec<_> = made.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        ["MANAGER_INTERNAL_TOKEN", "MANAGER_BEARER_TOKEN", "SECRETS_KEY"]
    );
    for (_, value) in &made {
        assert!(value.len() == 64 && !out(&output).contains(value));
    }
    assert!(made[0].1 != made[1].1 && made[1].1 != made[2].1);
    shop.run("keygen", "");
    assert_eq!(fs::read_to_string(shop.path(".env")).unwrap(), file, "made once");

    let mut command = shop.manager("secrets list");
    command
        .env("DATA_DIR", shop.path("other"))
        .env_remove("SECRETS_KEY_FILE")
        .env("SECRETS_KEY", made[2].1);
    assert!(shop.run_as(command, "").status.success());
}
