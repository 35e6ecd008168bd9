//! Landlock, capabilities and `no_new_privs` of Linux.

use std::io;

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, LandlockStatus, RestrictSelf, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, make_bitflags, path_beneath_rules,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

use super::super::{Protection, Reach};

/// The newest version of Landlock whose rules are made and tested here.
const NEWEST: ABI = ABI::V6;

/// Which version of Landlock enforces what.
const SINCE: [(Protection, ABI); 5] = [
    (Protection::Files, ABI::V1),
    (Protection::Truncation, ABI::V3),
    (Protection::DeviceControl, ABI::V5),
    (Protection::Signals, ABI::V6),
    (Protection::AbstractSockets, ABI::V6),
];

/// What this kernel can enforce.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Level(ABI);

impl Level {
    /// Asks the kernel.
    pub(in super::super) fn probe() -> Self {
        // Nothing is asked to be restricted, so this only tells what could be.
        let status = RestrictSelf::default().no_new_privs(false).apply();
        Self(match status.map(|status| status.landlock) {
            Ok(LandlockStatus::Available { effective_abi, .. }) => effective_abi,
            _ => ABI::Unsupported,
        })
    }

    /// Whether it is among what this kernel enforces.
    pub(in super::super) fn enforces(self, protection: Protection) -> bool {
        let since = SINCE.iter().find(|(one, _)| *one == protection);
        since.is_none_or(|(_, since)| self.0 >= *since)
    }
}

/// Rules about files, which the kernel holds; rules of a kernel that knows none do nothing.
#[derive(Debug)]
pub(in super::super) struct Files(Option<RulesetCreated>);

impl Files {
    /// Nothing is reached but `reach`. What of it is not there is left out.
    pub(in super::super) fn new(reach: &Reach) -> io::Result<Self> {
        let read = AccessFs::from_read(NEWEST);
        let all = AccessFs::from_all(NEWEST);
        let device = make_bitflags!(AccessFs::{ReadFile | WriteFile | IoctlDev});
        let shared = make_bitflags!(AccessFs::{ReadFile | WriteFile | MakeReg | RemoveFile | Truncate});
        let list: BitFlags<AccessFs> = AccessFs::ReadDir.into();
        let rules = || {
            Ruleset::default()
                .handle_access(all)?
                .scope(Scope::from_all(NEWEST))?
                .create()?
                .add_rules(path_beneath_rules(&reach.read, read))?
                .add_rules(path_beneath_rules(&reach.list, list))?
                .add_rules(path_beneath_rules(&reach.write, all))?
                .add_rules(path_beneath_rules(Reach::devices(), device))?
                .add_rules(path_beneath_rules([Reach::shared()], shared))
        };
        let rules: Result<_, RulesetError> = rules();
        rules.map(|rules| Self(Some(rules))).map_err(io::Error::other)
    }

    /// Puts them on this process. Makes system calls and nothing else.
    pub(in super::super) fn enter(&mut self) -> io::Result<()> {
        match self.0.take().map(RulesetCreated::restrict_self) {
            // The reason would have to be written down, and there is no memory for it here.
            Some(Err(_)) => Err(io::Error::last_os_error()),
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

/// Gives up every capability and every way to get one. Makes system calls and nothing else.
pub(in super::super) fn drop_privileges() -> io::Result<()> {
    let none = CapabilitySet::empty();
    set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?;
    set_no_new_privs(true)?;
    Ok(())
}
