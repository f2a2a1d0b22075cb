"""Fixes by choice: a harmless operand where it does not matter, a value where there is none, another number type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.doctor.findings.unused_branches import CHOSEN_IF_TRUE, CONDITION, choice_without
from cadena.core.doctor.fixes.fix import Fix
from cadena.core.doctor.fixes.patterns import LEVELS
from cadena.core.doctor.fixes.rewriting import FormulaTerm, rewritten
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import set_dtype, set_operation
from cadena.core.graph.fault import Fault, Kind, Refused
from cadena.core.graph.order import ancestors, descendants
from cadena.core.ops.activation import leaky_relu, relu
from cadena.core.ops.arithmetic import add, divide, multiply, power
from cadena.core.ops.comparison import greater
from cadena.core.ops.extremes import max_
from cadena.core.ops.reduction import mean, sum_
from cadena.core.ops.selection import where
from cadena.core.ops.traits import Trait
from cadena.core.rewriting.opening import opened
from cadena.core.run.program import compile
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause, Listing

if TYPE_CHECKING:
    from cadena.core.run.program import Run

BY_ZERO = (Cause.DIVISION_BY_ZERO, Cause.ZERO_BY_ZERO)


def safe_where(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """The double where: operations in a branch that is not chosen get a harmless operand there."""
    choice = choice_without(run, run.plan.index[fault.node], ())
    if choice is None:
        return
    node = document.nodes[fault.node]
    if not node.is_leaf:
        divides = has(document, fault.node, Trait.QUOTIENT | Trait.WHOLE_QUOTIENT)
        slot = fault.slot if fault.slot is not None else len(node.inputs) - 1 if divides else 0
        yield from _double_where(document, fault.node, slot, *choice)
    elif len(document.consumers[fault.node]) == 1:
        yield from _double_where(document, *document.consumers[fault.node][0], *choice)


def _double_where(document: Document, name: str, slot: int, choice: str, branch: int) -> Iterator[Fix]:
    operand, condition = document.nodes[name].inputs[slot], document.nodes[choice].inputs[CONDITION]
    if name == choice or operand is None or condition is None or _is_used_elsewhere(document, name, choice, branch):
        return
    primitive = operation(document, document.nodes[name].op)
    harmless = primitive.domain.inside if primitive is not None else 1.0
    safe = (where.name, "c", "x", harmless) if branch == CHOSEN_IF_TRUE else (where.name, "c", harmless, "x")

    def apply(now: Document) -> Document:
        node = same(now, document, name)
        term, letters = _with_operand(node, slot, safe)
        return rewritten(now, node.name, term, letters | {"c": condition, "x": operand})

    operands = {"node": name, "operand": operand, "choice": choice, "number": harmless}
    yield Fix(Clause(KEEP_HARMLESS, operands=operands), Clause(HARMLESS, operands=operands), apply)


def _with_operand(node: Node, slot: int, term: FormulaTerm) -> tuple[FormulaTerm, dict[str, str]]:
    """The operation of a node with a term in one slot, and what the letters o0, o1 ... of its operands stand for."""
    letters = {f"o{index}": str(source) for index, source in enumerate(node.inputs)}
    terms: list[FormulaTerm] = list(letters)
    terms[slot] = term
    return (node.op, *terms, node.attributes), letters


KEEP_HARMLESS = "Keep {operand} harmless where {choice} does not choose it"
HARMLESS = (
    "{node} gets {number} instead of {operand} wherever {choice} takes its other branch, so that nothing infinite "
    "meets the gradient of 0"
)


def _is_used_elsewhere(document: Document, name: str, choice: str, branch: int) -> bool:
    """Whether `name` has paths onwards that do not lead through this branch of `choice`."""
    inside = descendants(document, name) - descendants(document, choice)
    consumers = {(consumer, slot) for one in inside for consumer, slot in document.consumers[one]}
    onwards = {(consumer, slot) for consumer, slot in consumers if consumer not in inside}
    return document.output in inside or not onwards <= {(choice, branch)}


def safe_at_zero(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Use the value 0, with the gradient 0, where a root is infinitely steep or a denominator is 0."""
    for name in _steep_roots(document, run, fault):
        operand = str(document.nodes[name].inputs[0])
        yield _where_not_zero(document, name, 0, "Give {node} the gradient 0 where {operand} is 0")
    if fault.cause in BY_ZERO and has(document, fault.node, Trait.QUOTIENT):
        inputs = document.nodes[fault.node].inputs
        slot, operand = len(inputs) - 1, str(inputs[-1])
        if is_truly_zero(document, run, operand) and _is_0_where_it_divides_by_0(document, run, fault.node):
            yield _where_not_zero(document, fault.node, slot, LET_BE_0)


def _is_0_where_it_divides_by_0(document: Document, run: Run, name: str) -> bool:
    """Whether a quotient may be 0 where its denominator is: its numerator is, or what it is multiplied by."""
    inputs, quotient = document.nodes[name].inputs, run.value(name)
    numerator = run.value(str(inputs[0])) if len(inputs) == 2 else np.ones(())
    if quotient is None or numerator is None:
        return False
    if not np.any(np.broadcast_to(numerator, quotient.shape)[~np.isfinite(quotient)]):
        return True
    return bool(document.consumers[name]) and all(
        operation(document, document.nodes[consumer].op) is multiply
        and _vanishes_where_bad(run, str(document.nodes[consumer].inputs[1 - slot]), name)
        for consumer, slot in document.consumers[name]
    )


def _steep_roots(document: Document, run: Run, fault: Fault) -> list[str]:
    """The roots at 0 behind this fault: the node itself, or the one whose infinite gradient reached it."""
    above = descendants(document, fault.node)
    steep = [other.node for other in number_faults(run) if other.cause is Cause.INFINITE_SLOPE]
    return [name for name in dict.fromkeys([fault.node, *steep]) if name in above and _is_root_of_zero(run, name)]


def _is_root_of_zero(run: Run, name: str) -> bool:
    """Whether a root, or a power between 0 and 1, is taken of a 0."""
    node = run.program.document.nodes[name]
    primitive = operation(run.program.document, node.op)
    if primitive is None or 0.0 not in primitive.steep or Trait.LOGARITHM in primitive.traits:
        return False
    base, *exponent = (run.value(str(source)) for source in node.inputs)
    return bool(np.any(base == 0.0)) and all(one is not None and np.all((one > 0.0) & (one < 1.0)) for one in exponent)


def safe_product(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Make x · log x, and the like, 0 where x is 0: what is infinite in the other factor gets a harmless operand there.

    p · (log p − log q) and −p · log p are such products as well.
    """
    if fault.cause not in (Cause.LOG_AT_POLE, Cause.ZERO_TIMES_INF, Cause.INF_TIMES_ZERO, Cause.INF_MINUS_INF):
        return
    for product, slot in _products_above(document, fault.node):
        other, factor = (str(document.nodes[product].inputs[place]) for place in (slot, 1 - slot))
        places = _infinite_operands(document, run, product, slot)
        if places and _vanishes_where_bad(run, factor, other) and not _depends_on(document, factor, places):
            yield _harmless_product(document, product, factor, places)


def _products_above(document: Document, name: str) -> list[tuple[str, int]]:
    """The products that a node goes into, by sums and signs too, or that it is: each with the slot of that factor."""
    reached, level = list[tuple[str, int]](), [name]
    if operation(document, document.nodes[name].op) is multiply:
        reached += [(name, 0), (name, 1)]
    for one in level:
        for consumer, slot in document.consumers[one]:
            if operation(document, document.nodes[consumer].op) is multiply:
                reached.append((consumer, slot))
            elif has(document, consumer, Trait.UNIT_SLOPE) and consumer not in level and len(level) < LEVELS:
                level.append(consumer)
    return reached


class OperandPlace(NamedTuple):
    """The place of an operand, and the number that is harmless there."""

    node: str
    slot: int
    harmless: float


def _infinite_operands(document: Document, run: Run, name: str, slot: int) -> list[OperandPlace] | None:
    """What makes an operand of a node bad: logarithms at their pole, and leaves; None if something else does too."""
    source = str(document.nodes[name].inputs[slot])
    value = run.value(source)
    if value is None or source not in document.nodes:
        return None
    if np.isfinite(value).all():
        return []
    if document.nodes[source].is_leaf:
        return [OperandPlace(name, slot, 0.0)]
    if has(document, source, Trait.LOGARITHM):
        return [OperandPlace(source, 0, 1.0)]
    if not has(document, source, Trait.UNIT_SLOPE):
        return None
    parts = [_infinite_operands(document, run, source, place) for place in range(len(document.nodes[source].inputs))]
    reached = [part for part in parts if part is not None]
    return [place for part in reached for place in part] if len(reached) == len(parts) else None


def _vanishes_where_bad(run: Run, factor: str, other: str) -> bool:
    """Whether a factor is 0 wherever the other one is bad."""
    left, right = run.value(factor), run.value(other)
    if left is None or right is None:
        return False
    left, right = np.broadcast_arrays(left, right)
    return bool(np.all(left[~np.isfinite(right)] == 0.0))


def _depends_on(document: Document, factor: str, places: Sequence[OperandPlace]) -> bool:
    return not ancestors(document, factor).isdisjoint(place.node for place in places)


def _harmless_product(document: Document, product: str, factor: str, places: Sequence[OperandPlace]) -> Fix:
    def apply(now: Document) -> Document:
        for name in {place.node for place in places}:
            same(now, document, name)
        for name, slot, harmless in places:
            node = now.nodes[name]
            term, letters = _with_operand(node, slot, (where.name, "f", f"o{slot}", harmless))
            now = rewritten(now, name, term, letters | {"f": factor})
        return now

    replaced = Listing(tuple(_instead(document, place) for place in places))
    operands = {"node": product, "operand": factor, "factor": factor, "places": replaced}
    return Fix(Clause(LET_BE_0, operands=operands), Clause(HARMLESS_LOG, operands=operands), apply, "convention")


def _instead(document: Document, place: OperandPlace) -> Clause:
    operand = str(document.nodes[place.node].inputs[place.slot])
    return Clause(INSTEAD, operands={"number": place.harmless, "operand": operand, "node": place.node})


INSTEAD = "{node} gets {number} instead of {operand}"
LET_BE_0 = "Let {node} be 0 where {operand} is 0"
HARMLESS_LOG = "{places} where {factor} is 0, so that the product is 0 and not 0 · inf"
ZERO_AT_0 = "where {operand} is 0, {node} is 0 and passes no gradient; elsewhere nothing changes"


def _where_not_zero(document: Document, name: str, slot: int, action: str) -> Fix:
    """where(x, op(where(x, x, 1)), 0): the condition is the operand itself, which counts as false where it is 0."""
    before = document.nodes[name]
    operand = str(before.inputs[slot])

    def apply(now: Document) -> Document:
        node = same(now, document, name)
        term, letters = _with_operand(node, slot, (where.name, "x", "x", 1.0))
        return rewritten(now, name, (where.name, "x", term, 0.0), letters | {"x": operand})

    operands = {"node": name, "operand": operand}
    return Fix(Clause(action, operands=operands), Clause(ZERO_AT_0, operands=operands), apply, "convention")


def rows_of_masks(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Make rows that a mask leaves nothing of 0, by where around the operation and around its operand."""
    node = document.nodes[fault.node]
    primitive = operation(document, node.op)
    if (
        fault.cause is not Cause.EMPTY_ROW
        or primitive is None
        or primitive.masked_along is None
        or len(node.inputs) > 1
    ):
        return
    operand, attributes = str(node.inputs[0]), primitive.complete(dict(node.attributes))
    x, result = run.value(operand), run.value(fault.node)
    assert x is not None and result is not None
    shape = x.shape
    axes = list(primitive.masked_along(shape, **attributes))
    is_row, is_result = (
        (greater.name, (max_.name, "x", {"axis": axes, "keepdims": kept}), -math.inf)
        for kept in (True, attributes.get("keepdims", True))
    )
    inner = (node.op, (where.name, is_row, "x", 0.0), dict(node.attributes))

    def masked(value: float) -> Callable[[Document], Document]:
        def apply(now: Document) -> Document:
            same(now, document, fault.node)
            return rewritten(now, fault.node, (where.name, is_result, inner, value), {"x": operand})

        return apply

    operands = {"node": fault.node, "operand": operand, "number": 0.0}
    let_be_0 = Clause(LET_ROWS_BE, operands=operands)
    if result.shape == shape:
        yield Fix(let_be_0, Clause(ROWS_ARE, operands=operands), masked(0.0), "convention")
        return
    kept = operands | {"number": -math.inf}  # of logsumexp
    yield Fix(Clause(PASS_NONE_IN_ROWS), Clause(ROWS_ARE, operands=kept), masked(-math.inf), "convention")
    if np.isfinite(result).any():
        yield Fix(let_be_0, Clause(ROWS_LEFT_OUT, operands=operands), masked(0.0), "other")


ROWS_LEFT_OUT = "{node} is 0 where a row of {operand} is all −inf, so that such a row adds nothing to a sum"
LET_ROWS_BE = "Let {node} be {number} in rows of nothing but −inf"
PASS_NONE_IN_ROWS = "Pass no gradient through rows of nothing but −inf"
ROWS_ARE = "{node} is {number} where a row of {operand} is all −inf, and passes no gradient there; other rows stay"


def leaky(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Use a relu that is never dead."""
    if fault.kind is Kind.DEAD_RELU and operation(document, document.nodes[fault.node].op) is relu:
        effect = Clause("a small slope for negative inputs lets some gradient through; other values change a little")
        yield Fix(
            Clause("Use leaky_relu"), effect, lambda now: set_operation(now, fault.node, leaky_relu.name), "other"
        )


def fixed_exponent(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Use a constant for the exponent of a negative base, with respect to which there is no derivative."""
    node = document.nodes[fault.node]
    is_power = operation(document, node.op) is power and len(node.inputs) == 2
    exponent = document.nodes.get(str(node.inputs[1])) if is_power else None
    if fault.cause is Cause.EXPONENT_OF_NEGATIVE and exponent is not None and exponent.wants_gradient:
        name = exponent.name
        operands = {"node": fault.node, "exponent": name}
        action = Clause("Make {exponent} a constant", operands=operands)
        yield Fix(action, Clause(FIXED_EXPONENT, operands=operands), lambda now: set_operation(now, name, "constant"))


FIXED_EXPONENT = "{node} stays what it is, and {exponent} is no longer asked for a gradient that it does not have"
WIDER = "float64 reaches from 2·10⁻³⁰⁸ to 2·10³⁰⁸ with 16 digits; {dtype} has fewer of both"


def wider_type(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Run the same graph in float64."""
    if run.dtype != "float64":
        effect = Clause(WIDER, operands={"dtype": run.dtype})
        yield Fix(Clause("Run in float64"), effect, lambda now: set_dtype(now, "float64"))


def has(document: Document, name: str, traits: Trait) -> bool:
    """Whether the operation of a node has one of these traits."""
    primitive = operation(document, document.nodes[name].op)
    return primitive is not None and bool(primitive.traits & traits)


def same(now: Document, before: Document, name: str) -> Node:
    """The node, which must be as it was when the fix was offered."""
    node = now.nodes.get(name)
    if node is None or node != before.nodes[name]:
        raise Refused("{name} has changed since this fix was offered", "look at its problem again", name=name)
    return node


# --- true zeros, and those that rounding made: 1 - sigmoid(40) is 0 and should be 4e-18


def is_truly_zero(document: Document, run: Run, name: str) -> bool:
    """Whether the zeros of a node are no rounding errors: 1 - 0.9999... and exp(-1000) are 0, and have a logarithm."""
    primitive = operation(document, document.nodes[name].op)
    if primitive is None:
        return document.nodes[name].is_leaf
    if document.function_of(name) is not None:
        body = opened(document, name, run, is_shown=False)
        return is_truly_zero(body, compile(body).run(dtype=run.dtype), str(body.output))
    sources = [str(source) for source in document.nodes[name].inputs]
    if primitive is multiply or primitive is divide:
        return any(_has_zero(run, source) and is_truly_zero(document, run, source) for source in sources)
    if primitive.traits & (Trait.EXACT | Trait.ZERO_OF_ZEROS):  # a sum that is 0 by chance is ignored
        return all(is_truly_zero(document, run, source) for source in sources)
    if zeros := _zeros_behind(run, name, sources):
        return all(is_truly_zero(document, run, source) for source in zeros)
    return Trait.UNIT_SLOPE in primitive.traits and all(_is_exact(document, source) for source in sources)


def _zeros_behind(run: Run, name: str, sources: Sequence[str]) -> list[str]:
    """The operands whose zeros are all that zeros of a node come from, as in a sum of squares: nothing cancels."""
    item, value = run.instruction_of[run.plan.index[name]], np.asarray(run.value(name))
    is_sum = item.primitive in (add, sum_, mean)
    if not is_sum and not (item.primitive.elementwise and len(sources) == 1) and item.primitive is not power:
        return []
    carriers = list(sources if is_sum else sources[:1])
    marks = [np.asarray(run.value(source) != 0.0, dtype=value.dtype) for source in carriers]
    total = np.asarray(item.primitive.value(*marks, **item.attributes)) if is_sum else marks[0]
    return carriers if not np.any(np.broadcast_to(total, value.shape)[value == 0.0]) else []


def _is_exact(document: Document, name: str) -> bool:
    """Whether the numbers of a node are those of leaves, not rounded."""
    node, primitive = document.nodes[name], operation(document, document.nodes[name].op)
    if primitive is None:
        return node.is_leaf
    return Trait.EXACT in primitive.traits and all(_is_exact(document, str(source)) for source in node.inputs)


def _has_zero(run: Run, name: str) -> bool:
    value = run.value(name)
    return value is not None and bool((value == 0.0).any())
