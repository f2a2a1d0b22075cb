"""Exercises from any graph: the same operations on other numbers, small whole ones wherever all results stay finite."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.doctor.findings.guards import violated_guards
from cadena.core.graph.document import Document, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.run.program import Program, Run, compile

TRIES = 60
LARGEST = 1000.0  # the largest value or gradient that a learner is asked to compute
# A factor of 0 or 1 would hide a forgotten one. The positive numbers are for roots and logarithms.
CHOICES = ((-5.0, -4.0, -3.0, -2.0, 2.0, 3.0, 4.0, 5.0), (2.0, 3.0, 4.0, 5.0))
PARTS = 10.0  # then tenths of these, which exponentials stay small with
NUDGE, JUMP = 1e-7, 1e-4  # of each number; of a result, relative and absolute: more is an edge between the two sides


def with_new_numbers(
    document: Document, seed: int, wrt: Collection[str] | None = None, suits: Callable[[Run], bool] = lambda _: True
) -> Document:
    """`document` with other numbers in its parameters and inputs, by `seed`. Constants and shapes stay, and so does
    what only chooses, such as a class or an index.

    Equal seeds give equal numbers everywhere: they are raw output of PCG64, a stream that numpy promises to keep.
    Results are finite and no larger than LARGEST, at no edge and no tie, and `suits` accepts their run, which has the
    gradients of `wrt`. Raises Refused where no such numbers are found.
    """
    program, stream, changing = compile(document, wrt=wrt), np.random.PCG64(seed), _changing(document)
    for number in range(TRIES):
        unit = 1.0 if number < TRIES // 2 else PARTS
        drawn = {name: _drawn(stream, shape, CHOICES[number % len(CHOICES)]) / unit for name, shape in changing.items()}
        values = {name: as_value(numbers) for name, numbers in drawn.items()}
        nodes = {name: with_fields(document.nodes[name], value=value) for name, value in values.items()}
        exercise = replace(document, nodes={**document.nodes, **nodes})
        run = program.with_values(exercise).run()
        if _is_computable(run) and suits(run) and not _is_at_edge(program, drawn):
            return exercise
    raise Refused(
        "no small numbers were found with which {title} can be computed by hand", title=document.title or "it"
    )


def _changing(document: Document) -> Mapping[str, tuple[int, ...]]:
    """The shapes of the parameters and inputs that a gradient can reach."""
    leaves = [name for name, node in document.nodes.items() if node.op in ("parameter", "input")]
    plan = compile(document, wrt=leaves).plan
    reached = [name for name in leaves if document.nodes[name].value is not None and plan.reached[plan.index[name]]]
    return {name: np.shape(as_array(document.nodes[name].value)) for name in reached}  # type: ignore[arg-type]


def _drawn(stream: np.random.PCG64, shape: tuple[int, ...], choices: tuple[float, ...]) -> np.ndarray:
    places = stream.random_raw(math.prod(shape)) % np.uint64(len(choices))
    return np.asarray(np.array(choices)[places.astype(int)].reshape(shape))


def _is_computable(run: Run) -> bool:
    gradients = [gradient for name in run.program.document.nodes if (gradient := run.gradient(name)) is not None]
    numbers = [*(run.value(name) for name in run.program.document.nodes), *gradients]
    is_small = all(bool((np.abs(number) <= LARGEST).all()) for number in numbers if number is not None)
    return is_small and any(map(np.any, gradients)) and not any(violated_guards(run))


def _is_at_edge(program: Program[Run], drawn: Mapping[str, np.ndarray]) -> bool:
    """Whether a value or a gradient jumps between both sides of these numbers, as that of relu does at 0, and that of
    a maximum at a tie. Each number is nudged by a size of its own, so that equal ones part."""
    sizes = np.random.PCG64(0)
    nudges = {name: NUDGE * (0.5 + _uniform(sizes, numbers.shape)) for name, numbers in drawn.items()}
    sides = [
        program.run({name: numbers + way * nudges[name] for name, numbers in drawn.items()}, dtype="float64")
        for way in (-1.0, 1.0)
    ]
    for name in program.document.nodes:
        for before, after in ([side.value(name) for side in sides], [side.gradient(name) for side in sides]):
            if before is not None and after is not None and not np.allclose(before, after, rtol=JUMP, atol=JUMP):
                return True
    return False


def _uniform(stream: np.random.PCG64, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(stream.random_raw(math.prod(shape)) / 2.0**64).reshape(shape)
