//! The lists that clients can ask for.

use tooldock_engine::{Catalog, RawJson, catalog::Kind};

use crate::{
    definition::{write_prompt, write_resource, write_template, write_tool},
    revision::Revision,
};

/// A list that clients can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Listing {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl Listing {
    pub(crate) const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::Templates];

    /// The member of a result that holds the list.
    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// What a namespace must offer to have the list; nothing for the one that every namespace has.
    pub(crate) const fn kind(self) -> Option<Kind> {
        match self {
            Self::Tools => None,
            Self::Prompts => Some(Kind::Prompts),
            Self::Resources | Self::Templates => Some(Kind::Resources),
        }
    }

    /// The list in `catalog` as `revision` has it.
    pub(crate) fn write(self, catalog: &Catalog, revision: Revision) -> Vec<RawJson> {
        match self {
            Self::Tools => write_all(catalog.tools(), |tool| write_tool(tool, revision)),
            Self::Prompts => write_all(catalog.prompts(), |prompt| write_prompt(prompt, revision)),
            Self::Resources => write_all(catalog.resources(), |resource| write_resource(resource, revision)),
            Self::Templates => write_all(catalog.templates(), |template| write_template(template, revision)),
        }
    }
}

fn write_all<T>(items: &[T], write: impl Fn(&T) -> RawJson) -> Vec<RawJson> {
    items.iter().map(write).collect()
}
