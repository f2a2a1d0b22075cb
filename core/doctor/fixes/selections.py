"""Formulas across a selection: log(softmax(x)[i]) is log(softmax(x))[i], which has a safer form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cadena.core.doctor.fixes.fix import Fix, Promise
from cadena.core.doctor.fixes.formulas import FORMULAS, Formula
from cadena.core.doctor.fixes.patterns import LEVELS, Match, matches
from cadena.core.doctor.fixes.rewriting import FormulaTerm, rewritten
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.ops.selection import where
from cadena.core.ops.traits import Trait
from cadena.core.text.wording import Clause, Listing

if TYPE_CHECKING:
    from cadena.core.run.program import Run


class _Ahead(NamedTuple):
    """A document in which an operation stands before the selections that it followed, and its new nodes."""

    document: Document
    nodes: tuple[str, ...]


def rewrites_ahead(document: Document, run: Run, root: str) -> Iterator[Fix]:
    """Rewrite the formulas that node `root` and what is before the selections in its operand make together."""
    if (ahead := _ahead(document, root)) is None:
        return
    rewritings = [_first_match(ahead.document, run, name) for name in ahead.nodes]
    formulas = dict.fromkeys(formula for one in rewritings if one is not None for formula in (one[0],))
    if not formulas:
        return

    def apply(now: Document) -> Document:
        if (again := _ahead(now, root)) is None or len(again.nodes) != len(rewritings):
            raise Refused("{root} has changed since this fix was offered", "look at its problem again", root=root)
        result = again.document
        for name, one in zip(again.nodes, rewritings, strict=True):
            if one is None:
                continue
            formula, _, term = one
            match = next(matches(result, name, formula.pattern), None)
            if match is None:
                raise Refused("{root} has changed since this fix was offered", "look at its problem again", root=root)
            result = rewritten(result, name, term, match.letters, match.nodes)
        return result

    selection = str(document.nodes[root].inputs[0])
    first, *others = (formula.title for formula in formulas)
    titles = Listing((first, *(title[0].lower() + title[1:] for title in others)))
    advantages = Listing(tuple(dict.fromkeys(formula.advantage for formula in formulas)))
    operands = {"root": root, "selection": selection, "titles": titles, "advantages": advantages}
    promise: Promise = "other" if any(formula.form.nearly for formula in formulas) else "same"
    yield Fix(
        Clause("{titles}, ahead of {selection}", operands=operands), Clause(AHEAD, operands=operands), apply, promise
    )


AHEAD = "{root} is the same function of its operands, but {advantages}: {selection} then chooses among its results"


def _first_match(document: Document, run: Run, name: str) -> tuple[Formula, Match, FormulaTerm] | None:
    """The largest formula with its outermost operation at a node."""
    for formula in FORMULAS:
        for match in matches(document, name, formula.pattern):
            if all(letter in run.plan.index for letter in match.letters.values()):
                term = formula.filled(match, run)
                if term is not None:
                    return formula, match, term
    return None


def _ahead(document: Document, root: str) -> _Ahead | None:
    """Put an elementwise operation of one operand before the selections that its operand consists of."""
    node = document.nodes.get(root)
    primitive = operation(document, node.op) if node is not None else None
    if node is None or primitive is None or not primitive.elementwise or len(node.inputs) != 1 or None in node.inputs:
        return None
    letters, passed = dict[str, str](), list[str]()

    def term(name: str, level: int) -> FormulaTerm:
        inner = document.nodes[name]
        record = operation(document, inner.op)
        letters[name] = name
        picks = record is not None and Trait.PICKS in record.traits
        if level < LEVELS and (picks or record is where) and None not in inner.inputs:
            passed.append(name)
            sources = [str(source) for source in inner.inputs]
            letters.update({source: source for source in sources})
            ahead = (0,) if picks else (1, 2)
            terms = [term(one, level + 1) if slot in ahead else one for slot, one in enumerate(sources)]
            return (inner.op, *terms, dict(inner.attributes))
        return (node.op, name, dict(node.attributes))

    whole = term(str(node.inputs[0]), 0)
    if not passed:
        return None
    result = rewritten(document, root, whole, letters, passed)
    new = [name for name in result.nodes if name not in document.nodes and result.nodes[name].op == node.op]
    return _Ahead(result, tuple(new))
