"""Confinement of a script's process by the Linux kernel, which no code in the process can lift.

Python cannot contain Python: whatever checks a script in its own process, the script can find and replace. So the
process gives up its rights before the script begins, and the kernel holds it to that, whichever code then runs there:

- Landlock (Linux 5.13): of all files, those of Python, numpy, scipy and Cadena and the system's libraries can be read
  or listed, and none can be written, made, renamed or removed. From 6.7 on no TCP, from 6.12 on no abstract sockets of
  other processes and no signals to them.
- seccomp: only the system calls of ALLOWED, which is what Python and numpy compute with. There is none among them that
  starts a process or a thread, opens a socket or a file to write, changes a file, its mode or its owner, or reaches
  another process.

The two overlap, since each may be missing: old kernels, other systems, containers that forbid them. `offered` says
what there is, and `caution` what a script can do without it.

Not kept from a script: whether a file is there, its size and times, and where symbolic links lead (`stat` and
`readlink`, which imports need; Landlock has no right for them); the time, the kernel's version, memory and processors.

https://docs.kernel.org/userspace-api/landlock.html, https://docs.kernel.org/userspace-api/seccomp_filter.html;
numbers of calls from the kernel's asm/unistd_64.h and asm-generic/unistd.h. The packages that PyPI has were read in
November 2026: landlock knows neither sockets nor signals, pyseccomp needs the C library libseccomp, seccompy lets calls
of the x32 ABI by.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES, ENOSYS, EPERM
from functools import cache

LANDLOCK, SECCOMP = "landlock", "seccomp"
BOTH = frozenset((LANDLOCK, SECCOMP))

# Where the dynamic loader looks for the libraries of modules in C that are imported late, and what glibc reads for the
# local time.
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/gnu/store")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime")

CAUTIONS = {
    frozenset[str](): "This system cannot confine scripts: one that means harm can read, change and delete your files "
    "and use the network. Run only scripts that you trust.",
    frozenset((SECCOMP,)): "This system has no Landlock, which keeps scripts from reading: one that means harm can "
    "read your files, though neither change nor send them. Run only scripts that you trust.",
    frozenset((LANDLOCK,)): "This system has no seccomp filters, which keep scripts from system calls: one that means "
    "harm can use the network and end your programs. Run only scripts that you trust.",
    BOTH: "",
}


@cache
def offered() -> frozenset[str]:
    """What the kernel can confine a script's process with. Asking changes nothing."""
    return frozenset((LANDLOCK,) if _landlock_version() else ()) | frozenset((SECCOMP,) if _has_seccomp() else ())


def caution(guards: Collection[str]) -> str:
    """What a script can do where it is confined by these guards alone, in two sentences; "" where nothing lacks."""
    return CAUTIONS[frozenset(guards) & BOTH]


def confine(readable: Iterable[str], guards: Collection[str]) -> None:
    """Give up, for good, all rights but to compute and to read what is below `readable`.

    Raises OSError where the kernel refuses one of `guards`; then no script may run. The process must have one thread:
    Landlock leaves others as they are.
    """
    if not guards:
        return
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if LANDLOCK in guards:
        _restrict_files(readable)
    if SECCOMP in guards:
        _restrict_calls(_machine_here())


def end_with_parent() -> None:
    """Let the kernel kill this process as soon as the parent's thread that started it ends."""
    _prctl(PR_SET_PDEATHSIG, 9)


# --- calls of the kernel

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
NR_CREATE_RULESET, NR_ADD_RULE, NR_RESTRICT_SELF = 444, 445, 446  # on every machine


def _syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """A system call. Raises OSError."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    plain = (ctypes.c_long(item) if isinstance(item, int) else item for item in arguments)
    answer: int = call(ctypes.c_long(number), *plain)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def _prctl(option: int, argument: int) -> None:
    words = [ctypes.c_ulong(item) for item in (argument, 0, 0, 0)]
    if ctypes.CDLL(None, use_errno=True).prctl(option, *words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# --- Landlock

READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # by the version of the kernel's Landlock: how many rights to files it has
ANY_TCP, ANY_SCOPE = 0b11, 0b11  # binding and connecting; abstract sockets and signals
VERSION, RULE_OF_PATH = 1, 1


def _landlock_version() -> int:
    """The version of the kernel's Landlock; 0 where it has none, or none that is switched on."""
    if sys.platform != "linux":
        return 0
    try:
        return _syscall(NR_CREATE_RULESET, None, 0, VERSION)
    except OSError:
        return 0


def _restrict_files(readable: Iterable[str]) -> None:
    version = _landlock_version()
    handled = (1 << RIGHTS[min(version, 5)]) - 1
    words = [handled, ANY_TCP, ANY_SCOPE][: 1 if version < 4 else 2 if version < 6 else 3]
    attributes = struct.pack(f"={len(words)}Q", *words)
    rules = _syscall(NR_CREATE_RULESET, ctypes.create_string_buffer(attributes), len(attributes), 0)
    for path in readable:
        with suppress(OSError):  # what is not there, or not for this user, needs no right
            _let_read(rules, path)
    _syscall(NR_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _let_read(rules: int, path: str) -> None:
    """Let a file be read, or all that is below a folder."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        right = READ_FILE | (READ_FOLDER if stat.S_ISDIR(os.fstat(place).st_mode) else 0)
        _syscall(NR_ADD_RULE, rules, RULE_OF_PATH, ctypes.create_string_buffer(struct.pack("=Qi", right, place)), 0)
    finally:
        os.close(place)


def with_libraries(folders: Iterable[str]) -> list[str]:
    """Folders of packages, those that their wheels put shared libraries into, and those of the system."""
    packages = [path for folder in folders for path in (folder, f"{folder}.libs")]
    own = [f"{prefix}/{name}" for prefix in {sys.base_prefix, sys.base_exec_prefix} for name in ("lib", "lib64")]
    return [*packages, *own, *SYSTEM_LIBRARIES, *SYSTEM_FILES]


# --- seccomp


@dataclass(frozen=True)
class _Machine:
    """A processor: its place in ALLOWED, what seccomp calls it, and the numbers of the calls that need one."""

    place: int
    audit: int  # AUDIT_ARCH_... of linux/audit.h
    seccomp: int
    last: int  # the last call that the table was written for; a later one is unknown, so Python and glibc do without


MACHINES = {"x86_64": _Machine(0, 0xC000003E, 317, 451), "aarch64": _Machine(1, 0xC00000B7, 277, 451)}
X32 = 0x40000000  # numbers of the x32 ABI begin here; to seccomp it is the same machine

# The calls that are allowed, with their numbers on x86_64 and aarch64. An allow-list: what a new kernel brings is
# refused until somebody has thought about it.
ALLOWED = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, lseek 8 62, close 3 57, dup 32 23, fadvise64 221 223
fstat 5 80, newfstatat 262 79, stat 4 -, lstat 6 -, statx 332 291, access 21 -, faccessat 269 48, faccessat2 439 439
readlink 89 -, readlinkat 267 78, getdents64 217 61, getcwd 79 17
mmap 9 222, mprotect 10 226, munmap 11 215, mremap 25 216, brk 12 214, madvise 28 233
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, sigaltstack 131 132, restart_syscall 219 128
getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177
uname 63 160, sysinfo 99 179, getrusage 98 165, getrlimit 97 163, times 100 153, getcpu 309 168
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, nanosleep 35 101, gettimeofday 96 169, time 201 -
poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, futex 202 98, sched_yield 24 124, sched_getaffinity 204 123
getrandom 318 278, exit 60 93, exit_group 231 94
"""
# Those that have no innocent use in a script, at which the process ends.
DEADLY = """
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, bpf 321 280, perf_event_open 298 241
userfaultfd 323 282, io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, pidfd_getfd 438 438
"""
# Those that glibc has another way for if the kernel does not know them; the other way is refused in its turn.
UNKNOWN = "clone3 435 435, openat2 437 437"
# Those that are allowed by their arguments: see `_judged`.
OPEN, OPENAT, FCNTL, IOCTL = "open 2 -", "openat 257 56", "fcntl 72 25", "ioctl 16 29"
PRLIMIT, TGKILL = "prlimit64 302 261", "tgkill 234 131"
# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_PATH and O_TMPFILE, which have these values on both machines.
WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o10000000 | 0o20000000
HARMLESS_FCNTL = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC; F_SETOWN sends signals
HARMLESS_IOCTL = (0x5401, 0x5450, 0x5451)  # TCGETS (is it a terminal?), FIONCLEX, FIOCLEX

SET_MODE_FILTER, GET_ACTION_AVAIL, ALL_THREADS = 1, 2, 1
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
CALL, MACHINE, ARGUMENTS = 0, 4, 16  # where they stand in struct seccomp_data

LOAD, ANSWER, IF_EQUAL, IF_ABOVE, IF_AT_LEAST, IF_ANY_BIT = 0x20, 0x06, 0x15, 0x25, 0x35, 0x45  # codes of BPF
FilterStep = tuple[int, int, int, int]  # a step of BPF: the code, how far to jump if true, if false, and a number


def _has_seccomp() -> bool:
    """Whether the kernel has seccomp filters, for a processor whose calls are known here."""
    if sys.platform != "linux" or (machine := _machine_here()) is None:
        return False
    try:
        _syscall(machine.seccomp, GET_ACTION_AVAIL, 0, ctypes.create_string_buffer(struct.pack("=I", KILL)))
    except OSError:
        return False
    return True


def _machine_here() -> _Machine | None:
    is_wide = sys.maxsize > 1 << 32 and sys.byteorder == "little"  # a Python of 32 bits has other numbers
    return MACHINES.get(os.uname().machine) if is_wide else None


def _restrict_calls(machine: _Machine | None) -> None:
    if machine is None:
        raise OSError(ENOSYS, os.strerror(ENOSYS))
    steps = _program(machine, os.getpid())
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    if _syscall(machine.seccomp, SET_MODE_FILTER, ALL_THREADS, program):
        raise OSError(EPERM, "a thread has a filter of its own")


def _program(machine: _Machine, process: int) -> list[FilterStep]:
    """The filter: for each call of the process it answers whether it is allowed."""
    steps = [_load(MACHINE), (IF_EQUAL, 1, 0, machine.audit), _answer(KILL), _load(CALL)]
    if machine is MACHINES["x86_64"]:
        steps += [(IF_AT_LEAST, 0, 1, X32), _answer(KILL)]
    for table, answer in ((ALLOWED, ALLOW), (DEADLY, KILL), (UNKNOWN, REFUSE | ENOSYS)):
        steps += [step for number in _numbers(table, machine) for step in _when(number, [_answer(answer)])]
    for call, judged in _judged(process).items():
        steps += [step for number in _numbers(call, machine) for step in _when(number, judged)]
    return [*steps, (IF_ABOVE, 0, 1, machine.last), _answer(REFUSE | ENOSYS), _answer(REFUSE | EPERM)]


def _numbers(table: str, machine: _Machine) -> list[int]:
    rows = [row.split() for row in table.replace("\n", ",").split(",") if row.strip()]
    return [int(row[1 + machine.place]) for row in rows if row[1 + machine.place] != "-"]


def _judged(process: int) -> dict[str, list[FilterStep]]:
    """What decides on the calls that some arguments allow. Those of 32 bits stand in the first half of 64."""
    refused = _answer(REFUSE | EPERM)
    reading = [(IF_ANY_BIT, 0, 1, WRITING), _answer(REFUSE | EACCES), _answer(ALLOW)]
    own, limits = ARGUMENTS, ARGUMENTS + 16  # prlimit's process; its third argument, by which limits are set
    asking = [
        _load(own),
        (IF_EQUAL, 0, 5, 0),
        _load(limits),
        (IF_EQUAL, 0, 3, 0),
        _load(limits + 4),
        (IF_EQUAL, 0, 1, 0),
    ]
    return {
        OPEN: [_load(ARGUMENTS + 8), *reading],
        OPENAT: [_load(ARGUMENTS + 16), *reading],
        FCNTL: [_load(ARGUMENTS + 8), *_one_of(HARMLESS_FCNTL), refused],
        IOCTL: [_load(ARGUMENTS + 8), *_one_of(HARMLESS_IOCTL), refused],
        PRLIMIT: [*asking, _answer(ALLOW), refused],
        TGKILL: [_load(ARGUMENTS), *_one_of((process,)), refused],  # as abort() does
    }


def _load(offset: int) -> FilterStep:
    """Take 32 bits of struct seccomp_data."""
    return (LOAD, 0, 0, offset)


def _answer(answer: int) -> FilterStep:
    return (ANSWER, 0, 0, answer)


def _when(number: int, steps: list[FilterStep]) -> list[FilterStep]:
    """Steps that are done where what was taken is `number`; the last of them answers."""
    return [(IF_EQUAL, 0, len(steps), number), *steps]


def _one_of(numbers: Iterable[int]) -> list[FilterStep]:
    return [step for number in numbers for step in _when(number, [_answer(ALLOW)])]
