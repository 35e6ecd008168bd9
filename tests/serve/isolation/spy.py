"""Tools that look around as far as they get, and say how far that was."""

import contextlib
import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import time

from tooldock import tool

KEPT = []


def told(attempt):
    try:
        return attempt() or "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))


@tool
def environment() -> dict[str, str]:
    return dict(os.environ)


@tool
def read(place: str) -> str:
    def attempt():
        with open(place, "rb", buffering=0) as file:
            file.read(1)

    return told(attempt)


@tool
def look(place: str) -> str:
    return told(lambda: os.readlink(place) and None)


@tool
def list_(place: str) -> str:
    return told(lambda: os.listdir(place) and None)


@tool
def write(place: str) -> str:
    def attempt():
        with open(place, "a") as file:
            file.write("x")

    return told(attempt)


@tool
def cut(place: str) -> str:
    return told(lambda: os.truncate(place, 0))


@tool
def link(place: str) -> str:
    """Reach a file under another name."""

    def attempt():
        name = os.path.join(os.environ["TMPDIR"], f"link-{time.monotonic_ns()}")
        os.symlink(place, name)
        with open(name, "rb") as file:
            file.read(1)

    return told(attempt)


@tool
def hard_link(place: str) -> str:
    return told(lambda: os.link(place, os.path.join(os.environ["HOME"], f"link-{time.monotonic_ns()}")))


@tool
def signal_(place: str) -> str:
    return told(lambda: os.kill(int(place), signal.SIGCONT))


@tool
def connect(place: str) -> str:
    with socket.socket(socket.AF_UNIX) as client:
        return told(lambda: client.connect("\0" + place))


@tool
def listen(place: str) -> str:
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0" + place)
    server.listen()
    KEPT.append(server)
    return "done"


@tool
def places() -> dict[str, str]:
    return {"home": os.environ["HOME"], "temp": os.environ["TMPDIR"], "folder": os.getcwd()}


@tool
def child() -> int:
    """Start a program, which gets the environment with all its secrets."""
    KEPT.append(subprocess.Popen(["sleep", "600"]))
    return KEPT[-1].pid


@tool
def walk(needles: list[str]) -> dict[str, list[str]]:
    """Go through all processes: which files of theirs open, and which hold a needle."""
    opened, found = [], []
    mine = {str(os.getpid()), str(os.getppid())}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        tasks = told(lambda pid=pid: os.listdir(f"/proc/{pid}/task") and None)
        threads = os.listdir(f"/proc/{pid}/task") if tasks == "done" else []
        for base in [f"/proc/{pid}", *(f"/proc/{pid}/task/{thread}" for thread in threads)]:
            for name in ("environ", "cmdline", "maps", "mem", "auxv", "stack", "syscall", "comm", "status"):
                try:
                    with open(f"{base}/{name}", "rb", buffering=0) as file:
                        text = b"" if name == "mem" else file.read(1 << 20) or b""
                except OSError:
                    continue
                # Threads of the kernel have nothing in these files.
                closed = name == "mem" or (text and name in ("environ", "maps", "auxv", "stack", "syscall"))
                if pid not in mine and closed:
                    opened.append(f"{base}/{name}")
                if pid not in mine and any(needle.encode() in text for needle in needles):
                    found.append(f"{base}/{name}")
            descriptors = []
            with contextlib.suppress(OSError):
                # That there is one may be seen, not what it is.
                descriptors = [f"fd/{number}" for number in os.listdir(f"{base}/fd")]
            for name in ("cwd", "root", "exe", *descriptors):
                try:
                    os.readlink(f"{base}/{name}")
                except OSError:
                    continue
                if pid not in mine:
                    opened.append(f"{base}/{name}")
    return {"opened": opened, "found": found}


@tool
def status() -> dict:
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    mask = os.umask(0)
    os.umask(mask)
    limits = {
        name: resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
        for name in ("core", "data", "fsize", "nofile")
    }
    return {
        "status": {name: fields[name].strip() for name in ("NoNewPrivs", "CapEff", "CapPrm", "CapInh")},
        "limits": limits,
        "mask": mask,
        "session": os.getsid(0) == os.getpid() == os.getpgid(0),
        "terminal": told(lambda: os.close(os.open("/dev/tty", os.O_RDWR))),
        "descriptors": sorted(
            os.readlink(f"/proc/self/fd/{name}").split(":")[0]
            for name in os.listdir("/proc/self/fd")
            if os.path.islink(f"/proc/self/fd/{name}")
        ),
    }


@tool
def identity() -> list:
    """Who this is: user and group in each of their meanings, and further groups."""
    return [sorted({*os.getresuid(), *os.getresgid()}), os.getgroups()]


MACHINES = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_getfd": 438, "mount": 165, "umount2": 166,
        "pivot_root": 155, "chroot": 161, "move_mount": 429, "fsopen": 430, "open_by_handle_at": 304, "unshare": 272, "setns": 308,
        "keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "init_module": 175,
        "finit_module": 313, "kexec_load": 246, "clone": 56, "clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426,
        "x32_getpid": 0x40000000 | 39, "x32_ptrace": 0x40000000 | 521,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "pidfd_getfd": 438, "mount": 40, "umount2": 39,
        "pivot_root": 41, "chroot": 51, "move_mount": 429, "fsopen": 430, "open_by_handle_at": 265, "unshare": 97, "setns": 268,
        "keyctl": 219, "add_key": 217, "request_key": 218, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "init_module": 105,
        "finit_module": 273, "kexec_load": 104, "clone": 220, "clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426,
    },
}  # fmt: skip
ARGUMENTS = {
    "ptrace": (16, 0x7FFFFFFF),  # attach to a process that there cannot be
    "process_vm_readv": (os.getpid(), 0, 0, 0, 0, 0),
    "process_vm_writev": (os.getpid(), 0, 0, 0, 0, 0),
    "keyctl": (0, -3, 0),  # the number of the keyring of this session
    "clone": (0x10000000 | 0x200,),  # a new view of users with a shared folder, which no kernel allows
}
"""Arguments with which a call does no harm; without any, each has something that the kernel refuses."""


@tool
def system_calls() -> dict[str, str]:
    """What the kernel says to calls that this program has no use for."""
    library = ctypes.CDLL(None, use_errno=True)

    def make(number, arguments):
        ctypes.set_errno(0)
        if library.syscall(ctypes.c_long(number), *map(ctypes.c_long, (*arguments, *[0] * 6)[:6])) < 0:
            raise OSError(ctypes.get_errno(), "")

    calls = MACHINES[os.uname().machine]
    return {name: told(lambda: make(number, ARGUMENTS.get(name, ()))) for name, number in calls.items()}


@tool
def write_much(megabytes: int) -> str:
    def attempt():
        with open(os.path.join(os.environ["TMPDIR"], "much"), "wb") as file:
            for _ in range(megabytes):
                file.write(b"x" * (1 << 20))

    return told(attempt)


@tool
def fill(megabytes: int) -> int:
    held = []
    while len(held) < megabytes:
        held.append(b"\1" * (1 << 20))
    return len(held)


@tool
async def bomb() -> str:
    """Every process starts another, for ever."""
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


@tool
async def who() -> str:
    return os.path.basename(os.getcwd())


@tool
def close_all() -> str:
    os.closerange(0, 101)
    return "done"


@tool
def flood() -> str:
    for _ in range(2000):
        print('{"op":"ready","id":1,"ok":true}' * 20)
        sys.stderr.buffer.write(b"\xff\xfe" * 20 + b"\n")
    return "done"
