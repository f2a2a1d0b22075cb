"""An exercise sheet: a graph with numbers of one student's own, and questions on its values and gradients.

The numbers follow from the student's name alone: whoever has the graph can make the sheet and its answers again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from cadena.core.graph.document import Document, as_array
from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.derivation import carrying_wires
from cadena.core.methods.reverse.paths import PathSum
from cadena.core.methods.reverse.step_text import local_slope, ratio
from cadena.core.methods.reverse.timeline import Step
from cadena.core.notation.calls import shown_latex
from cadena.core.notation.in_script import shown_name
from cadena.core.run.program import Run, compile
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import AskedQuantity, wrong_sign
from cadena.core.teaching.calculation import typical_mistakes
from cadena.core.teaching.class_list import key_of
from cadena.core.teaching.exercises import with_new_numbers
from cadena.core.teaching.gate_questions import value_mistakes
from cadena.core.teaching.hiding import RESULTS
from cadena.core.teaching.questions import product_mistakes
from cadena.core.text.numbers import latex_number
from cadena.core.text.wording import Remedy, choices

MOST_ELEMENTS = 4  # of an array that are asked for, evenly spread over it
MOST_NUMBERS, MOST_QUESTIONS = 64, 60  # of a given matrix; of a sheet
SMALLEST = 1e-3


class SheetQuestion(NamedTuple):
    """A question about one number, the same for all students but for what is expected."""

    quantity: AskedQuantity
    node: str
    at: tuple[int, ...]  # the element; () of a single number
    subject: str  # "∂L/∂w0", "element [0, 1] of ∂L/∂W"
    latex: str
    expected: np.ndarray


class LeafFormula(NamedTuple):
    """A number or a matrix that a sheet gives, as a formula."""

    latex: str
    is_array: bool


@dataclass(frozen=True)
class AskedNodes:
    """The nodes whose values and whose gradients a sheet asks for."""

    values: tuple[str, ...]
    gradients: tuple[str, ...]


@dataclass(frozen=True)
class ExerciseSheet:
    """The sheet of one student; `run` has all results, `document` none."""

    student: str
    document: Document
    run: Run
    questions: tuple[SheetQuestion, ...]

    def mistakes(self, question: SheetQuestion) -> tuple[Mistake, ...]:
        """The typical mistakes with the number that is asked for."""
        with np.errstate(all="ignore"):  # they may overflow where the answer does not
            of_node = {"value": value_mistakes, "gradient": _of_gradient}[question.quantity](self.run, question.node)
            shape = np.asarray(self.run.value(question.node)).shape
            fitting = [mistake for mistake in of_node if np.shape(mistake.number) == shape]
        return tuple(mistake._replace(number=np.asarray(mistake.number[question.at])) for mistake in fitting)

    @property
    def leaf_formulas(self) -> tuple[LeafFormula, ...]:
        """The leaves with all their numbers."""
        leaves = _leaves(self.document).items()
        return tuple(
            LeafFormula(rf"{shown_latex(self.document, name)} = {_written(numbers)}", numbers.ndim > 0)
            for name, numbers in leaves
        )


def asked_of(
    document: Document, values: Sequence[str] | None = None, gradients: Sequence[str] | None = None
) -> AskedNodes:  # fmt: skip
    """What is asked for: the value of the output and the gradients that the graph wants, unless others are named.

    Raises Refused for a graph without an output that is computed, and for a value that is given.
    """
    output = document.nodes.get(str(document.output))
    if output is None or output.is_leaf:
        raise Refused("there is no output that is computed", Remedy.CHOOSE_OUTPUT)
    leaves = [name for name, node in document.nodes.items() if node.is_leaf and node.op != "constant"]
    plan = compile(document, wrt=leaves).plan
    reached = [name for name in leaves if plan.reached[plan.index[name]]]
    wanted = [name for name in reached if document.nodes[name].wants_gradient] or reached
    asked = AskedNodes(
        (output.name,) if values is None else tuple(values), tuple(wanted if gradients is None else gradients)
    )
    if leaf := next((name for name in asked.values if document.nodes[name].is_leaf), None):
        raise Refused("the value of {name} is given", "ask for that of a node that is computed", name=leaf)
    return asked


def sheet_for(document: Document, student: str, asked: AskedNodes) -> ExerciseSheet:
    """The sheet of a student. Raises Refused where no numbers make an exercise of the graph."""
    plan = compile(document, wrt=asked.gradients).plan
    if plan.faults:
        raise Refused("the graph does not run", Remedy.FIX_FAULTS)
    _check_room(document)
    questions = partial(_questions, asked=asked)
    numbered = with_new_numbers(document, seed_of(student), asked.gradients, lambda run: _has_answers(questions(run)))
    run = compile(numbered, wrt=asked.gradients).run()
    # Notes, stories and code are about the numbers that were there before, or give results away.
    lesson = {"view": {"hide": [RESULTS]}}
    return ExerciseSheet(student, replace(numbered, extra={"lesson": lesson}), run, questions(run))


def _leaves(document: Document) -> Mapping[str, np.ndarray]:
    leaves = [node for node in document.nodes.values() if node.is_leaf and node.value is not None]
    return {node.name: as_array(node.value) for node in leaves}  # type: ignore[arg-type]


def _check_room(document: Document) -> None:
    """Raise Refused for numbers that a sheet has no room for."""
    for name, numbers in _leaves(document).items():
        if numbers.ndim > 2 or not 0 < numbers.size <= MOST_NUMBERS:
            what = "{name} has shape {shape}, and a sheet has room for matrices of up to {most} numbers"
            raise Refused(what, "choose a smaller graph", name=name, shape=numbers.shape, most=MOST_NUMBERS)


def _written(numbers: np.ndarray) -> str:
    """A number, or a matrix of any size: formulas of steps have room for small ones alone."""
    if not numbers.ndim:
        return latex_number(numbers)
    rows = r" \\ ".join(" & ".join(map(latex_number, row)) for row in np.atleast_2d(numbers))
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def seed_of(student: str) -> int:
    """The seed of a student's numbers: the first 8 bytes, big-endian, of the SHA-256 of the `key_of` the name."""
    return int.from_bytes(sha256(key_of(student).encode()).digest()[:8], "big")


def _has_answers(questions: Sequence[SheetQuestion]) -> bool:
    """Whether no answer is 0, which many mistakes lead to as well, or so small that nobody computes it by hand."""
    return all(np.isfinite(question.expected) and abs(question.expected) > SMALLEST for question in questions)


def _questions(run: Run, asked: AskedNodes) -> tuple[SheetQuestion, ...]:
    """Values, then gradients. Raises Refused where there is none, or more than a sheet has room for."""
    listed = [*_about_values(run, asked.values), *_about_gradients(run, asked.gradients)]
    if not 0 < len(listed) <= MOST_QUESTIONS:
        what = "a sheet has 1 to {most} questions, and this one would have {count}"
        raise Refused(what, "choose other nodes to ask for", most=MOST_QUESTIONS, count=len(listed))
    return tuple(listed)


def _about_values(run: Run, names: Sequence[str]) -> Iterator[SheetQuestion]:
    document = run.program.document
    for name in names:
        subject, latex = shown_name(document, name), shown_latex(run, name)
        yield from _by_element("value", name, subject, latex, np.asarray(run.value(name)))


def _about_gradients(run: Run, names: Sequence[str]) -> Iterator[SheetQuestion]:
    for name in names:
        if (gradient := run.gradient(name)) is None:
            no_way = "{output} does not depend on {name}, so there is no gradient to ask for"
            known = [leaf for leaf, node in run.program.document.nodes.items() if node.is_leaf]
            raise Refused(no_way, "ask for some of {known}", output=run.program.output, name=name, known=choices(known))
        subject, latex = (ratio(run, str(run.program.output), name, form) for form in (False, True))
        yield from _by_element("gradient", name, subject, latex, np.asarray(gradient))


def _by_element(
    quantity: AskedQuantity, node: str, subject: str, latex: str, expected: np.ndarray
) -> Iterator[SheetQuestion]:
    """The question about a number; of an array, one about each of a few of its elements."""
    if not expected.ndim:
        yield SheetQuestion(quantity, node, (), subject, latex, expected)
        return
    for place in np.unique(np.linspace(0, expected.size - 1, min(expected.size, MOST_ELEMENTS)).astype(int)):
        at = tuple(map(int, np.unravel_index(int(place), expected.shape)))
        words, signs = ", ".join(map(str, at)), ",".join(map(str, at))
        element = rf"\left[{latex}\right]_{{{signs}}}"
        yield SheetQuestion(quantity, node, at, f"element [{words}] of {subject}", element, np.asarray(expected[at]))


def _of_gradient(run: Run, name: str) -> Iterator[Mistake]:
    """The sign first: where a factor of −1 was forgotten, it is that, whichever factor it was."""
    yield from wrong_sign(np.asarray(run.gradient(name)))
    yield from _of_last_step(run, name)
    yield from typical_mistakes(PathSum(run, name))


def _of_last_step(run: Run, name: str) -> Iterator[Mistake]:
    """The mistakes of the step that brings a gradient, where it comes from one node alone."""
    nodes = run.program.document.nodes
    wires = [(node, slot) for node, slot in carrying_wires(run, name) if nodes[node].inputs[slot] == name]
    if len(wires) == 1 and (local := local_slope(run, *wires[0])) is not None:
        ((node, slot),) = wires
        step = Step(0, "reverse", node, slot, name)
        yield from product_mistakes(run, step, run.gradient(node), local, np.asarray(run.gradient(name)))
