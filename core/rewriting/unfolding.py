"""The reverse pass of a document as ordinary nodes: document in, document out, to be run, stepped and unfolded again.

Every VJP rule is plain numpy code and runs on traced values. So the document is evaluated on traced values, then the
reverse pass too, and the graph of both is read off the tape. Comparisons in rules become nodes as well, so that the
result stays right when values change. Only the order in which sort, partition and median put the elements stays what
it was for the document's values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, as_array
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.fault import Refused, why_stopped
from cadena.core.graph.subgraphs import OUTPUTS
from cadena.core.ops.arithmetic import add, multiply, positive, power
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.walk import Instruction
from cadena.core.rewriting.mirroring import mirrored
from cadena.core.run.plan import Plan, make_plan
from cadena.core.tracing.conditions import is_condition
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.tapes import TapeOperand, Tidy, constant
from cadena.core.tracing.traced import Traced, apply

NOT_INHERITED = ("lesson", OUTPUTS)  # keys of a file that describe the document before it is unfolded, not the result


class Unfolded(NamedTuple):
    """The document with its reverse pass, and for each target the node that holds its gradient."""

    document: Document
    gradients: Mapping[str, str]


def unfold(document: Document, output: str | None = None, wrt: Collection[str] | None = None) -> Document:
    """Add the reverse pass of `output` (default: the document's) as nodes to `document`; all others keep their names.

    The gradients are those of the leaves that have one, or of `wrt`. The gradient of n is called dn, the contribution
    to it through m dn_m, the local derivative of m with respect to n dm_dn. The output of the result is the gradient
    where there is only one, else as before. Raises Refused where there is no gradient.
    """
    return unfolded(document, output, wrt).document


def unfolded(
    document: Document, output: str | None = None, wrt: Collection[str] | None = None, arrange: bool = True
) -> Unfolded:
    """The result of `unfold`, with the names of the gradients; without `arrange` the new nodes have no places."""
    output = output or document.output
    plan = make_plan(document, output, wrt)
    targets = _targets(document, plan, output, wrt)
    reverse = _Reverse(document, plan)
    reverse.run()
    names = _Names(reverse, targets)
    result = replace(
        document,
        nodes={**document.nodes, **{node.name: node for node in names.nodes()}},
        extra={key: item for key, item in document.extra.items() if key not in NOT_INHERITED},
        output=names.gradients[targets[0]] if len(targets) == 1 else output,
    )
    return Unfolded(mirrored(document, result, names.about) if arrange else result, names.gradients)


def _targets(document: Document, plan: Plan, output: str | None, wrt: Collection[str] | None) -> list[str]:
    """The nodes whose gradients are requested and exist. Raises Refused when there are none."""
    if output is None or output not in document.nodes:
        what = "there is no output to unfold the reverse pass of" if output is None else "there is no node {output}"
        raise Refused(what, "choose one of the graph's nodes as output", output=output)
    if plan.output is None:
        ancestors = graph.ancestors(document, output)
        what = "{output} has no value, so that there is no reverse pass to unfold: {why}"
        raise Refused(what, output=output, why=why_stopped(plan.faults, ancestors))
    requested = (
        [name for name, node in document.nodes.items() if node.wants_gradient] if wrt is None else [*dict.fromkeys(wrt)]
    )
    if missing := [name for name in requested if name not in plan.index]:
        raise Refused("there is no node {missing}", "choose one of the graph's nodes", missing=missing[0])
    reachable = [name for name in requested if plan.reached[plan.index[name]]]
    if not reachable:
        remedy = "wire a parameter to it, or ask for the gradient of an input"
        if choosing := next((name for name in requested if name in graph.ancestors(document, output)), None):
            raise Refused("{why}", remedy, why=graph.why_no_gradient(document, output, choosing))
        raise Refused("{output} does not depend on a node whose gradient is wanted", remedy, output=output)
    return reachable


class _Tape(Tape):
    """A tape on which the rule of a power gets plain conditions of constants: it asks whether the exponent is 0.

    Conditions of other constants, such as labels and classes, are nodes, so that they follow when one is changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.constants: set[int] = set()
        self.of_power = False  # whether the rule of a power is being recorded

    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        if not all(not isinstance(item, Traced) or item.number in self.constants for item in operands):
            return super().record(primitive, operands, attributes)
        if self.of_power and is_condition(primitive, operands):
            return np.asarray(apply(primitive, [*map(self.lower, operands)], attributes)) != 0.0
        result = super().record(primitive, operands, attributes)
        self.constants.add(result.number)
        return result


class _Reverse:
    """Forward and reverse pass on traced values; nodes are numbers of the plan, terms those of the tidied tape."""

    def __init__(self, document: Document, plan: Plan) -> None:
        self.document, self.plan = document, plan
        self.tape = _Tape()
        self.tidy = Tidy(self.tape)
        self.values: list[Any] = [None] * len(plan.names)
        self.gradients: dict[int, Any] = {}
        self.parts: dict[
            int, list[tuple[Any, int]]
        ] = {}  # the contributions to a gradient, and the consumers that they come from
        self.locals: list[tuple[int, int, int]] = []  # terms that are the local derivative of a node by another
        self.origin_of: dict[int, int] = {}  # for each term of the reverse pass the node whose rule computed it
        self.target_of: dict[int, int] = {}  # and the node whose gradient it is for

    def run(self) -> None:
        """Evaluate the document, then walk it backwards as `passes.arrays` does."""
        with np.errstate(all="ignore"):
            for leaf in self.plan.leaves:
                value = as_array(self.document.nodes[self.plan.names[leaf]].value).astype(self.document.dtype)  # type: ignore[arg-type]
                self.values[leaf] = self.tape.leaf(value[()])
                if self.document.nodes[self.plan.names[leaf]].op == "constant":
                    self.tape.constants.add(self.values[leaf].number)
            for out, primitive, operands, attributes, _ in self.plan.instructions:
                self.values[out] = apply(primitive, [self.values[operand] for operand in operands], attributes)
            self.tidy.read(as_they_are=True)
            self.tape.truths.clear()  # in a document conditions and places are numbers, with gradients of their own
            self.tape.wholes.clear()
            self.forward = {value.number: number for number, value in enumerate(self.values) if value is not None}
            self._back()

    def _back(self) -> None:
        output = self.plan.output
        assert output is not None
        self.gradients[output] = self.tape.leaf(np.ones(self.plan.shapes[output] or (), self.document.dtype)[()])
        self._note(output, output)
        for instruction in reversed(self.plan.instructions):
            if self.plan.reached[instruction.out]:
                self._sum_up(instruction.out)
                self._rules(instruction)
        for leaf in self.plan.leaves:
            self._sum_up(leaf)

    def _rules(self, instruction: Instruction) -> None:
        """Record the contribution of one operation to the gradient of each operand in an active slot."""
        out, primitive, operands, attributes, active = instruction
        upstream, below = self.gradients.get(out), [self.values[operand] for operand in operands]
        if upstream is None:
            return
        self.tape.of_power = primitive is power
        for slot in active:
            part = primitive.vjp(slot, upstream, self.values[out], below, attributes)
            self.parts.setdefault(operands[slot], []).append((part, out))
            new = self._note(out, operands[slot])
            if primitive.slot(slot).partial is not None:
                self._note_local(new, upstream, out, operands[slot])

    def _sum_up(self, number: int) -> None:
        """Sum up the gradient of a node all of whose consumers have contributed."""
        for part, _ in self.parts.get(number, ()):
            before = self.gradients.get(number)
            self.gradients[number] = part if before is None else apply(add, [before, part])
        self._note(number, number)

    def _note(self, out: int, target: int) -> range:
        """Tidy the calls recorded since the last read, as the VJP from `out` to `target`. Returns their numbers."""
        new = range(len(self.tidy.terms), len(self.tape.calls))
        self.tidy.read()
        for number in new:
            self.origin_of[number] = out
            self.target_of[number] = target
        return new

    def _note_local(self, new: range, upstream: Any, out: int, target: int) -> None:
        """Note the other factor of a product with the upstream gradient as the local derivative."""
        above = self.tidy.term(upstream)
        if not isinstance(above, int):  # an upstream gradient that is the same numbers always
            return
        for number in new:
            call = self.tidy.calls.get(number)
            if call and call.op == multiply.name:
                left, right = call.operands
                if isinstance(left, int) and isinstance(right, int) and above in (left, right):
                    other = right if left == above else left
                    if other in new:
                        self.locals.append((other, out, target))


class _Names:
    """The names of the terms that the gradients of the targets need, and the nodes that they become."""

    def __init__(self, reverse: _Reverse, targets: list[str]) -> None:
        self.reverse, self.tidy, self.plan = reverse, reverse.tidy, reverse.plan
        self.free = FreeNames(reverse.document.nodes)
        self.names = {number: self.plan.names[node] for number, node in reverse.forward.items()}
        self.gradients: dict[str, str] = {}
        self.copies: list[tuple[str, TapeOperand]] = []  # for the gradient of a target that a sum only passes on
        self.about: dict[str, str] = {}  # for each new node the old one that it belongs to
        roots = [self._gradient(self.plan.index[name]) for name in targets]
        self.needed = dict.fromkeys(self.tidy.needed(roots, reverse.forward.__contains__))  # a set in order
        reached = compress(self.plan.names, self.plan.reached)
        self.is_second = any(f"d{name}" in reverse.document.nodes for name in reached)
        self._name_gradients(targets)
        self._name_others()

    def _gradient(self, number: int) -> TapeOperand:
        return self.tidy.term(self.reverse.gradients[number])

    def _fresh(self, like: str, origin: str) -> str:
        name = self.free.fresh(like)
        self.about[name] = origin
        return name

    def _gradient_name(self, name: str) -> str:
        """dw for w; in a graph that was unfolded before, dL_w for an output L."""
        output = self.plan.names[self.plan.output or 0]
        return f"d{output}_{name}" if self.is_second and name != output else f"d{name}"

    def _is_new(self, term: TapeOperand) -> bool:
        return isinstance(term, int) and term not in self.names and term in self.needed

    def _name_gradients(self, targets: list[str]) -> None:
        """Name gradients from the output back. One that is only passed on keeps its name, but each target's
        gets a node of its own."""
        inner, wanted = [instruction.out for instruction in reversed(self.plan.instructions)], frozenset(targets)
        for number in dict.fromkeys([self.plan.output or 0, *inner, *self.plan.leaves]):
            if number not in self.reverse.gradients:
                continue
            name, term = self.plan.names[number], self._gradient(number)
            if not self._is_new(term) and name not in wanted:
                continue
            gradient = self._fresh(self._gradient_name(name), name)
            if self._is_new(term):
                self.names[term] = gradient  # literals are never new
            else:
                self.copies.append((gradient, term))
            if name in wanted:
                self.gradients[name] = gradient

    def _name_others(self) -> None:
        """Name contributions where there are several, local derivatives, and the rest after their operations."""
        names = self.plan.names
        for target, parts in self.reverse.parts.items():
            for part, consumer in parts if len(parts) > 1 else ():
                self._name(self.tidy.term(part), f"{self._gradient_name(names[target])}_{names[consumer]}", target)
        for term, out, target in self.reverse.locals:
            self._name(term, f"d{names[out]}_d{names[target]}", target)
        for term in filter(self._is_new, self.needed):
            self._name(term, f"{self.tidy.calls[term].op}1", self.reverse.target_of[term])

    def _name(self, term: TapeOperand, like: str, origin: int) -> None:
        if self._is_new(term):
            self.names[term] = self._fresh(like, self.plan.names[origin])

    def nodes(self) -> Iterator[Node]:
        """The new nodes, operands first. Rules of one node share their constants."""
        literals: dict[Any, str] = {}
        for term in self.needed:
            call = self.tidy.calls.get(term)
            if call is None:  # the seed
                yield constant(self.names[term], self.tidy.tape.values[term])
                continue
            inputs = []
            for operand in call.operands:
                if isinstance(operand, int):
                    inputs.append(self.names[operand])
                    continue
                key = (self.reverse.origin_of[term], operand.shape, operand.tobytes())
                if key not in literals:
                    literals[key] = self._fresh("k0", self.about[self.names[term]])
                    yield constant(literals[key], operand)
                inputs.append(literals[key])
            yield Node(self.names[term], call.op, inputs=tuple(inputs), attributes=call.attributes)
        for name, of in self.copies:
            yield Node(name, positive.name, inputs=(self.names[of],)) if isinstance(of, int) else constant(name, of)
