"""`cadena import SCRIPT.py -o FILE`: the graph of a script. It runs with its real library in a Python that has that, as
the user's own program; else with stand-ins, within limits.

`cadena import MODEL.onnx -o FILE`: the graph of a model, of which nothing is run.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from cadena.core.capture.pythons import python_for
from cadena.core.capture.script_process import run_really
from cadena.core.graph.document import Document, as_array
from cadena.core.graph.fault import BAD_NUMBERS, Refused
from cadena.core.graph.unconnected import unconnected
from cadena.core.scripts import confinement
from cadena.core.scripts.attached import AttachedScript, after_run, with_script
from cadena.core.scripts.limits import MAX_SECONDS
from cadena.core.scripts.running import ScriptResult, run, script_text
from cadena.core.storage.files import save
from cadena.core.text.numbers import number_of
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.explaining import fix_titles
from cadena.core.verbs.printing import complain, complain_of_causes, print_line


def import_script(options: Namespace) -> int:
    """Exit status 0 once the file is there. What the script prints is printed first, whether it ends well or not."""
    if os.path.lexists(options.out) and not options.force:
        raise Refused("{file}: there is such a file already", "choose another name, or --force", file=options.out)
    if Path(options.script).suffix.lower() == ".onnx":
        return _import_model(options)
    chosen = None if options.chosen is None else options.chosen - 1
    path = Path(options.script)
    text = script_text(path)
    result, remark = _ran(options, text, chosen)
    for line in result.printed.splitlines():
        print_line(line, keep="\t")
    if (fault := result.fault) is not None:
        where = f"{options.script}: line {fault.line}" if fault.line else options.script
        raise Refused("{where}: {sentence}", where=where, sentence=fault.sentence)
    assert result.document is not None
    script = after_run(AttachedScript(text, path.name), result, chosen)
    document = with_script(result.document, script)  # as the window has it, whose panel of code shows the lines
    remarks = [*filter(None, [remark, _agreement(result)]), *(item.sentence for item in result.remarks)]
    if names := [node.name for node in document.nodes.values() if unconnected(node) is not None]:
        noun = "gradient" if len(names) == 1 else "gradients"
        remarks.append(f"the script finds no {noun} for {', '.join(names)}: `cadena why` says why")
    remarks += _passes(result) if options.passes else []
    _saved(document, options.out, _result_text(result, chosen), remarks)
    return 1 if result.is_stopped else 0


def _ran(options: Namespace, text: str, chosen: int | None) -> tuple[ScriptResult, str]:
    """Run a script: with its real library where the Python has that, else with the stand-ins, and a remark."""
    path = Path(options.script)
    python, remark = python_for(text, path.parent, options.python)
    if python is not None:
        return run_really(text, python, path, chosen, options.seconds, options.arguments), ""
    if caution := confinement.caution(confinement.offered()):
        complain(caution)
    seconds = MAX_SECONDS if options.seconds is None else options.seconds
    return run(text, chosen, seconds, folder=path.parent), remark


def _agreement(result: ScriptResult) -> str:
    return f"beside {result.computed_by} it {result.agreement}" if result.agrees else ""


def _passes(result: ScriptResult) -> list[str]:
    """A line for each pass; of many the first and the last."""
    count = len(result.passes)
    lines = list(
        result.pass_list or [f"pass {at + 1} of {count}: line {line}" for at, line in enumerate(result.passes)]
    )
    if len(lines) < count:
        lines.insert(len(lines) // 2, f"and {count - len(lines):,} more")
    return lines


def _import_model(options: Namespace) -> int:
    """Exit status 0 once the file is there. The options for scripts are refused."""
    if options.chosen is not None or options.seconds is not None or options.python is not None:
        raise Refused("{file}: --pass, --seconds and --python are for scripts", "leave them out", file=options.script)
    from cadena.core.capture.onnx_reading import read_model

    document = read_model(options.script)
    inputs = [node for node in document.nodes.values() if node.op == "input" and node.value is not None]
    shapes = ", ".join(f"{node.name} {list(as_array(node.value).shape)}" for node in inputs if node.value is not None)
    summary = f"{number_of(len(document.nodes), 'node')}, output {document.output}"
    remarks = [f"inputs hold ones, set them with --set: {shapes}"] if inputs else []
    return _saved(document, options.out, summary, remarks)


def _saved(document: Document, file: str, summary: str, remarks: Sequence[str] = ()) -> int:
    """Save the document, print what it is and any remarks, and complain of what makes its numbers bad."""
    save(document, file)
    for line in (summary, *remarks):
        print_line(f"{file}: {line}")
    from cadena.core.front import compile

    trial = compile(document).run()
    complain_of_causes(trial, trial.faults, file)
    if bad := [fault for fault in trial.faults if fault.kind in BAD_NUMBERS and fault.severity == "fault"]:
        titles = fix_titles(trial, bad)
        if titles is None:
            print_line(f"{file}: `cadena run --explain` looks for fixes, which may take long in this graph")
        for node, title in (titles or {}).items():
            if title:
                print_line(f"{file}: `cadena fix` can do this for {node}: {ascii_minus(title)}")
            else:
                print_line(f"{file}: no fix is known for {node}")
    return 0


def _result_text(result: ScriptResult, chosen: int | None) -> str:
    """Describe the result: the number of nodes, and the choice among several backward passes."""
    assert result.document is not None
    several = len(result.passes)
    nodes, output = number_of(len(result.document.nodes), "node"), result.document.output
    if several < 2:
        return f"{nodes}, output {output}"
    number = next(one for one in (result.chosen, chosen, several - 1) if one is not None) + 1
    return f"{nodes}, output {output} of pass {number} of {several}; choose another with --pass"
