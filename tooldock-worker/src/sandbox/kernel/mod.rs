//! What the kernel is asked for.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod linux;

#[cfg(target_os = "linux")]
pub(super) use self::calls::Calls;
#[cfg(not(target_os = "linux"))]
pub(super) use self::linux::Calls;
pub(super) use self::linux::{Files, Level, drop_privileges};
