//! Which system calls a worker is kept from.

use std::{collections::BTreeMap, env::consts::ARCH, io, path::Path};

use libc::{
    CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS,
};
use libc::{ENOSYS, EPERM, c_int, c_long};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// Ways into other processes, around the rules about files, and into parts of the kernel that programs of the namespace have no use for.
/// Each is answered with EPERM.
#[rustfmt::skip]
const CLOSED: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_kcmp, libc::SYS_pidfd_getfd,
    // Another view of the file system.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_move_mount, libc::SYS_open_tree,
    libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick, libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at, libc::SYS_name_to_handle_at, libc::SYS_fanotify_init, libc::SYS_quotactl,
    // Another view of the system.
    libc::SYS_unshare, libc::SYS_setns,
    // Keys of the user and of the system.
    libc::SYS_keyctl, libc::SYS_add_key, libc::SYS_request_key,
    // Programs and modules in the kernel, and the kernel itself.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_init_module, libc::SYS_finit_module,
    libc::SYS_delete_module, libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_syslog,
    // The machine.
    libc::SYS_reboot, libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_acct,
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_modify_ldt,
];

/// What programs do in another way where a kernel does not have it, which is why it is answered with ENOSYS. The flags of `clone3` lie in
/// memory, where no filter can read them; what is asked of `io_uring` would pass by every filter.
const ABSENT: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Flags with which a new process would get another view of the system.
const VIEWS: [c_int; 7] = [
    CLONE_NEWNS,
    CLONE_NEWCGROUP,
    CLONE_NEWUTS,
    CLONE_NEWIPC,
    CLONE_NEWUSER,
    CLONE_NEWPID,
    CLONE_NEWNET,
];

/// What the kernel tells of the filters that it has.
const FILTERS: &str = "/proc/sys/kernel/seccomp/actions_avail";

/// Filters of system calls, ready to be put on a process and on all that it starts.
#[derive(Debug)]
pub(in super::super) struct Calls(Vec<BpfProgram>);

impl Calls {
    /// Whether this system can filter them.
    pub(in super::super) fn can_be_filtered() -> bool {
        TargetArch::try_from(ARCH).is_ok() && Path::new(FILTERS).exists()
    }

    /// Filters for this machine; none where there can be none.
    pub(in super::super) fn new() -> io::Result<Self> {
        if !Self::can_be_filtered() {
            return Ok(Self(Vec::new()));
        }
        let programs = || {
            let mut closed = whole(CLOSED);
            closed.insert(libc::SYS_clone, views()?);
            Ok(vec![
                foreign(),
                program(closed, EPERM)?,
                program(whole(ABSENT), ENOSYS)?,
            ])
        };
        let programs: Result<_, BackendError> = programs();
        programs.map(Self).map_err(io::Error::other)
    }

    /// Puts them on this process. Makes system calls and nothing else.
    pub(in super::super) fn enter(&self) -> io::Result<()> {
        let enter = |program: &BpfProgram| apply_filter(program);
        // The reason would have to be written down, and there is no memory for it here.
        self.0
            .iter()
            .try_for_each(enter)
            .map_err(|_| io::Error::last_os_error())
    }
}

/// These calls, whatever they are called with.
fn whole(calls: &[c_long]) -> BTreeMap<i64, Vec<SeccompRule>> {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

/// A process with one of [`VIEWS`]. Where the flags are is the same on every machine that there are filters for.
fn views() -> Result<Vec<SeccompRule>, BackendError> {
    let asked = |flag: &c_int| {
        let flag = *flag as u64;
        let set = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)?;
        SeccompRule::new(vec![set])
    };
    VIEWS.iter().map(asked).collect()
}

/// Answers `calls` with `error`. Calls in the way of another machine end the process.
fn program(calls: BTreeMap<i64, Vec<SeccompRule>>, error: c_int) -> Result<BpfProgram, BackendError> {
    let answer = SeccompAction::Errno(error as u32);
    SeccompFilter::new(calls, SeccompAction::Allow, answer, TargetArch::try_from(ARCH)?)?.try_into()
}

/// Answers calls of x32 with ENOSYS: they have other numbers, and the machine of x86-64.
fn foreign() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    let step = |code: u32, jump_else: u8, value: u32| seccompiler::sock_filter {
        code: code as u16,
        jt: 0,
        jf: jump_else,
        k: value,
    };
    vec![
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0), // the number of the call
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, X32),
        step(libc::BPF_RET, 0, libc::SECCOMP_RET_ERRNO | ENOSYS as u32),
        step(libc::BPF_RET, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_that_processes_are_made_with_stay_open() {
        for needed in [
            libc::SYS_clone,
            libc::SYS_execve,
            libc::SYS_seccomp,
            libc::SYS_prctl,
            libc::SYS_pidfd_open,
        ] {
            assert!(!CLOSED.contains(&needed) && !ABSENT.contains(&needed), "{needed}");
        }
        assert_eq!(
            Calls::new().unwrap().0.len(),
            if Calls::can_be_filtered() { 3 } else { 0 }
        );
    }
}
