//! The languages that are read.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    grammars::{csharp, go, java, javascript, python, rust},
    outline::Outline,
    syntax::Syntax,
};

/// A language whose tools are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// Python.
    Python,
    /// TypeScript, also with JSX.
    TypeScript,
    /// JavaScript, also with JSX.
    JavaScript,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// C#.
    CSharp,
    /// Java.
    Java,
}

/// Endings of files with the language they are of; `tsx` has a grammar of its own.
const ENDINGS: &[(&str, Language)] = &[
    ("py", Language::Python),
    ("ts", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("go", Language::Go),
    ("rs", Language::Rust),
    ("cs", Language::CSharp),
    ("java", Language::Java),
];

impl Language {
    /// The language of a file by the ending of its name; declarations without code (`.d.ts`) are of none.
    ///
    /// ```
    /// use tooldock::manager::analysis::Language;
    /// assert_eq!(Language::of("src/index.ts"), Some(Language::TypeScript));
    /// assert_eq!(Language::of("index.d.ts"), None);
    /// ```
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        let (stem, ending) = name.rsplit_once('.')?;
        if stem.ends_with(".d") {
            return None;
        }
        ENDINGS
            .iter()
            .find(|(known, _)| *known == ending)
            .map(|(_, language)| *language)
    }

    /// The grammar for a file.
    pub(super) fn grammar(self, path: &str) -> tree_sitter::Language {
        match self {
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript if path.ends_with('x') => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
        }
    }

    /// Whether names that are given a value in a node of this kind are seen in it only.
    pub(super) fn is_block(self, kind: &str) -> bool {
        match self {
            Self::Python => kind == "function_definition",
            _ => matches!(kind, "statement_block" | "block"),
        }
    }

    /// Notes in `outline` what a node says; its descendants are visited by themselves.
    pub(super) fn visit(self) -> fn(&Syntax<'_>, tree_sitter::Node<'_>, &mut Outline) {
        match self {
            Self::Python => python::visit,
            Self::TypeScript | Self::JavaScript => javascript::visit,
            Self::Go => go::visit,
            Self::Rust => rust::visit,
            Self::CSharp => csharp::visit,
            Self::Java => java::visit,
        }
    }
}
