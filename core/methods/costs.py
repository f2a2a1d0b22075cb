"""The cost of forward and of reverse mode: how many passes, and the processor time that they take.

Forward mode takes a pass for each input, reverse mode one for each output.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import thread_time
from typing import Literal, NamedTuple

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors
from cadena.core.methods.answer import Cancel, all_elements, never, stop_if
from cadena.core.methods.forward.answer import forward
from cadena.core.run.program import Run, compile

Against = Literal["inputs", "outputs"]
REPEATED = 5  # measurements, of which the least counts: what is more is the machine's
MOST = 64  # inputs or outputs


class ModeCost(NamedTuple):
    """The cost of all derivatives of so many outputs by so many inputs."""

    inputs: int
    outputs: int
    forward_passes: int
    reverse_passes: int
    forward_seconds: float
    reverse_seconds: float


def costs(document: Document, against: Against, cancelled: Cancel = never) -> tuple[str, list[ModeCost]]:
    """The costs for more and more inputs, with one output, or for more and more outputs, with all inputs.

    Returns the node whose elements are the outputs, too: the output, or the nearest node before it that has several.
    Raises Refused where there is nothing to count.
    """
    output = str(document.output) if against == "inputs" else node_of_several(document)
    run = compile(document, output=output).run()
    elements = [(name, int(index)) for name, indices in all_elements(run).items() for index in indices]
    if not elements:
        raise Refused("{output} depends on no leaf with a gradient", "make a leaf a parameter", output=output)
    size = math.prod(run.plan.shapes[run.plan.index[output]] or ())
    most = min(len(elements) if against == "inputs" else size, MOST)
    rows = []
    for count in _counts(most):
        inputs, outputs = (count, 1) if against == "inputs" else (len(elements), count)
        rows.append(_cost(run, elements[:inputs], outputs, cancelled))
    return output, rows


def node_of_several(document: Document) -> str:
    """The node nearest to the output that has several elements and depends on a leaf with a gradient."""
    run = compile(document).run()
    plan = run.plan
    if plan.output is None:
        raise Refused("there is no output that runs", "choose one, and fix its faults")
    needed = ancestors(document, str(document.output))
    for item in reversed(plan.instructions):
        name: str = plan.names[item.out]
        if name in needed and plan.reached[item.out] and math.prod(plan.shapes[item.out] or ()) > 1:
            return name
    raise Refused("no node before {output} has several elements", "choose a graph of arrays", output=document.output)


def _counts(most: int) -> Sequence[int]:
    """1, 2, 3 ..., about a dozen of them."""
    return sorted({round(count) for count in np.linspace(1, most, min(most, 12))})


def _cost(run: Run, elements: Sequence[tuple[str, int]], outputs: int, cancelled: Cancel) -> ModeCost:
    seeds = list(_seeds(run, outputs))

    def ahead() -> None:
        for name, index in elements:
            forward(run, {name: np.array([index])}, cancelled)

    def backward() -> None:
        for seed in seeds:
            one = run.program.run(seed=seed)
            _ = one.gradients

    return ModeCost(
        len(elements),
        outputs,
        len(elements),
        outputs,
        _seconds(ahead, cancelled),
        _seconds(backward, cancelled),
    )


def _seeds(run: Run, outputs: int) -> list[np.ndarray | None]:
    """A seed for each output: 1 at its element."""
    shape = run.plan.shapes[run.plan.output] if run.plan.output is not None else ()
    if not shape:
        return [None]
    seeds: list[np.ndarray | None] = []
    for number in range(outputs):
        seed = np.zeros(shape)
        seed.flat[number] = 1.0
        seeds.append(seed)
    return seeds


def _seconds(act: Callable[[], object], cancelled: Cancel) -> float:
    """The processor time of an act."""
    times = []
    act()  # what is computed once
    for _ in range(REPEATED):
        stop_if(cancelled)
        started = thread_time()
        act()
        times.append(thread_time() - started)
    return min(times)
