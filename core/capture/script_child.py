"""The process in which a script runs with its real library: the user's own program, and beside it the recorder.

The job is a folder with `job.json`; the answer is `answer.json` and, where there is a graph, `graph.cadena` in it.
Standard input, output and error are the script's.
"""

from __future__ import annotations

import _thread
import json
import linecache
import sys
import threading
import traceback
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

LIMIT = 1 << 28  # elements of an array that the graph holds


def main(folder: str) -> None:
    """Run the script of a job, and answer."""
    job = json.loads((Path(folder) / "job.json").read_text("utf-8"))
    answer: dict[str, Any] = {}
    try:
        status = _run(job, answer, Path(folder))
    except Exception as error:
        status, answer["fault"] = 1, [0, f"recording it failed with {_sentence(error)}"]
    data = json.dumps(answer)
    (Path(folder) / "answer.json").write_text(data, "utf-8")
    sys.exit(status)


def _run(job: dict[str, Any], answer: dict[str, Any], folder: Path) -> int:
    try:
        import torch
    except Exception as error:
        answer["fault"] = [0, f"PyTorch cannot be imported by {sys.executable}: {_sentence(error)}; reinstall it"]
        return 1
    from cadena.core.capture.torch_script import ScriptRecorder, recording_script

    path, text = job["path"], job["text"]
    script = ModuleType("__main__")
    script.__file__ = path
    sys.modules["__main__"] = script
    sys.argv, sys.path[0] = [path, *job["arguments"]], job["folder"]
    lines = text.splitlines(keepends=True)
    linecache.cache[path] = len(text), None, lines, path
    recorder = ScriptRecorder(job["chosen"], vars(script))
    stop = Stop(job["seconds"])
    try:
        code = compile(text, path, "exec", dont_inherit=True)
        with stop, recording_script(recorder):
            exec(code, vars(script))
    except SystemExit as ended:
        if ended.code not in (None, 0):
            stop.by(f"it ended with exit status {ended.code}", _line(ended, path))
            if isinstance(ended.code, str):
                print(ended.code, file=sys.stderr)
    except KeyboardInterrupt as error:
        stop.by(stop.late or "interrupted", _line(error, path))
    except BaseException as error:
        _print(error, path)
        stop.by(_sentence(error), _line(error, path))
    answer["torch"] = torch.__version__
    sys.stdout.flush()
    _answer(recorder, path, answer, folder, stop)
    return 0


class Stop:
    """What stopped a script before its end: a sentence and a line. A limit of time interrupts it as Ctrl+C does."""

    def __init__(self, seconds: float | None) -> None:
        self.late, self.line, self.sentence = "", 0, ""
        self._clock = None if seconds is None else threading.Timer(seconds, self._interrupt, [seconds])
        if self._clock is not None:
            self._clock.daemon = True

    def _interrupt(self, seconds: float) -> None:
        self.late = f"it ran longer than {seconds:g} seconds"
        _thread.interrupt_main()

    def by(self, sentence: str, line: int) -> None:
        self.line, self.sentence = line, sentence

    def __enter__(self) -> None:
        if self._clock is not None:
            self._clock.start()

    def __exit__(self, *error: Any) -> None:
        if self._clock is not None:
            self._clock.cancel()


def _answer(recorder: Any, path: str, answer: dict[str, Any], folder: Path, stop: Stop) -> None:
    """Describe the passes, and compute the kept one again for its graph."""
    from cadena.core.capture import torch_special
    from cadena.core.capture.torch_replay import beside_float64, replayed
    from cadena.core.graph.fault import Refused
    from cadena.core.ops.special import INSTEAD
    from cadena.core.storage.files import save
    from cadena.core.tracing.places import file_line

    here = file_line(path, 0).removesuffix("0")  # as the recorder notes the script's own lines

    def number(line: str) -> int:
        return int(line.removeprefix(here)) if line.startswith(here) else 0

    answer["stopped"] = [stop.line, stop.sentence] if stop.sentence else None
    answer["passes"] = [number(line) for line in recorder.lines]
    answer["listed"] = [{**vars(item), "line": item.line.removeprefix(here)} for item in recorder.passes]
    kept = recorder.kept
    if kept is None:
        return
    answer["chosen"] = kept.summary.number
    if find_spec("scipy") is None:
        INSTEAD.append(torch_special)
    try:
        captured = replayed(kept, LIMIT)
        agreement = captured.check()
        agrees, sentence = (True, str(agreement)) if agreement.ok else beside_float64(captured, agreement)
    except Refused as refusal:
        answer["fault"] = [number(kept.summary.line), str(refusal)]
        return
    except RuntimeError as error:  # of PyTorch, as for an allocation
        answer["fault"] = [number(kept.summary.line), f"the pass cannot be computed again: {_sentence(error)}"]
        return
    nodes = captured.document.nodes
    answer["lines"] = {name: line for name, node in nodes.items() if (line := number(node.line))}
    answer["agrees"], answer["agreement"] = agrees, sentence.partition("\n")[0]
    answer["notes"] = list(captured.notes)
    save(captured.document, folder / "graph.cadena")


def _line(error: BaseException, path: str) -> int:
    """The innermost line of the script on the way to an error."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno or 0
    own = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
    return own[-1] if own else 0


def _print(error: BaseException, path: str) -> None:
    """Print an error as Python does, without the frames of the recorder."""
    report, ours = traceback.TracebackException.from_exception(error), str(Path(__file__).parents[1])
    place: traceback.TracebackException | None = report
    while place is not None:
        place.stack[:] = [frame for frame in place.stack if not frame.filename.startswith(ours)]
        place = place.__cause__ or place.__context__
    sys.stderr.write("".join(report.format()))


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split())
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind
