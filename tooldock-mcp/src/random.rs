//! Bytes from the system's generator.

use tooldock_engine::{EngineError, ErrorKind, error::Result};

/// Bytes from the system's generator.
///
/// # Errors
/// When the system has none to give.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        let text = "the system gives no random numbers, so nothing new can be begun; the log has the cause";
        EngineError::new(ErrorKind::Internal, text).with_source(error.to_string())
    })?;
    Ok(bytes)
}

/// 128 random bits as 32 lower-case hexadecimal digits.
pub(crate) fn random_name() -> Result<String> {
    Ok(format!("{:032x}", u128::from_be_bytes(random()?)))
}
