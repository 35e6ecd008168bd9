//! Virtual environments below `target/xtask`, each with exactly what one file of requirements names.

use std::path::PathBuf;

use crate::program::Program;
use crate::workshop::{Workshop, make_once};

/// A virtual environment of the tests.
#[derive(Debug)]
pub(crate) struct Venv<'a> {
    shop: &'a Workshop,
    name: &'static str,
    folder: PathBuf,
    requirements: &'static str,
}

impl<'a> Venv<'a> {
    /// Every one of them; the first builds the others.
    pub(crate) fn all(shop: &'a Workshop) -> [Self; 8] {
        [
            Self::tools(shop),
            Self::client(shop),
            Self::judges(shop),
            Self::nacl(shop),
            Self::runtime(shop),
            Self::golden(shop),
            Self::fastmcp3(shop),
            Self::fastmcp2(shop),
        ]
    }

    /// Cargo's helpers, and `uv`.
    pub(crate) fn tools(shop: &'a Workshop) -> Self {
        Self::new(shop, "tools", "bins/xtask/requirements.txt")
    }

    /// The Python client of the interop tests.
    pub(crate) fn client(shop: &'a Workshop) -> Self {
        Self::new(shop, "client", "tests/clients/python/requirements.txt")
    }

    /// Those who judge the OpenAPI document and the routes it names.
    pub(crate) fn judges(shop: &'a Workshop) -> Self {
        Self::new(shop, "judges", "tests/judges/requirements.txt")
    }

    /// The second reader of the secrets file.
    pub(crate) fn nacl(shop: &'a Workshop) -> Self {
        Self::new(shop, "nacl", "tests/secrets/python/requirements.txt")
    }

    /// Linters, type checker and test runner of the runtime.
    pub(crate) fn runtime(shop: &'a Workshop) -> Self {
        Self::new(shop, "runtime", "tooldock-worker/python/requirements-dev.txt")
    }

    /// The real `fastmcp`, against which the runtime's schemas are compared.
    pub(crate) fn golden(shop: &'a Workshop) -> Self {
        Self::new(shop, "golden", "tooldock-worker/python/requirements-golden.txt")
    }

    /// The last `fastmcp` of the generation before.
    pub(crate) fn fastmcp3(shop: &'a Workshop) -> Self {
        Self::new(
            shop,
            "fastmcp3",
            "tooldock-worker/python/requirements-fastmcp3.txt",
        )
    }

    /// A `fastmcp` from before its decorator could stand alone, and an `mcp` of the first generation.
    pub(crate) fn fastmcp2(shop: &'a Workshop) -> Self {
        Self::new(
            shop,
            "fastmcp2",
            "tooldock-worker/python/requirements-fastmcp2.txt",
        )
    }

    fn new(shop: &'a Workshop, name: &'static str, requirements: &'static str) -> Self {
        Self {
            shop,
            name,
            folder: shop.folder.join("venv").join(name),
            requirements,
        }
    }

    /// The path of a program of this environment, which is built first unless it stands.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf, String> {
        self.make()?;
        Ok(self.folder.join("bin").join(name))
    }

    /// Builds it, unless it stands already.
    pub(crate) fn make(&self) -> Result<(), String> {
        let python = interpreter(self.shop)?;
        let wanted = self.shop.read(self.requirements)?;
        make_once(&self.folder, &[&python, &wanted], || {
            let made = Program::new(self.shop, &python)
                .words("-m venv")
                .word(&self.folder);
            made.run().map_err(|failure| {
                format!(
                    "{failure}\nPython has to be able to make virtual environments (package python3-venv)"
                )
            })?;
            self.fill_fast().or_else(|_| self.fill())
        })
    }

    /// Installs with `uv`, which takes a second where pip takes a minute. It knows nothing of pip's settings.
    fn fill_fast(&self) -> Result<(), String> {
        if self.name == "tools" {
            return Err("`uv` is installed by pip".into());
        }
        let uv = Program::new(self.shop, Self::tools(self.shop).program("uv")?);
        uv.words("pip install --quiet --python")
            .word(self.folder.join("bin/python"))
            .word("--requirement")
            .word(self.requirements)
            .run()
    }

    /// Installs with pip.
    fn fill(&self) -> Result<(), String> {
        let pip = Program::new(self.shop, self.folder.join("bin/python"));
        pip.words("-m pip install --quiet --disable-pip-version-check --no-input --requirement")
            .word(self.requirements)
            .run()
    }
}

/// The real path of a Python that is new enough, whatever stands before it on the search path.
fn interpreter(shop: &Workshop) -> Result<String, String> {
    const PROBE: &str = "import sys; assert sys.version_info >= (3, 11), sys.version; print(sys.executable)";
    ["python3.11", "python3.12", "python3.13", "python3"]
        .into_iter()
        .find_map(|name| Program::new(shop, name).word("-c").word(PROBE).read().ok())
        .ok_or_else(|| "no Python 3.11 or newer on the search path: install one, with pip and venv".into())
}
