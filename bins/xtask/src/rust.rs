//! Everything that cargo does: format, lints, documentation, builds, tests.

use std::path::PathBuf;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::venv::Venv;
use crate::workshop::Workshop;
use crate::{debian, node, python};

/// The sources are formatted.
pub(crate) const FORMAT: Step = Step {
    name: "format",
    shown: false,
    work: |shop| cargo(shop, "fmt --all --check").run().map(passed),
};

/// No lint of the compiler or of clippy speaks up.
pub(crate) const CLIPPY: Step = Step {
    name: "clippy",
    shown: false,
    work: |shop| {
        cargo(
            shop,
            "clippy --workspace --all-targets --all-features -- -D warnings",
        )
        .run()
        .map(passed)
    },
};

/// The documentation is built without a warning.
pub(crate) const DOCS: Step = Step {
    name: "docs",
    shown: false,
    work: |shop| {
        let program = cargo(shop, "doc --workspace --no-deps --all-features");
        program.set("RUSTDOCFLAGS", "-D warnings").run().map(passed)
    },
};

/// The binaries that tests start as users do, and the Rust client that judges it.
pub(crate) const BUILD: Step = Step {
    name: "build",
    shown: false,
    work: |shop| {
        cargo(
            shop,
            "build --release --package tooldock-core --package tooldock-manager",
        )
        .run()?;
        cargo(shop, "build --package interop-rmcp").run().map(passed)
    },
};

/// All tests of the workspace.
pub(crate) const TESTS: Step = Step {
    name: "tests",
    shown: true,
    work: |shop| runner(shop, "--workspace --all-features")?.show().map(passed),
};

/// The examples in the documentation compile and hold.
pub(crate) const DOCTESTS: Step = Step {
    name: "doctests",
    shown: false,
    work: |shop| {
        cargo(shop, "test --doc --workspace --all-features")
            .run()
            .map(passed)
    },
};

/// The load rows again, for a longer time.
pub(crate) const LOAD: Step = Step {
    name: "load",
    shown: true,
    work: |shop| {
        let program = runner(shop, "--package tooldock-tests --test load")?;
        program.set("TOOLDOCK_LOAD_SECONDS", "60").show().map(passed)
    },
};

/// Streams that are idle for longer than proxies usually wait.
pub(crate) const IDLE: Step = Step {
    name: "idle",
    shown: true,
    work: |shop| {
        let program = runner(shop, "--package tooldock-tests --test interop f04_")?;
        program.set("TOOLDOCK_IDLE_SECONDS", "90").show().map(passed)
    },
};

/// The manager is killed five hundred times.
pub(crate) const KILLS: Step = Step {
    name: "kills",
    shown: true,
    work: |shop| {
        let program = runner(shop, "--package tooldock-manager --test commands r07_")?;
        program.set("TOOLDOCK_KILLS", "500").show().map(passed)
    },
};

/// Ten thousand idle streams and a hundred thousand forgotten sessions.
pub(crate) const CROWD: Step = Step {
    name: "crowd",
    shown: true,
    work: |shop| {
        cargo(shop, "run --quiet --release --package tooldock-crowd")
            .set("TOOLDOCK_CONFORMANCE", node::conformance(shop))
            .show()
            .map(passed)
    },
};

/// The test runner with all that the tests need to know; plain `cargo test` where it could not be installed.
pub(crate) fn runner<'a>(shop: &'a Workshop, words: &str) -> Result<Program<'a>, String> {
    let program = match Venv::tools(shop).program("cargo-nextest") {
        Ok(nextest) => Program::new(shop, nextest)
            .words("nextest run --no-tests fail")
            .words(words),
        Err(reason) => {
            println!("cargo-nextest could not be installed, so `cargo test` runs the tests: {reason}");
            cargo(shop, "test --lib --bins --tests").words(words)
        }
    };
    let given = environment(shop)?.into_iter().chain(python::libraries(shop)?);
    Ok(given.fold(program, |program, (name, value)| program.set(name, value)))
}

/// What the tests are told: name of the variable, and where the thing is.
fn environment(shop: &Workshop) -> Result<[(&'static str, PathBuf); 12], String> {
    Ok([
        ("TOOLDOCK_CORE_BIN", shop.built().join("release/tooldock-core")),
        (
            "TOOLDOCK_MANAGER_BIN",
            shop.built().join("release/tooldock-manager"),
        ),
        ("TOOLDOCK_RMCP_CLIENT", shop.built().join("debug/interop-rmcp")),
        ("TOOLDOCK_PYTHON_MCP", Venv::client(shop).program("python")?),
        ("TOOLDOCK_PYTHON_JUDGES", Venv::judges(shop).program("python")?),
        ("TOOLDOCK_PYTHON_NACL", Venv::nacl(shop).program("python")?),
        ("TOOLDOCK_PROMTOOL", debian::promtool(shop)?),
        ("TOOLDOCK_NGINX", debian::nginx(shop)?),
        ("TOOLDOCK_CADDY", debian::caddy(shop)?),
        ("TOOLDOCK_NODE_CLIENTS", node::clients(shop)),
        ("TOOLDOCK_CONFORMANCE", node::conformance(shop)),
        // Gateways install with pip where there is no uv.
        ("TOOLDOCK_UV", Venv::tools(shop).program("uv").unwrap_or_default()),
    ])
}

fn cargo<'a>(shop: &'a Workshop, words: &str) -> Program<'a> {
    Program::cargo(shop).words(words)
}

fn passed(_: ()) -> Verdict {
    Verdict::Passed
}
