"""Graphs of every operation on bad numbers, and all uses of a graph, as stages that must not raise."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import cadena
from cadena import main
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.layers import by_layer
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.compare import compare_run
from cadena.core.methods.cutting import compare_node
from cadena.core.methods.difference.answer import KINDS, difference
from cadena.core.methods.difference.sweep import sweep
from cadena.core.methods.forward.answer import forward
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.answer import reverse
from cadena.core.methods.reverse.derivation import derivation, result_latex
from cadena.core.methods.reverse.step_text import has_local, local_label, step_latex, step_sentence, step_title
from cadena.core.methods.symbolic.answer import symbolic
from cadena.core.ops.primitive import Primitive
from cadena.core.rewriting import atoms, unfolding
from cadena.core.rewriting.function_edits import inline, make_function, set_gradient
from cadena.core.rewriting.opening import compare_gradients, inputs_only, opened
from cadena.core.run.passes.naive import naive
from tests.core.graphs import graph

DTYPES = ("float64", "float32", "float16")
Fill = Callable[[np.ndarray, Any], Any]  # (operand, what numpy knows of the number type) -> numbers for its place


def _in_turn(*numbers: float) -> Fill:
    return lambda x, about: np.resize(np.array(numbers), x.shape)


def _first(number: float) -> Fill:
    """One element alone."""

    def fill(x: np.ndarray, about: Any) -> np.ndarray:
        made = x.copy()
        made.reshape(-1)[:1] = number
        return made

    return fill


NON_FINITE: dict[str, Fill] = {
    "inf": _in_turn(np.inf),
    "-inf": _in_turn(-np.inf),
    "nan": _in_turn(np.nan),
    "one inf": _first(np.inf),
    "one nan": _first(np.nan),
    "inf, nan and zeros": _in_turn(np.inf, 0.0, -np.inf, 1.0, np.nan),
}
EXTREME: dict[str, Fill] = {
    "1e308": _in_turn(1e308),
    "the largest": lambda x, about: np.copysign(float(about.max), x),
    "5e-324": _in_turn(5e-324),
    "1e-310": lambda x, about: np.copysign(1e-310, x),
    "the least": lambda x, about: np.copysign(float(about.smallest_subnormal), x),
    "the largest and the least": lambda x, about: np.resize([float(about.max), -float(about.tiny), -1e308], x.shape),
}
SINGULAR: dict[str, Fill] = {
    "zeros": _in_turn(0.0),
    "-0.0": _in_turn(-0.0),
    "ones": _in_turn(1.0),
    "equal rows": lambda x, about: np.broadcast_to(x[..., :1, :] if x.ndim > 1 else x, x.shape),
    "minus the identity": lambda x, about: -np.eye(*x.shape[-2:]) + 0.0 * x if x.ndim > 1 else -x,
    "zeros and ones": _in_turn(0.0, 1.0, -0.0),
}
SETTINGS = (math.nan, np.inf, -np.inf, 1e308, 5e-324, 0.0, -0.0, -1.0)  # for attributes that are numbers


class Case(NamedTuple):
    """An example of an operation on bad operands, summed up; the graph is built on first use."""

    record: Primitive
    example: int
    what: str
    dtype: str = "float64"
    fill: Fill | None = None
    which: tuple[int, ...] = ()  # the operands that are spoiled
    fixed: tuple[int, ...] = ()  # and those that are constants
    gone: frozenset[int] = frozenset()  # axes of these lengths have none of their elements left
    changed: tuple[tuple[str, float], ...] = ()  # attributes

    @property
    def label(self) -> str:
        where = f"in {self.which}, constants {self.fixed}" if self.fill else ""
        return f"{self.record.name} {self.example}: {self.what} {where} {self.dtype}"

    @property
    def document(self) -> Document:
        operands, attributes = read(self.record.examples[self.example])
        leaves = {f"v{slot}": (self._kind(slot), self._spoiled(slot, x)) for slot, x in enumerate(operands)}
        made = (self.record.name, *leaves, attributes | dict(self.changed))
        return replace(graph(**leaves, made=made, L=("sum", "made")), dtype=self.dtype)

    def _kind(self, slot: int) -> str:
        return "constant" if slot in self.fixed else "parameter"

    def _spoiled(self, slot: int, x: np.ndarray) -> np.ndarray:
        if self.gone:
            return np.resize(x, tuple(0 if length in self.gone else length for length in x.shape))
        return np.asarray(self.fill(x, np.finfo(self.dtype))) if self.fill and slot in self.which else x


def read(example: tuple[Any, ...]) -> tuple[list[np.ndarray], dict[str, Any]]:
    """The operands and the attributes of an example."""
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    return [np.asarray(item, float) for item in example if not isinstance(item, dict)], attributes


def spoiled(record: Primitive, fills: dict[str, Fill]) -> Iterator[Case]:
    """Make all operands bad, then one of them, with the others as constants or itself as one."""
    for number, example in enumerate(record.examples):
        every = tuple(range(len(read(example)[0])))
        alone = [((one,), fixed) for one in every for fixed in (tuple({*every} - {one}), (one,)) if len(every) > 1]
        for (name, fill), dtype, (which, fixed) in product(fills.items(), DTYPES, [(every, ()), *alone]):
            yield Case(record, number, name, dtype, fill, which, fixed)


def empty(record: Primitive) -> Iterator[Case]:
    """Empty the axes of one length, or all axes: arrays without elements."""
    for number, example in enumerate(record.examples):
        lengths = {length for operand in read(example)[0] for length in operand.shape}
        for gone, dtype in product([*({length} for length in sorted(lengths)), lengths], DTYPES):
            yield Case(record, number, f"without axes of {gone}", dtype, gone=frozenset(gone))


def settings(record: Primitive) -> Iterator[Case]:
    """Bad numbers as attributes."""
    numbers = [attribute.name for attribute in record.attributes if attribute.kind == "number"]
    for number, name, value in product(range(len(record.examples)), numbers, SETTINGS):
        yield Case(record, number, f"{name} {value}", changed=((name, value),))


# --- the stages


Stage = Callable[[Document, Run, Path], None]
SEEDS = (np.inf, np.nan, 1e308, 0.0)
METHODS = [
    Method("reverse"),
    Method("forward"),
    Method("forward", width=None),
    *(Method("difference", kind=kind) for kind in KINDS),
    Method("symbolic"),
]
MAX_STEPS = 12  # of each method, the first and the last ones
MODES = ("reverse", "forward", "difference", "symbolic")
VERBS = [
    ["validate"],
    ["check"],
    ["check", "--json"],
    ["run", "--json", "--explain"],
    ["steps", "--json"],
    *([verb, "--mode", mode] for verb in ("run", "steps") for mode in MODES),
]


def passes(document: Document, run: Run, folder: Path) -> None:
    for made in (
        run,
        cadena.compile(document, "made").run(),
        *(cadena.compile(document).run(seed=one) for one in SEEDS),
    ):
        for name, node in document.nodes.items():
            value, gradient = made.value(name), made.gradient(name)
            assert value is None or gradient is None or gradient.shape == value.shape
            for slot in range(len(node.inputs)):
                made.contribution(name, slot)
                if value is not None:
                    made.local(name, slot)
    with suppress(Refused):
        naive(run)


def diagnosis(document: Document, run: Run, folder: Path) -> None:
    for fault in [*run.faults, *hints(run, digits=True)]:
        assert fault.node in document.nodes and fault.message
    by_layer(run)


def fixing(document: Document, run: Run, folder: Path) -> None:
    for fault in dict.fromkeys([*run.faults, *hints(run, digits=True)]):
        for fix in fixes(document, run, fault):
            assert cadena.compile(fix.apply(document)).run().faults is not None


def notation(document: Document, run: Run, folder: Path) -> None:
    for name, node in document.nodes.items():
        derivation(run, name), result_latex(run, name)
        for slot in range(len(node.inputs)):
            if run.value(name) is not None and has_local(run, name, slot):
                assert local_label(run, name, slot)


def unfolding_(document: Document, run: Run, folder: Path) -> None:
    with suppress(Refused):
        made = cadena.compile(unfolding.unfold(document)).run()
        assert made.faults is not None and made.gradients is not None


def atoms_(document: Document, run: Run, folder: Path) -> None:
    with suppress(Refused):
        apart = atoms.expand(document, "made")
        made = cadena.compile(apart).run()
        assert made.faults is not None and hints(made) is not None
        assert atoms.fold(apart, "made").nodes == document.nodes


def answers(document: Document, run: Run, folder: Path) -> None:
    """All methods, and the V of differences."""
    asks: list[Callable[[], Any]] = [
        lambda: reverse(run),
        lambda: forward(run),
        lambda: forward(run, width=None),
        lambda: symbolic(run),
        *(lambda kind=kind: difference(run, kind) for kind in KINDS),  # type: ignore[misc]
    ]
    for ask in asks:
        with suppress(Refused):
            ask()
    with suppress(Refused):
        made = sweep(document, "v0", (0,) * len(run.plan.shapes[run.plan.index["v0"]] or ()))
        assert {kind: made.best(kind) for kind in made.errors}


def comparison(document: Document, run: Run, folder: Path) -> None:
    for ask in (compare_run, lambda run: compare_node(run, "made")):
        with suppress(Refused):
            made = ask(run)
            assert str(made) and made.verdict


def steps(document: Document, run: Run, folder: Path) -> None:
    """The sentences, formulas and frames of all methods."""
    for method in METHODS:
        with suppress(Refused):
            timeline = timeline_of(run, method)
            first, last = range(len(timeline))[: MAX_STEPS // 2], range(len(timeline))[-MAX_STEPS // 2 :]
            for index in sorted({*first, *last}):
                assert step_title(timeline, index) and step_sentence(timeline, index)
                step_latex(timeline, index)
                for time in (index + 0.4, index + 1.0):
                    frame = timeline.frame(time)
                    assert len([frame.lines(name) for name in document.nodes]) == len(document.nodes)
                    _ = frame.tokens, frame.lanes


def functions(document: Document, run: Run, folder: Path) -> None:
    """The operation inside a function, with the automatic gradient and with a custom one that is yet to be written."""
    with suppress(Refused):
        calling = make_function(document, ["made"], "f")
        custom = set_gradient(calling, "f", inputs_only(calling.functions["f"]))
        for one in (calling, custom):
            made = cadena.compile(one).run()
            assert made.faults is not None and hints(made) is not None
            for index in range(len(made.timeline)):
                step_sentence(made.timeline, index), step_latex(made.timeline, index)
            assert cadena.compile(opened(one, "made", made)).run().faults is not None
            inline(one, "made")
            compare_gradients(one, "made", made)


def verbs(document: Document, run: Run, folder: Path) -> None:
    """The command line, on a file that has been saved and loaded again."""
    file = str(folder / "bad.cadena")
    cadena.save(document, file)
    assert cadena.load(file).nodes == document.nodes
    for verb, *options in VERBS:
        with redirect_stdout(io.StringIO()) as told, redirect_stderr(io.StringIO()):
            assert main.main([verb, file, *options]) in (0, 1, 2)
        assert "Traceback" not in told.getvalue()


QUICK: tuple[Stage, ...] = (passes, diagnosis, fixing, notation, unfolding_, atoms_)
LONGER: tuple[Stage, ...] = (answers, comparison, steps, functions, verbs)
