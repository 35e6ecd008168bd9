//! What the workers of a namespace are started with.

use std::path::{Path, PathBuf};

use tooldock_engine::{NamespaceName, error::Result};

use super::{NamespaceOptions, Prepared, TEMPS, WorkerHost, unwritable};
use crate::{
    disk::NamespaceFolder,
    process::Launch,
    sandbox::{Confines, Home, Homes, Reach},
    venv::Python,
};

impl WorkerHost {
    /// The home of a namespace. It waits for other gateways that look for one, and may give away all that a home holds: on a thread of
    /// its own, which goes on when the future is dropped.
    pub(super) async fn home(&self, prepared: &Prepared, namespace: &NamespaceName) -> Result<Home> {
        let (data_dir, namespace) = (prepared.data_dir.clone(), namespace.clone());
        let users = self.settings.sandbox.users.clone();
        let found =
            tokio::task::spawn_blocking(move || Homes::below(&data_dir, users.as_ref()).of(&namespace)).await;
        let home = found.map_err(std::io::Error::from).flatten();
        home.map_err(|error| unwritable(&prepared.data_dir, &error.to_string()))
    }

    /// How the workers of a namespace are started: with which program, from where, within which confines.
    pub(super) fn launch(
        &self,
        prepared: &Prepared,
        folder: &NamespaceFolder,
        options: &NamespaceOptions,
        python: Python,
        home: Home,
    ) -> Launch {
        let data_dir = &prepared.data_dir;
        let settings = self.settings.sandbox.clone().with(&options.sandbox);
        let mut reach = Reach::of_system();
        // Who serves the folder he stands in has the data folder, with keys and tokens, inside of it.
        let dir = folder.dir.canonicalize().unwrap_or_else(|_| folder.dir.clone());
        reach.read_around(&dir, data_dir);
        let certificates = self.settings.environment.certificates();
        let whole = |folder: &&PathBuf| folder.parent().is_some() && !data_dir.starts_with(folder);
        reach.read.extend(
            prepared
                .environments
                .interpreter
                .folders
                .iter()
                .filter(whole)
                .cloned(),
        );
        reach.read.extend(certificates.map(Path::to_owned));
        // The folder of the runtime, and that of the environment, which has its program in `bin`.
        let own = [prepared.script.parent(), python.parent().and_then(Path::parent)];
        reach.read.extend(own.into_iter().flatten().map(Path::to_owned));
        reach.read.extend(settings.read.iter().cloned());
        reach
            .write
            .extend(settings.write.iter().chain([&home.folder]).cloned());
        Launch {
            namespace: folder.name.clone(),
            python,
            script: prepared.script.clone(),
            dir: folder.dir.clone(),
            home: home.folder,
            user: home.user,
            temps: data_dir.join(TEMPS),
            environment: self.settings.environment.clone(),
            confines: Confines { settings, reach },
        }
    }
}
