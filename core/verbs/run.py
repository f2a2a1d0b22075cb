"""`cadena run FILE`: the value and the gradient of every node, as a table or as JSON."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.front import EngineProgram, EngineRun, Run
from cadena.core.graph.fault import Fault, Refused
from cadena.core.languages.record import ENGINES
from cadena.core.methods.names import REFERENCE
from cadena.core.text.numbers import number_of, shape_text
from cadena.core.text.plain_text import number_text
from cadena.core.verbs.explaining import explain
from cadena.core.verbs.explanation import Explanation
from cadena.core.verbs.method import requested_answer
from cadena.core.verbs.printing import complain_of_causes, plain, print_json, print_line, print_table
from cadena.core.verbs.request import requested_run

if TYPE_CHECKING:
    from cadena.core.methods.answer import Answer

SECONDS = {"forward": "tangent"}  # "forward" is the values' pass


def run(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    _check_engine(options)
    the_run = requested_run(options)
    by_framework = isinstance(the_run, EngineRun)
    answer = _leaf_gradients(the_run) if isinstance(the_run, EngineRun) else requested_answer(options, the_run)
    faults = faults_of(the_run, options.mode)
    explained = the_run.on_numpy if isinstance(the_run, EngineRun) and faults else the_run
    with_hints = options.mode == REFERENCE and not by_framework  # which would take a run by numpy
    explanation = explain(explained, faults, options.explain, with_hints)
    if options.json:
        print_json(report(the_run, explanation, options.file, options.mode, answer))
        return complain_of_causes(explained, faults, options.file)
    print_values(the_run, answer)
    status = complain_of_causes(explained, faults, options.file)
    if isinstance(the_run.program, EngineProgram):
        print_line(f"Computed by {the_run.program.way}.")
    if options.mode == REFERENCE and options.seed is None:
        _print_seed(the_run)
    for line in explanation.lines():  # no empty line before them: below the table stand the faults
        print_line(line)
    return status


def add_options(verb: ArgumentParser) -> None:
    """`--engine` and `--devices`."""
    engines = "the library that computes: numpy, or torch or jax where these are installed (default: numpy)"
    verb.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help=engines)
    verb.add_argument("--devices", metavar="N", type=_devices, help="share the batch out among N devices of jax")


def _devices(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,4}", text):
        raise Refused("argument --devices: {text} is not a number of devices", "write 1, 2, 3 ...", text=text)
    return int(text)


def _check_engine(options: Namespace) -> None:
    """Raise Refused for a framework beside another method than reverse mode."""
    if options.engine != ENGINES[0] and options.mode != REFERENCE:
        raise Refused(
            "{file}: --engine {engine}: this is for reverse mode",
            "leave out --mode {mode}",
            file=options.file,
            engine=options.engine,
            mode=options.mode,
        )


def _leaf_gradients(run: EngineRun) -> Answer:
    from cadena.core.methods.answer import Answer

    return Answer(REFERENCE, run.leaf_gradients, seconds=run.seconds["reverse"])


def _print_seed(run: Run) -> None:
    """Print a line about an output that is an array and has no seed, which would weigh its elements."""
    if run.seed is not None and run.seed.ndim:
        print_line(
            f"{run.program.output} has {number_of(run.seed.size, 'element')}, and the gradients are those of their "
            f"sum; --seed weights them."
        )


def faults_of(run: Run, mode: str) -> list[Fault]:
    """The faults of the run; those of the reverse pass only where its gradients are shown."""
    return [fault for fault in run.faults if mode == REFERENCE or fault.kind.about != "gradient"]


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


def report(
    run: Run, explanation: Explanation, file: str, mode: str = REFERENCE, answer: Answer | None = None
) -> dict[str, Any]:
    """The run as one JSON object, with the gradients of `answer`, if there is one."""
    output = run.program.output
    known = output in run.program.document.nodes
    way = {"engine": run.program.way} if isinstance(run.program, EngineProgram) else {}
    return way | {
        "file": file,
        "output": output,
        "value": plain(run.value(str(output))) if known else None,
        "dtype": run.dtype,
        "mode": mode,
        "nodes": {name: _node(run, name, answer) for name in run.program.document.nodes},
        "faults": [finding.report for finding in explanation.faults],
        "seconds": run.seconds if answer is None else run.seconds | {SECONDS.get(mode, mode): answer.seconds},
        "hints": [finding.report for finding in explanation.hints],
        "explained": explanation.explained,
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
