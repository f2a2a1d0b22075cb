"""`cadena run FILE`: the value and the gradient of every node, as a table or as JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from core.numbers import shape_text
from core.program import Run
from core.verbs.printing import complain_of_faults, number_text, plain, print_json, print_table
from core.verbs.request import requested_run


def run(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    made = requested_run(options)
    if options.json:
        print_json(report(made, options.file))
    else:
        print_values(made)
    return complain_of_faults(made.faults, options.file)


def print_values(run: Run) -> None:
    """The table: a line for each node, in the order of the file."""
    rows = []
    for name, node in run.program.document.nodes.items():
        value = run.value(name)
        shape = "-" if value is None else shape_text(value.shape)
        rows.append((name, node.op, shape, number_text(value), number_text(run.gradient(name))))
    print_table(("node", "operation", "shape", "value", "gradient"), rows, numbers=("value", "gradient"))


def report(run: Run, file: str) -> dict[str, Any]:
    """The run as one JSON object."""
    output = run.program.output
    known = output in run.program.document.nodes
    return {
        "file": file,
        "output": output,
        "value": plain(run.value(str(output))) if known else None,
        "dtype": run.dtype,
        "mode": "reverse",
        "nodes": {name: _node(run, name) for name in run.program.document.nodes},
        "faults": [{"node": fault.node, "kind": fault.kind, "message": fault.message} for fault in run.faults],
        "seconds": run.seconds,
    }


def _node(run: Run, name: str) -> dict[str, Any]:
    value = run.value(name)
    return {
        "op": run.program.document.nodes[name].op,
        "shape": None if value is None else list(value.shape),
        "dtype": run.dtype,
        "value": plain(value),
        "gradient": plain(run.gradient(name)),
    }
