"""`cadena run FILE`: the value and the gradient of every node, as a table or as JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fault import Fault
from core.numbers import shape_text
from core.plain_text import number_text
from core.program import Run
from core.verbs.parser import MODES
from core.verbs.printing import complain_of_faults, plain, print_json, print_table
from core.verbs.request import requested_answer, requested_run

if TYPE_CHECKING:
    from core.methods import Answer

SECONDS = {"forward": "tangent", "difference": "difference", "symbolic": "symbolic"}  # "forward" is the values' pass


def run(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    made = requested_run(options, MODES)
    answer = None if options.mode == "reverse" else requested_answer(options, made)
    if options.json:
        print_json(report(made, options.file, options.mode, answer))
    else:
        print_values(made, answer)
    return complain_of_faults(faults_of(made, options.mode), options.file)


def faults_of(run: Run, mode: str) -> list[Fault]:
    """The faults of the run; those of the reverse pass only where its gradients are shown."""
    return [fault for fault in run.faults if mode == "reverse" or not fault.kind.endswith("-gradient")]


def print_values(run: Run, answer: Answer | None = None) -> None:
    """The table: a line for each node, in the order of the file. Gradients are those of `answer`, if there is one."""
    rows = []
    for name, node in run.program.document.nodes.items():
        value = run.value(name)
        shape = "-" if value is None else shape_text(value.shape)
        rows.append((name, node.op, shape, number_text(value), number_text(_gradient(run, name, answer))))
    print_table(("node", "operation", "shape", "value", "gradient"), rows, numbers=("value", "gradient"))


def _gradient(run: Run, name: str, answer: Answer | None) -> np.ndarray | None:
    """The gradient of a node; other methods than reverse mode know those of leaves only."""
    return run.gradient(name) if answer is None else answer.gradients.get(name)


def report(run: Run, file: str, mode: str = "reverse", answer: Answer | None = None) -> dict[str, Any]:
    """The run as one JSON object, with the gradients of `answer`, if there is one."""
    output = run.program.output
    faults = faults_of(run, mode)
    known = output in run.program.document.nodes
    return {
        "file": file,
        "output": output,
        "value": plain(run.value(str(output))) if known else None,
        "dtype": run.dtype,
        "mode": mode,
        "nodes": {name: _node(run, name, answer) for name in run.program.document.nodes},
        "faults": [{"node": fault.node, "kind": fault.kind, "message": fault.message} for fault in faults],
        "seconds": run.seconds if answer is None else run.seconds | {SECONDS[mode]: answer.seconds},
    }


def _node(run: Run, name: str, answer: Answer | None) -> dict[str, Any]:
    value = run.value(name)
    return {
        "op": run.program.document.nodes[name].op,
        "shape": None if value is None else list(value.shape),
        "dtype": run.dtype,
        "value": plain(value),
        "gradient": plain(_gradient(run, name, answer)),
    }
