"""Running a script: a child process that runs it, and what comes back from there."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import sys
import threading
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Annotated, Protocol

import msgspec
from msgspec import Meta, Struct

import cadena
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.scripts import confinement, limits
from cadena.core.scripts.beside import named_files
from cadena.core.scripts.imports import ALONE, LIBRARIES
from cadena.core.scripts.remark import Remark
from cadena.core.storage.decoding import decode
from cadena.core.storage.files import contents
from cadena.core.text.plain_text import cleaned, elided

SIGSYS = getattr(signal, "SIGSYS", 0)  # a system call that ends the process; Windows has no such signal
GRACE = 3.0  # seconds for the start and the end of the process, on top of the script's own
MAX_ANSWER = 128 * 2**20  # bytes; arrays beside a script may have half of it, as base64 two thirds
MAX_MESSAGE = 16 * 2**20  # bytes of any line but the graph; a letter that is printed takes 6 at most
MAX_LINES = 100_000  # a script that prints all it may, a letter each time, takes some 15,000
MAX_SENTENCE = 1000  # letters
MAX_VALUES = 2_000_000  # of the graph, as a file counts them: some 350,000 nodes, which take a second to read
START = "import sys; sys.path[:0] = sys.argv[1:]; from cadena.core.scripts.child import main; main()"
# The child's numpy starts no threads, each of which would take address space.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class ScriptFault:
    """What ended a script: a sentence, and the line (0 where there is none)."""

    line: int
    sentence: str


@dataclass(frozen=True)
class ScriptResult:
    """What a script did: what it printed, and the graph of one of its backward passes."""

    printed: str = ""
    document: Document | None = None
    lines: dict[str, int] = field(default_factory=dict)  # of the nodes that stand for something in the script
    labels: dict[str, str] = field(default_factory=dict)  # of nodes whose name can be no index: w_0 is w[0]
    passes: tuple[int, ...] = ()  # the line of each backward pass
    remarks: tuple[Remark, ...] = ()  # the loops that were unrolled, the branches that were followed
    fault: ScriptFault | None = None
    chosen: int | None = None  # the pass whose graph it is, where that is known
    computed_by: str = ""  # the real library and its version; "" for the stand-ins
    pass_list: tuple[str, ...] = ()  # the first and the last passes, in words
    agreement: str = ""  # how far our numbers are from the library's
    agrees: bool = False  # whether that is no further than they are rounded
    is_stopped: bool = False  # whether the script ended before its end


def script_text(path: str | Path) -> str:
    """The text of a script's file. Raises Refused where it cannot be read."""
    try:
        return contents(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("{path}: this is no text in UTF-8", "save it as such", path=path) from None


LineNumber = Annotated[int, Meta(ge=0, le=limits.MAX_SCRIPT)]


class _Message(Struct, forbid_unknown_fields=True):
    """A line of the child's: what the script printed, the fault that ended it, or what there is to say of its graph."""

    printed: str = ""
    fault: tuple[LineNumber, str] | None = None
    passes: list[LineNumber] | None = None
    lines: list[LineNumber | None] = []
    labels: dict[str, str] = {}
    remarks: list[tuple[LineNumber, str, str, Annotated[int, Meta(ge=0, le=2**31)]]] = []


@dataclass
class _Answer:
    """What the child wrote, as far as it was read."""

    printed: list[str] = field(default_factory=list)
    graph: bytes = b""
    last: _Message = field(default_factory=_Message)  # the one that is not about what was printed
    excess: str = ""  # of what there was more than is read


class Watcher(Protocol):
    """Somebody who watches a script run, and may end it."""

    def begun(self, child: subprocess.Popen[bytes]) -> None: ...

    def reported(self, text: str) -> None: ...


def run(
    text: str,
    chosen: int | None = None,
    seconds: float = limits.MAX_SECONDS,
    memory: int = limits.MAX_MEMORY,
    watcher: Watcher | None = None,
    folder: Path | None = None,
) -> ScriptResult:
    """Run a script within limits; the graph is that of backward pass `chosen`, counted from 0, or of the last one.

    From `folder` it gets the array files that it names, as exported programs do.
    """
    if len(text) > limits.MAX_SCRIPT:
        most = f"{limits.MAX_SCRIPT:,}"
        return ScriptResult(fault=ScriptFault(0, f"it has more than {most} characters; make it shorter"))
    try:
        libraries = _libraries(text)
    except SyntaxError as error:
        return ScriptResult(fault=ScriptFault(error.lineno or 0, _misread(text, error)))
    except (RecursionError, MemoryError):
        return ScriptResult(fault=ScriptFault(0, "it is nested too deeply for Python; split its long expressions"))
    except ValueError:
        return ScriptResult(fault=ScriptFault(0, "it is no text of Python's that can be read; look for odd characters"))
    files = named_files(text, folder) if folder else {}
    request = {
        "text": text, "chosen": chosen, "seconds": seconds, "memory": memory, "libraries": libraries,
        "guards": sorted(confinement.offered()),
        "files": {name: b64encode(data).decode() for name, data in files.items()},
    }  # fmt: skip
    answer, status, late = _answered(json.dumps(request).encode(), seconds, watcher)
    return _result(answer, status, late, seconds)


def _misread(text: str, error: SyntaxError) -> str:
    """What is wrong with a line that is not Python."""
    line = (text.splitlines()[(error.lineno or 1) - 1 :] or [""])[0].lstrip()
    if line.startswith(("%", "!")):
        return f"{line.split()[0]} is a command of notebooks, not Python; leave the line out"
    return f"{error.msg}; correct the line"


def _libraries(text: str) -> list[str]:
    """The libraries that a script names in its imports; numpy counts where there is no other."""
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {item.name.partition(".")[0] for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    return sorted(imported & LIBRARIES.keys() - {*ALONE}) or ALONE


def _command() -> list[str]:
    home = Path(cadena.__file__)
    folder = home.parent if home.name == "cadena.py" else home.parent.parent
    flags = ["-I", "-S", *(["-B"] if sys.dont_write_bytecode else [])]
    return [sys.executable, *flags, "-c", START, str(folder), *(path for path in sys.path if path)]


def _answered(request: bytes, seconds: float, watcher: Watcher | None) -> tuple[_Answer, int, bool]:
    """What the child wrote, its exit status, and whether it had to be ended for taking too long."""
    with subprocess.Popen(
        _command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd="/"
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            child.kill()

        clock = threading.Timer(seconds + GRACE, end)
        clock.start()
        if watcher is not None:
            watcher.begun(child)
        try:
            with suppress(BrokenPipeError):  # it could not start; its exit status tells
                child.stdin.write(request + b"\n")
                child.stdin.flush()  # and not closed: by this the child sees that this process is there
            answer = _read(child.stdout, watcher)
            if answer.excess:
                child.kill()
            status = child.wait()
        finally:
            clock.cancel()
            child.kill()
            with suppress(BrokenPipeError):
                child.stdin.close()
    return answer, status, late.is_set()


def _read(stream: IO[bytes], watcher: Watcher | None) -> _Answer:
    """All that the child writes, within limits; the watcher hears at once of what the script prints."""
    answer, bytes_left, letters_left = _Answer(), MAX_ANSWER, limits.MAX_PRINTED
    for _ in range(MAX_LINES):
        line = stream.readline(bytes_left + 1)
        if not line:
            return answer
        bytes_left -= len(line)
        if bytes_left < 0:
            break
        if line.startswith(b'{"format"'):
            answer.graph = line
        elif len(line) > MAX_MESSAGE:
            break
        else:
            message = _message(line)
            if message.fault or message.passes is not None:
                answer.last = message
            printed = message.printed[:letters_left]
            letters_left -= len(printed)
            answer.printed.append(printed)
            if printed and watcher is not None:
                watcher.reported(printed)
    answer.excess = "it answered with more than is read of a script; make its graph smaller, or print less"
    return answer


def _message(line: bytes) -> _Message:
    """A message; one that says nothing for a line that a script may have written in between, which is none."""
    try:
        return msgspec.json.decode(line, type=_Message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Message()


def _result(answer: _Answer, status: int, late: bool, seconds: float) -> ScriptResult:
    result, last = ScriptResult("".join(answer.printed)), answer.last
    if late:
        fault = ScriptFault(0, f"it ran longer than {seconds:g} seconds; make it do less")
    elif answer.excess:
        fault = ScriptFault(0, answer.excess)
    elif last.fault is not None:
        line, sentence = last.fault
        fault = ScriptFault(line, elided(cleaned(sentence), MAX_SENTENCE))
    elif last.passes is None:
        fault = ScriptFault(0, _ended(status))
    else:
        try:
            return _with_graph(result, answer.graph, last, last.passes)
        except Refused as refusal:
            fault = ScriptFault(0, f"its graph cannot be read: {refusal}")
    return replace(result, fault=fault)


def _ended(status: int) -> str:
    """Why the process has ended without an answer."""
    if status == -SIGSYS:
        return "it asked the system for what no script may do, so that its process was ended; leave that out"
    if status < 0:
        return "it took more memory, time or files than a script gets, so that its process was ended; make it do less"
    return f"its process ended ({status}); make it do less"


def _with_graph(result: ScriptResult, graph: bytes, message: _Message, passes: list[int]) -> ScriptResult:
    """The result with what the child sent of the graph. Raises Refused where that is none."""
    if sum(graph.count(sign) for sign in (b",", b"[", b"{")) > MAX_VALUES:
        raise Refused("it has more than {most:,} values", "let the script do less", most=MAX_VALUES)
    document = decode(graph)
    if len(message.lines) != len(document.nodes):
        raise Refused("it comes with the lines of another", "let the script write no messages of its own")
    lines = {name: line for name, line in zip(document.nodes, message.lines, strict=True) if line is not None}
    labels = {name: cleaned(label) for name, label in message.labels.items() if name in document.nodes}
    remarks = tuple(Remark(line, kind, cleaned(sentence), count) for line, kind, sentence, count in message.remarks)
    return replace(result, document=document, lines=lines, labels=labels, passes=tuple(passes), remarks=remarks)
