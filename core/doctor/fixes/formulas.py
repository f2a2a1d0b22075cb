"""The safer forms in all operations' records, read as patterns and terms; the largest patterns come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from cadena.core.doctor.fixes.patterns import Either, Match, Pattern, letters_of, pattern_of
from cadena.core.doctor.fixes.rewriting import FormulaTerm
from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.ops.safer import Occurrence, SaferForm

if TYPE_CHECKING:
    from cadena.core.run.program import Run


class Formula(NamedTuple):
    """`pattern` may be written as `term`."""

    title: str
    advantage: str
    pattern: Pattern
    term: FormulaTerm
    settings: Callable[[Occurrence], dict[str, Any] | None]

    def attributes(self, match: Match, run: Run) -> dict[str, Any] | None:
        """The attributes of the term's outermost operation; None where the two forms are not equal."""
        nodes, plan = run.program.document.nodes, run.plan
        shapes = {letter: plan.shapes[plan.index[name]] or () for letter, name in match.letters.items()}
        fixed = {
            letter: value
            for letter, name in match.letters.items()
            if nodes[name].is_leaf and run.gradient(name) is None and (value := run.value(name)) is not None
        }
        return self.settings(Occurrence(shapes, match.attributes, fixed))


def _read(primitive: Primitive, form: SaferForm) -> Formula:
    term = (primitive.name, *letters_of(form.pattern)) if form.term is None else pattern_of(form.term)
    return Formula(form.title, form.advantage, pattern_of(form.pattern), term, form.attributes)


def _size(pattern: Pattern) -> int:
    """The number of nodes in a pattern."""
    if isinstance(pattern, Either):
        return max(map(_size, pattern.forms))
    return 1 + sum(map(_size, pattern[1:])) if isinstance(pattern, tuple) else int(isinstance(pattern, float))


FORMULAS = sorted(
    [_read(primitive, form) for primitive in REGISTRY.values() for form in primitive.safer],
    key=lambda formula: -_size(formula.pattern),
)


def with_attributes(term: FormulaTerm, attributes: dict[str, Any]) -> FormulaTerm:
    """`term` with these attributes on its outermost operation."""
    return (*term, attributes) if attributes else term
