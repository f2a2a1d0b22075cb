"""Logarithms of products and sums that are written out: log(w · exp(a) + v · exp(b)), logaddexp(log p + a, log q + b).

Both are the logarithm of Σ weight · exp(exponent), which neither underflows nor takes the logarithm of a weight of 0
once the largest exponent is taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from cadena.core.doctor.fixes.fix import EQUAL_FORM, Fix
from cadena.core.doctor.fixes.patterns import LEVELS, above
from cadena.core.doctor.fixes.rewriting import FormulaTerm, rewritten
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault, Refused
from cadena.core.ops.arithmetic import add, divide, maximum, multiply, subtract
from cadena.core.ops.elementary import exp, log
from cadena.core.ops.logarithmic_sums import logaddexp
from cadena.core.ops.shaping import stop_gradient
from cadena.core.ops.traits import Trait
from cadena.core.text.wording import Clause

if TYPE_CHECKING:
    from cadena.core.run.program import Run

MOST = 16  # summands that are written out


class _Summand(NamedTuple):
    """weight · exp(exponent) as terms; None for a weight of 1, and for an exponent of 0."""

    weight: FormulaTerm | None = None
    exponent: FormulaTerm | None = None


class _Form(NamedTuple):
    """A safer form of a node: its term, the nodes that it takes the place of, and what it is called."""

    term: FormulaTerm
    passed: tuple[str, ...]
    title: str
    advantage: str


def log_of_exponentials(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Take the largest exponent out of the logarithm of a sum, at the node of the fault or above it."""
    for root in above(document, fault.node):
        if (form := _safer(document, run, root)) is not None:
            yield _fix(run, root, form)


def _fix(run: Run, root: str, form: _Form) -> Fix:
    def apply(now: Document) -> Document:
        if root not in now.nodes or _safer(now, run, root) != form:
            raise Refused("{root} has changed since this fix was offered", "look at its problem again", root=root)
        return rewritten(now, root, form.term, {name: name for name in now.nodes}, form.passed)

    return Fix(Clause(form.title), Clause(EQUAL_FORM, operands={"root": root, "advantage": form.advantage}), apply)


def _safer(document: Document, run: Run, root: str) -> _Form | None:
    node, walk = document.nodes[root], _Walk(document, run)
    if None in node.inputs:
        return None
    if node.op == log.name:
        return _of_log(walk, walk.sum_of(str(node.inputs[0])))
    if node.op == logaddexp.name:
        return _of_logaddexp(walk, [walk.within_log(str(source)) for source in node.inputs])
    return None


FACTORS = "exp does not underflow before its logarithm is taken"
NO_WEIGHT = "no logarithm of 0 is taken"
LARGEST = "the largest exponent is taken out first, and no logarithm of a weight is taken"


def _of_log(walk: _Walk, summands: Sequence[_Summand]) -> _Form | None:
    weights = [one.weight for one in summands if one.weight is not None]
    if any(one.exponent is None for one in summands) or not (weights or len(summands) > 2):
        return None  # what has no weights is a formula of its own
    if len(summands) == 1:
        term = (add.name, (log.name, summands[0].weight), summands[0].exponent)
        return _Form(term, tuple(walk.passed), "Write log(w) + x for log(w · exp(x))", FACTORS)
    title = "Write log(Σ w · exp(x − m)) + m for log(Σ w · exp(x)), where m is the largest x"
    return _Form(_shifted(summands), tuple(walk.passed), title, LARGEST)


def _of_logaddexp(walk: _Walk, summands: Sequence[_Summand]) -> _Form | None:
    if not any(one.weight is not None for one in summands):
        return None
    if all(one.exponent is None for one in summands):
        left, right = (one.weight for one in summands)
        term = (log.name, (add.name, left, right))
        return _Form(term, tuple(walk.passed), "Write log(p + q) for logaddexp(log(p), log(q))", NO_WEIGHT)
    title = "Write log(Σ p · exp(x − m)) + m for logaddexp of log(p) + x, where m is the largest x"
    return _Form(_shifted(summands), tuple(walk.passed), title, LARGEST)


def _shifted(summands: Sequence[_Summand]) -> FormulaTerm:
    """log(Σ weight · exp(exponent − m)) + m, where m is the largest exponent, through which no gradient need flow."""
    exponents = [0.0 if one.exponent is None else one.exponent for one in summands]
    largest = (stop_gradient.name, reduce(lambda left, right: (maximum.name, left, right), exponents))
    parts = [
        _times(one.weight, (exp.name, (subtract.name, exponent, largest)))
        for one, exponent in zip(summands, exponents, strict=True)
    ]
    return (add.name, (log.name, reduce(lambda left, right: (add.name, left, right), parts)), largest)


def _times(left: FormulaTerm | None, right: FormulaTerm | None) -> FormulaTerm | None:
    return right if left is None else left if right is None else (multiply.name, left, right)


def _plus(left: FormulaTerm | None, right: FormulaTerm | None) -> FormulaTerm | None:
    return right if left is None else left if right is None else (add.name, left, right)


class _Walk:
    """A walk from a node to the weights and exponents in it; `passed` holds the operations on the way."""

    def __init__(self, document: Document, run: Run) -> None:
        self._document, self._run, self.passed = document, run, list[str]()

    def _operands(self, name: str, level: int) -> list[str]:
        """The operands of an operation on the way; none where the walk ends, as at a node that stands for itself."""
        node = self._document.nodes[name]
        return [] if level > LEVELS or None in node.inputs else [str(source) for source in node.inputs]

    def sum_of(self, name: str, level: int = 0) -> list[_Summand]:
        """The summands of a node."""
        node, operands = self._document.nodes[name], self._operands(name, level)
        if node.op != add.name or len(operands) != 2 or len(self.passed) > MOST:
            return [self.product_of(name, level)]
        self.passed.append(name)
        return [one for operand in operands for one in self.sum_of(operand, level + 1)]

    def product_of(self, name: str, level: int = 0) -> _Summand:
        """A node as weight · exp(exponent)."""
        node, operands = self._document.nodes[name], self._operands(name, level)
        if node.op not in (exp.name, multiply.name, divide.name) or not operands:
            return self._picked(name, self.product_of, level) or _Summand(weight=name)
        self.passed.append(name)
        if node.op == exp.name:
            return _Summand(exponent=operands[0])
        left, right = self.product_of(operands[0], level + 1), _Summand(weight=operands[1])
        if node.op == divide.name:
            weight = 1.0 if left.weight is None else left.weight
            return _Summand((divide.name, weight, right.weight), left.exponent)
        right = self.product_of(operands[1], level + 1)
        return _Summand(_times(left.weight, right.weight), _plus(left.exponent, right.exponent))

    def within_log(self, name: str, level: int = 0) -> _Summand:
        """A node as log(weight) + exponent."""
        node, operands = self._document.nodes[name], self._operands(name, level)
        if node.op not in (log.name, add.name, subtract.name) or not operands:
            return self._picked(name, self.within_log, level) or _Summand(exponent=name)
        self.passed.append(name)
        if node.op == log.name:
            return _Summand(weight=operands[0])
        left = self.within_log(operands[0], level + 1)
        if node.op == subtract.name:
            exponent = 0.0 if left.exponent is None else left.exponent
            return _Summand(left.weight, (subtract.name, exponent, operands[1]))
        right = self.within_log(operands[1], level + 1)
        return _Summand(_times(left.weight, right.weight), _plus(left.exponent, right.exponent))

    def _picked(self, name: str, part_of: Callable[[str, int], _Summand], level: int) -> _Summand | None:
        """The same elements of weight and exponent, where a node chooses elements of such a product or sum."""
        node, operands = self._document.nodes[name], self._operands(name, level)
        primitive = operation(self._document, node.op)
        if primitive is None or Trait.PICKS not in primitive.traits or not operands:
            return None
        before = len(self.passed)
        inner = part_of(operands[0], level + 1)
        is_split = len(self.passed) > before
        if not is_split or not all(part is None or self._has_shape_of(part, operands[0]) for part in inner):
            del self.passed[before:]
            return None
        self.passed.append(name)
        weight, exponent = (
            None if part is None else (node.op, part, *operands[1:], dict(node.attributes)) for part in inner
        )
        return _Summand(weight, exponent)

    def _has_shape_of(self, part: FormulaTerm, whole: str) -> bool:
        """Whether a part is a node with all elements of the whole, not one that is broadcast."""
        left, right = (self._run.value(name) if isinstance(name, str) else None for name in (part, whole))
        return left is not None and right is not None and left.shape == right.shape
