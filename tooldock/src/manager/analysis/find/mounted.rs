//! Servers that another one takes in under a prefix: `main.mount(weather, prefix="weather")`.

use std::collections::HashMap;

use super::{
    super::{
        Language,
        outline::Expr,
        world::{Place, World},
    },
    Finder,
};

/// Calls that take in a server.
const MOUNTS: &[&str] = &["mount", "import_server"];

/// What stands before the names of the tools of a server, by the place where this server is made.
pub(super) fn prefixes(world: &World) -> HashMap<Place, String> {
    let mut all = HashMap::new();
    for (module, of) in world.modules.iter().enumerate() {
        if of.language != Language::Python {
            continue;
        }
        for site in &of.outline.sites {
            let place = Place { module, at: site.at };
            let mount = site.it.last_name().is_some_and(|name| MOUNTS.contains(&name));
            let given = site.it.positional();
            let server = given
                .filter_map(|given| made(world, given, place))
                .next()
                .filter(|_| mount);
            // Older libraries take the prefix as the first argument.
            let named = site.it.member(&["prefix", "namespace"]);
            let first = site
                .it
                .positional()
                .next()
                .filter(|first| matches!(first, Expr::Text(_)));
            if let (Some(server), Some(prefix)) = (server, named.or(first))
                && let Some(prefix) = world.text(prefix, place).filter(|prefix| !prefix.is_empty())
            {
                all.insert(server, format!("{prefix}_"));
            }
        }
    }
    all
}

/// Where a server is made that is known by a name.
fn made(world: &World, server: &Expr, place: Place) -> Option<Place> {
    match server {
        Expr::Name(name) | Expr::Member(_, name) => Some(world.value(name, place)?.0),
        _ => None,
    }
}

impl Finder<'_> {
    /// What stands before the name of a tool that is marked for a server: `@weather.tool`.
    pub(super) fn prefix(&self, mark: &Expr, place: Place) -> String {
        let callee = match mark {
            Expr::Call(call) => &call.callee,
            other => other,
        };
        let prefix = match callee {
            Expr::Member(server, _) => {
                made(self.world, server, place).and_then(|made| self.prefixes.get(&made))
            }
            _ => None,
        };
        prefix.cloned().unwrap_or_default()
    }
}
