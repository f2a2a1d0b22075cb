"""The process in which a script runs: reads the script from standard input, writes messages, a line of JSON each.

{"printed": text} as the script prints, then {"fault": [line, sentence]} or two messages: a graph as in a file, and
{"passes": [line of each backward pass], "lines": [line of each node], "labels": {node: text}, "remarks": [...]}.
"""

from __future__ import annotations

import ast
import errno
import gc
import json
import linecache
import math
import os
import re
import select
import signal
import sys
import threading
import time
import warnings
from base64 import b64decode
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

import cadena.core
from cadena.core.ops.special import special
from cadena.core.scripts import beside, confinement, imports, limits, plain_numbers, prepared
from cadena.core.scripts.following import remarks
from cadena.core.scripts.graph import drawn
from cadena.core.scripts.helpers import with_helpers
from cadena.core.scripts.library_rules import RuledTape
from cadena.core.scripts.missing import NOT_PART
from cadena.core.scripts.naming import AGAIN, KEEP, TELL, TOLD, TURN, TURNS, tell, telling, turn
from cadena.core.scripts.remark import BAD, LATE, LOST, OUTPUT, STEP, UNLIKE, Remark
from cadena.core.scripts.tape import DIFFERENCES, SCRIPT, line_at, script_place
from cadena.core.storage.encoding import encode_line

SPECIAL = re.compile("erf|gelu|zeta|gamma(?! *=)", re.IGNORECASE)  # what scripts call that takes scipy's functions
FLUSH = 4096  # characters that wait at most
PAUSE = 0.1  # seconds that they wait at most
MAX_NEW = 100_000  # objects between two searches for garbage, which the tape of a long loop would make slow


class PipeEnd:
    """The way to the parent. Functions are kept, so that a script that changes modules does not change them."""

    def __init__(self) -> None:
        self.to, self._write, self._leave, self._dumps = os.dup(1), os.write, os._exit, json.dumps

    def send(self, message: dict[str, Any]) -> None:
        self.send_line(self._dumps(message, ensure_ascii=False).encode("utf-8", "replace"))  # half a pair is no letter

    def send_line(self, message: bytes) -> None:
        data = memoryview(message + b"\n")
        try:
            while data:
                data = data[self._write(self.to, data) :]
        except OSError:  # nobody reads it: the parent has ended
            self._leave(1)

    def end(self, message: dict[str, Any]) -> NoReturn:
        """Send the last message, and end without anything that the script may have left to be done."""
        try:
            self.send(message)
        finally:
            self._leave(0)


class Printer:
    """The script's standard output and standard error."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, wire: PipeEnd) -> None:
        self._wire, self._waiting, self._count, self._since = wire, list[str](), 0, 0.0  # what comes first goes at once

    def write(self, text: str) -> int:
        self._waiting.append(str(text))
        self._count += len(text)
        if self._count > limits.MAX_PRINTED:
            fail(self._wire, self, f"it printed more than {limits.MAX_PRINTED:,} characters; print less")
        if len(text) > FLUSH or len(self._waiting) > 64 or time.monotonic() - self._since > PAUSE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        waiting, self._waiting = "".join(self._waiting), []
        if waiting:
            self._wire.send({"printed": waiting[: limits.MAX_PRINTED]})
        self._since = time.monotonic()

    def isatty(self) -> bool:
        return False


def fail(wire: PipeEnd, printer: Printer, sentence: str, line: int | None = None) -> NoReturn:
    """End with a fault at a line; by default the one that is being executed."""
    printer.flush()
    wire.end({"fault": [line_at(script_place()) if line is None else line, sentence]})


def main() -> None:
    """Run the script that the parent sends."""
    _end_with_parent()
    request = json.loads(sys.stdin.buffer.readline())
    _end_without_parent()
    wire = PipeEnd()
    printer = Printer(wire)

    def refuse(what: str) -> NoReturn:
        fail(wire, printer, f"a script may not {what}; leave that out")

    def decline(what: str) -> NoReturn:
        finish(f"a script may not {what}; leave that out", line_at(script_place()))

    def finish(sentence: str = "", line: int = 0) -> NoReturn:
        """Send the graph, also of what ran before a fault; the fault alone where that asked for no gradient."""
        printer.flush()
        gc.disable()
        if sentence and (imports.CHOSEN == imports.ALONE or not _passes(imports.CHOSEN)):
            fail(wire, printer, sentence, line)
        try:
            graph, answer = _answer(request["text"], request["chosen"], imports.CHOSEN)
            if sentence and "remarks" in answer:
                remark = f"line {line} stopped the script, and the graph is of what ran before: {sentence}"
                answer["remarks"].insert(0, [*vars(Remark(line, LATE, remark)).values()])
            if graph:
                wire.send_line(graph)
            wire.end(answer)
        except MemoryError:
            fail(wire, printer, "the graph needs more memory than a script gets; make it smaller", 0)

    imports.CHOSEN[:] = request["libraries"]
    beside.FILES.update({name: b64decode(data) for name, data in request["files"].items()})
    for name in imports.CHOSEN:
        imports.modules_of(name)
    if SPECIAL.search(request["text"]):
        special()  # its import uses the operating system, which is not allowed later
    folders = [str(Path(module.__file__ or "").parent) for module in (cadena.core, np, os)]
    sys.stdout = sys.stderr = printer
    warnings.showwarning = lambda *warning, **options: None  # showing one looks for the script's file
    sys.stdin, sys.argv = None, ["script.py"]
    _limit_time(request["seconds"], wire, printer)
    limits.limit_process(request["memory"], request["seconds"])
    try:
        _confine(folders, request["guards"])
    except OSError as error:
        fail(wire, printer, f"its process could not be confined ({error}), so that it did not run; try it again", 0)
    sys.addaudithook(limits.refusing_hook(refuse, folders))
    gc.freeze()
    gc.set_threshold(MAX_NEW)
    names = imports.names(decline) | {TELL: tell, TURN: turn, KEEP: keeper()}
    try:
        _run(request["text"], {"__name__": "__main__", "__file__": SCRIPT, "__builtins__": names, "__doc__": None})
    except SystemExit:
        pass
    except BaseException as error:
        finish(_sentence(error), _line(error))
    finish()


def _end_with_parent() -> None:
    """End this process when the parent's ends, be it killed."""
    if sys.platform == "linux":
        confinement.end_with_parent()  # no thread, which Landlock would leave as it is


def _end_without_parent() -> None:
    """End this process if the parent's has ended already, and where the kernel does not do so, as soon as it does.

    The parent holds the other end of standard input until it has its answer.
    """
    if sys.platform != "linux":
        threading.Thread(target=lambda: os.read(0, 1) or os._exit(1), daemon=True).start()
    elif select.select([0], [], [], 0)[0]:
        os._exit(1)


def _confine(folders: list[str], guards: list[str]) -> None:
    """Let the kernel hold this process to reading Python, its packages and Cadena."""
    packages = [*folders, *(str(Path(module.__file__ or "").parent) for module in [sys.modules.get("scipy")] if module)]
    confinement.confine(confinement.with_libraries(packages), guards)


def _limit_time(seconds: float, wire: PipeEnd, printer: Printer) -> None:
    """End the script after so many seconds; where a long operation of numpy keeps it from that, the parent does."""
    if hasattr(signal, "setitimer"):
        late = f"it ran longer than {seconds:g} seconds; make it do less"
        signal.signal(signal.SIGALRM, lambda number, frame: fail(wire, printer, late))
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _run(text: str, names: dict[str, Any]) -> None:
    alone, tree = imports.CHOSEN == imports.ALONE, ast.parse(text, SCRIPT)
    for library in imports.CHOSEN:
        tree, meaning = with_helpers(tree, library)
        names = names | meaning
    if alone:
        _numbers().PRINTED.read(tree)
        names[AGAIN] = lambda first, last, *variables: _numbers().started_anew(names, first, last, variables)
    tree = telling(tree, alone)
    linecache.cache[SCRIPT] = (len(text), None, text.splitlines(keepends=True), SCRIPT)  # for the texts of conditions
    with np.errstate(all="ignore"):
        exec(compile(tree, SCRIPT, "exec", dont_inherit=True), names)


def _line(error: BaseException) -> int:
    """The innermost line of the script on the way to an error."""
    if isinstance(error, SyntaxError) and error.filename == SCRIPT:
        return error.lineno or 0
    line, place = 0, error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_filename == SCRIPT:
            line = place.tb_lineno
        place = place.tb_next
    return line


def _sentence(error: BaseException) -> str:
    """What went wrong, on one line."""
    if isinstance(error, MemoryError):
        return "it needs more memory than a script gets; make its arrays smaller"
    if isinstance(error, OSError) and error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS):
        return "a script may not use files, the network or other programs; leave that out"
    if isinstance(error, RecursionError):
        return "infinite recursion; add a base case"
    if isinstance(error, SyntaxError) and error.filename == SCRIPT:
        return f"{error.msg}; correct the line"
    text = " ".join(str(error).split())
    kind = type(error).__name__
    if NOT_PART in text or kind == "ImportError":
        return text
    kind = "ValueError" if kind == "ShapeError" else kind
    return f"{kind}: {text}" if text else kind


def _answer(text: str, chosen: int | None, libraries: list[str]) -> tuple[bytes, dict[str, Any]]:
    """The graph of the backward pass number `chosen`, or of the last one, as in a file, and what there is to say of it.

    Where there is no graph, the second says why.
    """
    passes = _passes(libraries)
    lines = [item.line for item in passes]
    if not passes:
        return b"", {"fault": [0, NO_GRAPH]}
    number = len(passes) - 1 if chosen is None else chosen
    if not 0 <= number < len(passes):
        return b"", {"fault": [0, f"there is no backward pass {number + 1}; choose one from 1 to {len(passes)}"]}
    if libraries == imports.ALONE:
        _numbers().settle_leaves()
    item = passes[number]
    start = passes[number - 1].end if number else 0
    picture = drawn(item.tape, item.root, number, text, item.end, start or 0)
    notes = remarks(ast.parse(text), picture.calls, TOLD, TURNS)
    if libraries == imports.ALONE:
        notes = [_of_output(passes[number]), *_of_lost(), *_of_steps(picture.document), *notes]
    notes = [*plain_numbers.remarks(text, item.tape.names.get(item.root, ""), item.end), *notes]
    if isinstance(item.tape, RuledTape):  # of JAX or TensorFlow, which record within a function or a tape alone
        notes = [*prepared.remarks(text, item, lines, picture), *notes]
    notes = [*_of_bad(passes), *(Remark(line, UNLIKE, sentence) for sentence, line in DIFFERENCES.items()), *notes]
    return encode_line(picture.document), {
        "passes": lines,
        "lines": [*map(picture.lines.get, picture.document.nodes)],
        "labels": picture.labels,
        "remarks": [[*vars(item).values()] for item in notes],
    }


def _passes(libraries: list[str]) -> list[Any]:
    return [item for name in libraries for item in sys.modules[imports.LIBRARIES[name]].PASSES]


def keeper() -> Any:
    """What scripts for numpy alone call with each number that a variable is to hold."""
    if imports.CHOSEN != imports.ALONE:
        return None
    return _numbers().kept


def _of_output(chosen: Any) -> Remark:
    sentence = f"nothing asks for a gradient, so {chosen.name} is the output, the last loss or number that is computed"
    if _numbers().PRINTED.output:
        sentence = f"gradients of {chosen.name} are printed, so {chosen.name} is the output"
    return Remark(chosen.line, OUTPUT, sentence)


def _of_bad(passes: list[Any]) -> list[Remark]:
    """A remark at the first of several backward passes that begin at inf or nan: by the last one all is nan."""
    for place, item in enumerate(passes if len(passes) > 1 else ()):
        value = item.tape.values[item.root]
        if not (math.isfinite(value) if isinstance(value, np.generic) else np.isfinite(value).all()):
            shown = "nan" if np.isnan(value).any() else "inf"
            advice = f"backward pass {place} or {place + 1} shows why" if place else "it shows why"
            return [Remark(item.line, BAD, f"the result is {shown} from backward pass {place + 1} on; {advice}")]
    return []


def _of_lost() -> list[Remark]:
    """A remark for each line at which the graph ends."""
    lost = dict(_numbers().LOST).items()
    return [Remark(line, LOST, f"the graph ends at line {line}: {why}") for line, why in lost]


def _of_steps(document: Any) -> list[Remark]:
    """A remark for each loop whose iterations are steps of their own."""
    steps = _numbers().STEPS.items()
    remark = "each turn of the loop of line {} is a step of its own, which starts with {}"
    kept = [(line, sorted(names & document.nodes.keys())) for line, names in steps]
    return [Remark(line, STEP, remark.format(line, ", ".join(names))) for line, names in kept if names]


def _numbers() -> Any:
    """The numbers of scripts for numpy alone, whose tape is to be the first only there."""
    from cadena.core.scripts.numpy_arrays import number

    return number


NO_GRAPH = (
    "the script computes no gradient, so there is no graph; call backward() on its result, "
    "gradient(...) of a tape, or jax.grad(...), or compute a number from others and give it a name"
)
