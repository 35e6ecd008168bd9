//! How much work one question may cost: what refers to itself, or to much, is hostile or a mistake.

use std::cell::Cell;

/// Steps that one question may take.
const STEPS: u32 = 10_000;
/// Steps within each other.
const DEEPEST: u32 = 48;

/// Steps that all declarations of one loop or function may take together.
const STEPS_OF_MANY: u32 = 500_000;
/// Bytes of a text that cost a step.
const STEP: usize = 64;

/// The steps that are left, shared by all parts of one question, and those within each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort<'a> {
    left: &'a Cell<u32>,
    deep: u32,
}

/// The steps of one question.
pub(super) fn steps() -> Cell<u32> {
    Cell::new(STEPS)
}

/// The steps of many questions.
pub(super) fn steps_of_many() -> Cell<u32> {
    Cell::new(STEPS_OF_MANY)
}

impl<'a> Effort<'a> {
    pub(super) fn new(left: &'a Cell<u32>) -> Self {
        Self { left, deep: DEEPEST }
    }

    /// One step deeper; nothing when there is none left.
    pub(super) fn deeper(self) -> Option<Self> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(Self {
            deep: self.deep.checked_sub(1)?,
            ..self
        })
    }

    /// Whether there is enough left to copy `text`; then it is taken.
    pub(super) fn affords(self, text: &str) -> bool {
        let cost = u32::try_from(text.len() / STEP).unwrap_or(u32::MAX);
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or_default());
        left.is_some()
    }
}
