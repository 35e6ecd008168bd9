//! The base environment: that of namespaces without packages of their own.

use std::sync::{Mutex, PoisonError};

use tokio::{sync::Semaphore, time::Instant};
use tooldock_engine::error::Result;

use super::{Environments, Python, RUNTIME_NEEDS, recipe::Recipe};
use crate::host::Progress;

/// The base environment as far as it is known. What is bare counts only for those who asked before it was tried.
#[derive(Debug)]
pub(super) struct Base {
    turn: Semaphore,
    last: Mutex<Option<Attempt>>,
}

#[derive(Debug, Clone)]
struct Attempt {
    python: Python,
    full: bool,
    ended: Instant,
}

impl Base {
    pub(super) fn new() -> Self {
        Self {
            turn: Semaphore::new(1),
            last: Mutex::default(),
        }
    }

    fn known(&self, asked: Instant) -> Option<Python> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let good = last.as_ref().filter(|last| last.full || last.ended > asked);
        good.map(|last| last.python.clone())
    }

    fn learn(&self, attempt: Attempt) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(attempt);
    }
}

impl Environments {
    /// Python of the base environment: with pydantic, or bare while that cannot be installed. After a failure everybody who asks
    /// has it tried again; those who asked meanwhile share the outcome.
    pub(crate) async fn base(&self, progress: &dyn Progress) -> Result<Python> {
        let asked = Instant::now();
        let turn = self.base.turn.acquire().await;
        let _turn = turn.expect("the semaphore is never closed");
        if let Some(python) = self.base.known(asked) {
            return Ok(python);
        }
        let pinned = self.installer.settings.require_hashes;
        // What the runtime would like is not pinned.
        let needs: &[&str] = if pinned { &[] } else { &[RUNTIME_NEEDS] };
        let built = self.ensure(&Recipe::base(needs), progress).await;
        let full = built.is_ok();
        let python = match built {
            Ok(python) => python,
            Err(error) => {
                let text = format!("{error}; until then tools are checked by the simpler built-in validator");
                progress.say(None, &text);
                self.ensure(&Recipe::base(&[]), progress).await?
            }
        };
        self.base.learn(Attempt {
            python: python.clone(),
            full,
            ended: Instant::now(),
        });
        Ok(python)
    }
}
