//! One gateway for each data folder.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    path::Path,
};

use super::Failure;

/// The file that the gateway of a data folder keeps locked; it holds the number of its process.
const LOCK: &str = "core.lock";

/// Takes the right to serve a data folder, unless another gateway has it: it lasts as long as the file is open, so it ends with the process
/// in whatever way that ends. Whoever is `given` the file by the gateway before has the right already.
pub(super) fn take(data: &Path, given: Option<File>) -> Result<File, Failure> {
    let path = data.join(LOCK);
    let broken = |error: &dyn std::fmt::Display| Failure::Run(format!("`{}`: {error}", path.display()));
    let mut file = match given {
        Some(file) => file,
        None => open(&path).map_err(|error| broken(&error))?,
    };
    // The lock belongs to the open file, not to the process.
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            file.read_to_string(&mut holder).map_err(|error| broken(&error))?;
            return Err(Failure::Run(format!(
                "another gateway serves the data folder `{}` (process {}); end it, or give this one a folder of its own with DATA_DIR",
                data.display(),
                holder.trim()
            )));
        }
        Err(TryLockError::Error(error)) => return Err(broken(&error)),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(|error| broken(&error))?;
    Ok(file)
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}
