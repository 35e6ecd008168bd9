//! Whatever writes into the folder of a store, for every test that lets it go wrong or kills it.

use std::{error::Error, fs};

use crate::{
    atomic,
    edit::{EditSession, Places},
    store::{Store, StoreError},
    value::SecretValue,
};

type Work = fn(&Store, &str) -> Result<(), Box<dyn Error>>;

/// Something that writes into the folder of a store.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Writer {
    /// What it is called.
    pub name: &'static str,
    /// The words for `tooldock-manager` that do the same; none where no command does it, or not before it has derived a key.
    pub words: Option<&'static str>,
    /// What a person types, or saves in an editor.
    pub text: &'static str,
    run: Work,
}

impl Writer {
    /// Writes once.
    ///
    /// # Errors
    /// What the store says.
    pub fn run(&self, store: &Store) -> Result<(), Box<dyn Error>> {
        (self.run)(store, self.text)
    }
}

/// All of them. They are for a store that has `OLD`, and whose file of names is out of date.
pub const WRITERS: [Writer; 7] = [
    Writer {
        name: "set",
        words: Some("secrets set NEW --scope slack"),
        text: "new",
        run: |store, text| {
            let value = SecretValue::new(text.to_owned())?;
            let (scope, name) = ("slack".parse()?, "NEW".parse()?);
            Ok(store.change(|contents| {
                contents.set(scope, name, value);
                Ok(())
            })?)
        },
    },
    Writer {
        name: "unset",
        words: Some("secrets unset OLD"),
        text: "",
        run: |store, _| {
            let (scope, name) = ("global".parse()?, "OLD".parse()?);
            Ok(store.change(|contents| {
                contents.unset(&scope, &name);
                Ok(())
            })?)
        },
    },
    Writer {
        name: "prepare",
        words: None,
        text: "",
        run: |store, _| Ok(store.prepare("slack".parse()?, "WAITS".parse()?)?),
    },
    Writer {
        name: "rekey",
        words: None,
        text: "",
        run: |store, _| Ok(store.rekey()?),
    },
    Writer {
        name: "repair",
        words: Some("secrets doctor"),
        text: "",
        run: |store, _| Ok(store.lock()?.repair().map(drop)?),
    },
    Writer {
        name: "edit",
        words: Some("secrets edit --allow-disk"),
        text: "global:\n  OLD: changed\nnamespaces:\n  slack:\n    NEW: new\n",
        run: |store, text| {
            let edit = EditSession::begin(store, &beside(store))?;
            fs::write(edit.path(), text)?;
            fs::write(edit.folder().join(".secrets.yaml.swp"), text)?;
            edit.save()?;
            Ok(())
        },
    },
    Writer {
        name: "keygen",
        words: Some("keygen"),
        text: "",
        run: |store, _| {
            let names = [
                "BEARER_TOKEN",
                "MANAGER_INTERNAL_TOKEN",
                "MANAGER_BEARER_TOKEN",
                "SECRETS_KEY",
            ];
            let lines = names.map(|name| format!("{name}=made\n")).concat();
            Ok(atomic::replace(
                &*store.disk,
                &store.folder().join(SETTINGS),
                lines.as_bytes(),
            )?)
        },
    },
];

/// The file that `keygen` makes.
const SETTINGS: &str = ".env";

/// A place for edits that is there on every machine: beside the store.
#[must_use]
pub fn beside(store: &Store) -> Places {
    Places::new([""; 0]).or_disk(store.folder())
}

/// What can be seen in the folder of a store: values, names with their states, and the names in a file of settings.
///
/// # Errors
/// As [`Store::read`].
pub fn seen(store: &Store) -> Result<Vec<String>, StoreError> {
    let contents = store.read()?;
    let entries = contents.entries().into_iter().map(|entry| {
        let value = contents.get(&entry.scope, entry.name.as_str());
        let value = value.map_or("", SecretValue::expose);
        format!("{} {} {} {value}", entry.scope, entry.name, entry.status.as_str())
    });
    let settings = fs::read_to_string(store.folder().join(SETTINGS)).unwrap_or_default();
    let settings = settings
        .lines()
        .map(|line| line.split('=').next().unwrap_or_default().to_owned());
    Ok(entries.chain(settings).collect())
}
