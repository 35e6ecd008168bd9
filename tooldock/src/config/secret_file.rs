//! Where a secret stands: in the environment, or in a file that it names.

use std::{fs::File, io::Read as _};

/// Bytes the file of a secret may have: one that was named by mistake is not read into memory.
const MAX_SECRET: u64 = 64 << 10;

/// A secret as it was found.
pub(super) enum Given {
    /// In the environment.
    Value(String),
    /// In a file.
    File(Vec<u8>),
}

/// The file of a secret as it is, or why it is none. It may be a pipe of the shell.
pub(super) fn read_secret(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_SECRET + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot be read: {error}; name a file that this user may read"))?;
    match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, ..] | [0xff, 0xfe, _, 0, ..] | [0xfe, 0xff, 0, ..] => Err(
            "begins with a byte order mark, which is no part of a secret; save it as UTF-8 without one"
                .to_owned(),
        ),
        bytes if bytes.len() as u64 > MAX_SECRET => {
            Err("has more than 64 KiB; name the right file".to_owned())
        }
        _ => Ok(bytes),
    }
}
