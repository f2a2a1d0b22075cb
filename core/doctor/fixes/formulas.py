"""The safer forms in all operations' records, read as patterns and terms; the largest patterns come first."""

from __future__ import annotations

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
    form: SaferForm

    def filled(self, match: Match, run: Run) -> FormulaTerm | None:
        """The term with the attributes of its operations; None where the two forms are not equal."""
        nodes, plan = run.program.document.nodes, run.plan
        shapes = {letter: plan.shapes[plan.index[name]] or () for letter, name in match.letters.items()}
        fixed = {
            letter: value
            for letter, name in match.letters.items()
            if nodes[name].is_leaf and run.gradient(name) is None and (value := run.value(name)) is not None
        }
        return self.term_for(Occurrence(shapes, match.attributes, fixed))

    def term_for(self, occurrence: Occurrence) -> FormulaTerm | None:
        """The term at an occurrence; None where the two forms are not equal."""
        attributes = self.form.attributes(occurrence)
        if attributes is None:
            return None
        inner = {op: list(each) for op, each in self.form.inner(occurrence).items()}
        return with_attributes((self.term[0], *(_with_inner(term, inner) for term in self.term[1:])), attributes)


def _read(primitive: Primitive, form: SaferForm) -> Formula:
    term = (primitive.name, *letters_of(form.pattern)) if form.term is None else pattern_of(form.term)
    return Formula(form.title, form.advantage, pattern_of(form.pattern), term, form)


def _size(pattern: Pattern) -> int:
    """The number of nodes in a pattern."""
    if isinstance(pattern, Either):
        return max(map(_size, pattern.forms))
    return 1 + sum(map(_size, pattern[1:])) if isinstance(pattern, tuple) else int(isinstance(pattern, float))


FORMULAS = sorted(
    [_read(primitive, form) for primitive in REGISTRY.values() for form in primitive.safer],
    key=lambda formula: -_size(formula.pattern),
)


def _with_inner(term: FormulaTerm, inner: dict[str, list[dict[str, Any]]]) -> FormulaTerm:
    """`term` with attributes on its operations, each of which takes the first that is left."""
    if not isinstance(term, tuple):
        return term
    attributes = inner[term[0]].pop(0) if inner.get(term[0]) else {}
    return with_attributes((term[0], *(_with_inner(one, inner) for one in term[1:])), attributes)


def with_attributes(term: FormulaTerm, attributes: dict[str, Any]) -> FormulaTerm:
    """`term` with these attributes on its outermost operation."""
    return (*term, attributes) if attributes else term
