//! Types of the languages as schemas.

use serde_json::{Value, json};

use super::{
    super::{
        outline::{Arg, Expr},
        world::Place,
    },
    Reader, Shape,
};

/// Names of types in any of the languages, with the type of JSON that they mean.
#[rustfmt::skip]
const PLAIN: &[(&str, &[&str])] = &[
    ("string", &["str", "string", "String", "Path", "PathBuf", "char", "Char", "Uuid", "UUID", "Guid", "Uri", "URL", "Url", "AnyUrl",
    "HttpUrl", "EmailStr", "date", "datetime", "DateTime", "DateTimeOffset", "LocalDate", "LocalDateTime", "Instant", "SecretStr",
    "bytes"]), ("integer", &["int", "integer", "Integer", "long", "Long", "short", "Short", "i8", "i16", "i32", "i64", "i128", "isize",
    "u8", "u16", "u32", "u64", "u128", "usize", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
    "Int32", "Int64", "ulong", "PositiveInt", "NonNegativeInt", "BigInteger"]), ("number", &["float", "double", "Double", "Float",
    "f32", "f64", "float32", "float64", "decimal", "Decimal", "number", "BigDecimal", "Number"]), ("boolean", &["bool", "boolean",
    "Boolean"]), ("array", &["list", "List", "Sequence", "set", "Set", "frozenset", "tuple", "Tuple", "Iterable", "Vec", "VecDeque",
    "HashSet", "BTreeSet", "[]", "IEnumerable", "IList", "IReadOnlyList", "ICollection", "Collection", "ArrayList"]), ("object",
    &["dict", "Dict", "Mapping", "map", "Map", "HashMap", "BTreeMap", "Dictionary", "IDictionary", "IReadOnlyDictionary", "Record",
    "JsonObject", "object", "JsonElement", "JsonNode"]),
];

/// Types that may be left out around another one.
const OPTIONAL: &[&str] = &["Optional", "Option", "?", "Nullable"];
/// Types around another one that change nothing.
const AROUND: &[&str] = &[
    "Parameters",
    "Box",
    "Arc",
    "Required",
    "NotRequired",
    "Final",
    "ClassVar",
    "Json",
    "Cow",
    "omitempty",
];

impl Reader<'_> {
    /// What values a type has.
    pub(super) fn hint(self, kind: &Expr, from: Place) -> Shape {
        let Some(reader) = self.deeper() else {
            return Shape::default();
        };
        let of: Vec<&Expr> = kind.positional().collect();
        match kind {
            Expr::Null => Shape::of_type("null"),
            // A type in quotes, as Python has it.
            Expr::Text(text) => reader.hint(&Expr::name(text), from),
            Expr::Name(name) | Expr::Member(_, name) => reader.named(name, from),
            Expr::Call(_) => match (kind.last_name().unwrap_or_default(), of.as_slice()) {
                ("|" | "Union", options) => reader.either(options, from),
                (name, [inner, ..]) if OPTIONAL.contains(&name) => Shape {
                    optional: true,
                    ..reader.hint(inner, from)
                },
                ("*", [inner]) => Shape {
                    optional: true,
                    ..reader.hint(inner, from)
                },
                (name, [inner, ..]) if AROUND.contains(&name) => reader.hint(inner, from),
                ("Literal", values) => {
                    let values: Vec<Value> = values
                        .iter()
                        .filter_map(|value| reader.literal(value, from))
                        .collect();
                    let mut shape = if values.iter().all(Value::is_string) {
                        Shape::of_type("string")
                    } else {
                        Shape::default()
                    };
                    shape.set("enum", values);
                    shape
                }
                ("Annotated", [inner, about @ ..]) => {
                    let mut shape = reader.hint(inner, from);
                    about
                        .iter()
                        .for_each(|about| reader.annotate(&mut shape, about, from));
                    shape
                }
                (name, inner) => {
                    let mut shape = reader.named(name, from);
                    if let (Some("array"), [inner, ..]) =
                        (shape.schema.get("type").and_then(Value::as_str), inner)
                    {
                        shape.set("items", reader.hint(inner, from).schema);
                    }
                    shape
                }
            },
            _ => Shape::default(),
        }
    }

    fn named(self, name: &str, from: Place) -> Shape {
        if let Some((plain, _)) = PLAIN.iter().find(|(_, names)| names.contains(&name)) {
            return Shape::of_type(plain);
        }
        if let Some((place, class)) = self.world.class(name, from) {
            return self.class(class, place);
        }
        // Another name of a type: `Path = Annotated[str, …]`.
        match self.world.value(name, from) {
            Some((place, kind)) if !matches!(kind, Expr::Text(_)) => self.hint(kind, place),
            _ => Shape::default(),
        }
    }

    /// One of several; `None` among them says that it may be left out with a default.
    fn either(self, options: &[&Expr], from: Place) -> Shape {
        let shapes: Vec<Shape> = options
            .iter()
            .filter(|option| !matches!(option, Expr::Null))
            .map(|option| self.hint(option, from))
            .collect();
        match shapes.as_slice() {
            [one] => one.clone(),
            many => {
                let options: Vec<Value> = many.iter().map(|shape| json!(shape.schema)).collect();
                let mut shape = Shape::default();
                shape.set("anyOf", options);
                shape
            }
        }
    }

    /// What stands beside a type: `Field(description="…", default=…)`, or a text.
    pub(super) fn annotate(self, shape: &mut Shape, about: &Expr, from: Place) {
        if let Expr::Text(text) = about {
            shape.describe(Some(text.clone()));
        }
        if about.last_name() == Some("Field") {
            shape.describe(
                about
                    .member(&["description"])
                    .and_then(|text| self.world.prose(text, from)),
            );
            let default = about.member(&["default"]).or_else(|| about.positional().next());
            if let Some(default) = default.filter(|value| !is_ellipsis(value)) {
                shape.optional = true;
                if let Some(value) = self.literal(default, from) {
                    shape.set("default", value);
                }
            }
            shape.optional |= about.member(&["default_factory"]).is_some();
        }
    }
}

/// `...`, which says that there is no default; unknown expressions are taken for it.
fn is_ellipsis(expr: &Expr) -> bool {
    matches!(expr, Expr::Unknown)
}

/// The named argument of a mark, or its only one.
pub(super) fn said<'a>(mark: &'a Expr, names: &[&str]) -> Option<&'a Expr> {
    mark.member(names).or_else(|| {
        mark.args()
            .iter()
            .find(|arg: &&Arg| arg.name.is_none())
            .map(|arg| &arg.value)
    })
}
