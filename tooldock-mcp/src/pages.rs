//! Pages of a list, written once for each catalog and revision and then copied.

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use tooldock_engine::{Catalog, RawJson, Tool, json::ObjectWriter};

use crate::revision::{Feature, Revision};

/// The pages of `tools/list`.
#[derive(Debug)]
pub(crate) struct ToolPages {
    pages: Vec<Page>,
    /// Tells cursors of this catalog from those of another.
    mark: String,
    fingerprint: Fingerprint,
}

/// Tells a list of tools, as a client sees it, from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

/// One page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The tools: an array.
    pub(crate) tools: RawJson,
    /// The cursor of the next page, unless this is the last.
    pub(crate) next: Option<String>,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    revision: Revision,
    page_size: usize,
}

impl ToolPages {
    /// The pages of `catalog` as a client of `revision` sees them.
    pub(crate) fn of(catalog: &Catalog, revision: Revision, page_size: usize) -> Arc<Self> {
        catalog.derived(Key { revision, page_size }, || {
            Self::write(catalog, revision, page_size)
        })
    }

    fn write(catalog: &Catalog, revision: Revision, page_size: usize) -> Self {
        let mark = catalog.digest()[..8]
            .iter()
            .fold(String::new(), |mut mark, byte| {
                write!(mark, "{byte:02x}").expect("a String takes every text");
                mark
            });
        let chunks: Vec<&[Arc<Tool>]> = catalog.tools().chunks(page_size.max(1)).collect();
        let last = chunks.len().saturating_sub(1);
        let page = |(index, tools): (usize, &&[Arc<Tool>])| {
            let tools: Vec<RawJson> = tools.iter().map(|tool| write_tool(tool, revision)).collect();
            Page {
                tools: RawJson::array(&tools),
                next: (index < last).then(|| format!("{mark}-{}", index + 1)),
            }
        };
        let mut pages: Vec<Page> = chunks.iter().enumerate().map(page).collect();
        if pages.is_empty() {
            pages.push(Page {
                tools: RawJson::empty_array(),
                next: None,
            });
        }
        let mut hasher = DefaultHasher::new();
        pages.iter().for_each(|page| page.tools.hash(&mut hasher));
        Self {
            pages,
            mark,
            fingerprint: Fingerprint(hasher.finish()),
        }
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The page that `cursor` stands for; the first one without a cursor.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Option<&Page> {
        let Some(cursor) = cursor else {
            return self.pages.first();
        };
        let (mark, index) = cursor.split_once('-')?;
        let index: usize = index.parse().ok()?;
        self.pages.get(index).filter(|_| mark == self.mark)
    }
}

/// A tool as `revision` has it; what the revision does not know is left out.
fn write_tool(tool: &Tool, revision: Revision) -> RawJson {
    let known = |feature| revision.has(feature);
    let mut out = ObjectWriter::new();
    out.string("name", tool.name.as_str());
    if let Some(title) = tool.title.as_ref().filter(|_| known(Feature::Titles)) {
        out.string("title", title);
    }
    if let Some(description) = &tool.description {
        out.string("description", description);
    }
    out.raw("inputSchema", &tool.input_schema);
    let output_schema = tool.output_schema.as_ref().filter(|schema| {
        known(Feature::AnyStructured) || (known(Feature::Structured) && has_object_root(schema))
    });
    out.maybe("outputSchema", output_schema)
        .maybe(
            "annotations",
            tool.annotations.as_ref().filter(|_| known(Feature::Annotations)),
        )
        .maybe("icons", tool.icons.as_ref().filter(|_| known(Feature::Icons)))
        .maybe("_meta", tool.meta.as_ref().filter(|_| known(Feature::Titles)));
    out.finish()
}

/// Whether a schema says that its values are objects, as handshake revisions demand of output schemas.
fn has_object_root(schema: &RawJson) -> bool {
    #[derive(serde::Deserialize)]
    struct Root {
        r#type: String,
    }
    schema.parse::<Root>().is_ok_and(|root| root.r#type == "object")
}
