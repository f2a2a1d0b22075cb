"""Scripts that have got round the hook, or try to: the kernel holds them, as root and as an ordinary user."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import socket
import struct
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import pytest

from cadena.core.scripts import confinement
from cadena.core.scripts.running import run
from tests.core.scripts import forking

NOBODY = 65534
REFUSED = "a script may not use files, the network or other programs; leave that out"
SECRET = "what only the user knows"
here_as_root = hasattr(os, "geteuid") and os.geteuid() == 0
USERS = [
    pytest.param(None, id="as whoever runs the tests"),
    pytest.param(
        NOBODY, id="as nobody", marks=pytest.mark.skipif(not here_as_root, reason="only root can become another user")
    ),
]
needs_kernel = pytest.mark.skipif(
    confinement.offered() != confinement.BOTH, reason="this kernel lacks Landlock or seccomp filters, or forbids them"
)
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
pytestmark = [needs_fork]


@dataclass
class World:
    """What a script would like to reach: a folder that anybody may change, a secret in it, a socket that listens."""

    folder: Path
    listener: socket.socket

    @property
    def secret(self) -> Path:
        return self.folder / "secret"

    def state(self) -> object:
        """All that a script could change."""
        secret = self.secret.stat()
        about = (self.secret.read_text(), secret.st_mode, secret.st_uid, secret.st_mtime_ns)
        return sorted(path.name for path in self.folder.iterdir()), about, self.was_called()

    def was_called(self) -> bool:
        with suppress(BlockingIOError):
            self.listener.accept()[0].close()
            return True
        return False


@pytest.fixture(scope="module", params=USERS)
def user(request) -> int | None:
    return request.param


@pytest.fixture
def world(user) -> Iterator[World]:
    folder = Path(mkdtemp(prefix="cadena-world-"))
    folder.chmod(0o777)
    (folder / "secret").write_text(SECRET)
    if user is not None:
        os.chown(folder / "secret", user, user)
    (folder / "empty").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        listener.listen()
        listener.setblocking(False)
        yield World(folder, listener)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def hooked_server(user):
    with forking.server(user) as wire:
        yield wire


@pytest.fixture(scope="module")
def bare_server(user):
    with forking.server(user, hooked=False) as wire:
        yield wire


@pytest.fixture
def hooked(monkeypatch, hooked_server):
    forking.fork_scripts(monkeypatch, hooked_server)


@pytest.fixture
def bare(monkeypatch, bare_server):
    """Scripts run without the hook, as if they had switched it off."""
    forking.fork_scripts(monkeypatch, bare_server)


# What a script tries once it has Python's own modules and builtin functions back. F is the folder of the world.
REACH = """import torch, warnings
b, modules = warnings.__builtins__, warnings.sys.modules
load = b['__import__']
os, signal, resource, ctypes, thread = map(load, ('os', 'signal', 'resource', 'ctypes', '_thread'))
F, S, parent = {folder!r}, {folder!r} + '/secret', os.getppid()
libc = ctypes.CDLL(None, use_errno=True)

def checked(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), '')
    return answer

rest = [False] * (warnings.sys.version_info < (3, 14))

def connect(kind, address):
    socket = load('_socket')
    socket.socket(kind, socket.SOCK_STREAM).connect(address)

def tried(name, action):
    try:
        print(name, 'DONE', action())
    except Exception as error:
        print(name, 'refused', type(error).__name__)

"""
ATTEMPTS = {
    "read a file": "b['open'](S).read()",
    "read a file by its number": "os.read(os.open(S, os.O_RDONLY), 99)",
    "read the list of users": "b['open']('/etc/passwd').read(9)",
    "list a folder": "os.listdir(F)",
    "list the home folder": "os.listdir('/root' if os.getuid() == 0 else '/home')",
    "read the parent's environment": "b['open'](f'/proc/{parent}/environ', 'rb').read(9)",
    "read the parent's memory": "b['open'](f'/proc/{parent}/mem', 'rb')",
    "write its own memory": "b['open']('/proc/self/mem', 'r+b')",
    "use a terminal": "os.open('/dev/tty', os.O_RDWR)",
    "write a file": "b['open'](S, 'w')",
    "append to a file": "b['open'](S, 'a')",
    "open a file to read and write": "os.open(S, os.O_RDWR)",
    "make a file": "os.open(F + '/new', os.O_CREAT)",
    "make a file without a name": "os.open(F, os.O_TMPFILE | os.O_RDWR)",
    "truncate a file": "os.truncate(S, 0)",
    "delete a file": "os.unlink(S)",
    "delete a folder": "os.rmdir(F + '/empty')",
    "rename a file": "os.rename(S, F + '/other')",
    "link a file": "os.link(S, F + '/other')",
    "make a symbolic link": "os.symlink(S, F + '/other')",
    "make a folder": "os.mkdir(F + '/other')",
    "make a pipe": "os.mkfifo(F + '/other')",
    "make a device": "os.mknod(F + '/other')",
    "change a mode": "os.chmod(S, 0)",
    "change an owner": "os.chown(S, os.getuid(), os.getgid())",
    "change times": "os.utime(S, (1, 1))",
    "add an attribute": "os.setxattr(S, 'user.a', b'a')",
    "go to another folder": "os.chdir(F)",
    "connect to a socket of this computer": "connect(1, F + '/socket')",
    "connect to the network": "connect(2, ('127.0.0.1', 9))",
    "make a pair of sockets": "load('_socket').socketpair()",
    "fork": "os.fork()",
    "run a program": "os.posix_spawn('/bin/true', ['true'], {})",
    "become a program": "os.execv('/bin/true', ['true'])",
    "run a program by a shell": "load('subprocess').run('true', shell=True)",
    "run a program by the C code of subprocess": "load('_posixsubprocess').fork_exec(['true'], [b'/bin/true'], "
    "True, (), None, None, *[-1] * 7, os.dup(1), False, False, -1, None, None, None, -1, None, *rest)",
    "start a thread": "thread.start_new_thread(print, ())",
    "send the parent a signal": "os.kill(parent, signal.SIGCONT)",
    "see whether a process is there": "os.kill(parent, 0)",
    "send its group a signal": "os.killpg(os.getpgrp(), signal.SIGCONT)",
    "get signals of others sent": "load('fcntl').fcntl(1, load('fcntl').F_SETOWN, parent)",
    "limit the parent": "resource.prlimit(parent, resource.RLIMIT_NOFILE, (0, 0))",
    "lift its limits": "resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))",
    "go on when its time is up": "signal.setitimer(signal.ITIMER_REAL, 0)",
    "outlive the parent": "checked(libc.prctl(1, 0, 0, 0, 0))",
    "make a file in memory": "os.memfd_create('a')",
    "share memory": "load('_posixshmem').shm_open('/a', os.O_RDWR | os.O_CREAT)",
    "become another user": "os.setuid(0 if os.getuid() else 1)",
}
# Calls of the kernel by their numbers on x86_64, which Python has no functions for.
CALLS = {
    "make a process by clone3": (435, 0, 0),
    "open a file by openat2": (437, -100, 0, 0, 24),
    "get a file of the parent": (434, 1, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "leave the namespaces": (272, 0x10000000),
    "add a key": (248, 0, 0, 0, 0, 0),
    "watch files": (253,),
    "lift the filter": (317, 1, 0, 0),
    "have another Landlock": (444, 0, 0, 1),
    "a call of the future": (999,),
}
DEADLY = {
    "ptrace": (101, 16, 1, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "process_vm_writev": (311, 1, 0, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0),
    "userfaultfd": (323, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "io_uring_setup": (425, 1, 0),
    "pidfd_getfd": (438, 1, 1, 0),
    "a call by the x32 ABI": (0x40000000 + 39,),
}
INTEL = platform.machine() == "x86_64"


HARMLESS = ["read a file", "list a folder", "make a pair of sockets", "connect to a socket of this computer"]
HARMLESS += ["change a mode", "send the parent a signal", "make a file in memory", "delete a file"]


def all_attempts(folder: Path, names: Collection[str]) -> str:
    actions = ATTEMPTS | {name: f"checked(libc.syscall{call})" for name, call in CALLS.items()}
    lines = [f"tried({name!r}, lambda: {actions[name]})\n" for name in names]
    return REACH.format(folder=str(folder)) + "".join(lines)


@needs_kernel
def test_a_script_without_the_hook_read_wrote_and_ran_what_it_liked(bare, world):
    """Whatever a script did to Python, by frames, code objects or memory: the hook is not even there."""
    before = world.state()
    names = list(ATTEMPTS) + list(CALLS if INTEL else {})
    printed = run(all_attempts(world.folder, names)).printed
    assert [line.partition(" refused")[0] for line in printed.splitlines()] == names, "all are tried, and none is done"
    assert SECRET not in printed and world.state() == before


@needs_kernel
@pytest.mark.skipif(not INTEL, reason="the numbers of calls are those of x86_64")
def test_calls_of_the_kernel_that_no_script_needs_end_it_with_a_sentence(bare, world):
    for name, call in DEADLY.items():
        result = run(REACH.format(folder=str(world.folder)) + f"print(checked(libc.syscall{call}))")
        assert "asked the system for what no script may do" in result.fault.sentence and not result.printed, name


@needs_kernel
@pytest.mark.skipif(not INTEL, reason="the machine code is that of x86_64")
def test_calls_of_a_32_bit_program_were_numbers_that_mean_something_else(bare, world):
    """Number 5 opens a file there, here it asks about one: a filter must look at the machine, too."""
    code = bytes([0xB8, 5, 0, 0, 0, 0xCD, 0x80, 0xC3])  # mov eax, 5; int 0x80; ret
    text = REACH.format(folder=str(world.folder))
    text += f"m = load('mmap').mmap(-1, 4096, prot=7)\nm.write({code!r})\n"
    text += "at = ctypes.addressof(ctypes.c_char.from_buffer(m))\nprint('back', ctypes.CFUNCTYPE(ctypes.c_int)(at)())"
    result = run(text)
    assert result.fault is not None and "process was ended" in result.fault.sentence and "back" not in result.printed


def test_without_the_kernel_the_same_attempts_succeed(bare, world, monkeypatch):
    """So that the tests above try what can be done."""
    monkeypatch.setattr(confinement, "offered", frozenset)
    printed = run(all_attempts(world.folder, HARMLESS)).printed.splitlines()
    assert [line.partition(" DONE")[0] for line in printed] == HARMLESS
    assert printed[0].endswith(SECRET) and world.was_called()


# The numbers of read, openat, socket, kill, tgkill, execve, ptrace and prlimit64, from the kernel's headers.
NUMBERS = {"x86_64": (0, 257, 41, 62, 234, 59, 101, 302), "aarch64": (63, 56, 198, 129, 131, 221, 117, 261)}
# Ways round the hook, each of which ends in the reading of the secret, a file more, a call at the socket or a signal.
ESCAPES = (Path(__file__).parent / "escapes.txt").read_text("utf-8").split("# ==== ")[1:]


@needs_kernel
def test_more_than_fifteen_ways_round_the_hook_led_to_the_users_files(hooked, world):
    before = world.state()
    assert len(ESCAPES) > 15
    for escape in ESCAPES:
        name, _, text = escape.replace("FOLDER", str(world.folder)).replace("SECRET", str(world.secret)).partition("\n")
        result = run(text)
        assert SECRET not in result.printed, name
        assert result.fault is not None and "\n" not in result.fault.sentence, name
        assert world.state() == before, name


def answer_of(steps: list[tuple[int, int, int, int]], machine: int, call: int, *arguments: int) -> int:
    """What a filter answers to a call: the few codes of BPF that are used, as the kernel does them."""
    data, taken, at = struct.pack("<IIQ6Q", call, machine, 0, *arguments, *[0] * (6 - len(arguments))), 0, 0
    while True:
        code, then, otherwise, number = steps[at]
        if code == confinement.ANSWER:
            return number
        if code == confinement.LOAD:
            taken, then = int.from_bytes(data[number : number + 4], "little"), 0
        else:
            tests = {0x15: taken == number, 0x25: taken > number, 0x35: taken >= number, 0x45: taken & number}
            then = then if tests[code] else otherwise
        at += 1 + then


def test_the_filter_of_each_machine_answers_as_that_of_the_other():
    allow, kill, refuse = confinement.ALLOW, confinement.KILL, confinement.REFUSE
    for name, here in confinement.MACHINES.items():
        steps = confinement._program(here, 77)
        number = dict(zip(("read", "openat", "socket", "kill", "tgkill", "execve", "ptrace", "prlimit"), NUMBERS[name]))
        expected = {
            ("read", 0, 0, 9): allow,
            ("openat", 2**32 - 100, 0, 0o2000000): allow,
            ("openat", 2**32 - 100, 0, 0o2000001): refuse | errno.EACCES,
            ("openat", 2**32 - 100, 0, 0o100): refuse | errno.EACCES,
            ("socket", 1, 1): refuse | errno.EPERM,
            ("kill", 77, 9): refuse | errno.EPERM,
            ("tgkill", 77, 77, 6): allow,
            ("tgkill", 78, 78, 6): refuse | errno.EPERM,
            ("execve", 0): refuse | errno.EPERM,
            ("ptrace", 0): kill,
            ("prlimit", 0, 7, 0, 1 << 40): allow,
            ("prlimit", 0, 7, 1 << 40, 0): refuse | errno.EPERM,
            ("prlimit", 78, 7, 0, 0): refuse | errno.EPERM,
        }
        for (call, *arguments), answer in expected.items():
            assert answer_of(steps, here.audit, number[call], *arguments) == answer, (name, call, arguments)
        assert answer_of(steps, here.audit, 9999) == refuse | errno.ENOSYS
        assert answer_of(steps, 0x40000003, number["read"]) == kill, "i386"


@needs_kernel
def test_what_the_kernel_refuses_is_a_sentence_with_its_line(bare):
    fault = run("import random\n\nrandom._os.listdir('/')").fault
    assert (fault.line, fault.sentence) == (
        3,
        "a script may not use files, the network or other programs; leave that out",
    )


@needs_kernel
def test_modules_that_are_imported_late_are_read_all_the_same():
    """Their C code and the libraries that it needs are opened by the loader after the process has confined itself."""
    text = "import decimal\nimport statistics\nimport numpy.fft\nimport datetime\nnow = datetime.datetime.now()\n"
    result = run(f"{text}print(decimal.Decimal(1) / 3)\nw = 2.0\nL = w * 3")
    assert result.fault is None and result.printed.startswith("0.333")


@pytest.mark.parametrize("guards", [(), (confinement.LANDLOCK,), (confinement.SECCOMP,)], ids=str)
def test_a_system_that_cannot_confine_scripts_says_so_and_runs_them(guards, monkeypatch):
    if not confinement.offered().issuperset(guards):
        pytest.skip("this kernel does not have it")
    monkeypatch.setattr(confinement, "offered", lambda: frozenset(guards))
    assert "Run only scripts that you trust." in confinement.caution(guards)
    assert run("w = 2.0\nL = w * 3").document is not None
    assert confinement.caution(confinement.BOTH) == ""


@needs_kernel
def test_a_process_that_cannot_be_confined_as_promised_runs_nothing(monkeypatch):
    """As where the parent finds Landlock and the child may not use it; here there are too many layers already."""
    with forking.server(depth=16) as wire:
        forking.fork_scripts(monkeypatch, wire)
        result = run("print('here')")
    assert "could not be confined" in result.fault.sentence and not result.printed
