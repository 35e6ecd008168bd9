//! How long and how often clients are asked.

use std::time::Duration;

/// How long and how often clients are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputLimits {
    /// How long a question waits for its answer (setting `INPUT_TIMEOUT_SECONDS`): 300 s.
    pub timeout: Duration,
    /// How many questions may wait at once (setting `INPUT_QUESTIONS`): 1,000.
    pub total: usize,
    /// How many of them one principal may have waiting (setting `INPUT_QUESTIONS_PER_PRINCIPAL`): 64.
    pub per_principal: usize,
    /// How often one request may be answered with questions by an engine that keeps no state: 10 times.
    pub rounds: u8,
}

impl Default for InputLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(300),
            total: 1000,
            per_principal: 64,
            rounds: 10,
        }
    }
}
