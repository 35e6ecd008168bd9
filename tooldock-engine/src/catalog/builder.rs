//! Putting a catalog together.

use std::{collections::BTreeMap, sync::Arc};

use sha2::{Digest as _, Sha256};

use super::{About, Catalog, Parts, Prompt, Resource, ResourceTemplate, Tool, clean_prose, derived::Derived};

/// Two parts of a catalog have one name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there are two {what} called `{name}`; rename one of them")]
pub struct DuplicateName {
    what: &'static str,
    name: String,
}

/// Puts a [`Catalog`] together, in any order.
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct CatalogBuilder {
    about: About,
    tools: Vec<Tool>,
    resources: Vec<Resource>,
    templates: Vec<ResourceTemplate>,
    prompts: Vec<Prompt>,
    completes: bool,
    open: bool,
}

impl CatalogBuilder {
    /// What the author says about the namespace.
    pub fn about(mut self, about: About) -> Self {
        self.about = about;
        self
    }

    /// Adds a tool; one that is switched off is left out. Its title and description are [cleaned](super::clean_prose).
    pub fn tool(mut self, mut tool: Tool) -> Self {
        clean([&mut tool.title, &mut tool.description]);
        self.tools.extend(Some(tool).filter(|tool| tool.enabled));
        self
    }

    /// Adds a resource. Titles and descriptions are cleaned like those of tools, here and below.
    pub fn resource(mut self, mut resource: Resource) -> Self {
        clean([&mut resource.title, &mut resource.description]);
        self.resources.push(resource);
        self
    }

    /// Adds a resource template.
    pub fn template(mut self, mut template: ResourceTemplate) -> Self {
        clean([&mut template.title, &mut template.description]);
        self.templates.push(template);
        self
    }

    /// Adds a prompt.
    pub fn prompt(mut self, mut prompt: Prompt) -> Self {
        clean([&mut prompt.title, &mut prompt.description]);
        for argument in &mut prompt.arguments {
            clean([&mut argument.title, &mut argument.description]);
        }
        self.prompts.push(prompt);
        self
    }

    /// Says that what a user types can be completed.
    pub fn completes(mut self) -> Self {
        self.completes = true;
        self
    }

    /// Says that later catalogs of the same engine may have kinds of things that this one lacks, as when files are loaded anew. Clients
    /// are then told from the start that there may be some.
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// The catalog.
    ///
    /// # Errors
    /// When two parts of one sort have one name.
    pub fn build(self) -> Result<Catalog, DuplicateName> {
        let tools = unique("tools", self.tools, |tool| tool.name.as_str())?;
        let resources = unique("resources", self.resources, |resource| &resource.uri)?;
        let templates = unique("resource templates", self.templates, |template| {
            &template.uri_template
        })?;
        let prompts = unique("prompts", self.prompts, |prompt| &prompt.name)?;
        Ok(Catalog::assemble(Parts {
            about: self.about,
            tools,
            resources,
            templates,
            prompts,
            completes: self.completes,
            open: self.open,
        }))
    }
}

impl Catalog {
    /// A catalog of parts that are sorted and name nothing twice.
    fn assemble(parts: Parts) -> Self {
        // The debug form holds each field of each part, so it stands for the content.
        let digest = Sha256::digest(format!("{parts:?}")).into();
        Self {
            parts,
            digest,
            derived: Derived::default(),
        }
    }

    /// This catalog without the tools that `keep` does not want; everything else stays.
    ///
    /// Made anew at each call: keep it with [`derived`](Self::derived).
    ///
    /// ```
    /// use tooldock_engine::{Catalog, Tool};
    /// let catalog = Catalog::builder().tool(Tool::new("add".parse()?)).tool(Tool::new("delete".parse()?)).build()?;
    /// let harmless = catalog.with_tools(|tool| tool.name.as_str() != "delete");
    /// assert!(harmless.tool("add").is_some() && harmless.tool("delete").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tools(&self, keep: impl Fn(&Tool) -> bool) -> Self {
        let tools = self.tools().iter().filter(|tool| keep(tool)).cloned().collect();
        Self::assemble(Parts {
            tools,
            ..self.parts.clone()
        })
    }
}

impl Default for Catalog {
    /// A catalog of nothing.
    fn default() -> Self {
        CatalogBuilder::default()
            .build()
            .expect("there are no names in it")
    }
}

fn clean(texts: [&mut Option<String>; 2]) {
    for text in texts.into_iter().flatten() {
        *text = clean_prose(text).into_owned();
    }
}

fn unique<T>(
    what: &'static str,
    parts: Vec<T>,
    name: impl Fn(&T) -> &str,
) -> Result<Vec<Arc<T>>, DuplicateName> {
    let mut sorted = BTreeMap::new();
    for part in parts {
        let key = name(&part).to_owned();
        if sorted.contains_key(&key) {
            return Err(DuplicateName { what, name: key });
        }
        sorted.insert(key, Arc::new(part));
    }
    Ok(sorted.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Tool {
        Tool::new(name.parse().unwrap())
    }

    #[test]
    fn tools_are_sorted_and_those_that_are_off_are_left_out() {
        let mut off = tool("m");
        off.enabled = false;
        let catalog = Catalog::builder()
            .tool(tool("z"))
            .tool(off)
            .tool(tool("a"))
            .build()
            .unwrap();
        assert_eq!(
            catalog
                .tools()
                .iter()
                .map(|t| t.name.as_str())
                .collect::<Vec<_>>(),
            ["a", "z"]
        );
        assert!(catalog.tool("z").is_some() && catalog.tool("m").is_none());
    }

    #[test]
    fn a_name_stands_for_one_tool() {
        let error = Catalog::builder()
            .tool(tool("a"))
            .tool(tool("a"))
            .build()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "there are two tools called `a`; rename one of them"
        );
    }

    #[test]
    fn the_digest_tells_contents_apart() {
        let build = |description: &str| {
            let mut tool = tool("a");
            tool.description = Some(description.to_owned());
            *Catalog::builder().tool(tool).build().unwrap().digest()
        };
        assert_eq!(build("x"), build("x"));
        assert_ne!(build("x"), build("y"));
    }

    #[test]
    fn similar_names_come_nearest_first() {
        let catalog = Catalog::builder()
            .tool(tool("say_hello"))
            .tool(tool("say_hallo"))
            .tool(tool("add"))
            .build()
            .unwrap();
        assert_eq!(catalog.similar_tools("say_hell"), ["say_hello", "say_hallo"]);
        assert!(catalog.similar_tools("multiply").is_empty());
    }
}
