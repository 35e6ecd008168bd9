//! The texts that expressions give.

use super::{
    effort::{Effort, steps},
    outline::Expr,
    world::{Place, World},
};

impl World {
    /// The text that an expression gives; nothing where only running it would tell.
    pub(super) fn text(&self, expr: &Expr, from: Place) -> Option<String> {
        self.text_within(expr, from, Effort::new(&steps()))
    }

    fn text_within(&self, expr: &Expr, from: Place, effort: Effort<'_>) -> Option<String> {
        let effort = effort.deeper()?;
        let (place, expr) = self.resolve(expr, from);
        match expr {
            Expr::Text(text) => Some(text.clone()),
            Expr::Number(number) => Some(number.to_string()),
            Expr::Join(parts) => parts
                .iter()
                .map(|part| self.text_within(part, place, effort))
                .collect(),
            Expr::Call(call) => match (&call.callee, call.args.last()) {
                // `"…".trim()`, `["…", "…"].join(" ")`, `translate("KEY", "text")`
                (Expr::Member(of, method), last) => match (&**of, method.as_str(), last) {
                    (Expr::List(lines), "join", _) => {
                        let lines: Option<Vec<_>> = lines
                            .iter()
                            .map(|line| self.text_within(line, place, effort))
                            .collect();
                        Some(lines?.join("\n"))
                    }
                    (
                        _,
                        "trim" | "strip" | "format" | "toString" | "replace" | "into" | "to_string"
                        | "stripIndents",
                        _,
                    ) => self.text_within(of, place, effort),
                    (_, _, Some(last)) => self.text_within(&last.value, place, effort),
                    _ => None,
                },
                (_, last) => {
                    let given = self.applied(call, place, effort);
                    given
                        .and_then(|(place, given)| self.text_within(&given, place, effort))
                        .or_else(|| self.text_within(&last?.value, place, effort))
                }
            },
            _ => None,
        }
    }

    /// A text in which what cannot be known is left out; for descriptions.
    pub(super) fn prose(&self, expr: &Expr, from: Place) -> Option<String> {
        let text = self.known(expr, from, Effort::new(&steps()));
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn known(&self, expr: &Expr, from: Place, effort: Effort<'_>) -> String {
        let (place, expr) = self.resolve(expr, from);
        match (expr, effort.deeper()) {
            (Expr::Join(parts), Some(effort)) => {
                parts.iter().map(|part| self.known(part, place, effort)).collect()
            }
            _ => self.text_within(expr, place, effort).unwrap_or_default(),
        }
    }
}
