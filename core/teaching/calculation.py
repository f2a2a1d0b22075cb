"""The full calculation of a gradient: all paths with their products and sum, and every step of the reverse pass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from cadena.core.methods.reverse.derivation import carrying_wires
from cadena.core.methods.reverse.paths import PathSum
from cadena.core.methods.reverse.step_text import step_latex, step_sentence
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.in_script import shown_name
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import ADDED, FORGOT_FACTOR, FORGOT_PATH, MULTIPLIED, wrong_sign
from cadena.core.text.numbers import number_of, short
from cadena.core.text.wording import Listing

CalculationForm = Literal["latex", "text", "markdown"]
ARROW = " → "
LEFT_OUT = "You left out the factor {factor} of {names}."


def steps_to(timeline: Timeline, name: str) -> list[int]:
    """The steps of the reverse pass whose contributions reach the gradient of `name`, in their order."""
    return sorted(timeline.wire_steps[wire] for wire in carrying_wires(timeline.run, name))


def path_title(paths: PathSum, nodes: tuple[str, ...]) -> str:
    """A path by the names that people read: "a1 → m1 → b1 → m3 → c → L"."""
    return ARROW.join(shown_name(paths.run.program.document, node) for node in nodes)


def count_of(paths: PathSum) -> str:
    """The number of paths, and where all of them meet: "2 paths, all through c"."""
    number, through = paths.summary
    words = number_of(number, "path")
    names = [shown_name(paths.run.program.document, node) for node in through]
    return f"{words}, all through {', '.join(names)}" if number > 1 and names else words


def typical_mistakes(paths: PathSum) -> Iterator[Mistake]:
    """The mistakes that are made with a sum over paths."""
    assert paths.gradient is not None
    products = [path.product for path in paths.listed]
    yield from wrong_sign(paths.gradient)
    for number, product in enumerate(products if len(products) > 1 else (), start=1):
        sentence = f"That is the product of path {number} alone: add those of the other paths."
        yield Mistake(product, FORGOT_PATH, sentence)
    for number, product in enumerate(products if len(products) > 2 else (), start=1):
        yield Mistake(paths.gradient - product, FORGOT_PATH, f"That is without path {number}: add its product too.")
    if len(products) > 1:
        yield Mistake(np.prod(products, axis=0), MULTIPLIED, "The products of the paths are added, not multiplied.")
    for path in paths.listed:
        if len(factors := paths.factors(path)) > 1:
            added = paths.gradient - path.product + np.asarray(sum(factors))
            yield Mistake(added, ADDED, "The factors of a path are multiplied, not added.")
    yield from _left_out(paths)


def _left_out(paths: PathSum) -> Iterator[Mistake]:
    """The sums that lack one factor of one path; of equal factors that lead to one sum all are named."""
    assert paths.gradient is not None
    nodes: dict[tuple[float, float], list[str]] = {}  # by the sum without a factor, and the factor
    for path in paths.listed:
        factors, others = paths.factors(path), paths.gradient - path.product
        names = [node for node, _ in reversed(path.wires)]
        seed = ["the seed"] * (len(factors) - len(names))
        for place, node in enumerate((*seed, *names) if len(factors) > 1 else ()):
            lacking = float(others + math.prod(factors[:place] + factors[place + 1 :]))
            shown = node if place < len(seed) else shown_name(paths.run.program.document, node)
            nodes.setdefault((lacking, float(factors[place])), []).append(shown)
    for (lacking, factor), named in nodes.items():
        listed = Listing(tuple(dict.fromkeys(named)), "or").worded()
        yield Mistake(np.asarray(lacking), FORGOT_FACTOR, LEFT_OUT.format(factor=short(factor), names=listed))


def calculation(paths: PathSum, form: CalculationForm) -> str:
    """The complete calculation of a gradient, to be pasted into a document of this form."""
    write = {"latex": _latex, "markdown": _markdown, "text": _text}[form]
    return "\n".join(write(paths)) + "\n"


def _title(paths: PathSum) -> str:
    document = paths.run.program.document
    return f"From {shown_name(document, paths.name)} to {shown_name(document, paths.output)}: {count_of(paths)}"


def _text(paths: PathSum) -> Iterator[str]:
    yield _title(paths)
    for number, path in enumerate(paths.listed, start=1):
        yield f"{number}. {path_title(paths, path.nodes)}"
        yield f"   {paths.path_formula(path, latex=False)}"
    yield paths.sum_formula(latex=False)
    timeline = Timeline(paths.run)
    steps = steps_to(timeline, paths.name)
    if steps:
        yield ""
        yield "By the reverse pass:"
    yield from (f"{place}. {step_sentence(timeline, step)}" for place, step in enumerate(steps, start=1))


def _markdown(paths: PathSum) -> Iterator[str]:
    yield f"**{_title(paths)}**"
    yield ""
    for number, path in enumerate(paths.listed, start=1):
        yield f"{number}. {path_title(paths, path.nodes)}"
        yield f"   $${paths.path_formula(path, latex=True)}$$"
    yield ""
    yield f"$${paths.sum_formula(latex=True)}$$"
    timeline = Timeline(paths.run)
    steps = steps_to(timeline, paths.name)
    if steps:
        yield ""
        yield "By the reverse pass:"
        yield ""
    yield from (f"{place}. ${step_latex(timeline, step)}$" for place, step in enumerate(steps, start=1))


def _latex(paths: PathSum) -> Iterator[str]:
    timeline = Timeline(paths.run)
    formulas = [paths.path_formula(path, latex=True) for path in paths.listed]
    formulas += [paths.sum_formula(latex=True)]
    formulas += [step_latex(timeline, step) for step in steps_to(timeline, paths.name)]
    yield f"% {_title(paths)}"
    yield r"\begin{gather*}"
    yield " \\\\\n".join(f"  {formula}" for formula in formulas)
    yield r"\end{gather*}"
