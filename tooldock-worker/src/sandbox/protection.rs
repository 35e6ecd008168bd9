//! The things a worker can be kept from, one by one.

use serde::Serialize;

/// One thing that a worker is kept from. Serialized as its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Protection {
    /// Other files than its own, and memory and environment of processes outside of its sandbox.
    Files,
    /// Cutting off files that it must not write.
    Truncation,
    /// Commands to devices that it may not write.
    DeviceControl,
    /// Signals to processes outside of its sandbox.
    Signals,
    /// Abstract sockets of processes outside of its sandbox.
    AbstractSockets,
    /// Capabilities, and programs that would give it rights.
    Privileges,
    /// System calls that reach into other processes or deep into the kernel.
    SystemCalls,
    /// Being the same user as its neighbours and the gateway.
    OwnUser,
    /// More memory, open files and bytes in a file than the operator allows, and core files.
    Limits,
    /// The terminal and the process group of the gateway.
    OwnSession,
    /// Being looked into by other processes of the same user.
    UnreadableMemory,
}

impl Protection {
    /// Every one of them.
    pub const ALL: [Self; 11] = [
        Self::Files,
        Self::Truncation,
        Self::DeviceControl,
        Self::Signals,
        Self::AbstractSockets,
        Self::Privileges,
        Self::SystemCalls,
        Self::OwnUser,
        Self::Limits,
        Self::OwnSession,
        Self::UnreadableMemory,
    ];

    /// Its name in reports: `files`, `abstract_sockets`.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Truncation => "truncation",
            Self::DeviceControl => "device_control",
            Self::Signals => "signals",
            Self::AbstractSockets => "abstract_sockets",
            Self::Privileges => "privileges",
            Self::SystemCalls => "system_calls",
            Self::OwnUser => "own_user",
            Self::Limits => "limits",
            Self::OwnSession => "own_session",
            Self::UnreadableMemory => "unreadable_memory",
        }
    }

    /// What a system needs to enforce it.
    #[must_use]
    pub fn needs(self) -> &'static str {
        match self {
            Self::Files => "Linux 5.13 with Landlock enabled",
            Self::Truncation => "Linux 6.2 with Landlock enabled",
            Self::DeviceControl => "Linux 6.10 with Landlock enabled",
            Self::Signals | Self::AbstractSockets => "Linux 6.12 with Landlock enabled",
            Self::Privileges => "Linux",
            Self::SystemCalls => "Linux 4.14 with seccomp filters, on x86-64, aarch64 or riscv64",
            Self::OwnUser => "a gateway that runs as root",
            Self::Limits | Self::OwnSession => "a Unix system",
            Self::UnreadableMemory => "Linux, and a Python that has `ctypes`",
        }
    }
}
