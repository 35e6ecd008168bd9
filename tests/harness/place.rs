//! Where gateways of the tests keep what they share, and what their operator puts there.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tooldock_secrets::{Key, Keys, META_FILE, SECRETS_FILE, Scope, SecretValue, Store, testing::QUICK};

use crate::canaries::{FOREIGN, KEY, MANAGER_TOKEN, SECRET, TOKEN};

/// Where tests keep what they share.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/xtask");

/// The data folder that all gateways share, so that the Python environments are built once. Whoever has this is alone in it, and what is
/// of one gateway goes with it.
#[derive(Debug)]
pub(crate) struct Place {
    _alone: File,
}

impl Place {
    /// Waits for the data folder to be free, and puts tokens, key and secrets there that nothing else is called.
    pub(crate) fn take() -> Self {
        let folder = Path::new(FOLDER);
        fs::create_dir_all(folder.join("logs")).expect("the folder below target can be made");
        fs::create_dir_all(data_folder()).expect("the folder below target can be made");
        let lock = File::create(folder.join("data.lock")).expect("the lock can be made");
        lock.lock().expect("the lock can be waited for");
        let this = Self { _alone: lock };
        this.clear();
        own_file(
            &data_folder().join("dev.env"),
            &format!("MANAGER_INTERNAL_TOKEN={MANAGER_TOKEN}\n"),
        );
        let set = |scope: Scope, value: &str| {
            let value = SecretValue::new(value.to_owned()).expect("it is short");
            let name = "MARK".parse().expect("it is a name");
            move |contents: &mut tooldock_secrets::Contents| contents.set(scope, name, value)
        };
        let nobody = "nobody-is-called-this".parse().expect("it is a scope");
        let (global, foreign) = (set(Scope::Global, SECRET), set(nobody, FOREIGN));
        let written = store().change(|contents| {
            global(contents);
            foreign(contents);
            Ok(())
        });
        written.expect("the secrets can be written");
        this
    }

    fn clear(&self) {
        for file in ["config.yaml", SECRETS_FILE, META_FILE] {
            let _ = fs::remove_file(data_folder().join(file));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The data folder.
pub(crate) fn data_folder() -> PathBuf {
    Path::new(FOLDER).join("data")
}

/// Where what a gateway writes is kept.
pub(crate) fn log_file() -> PathBuf {
    Path::new(FOLDER).join(format!("logs/gateway-{}.log", std::process::id()))
}

/// The secrets in the data folder, with a key that costs little.
pub(crate) fn store() -> Store {
    let key = Key::new(KEY.into()).expect("the key is strong");
    Store::new(data_folder(), Keys::new(key)).with_kdf(QUICK)
}

/// A file with the token of the gateways.
#[must_use]
pub fn token_file() -> PathBuf {
    own_file(&Path::new(FOLDER).join("token"), TOKEN)
}

/// A file with the key of the secrets in the data folder.
#[must_use]
pub fn key_file() -> PathBuf {
    own_file(&Path::new(FOLDER).join("key"), KEY)
}

/// A file that only its owner can read.
fn own_file(path: &Path, content: &str) -> PathBuf {
    if fs::read_to_string(path).is_ok_and(|there| there == content) {
        return path.to_owned();
    }
    // Under a name of this process: others do the same.
    let aside = path.with_extension(std::process::id().to_string());
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&aside);
    let written = file.and_then(|mut file| file.write_all(content.as_bytes()));
    written
        .and_then(|()| fs::rename(&aside, path))
        .expect("the folder below target can be written");
    path.to_owned()
}
