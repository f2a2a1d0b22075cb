"""Running a script: a child process that runs it, and what comes back from there."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import threading
from base64 import b64encode
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Protocol

import cadena
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.scripts import limits
from cadena.core.scripts.beside import named_files
from cadena.core.scripts.imports import ALONE, LIBRARIES
from cadena.core.scripts.remark import Remark
from cadena.core.storage.decoding import decode
from cadena.core.storage.files import reason

GRACE = 3.0  # seconds for the start and the end of the process, on top of the script's own
MAX_ANSWER = 512 * 2**20  # bytes
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


def script_text(path: str | Path) -> str:
    """The text of a script's file. Raises Refused where it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(4 * limits.MAX_SCRIPT + 1)
        return data.decode("utf-8-sig")
    except OSError as error:
        raise Refused("{path}: it cannot be read: {reason}", path=path, reason=reason(error)) from None
    except UnicodeDecodeError:
        raise Refused("{path}: this is no text in UTF-8", "save it as such", path=path) from None


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
    except (ValueError, RecursionError, MemoryError):
        return ScriptResult(fault=ScriptFault(0, "it is no text of Python's that can be read; look for odd characters"))
    files = named_files(text, folder) if folder else {}
    request = {
        "text": text, "chosen": chosen, "seconds": seconds, "memory": memory, "libraries": libraries,
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


def _answered(request: bytes, seconds: float, watcher: Watcher | None) -> tuple[bytes, int, bool]:
    """What the child wrote, its exit status, and whether it had to be ended for taking too long."""
    with subprocess.Popen(
        _command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd="/"
    ) as child:
        late = threading.Event()

        def end() -> None:
            late.set()
            child.kill()

        clock = threading.Timer(seconds + GRACE, end)
        clock.start()
        if watcher is not None:
            watcher.begun(child)
        try:
            assert child.stdin is not None and child.stdout is not None
            try:
                child.stdin.write(request)
                child.stdin.close()
            except BrokenPipeError:  # it could not start; its exit status tells
                pass
            answer = _read(child.stdout, watcher)
            if len(answer) == MAX_ANSWER:
                child.kill()
            status = child.wait()
        finally:
            clock.cancel()
            child.kill()
    return answer, status, late.is_set()


def _read(stream: IO[bytes], watcher: Watcher | None) -> bytes:
    """All that the child writes; the watcher hears at once of what the script prints."""
    if watcher is None:
        return stream.read(MAX_ANSWER)
    parts, room = list[bytes](), MAX_ANSWER
    while room > 0 and (line := stream.readline(room)):
        parts.append(line)
        room -= len(line)
        if line.startswith(b'{"printed"') and isinstance(text := _message(line).get("printed"), str):
            watcher.reported(text)
    return b"".join(parts)


def _result(answer: bytes, status: int, late: bool, seconds: float) -> ScriptResult:
    printed, graph, last = list[str](), b"", dict[str, Any]()
    for line in answer.splitlines():
        if line.startswith(b'{"format"'):
            graph = line
        elif isinstance(text := (message := _message(line)).get("printed"), str):
            printed.append(text)
        else:
            last = message or last
    result = ScriptResult("".join(printed)[: limits.MAX_PRINTED])
    if late:
        return replace(result, fault=ScriptFault(0, f"it ran longer than {seconds:g} seconds; let it do less"))
    try:
        return _with_answer(result, graph, last)
    except Refused as refusal:
        return replace(result, fault=ScriptFault(0, f"its graph cannot be read: {refusal}"))
    except (KeyError, TypeError, ValueError):
        ended = "it took more memory, time or files than a script gets, so that its process was ended; let it do less"
        return replace(
            result, fault=ScriptFault(0, ended if status < 0 else f"its process ended ({status}); let it do less")
        )


def _with_answer(result: ScriptResult, graph: bytes, last: dict[str, Any]) -> ScriptResult:
    if "fault" in last:
        line, sentence = last["fault"]
        return replace(result, fault=ScriptFault(int(line), str(sentence)))
    passes, document = tuple(map(int, last["passes"])), decode(graph)
    lines = {name: int(line) for name, line in zip(document.nodes, last["lines"], strict=True) if line is not None}
    labels = {name: str(label) for name, label in last["labels"].items() if name in document.nodes}
    remarks = tuple(
        Remark(int(line), str(kind), str(sentence), int(count)) for line, kind, sentence, count in last["remarks"]
    )
    return replace(result, document=document, lines=lines, labels=labels, passes=passes, remarks=remarks)


def _message(line: bytes) -> dict[str, Any]:
    """A message; nothing for a line that a script may have written in between, which is none."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
