"""Running a script with its real library, in the Python of the user's choice: a child process, and what it answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

import cadena
from cadena.core.capture.pythons import Python
from cadena.core.graph.fault import Refused
from cadena.core.scripts.remark import LATE, UNLIKE, Remark
from cadena.core.scripts.running import MAX_SENTENCE, ScriptFault, ScriptResult, Watcher
from cadena.core.storage.files import load
from cadena.core.text.numbers import number_of
from cadena.core.text.plain_text import cleaned, elided

# Neither Cadena nor msgspec is put on the path: a module of the script's own may have the name of one of ours.
START = """
import importlib.util, sys
def get(name, file):
    spec = importlib.util.spec_from_file_location(name, file)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
job, own, msgspec = sys.argv[1:]
get("cadena", own)
if importlib.util.find_spec("msgspec") is None:
    get("msgspec", msgspec)
from cadena.core.capture.script_child import main
main(job)
"""
# A compiled model would be compiled with the recorder in it, which takes most of a minute; plots need no window.
ENVIRONMENT = {"TORCHDYNAMO_DISABLE": "1", "MPLBACKEND": "Agg"}


def run_really(
    text: str,
    python: Python,
    path: Path,
    chosen: int | None = None,
    seconds: float | None = None,
    arguments: Sequence[str] = (),
    watcher: Watcher | None = None,
    folder: Path | None = None,
) -> ScriptResult:
    """Run a script as `python path arguments` does; the graph is that of pass `chosen`, counted from 0, or of the loss
    of the last training step. It is the user's own program: it may read and write what it likes.

    With a watcher, what it prints goes there. It runs in `folder`, or where the program runs.
    """
    with tempfile.TemporaryDirectory(prefix="cadena-") as job_folder:
        job = {
            "text": text, "path": str(path), "folder": str(path.parent.absolute()), "arguments": [*arguments],
            "chosen": chosen, "seconds": seconds,
        }  # fmt: skip
        (Path(job_folder) / "job.json").write_text(json.dumps(job), "utf-8")
        command = [python.path, "-c", START, job_folder, cadena.__file__, msgspec.__file__]
        printed, status = _ran(command, watcher, folder)
        try:
            answer = json.loads((Path(job_folder) / "answer.json").read_text("utf-8"))
        except (OSError, ValueError):
            return ScriptResult(printed, fault=ScriptFault(0, f"its process ended ({status}) before it could answer"))
        return _result(answer, printed, Path(job_folder) / "graph.cadena")


def _ran(command: list[str], watcher: Watcher | None, folder: Path | None) -> tuple[str, int]:
    """What the process printed, where a watcher wants to know, and its exit status."""
    environment = {**ENVIRONMENT, **os.environ}
    if watcher is None:
        sys.stdout.flush()
        with subprocess.Popen(command, env=environment, cwd=folder) as child:
            while True:
                with suppress(KeyboardInterrupt):  # which the script gets too; it ends, and answers
                    return "", child.wait()
    printed = list[str]()
    pipes: dict[str, Any] = {
        "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT,
        "cwd": folder,
    }  # fmt: skip
    with subprocess.Popen(command, env={**environment, "PYTHONUNBUFFERED": "1"}, **pipes) as child:
        assert child.stdout is not None
        watcher.begun(child)
        for line in child.stdout:
            printed.append(cleaned(line.decode("utf-8", "replace"), keep="\n\t"))
            watcher.reported(printed[-1])
        return "".join(printed), child.wait()


def _result(answer: dict[str, Any], printed: str, graph: Path) -> ScriptResult:
    result = ScriptResult(printed, computed_by=f"PyTorch {answer.get('torch', '')}")
    if answer.get("fault"):
        line, sentence = answer["fault"]
        return replace(result, fault=ScriptFault(line, elided(cleaned(sentence), MAX_SENTENCE)))
    stopped, passes = answer.get("stopped"), answer["passes"]
    if "chosen" not in answer:
        if passes:
            what = f"it has no such backward pass; choose one from 1 to {len(passes)}"
            return replace(result, fault=ScriptFault(0, what))
        line, why = stopped or (0, "")
        what = f"{cleaned(why)}; it had computed no gradient" if stopped else NO_PASS
        return replace(result, fault=ScriptFault(line, what))
    remarks = [Remark(0, UNLIKE, cleaned(note)) for note in answer["notes"]]
    if not answer["agrees"]:
        remarks.insert(0, Remark(0, UNLIKE, f"beside {result.computed_by} it {answer['agreement']}"))
    if stopped:
        line, why = stopped
        sentence = f"the script stopped at line {line}, and the graph is of what ran before: {cleaned(why)}"
        remarks.insert(0, Remark(line, LATE, sentence))
    try:
        document = load(graph)
    except Refused as refusal:
        return replace(result, fault=ScriptFault(0, f"its graph cannot be read: {refusal}"))
    pass_list = tuple(_pass_line(item, len(passes)) for item in answer["listed"])
    return replace(
        result, document=document, lines=answer["lines"], passes=tuple(passes), remarks=tuple(remarks),
        chosen=answer["chosen"], pass_list=pass_list, agreement=answer["agreement"], agrees=answer["agrees"],
        is_stopped=bool(stopped),
    )  # fmt: skip


def _pass_line(item: dict[str, Any], count: int) -> str:
    """A pass in words."""
    output = item["output"] or "output"
    if item["shape"]:
        output += f" of shape {item['shape']}"
    if item["value"] is not None:
        output += f" = {item['value']:.6g}"
    where = f"line {item['line']}" if item["line"].isdecimal() else item["line"]
    operations = number_of(item["operations"], "operation")
    return f"pass {item['number'] + 1} of {count}: {where}, {output}, {operations}"


NO_PASS = "the script computes no gradient, so there is no graph; call backward() on its loss, or torch.autograd.grad"
