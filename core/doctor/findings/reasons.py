"""Why a gradient is None, or 0 everywhere: the operations, or the lines of the script, at which it ends."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cadena.core.doctor.findings.places import number_at
from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import Node
from cadena.core.graph.order import ancestors
from cadena.core.graph.recorded import RECORDED
from cadena.core.graph.unconnected import NoPath, Unconnected, unconnected
from cadena.core.notation.in_script import line_text, shown_name, source_line
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.softmax import softmax
from cadena.core.ops.traits import Trait
from cadena.core.ops.walk import Instruction
from cadena.core.text.numbers import short
from cadena.core.text.wording import PYTHON, Clause, Listing, Remedies, Remedy, fill

if TYPE_CHECKING:
    from cadena.core.run.program import Run

MOST = 3  # reasons of one gradient

SENTENCE = "the gradient of {node} is {word}: {clause}"
IN_SCRIPT = "the gradient of {node} ({line}) is {word}: {clause}"
NO_OUTPUT = Clause("the graph has no output whose gradients could be computed", Remedy.CHOOSE_OUTPUT)
FAULTY = Clause("a fault keeps the node from running", Remedy.FIX_FAULTS)
SEED = Clause("it is the output, and the seed is 0")
KINDS = {
    "input": ("it is an input for which no gradient is wanted", "ask for its gradient, or make it a parameter"),
    "constant": ("it is a constant", "make it a parameter"),
}
RECORDED_VALUE = ("it holds the value of the captured run, where the graph ends ({why})", "capture the part before it")
NOTHING_WANTED = ("nothing that it is computed from wants a gradient", "make a leaf before it a parameter")
NOWHERE = "no operation reads it, so {output} does not depend on it"
ELSEWHERE = "it leads to {ends}, but {output} does not depend on that"
USE = "use it on the way to {output}, or leave it out"
NOTES: dict[NoPath, tuple[str, str]] = {
    NoPath.UNUSED: ("nothing on the way to {output} reads it", "use it on the way to {output}, or leave it out"),
    NoPath.NOT_WATCHED: (
        "it is not a tf.Variable, and the tape does not watch it",
        "make it a tf.Variable, or call tape.watch({name}) before it is used",
    ),
    NoPath.NOT_TRAINABLE: ("it is a tf.Variable with trainable=False", "leave trainable=False out"),
    NoPath.NOT_REQUIRED: ("its requires_grad is False", "make it with requires_grad=True"),
    NoPath.INTEGER: ("it holds integers, and only floats have gradients", "give it a float, such as 3.0"),
    NoPath.REPLACED: (
        "its variable got this tensor{at}, but {output} was computed from the one that it held before",
        "change the tensor in place (under no_grad, or by assign), or ask the one that was used",
    ),
    NoPath.RESULT: ("it is a result, and PyTorch keeps gradients of leaves alone", "call {name}.retain_grad()"),
    NoPath.ITEM: ("{call}{at} makes plain numbers, which have no graph", "use {source} itself"),
    NoPath.DETACH: ("{call}{at} takes the value out of the graph", "use {source} itself"),
    NoPath.COPY: ("{call}{at} copies the numbers without their graph", "use {source} itself instead of {call}"),
    NoPath.GRADIENTS_OFF: (
        "{call}{at} is computed where gradients are off", "take it out of the no_grad block"
    ),
    NoPath.OUTSIDE_TAPE: (
        "{call}{at} is computed while no tape records", "compute it within the block of the GradientTape"
    ),
    NoPath.CAST: ("{call}{at} makes integers, which have no gradient", "keep {source} a float"),
    NoPath.OPERATION: (
        "{call}{at} has no gradient", "take a smooth function instead, such as softmax or sigmoid"
    ),
}  # fmt: skip
AT_LINE = " in line {line} of {file}"
CANCELS = ("its contributions cancel: {parts} add up to 0", "check the signs, or ask for each part alone")
PART = "{part} of {at}"
CANCELS_WITHIN = (
    "the contributions of {op} in {at} add up to 0 over the elements that {operand} was broadcast to",
    "check the signs, or ask for the elements alone",
)
CUSTOM = ("the custom gradient of {op} in {at} gives {operand} none, or 0", "correct the custom gradient")
INSIDE = ("the gradient ends inside the function {op} in {at}", "open the function to see where")
HELD_BY_LINE = (
    "{line} takes {operand} out of the graph ({text})", "use {operand} itself there, which has a gradient"
)  # fmt: skip
HELD = ("{op} in {at} counts its operand {operand} as a constant", "use {operand} itself instead of {node}")
CHOICE = (
    "{op} in {at} only reads {operand} to choose, and no gradient flows through a choice",
    "take a smooth function instead, such as softmax or sigmoid",
)
CLOSED = ("{op} in {at} is closed: its operand {operand} = {x} is not positive", "start elsewhere, or use leaky_relu")
SATURATED = (
    "{op} in {at} is saturated at {operand} = {x}: its slope is 0 in {dtype}",
    "scale {operand} down, or take another activation",
)
FACTOR = ("{op} in {at} multiplies by {factor} = 0", "give {factor} another value")
NO_SLOPE = (
    "{op} in {at} has no gradient: its result jumps or stays the same",
    "take a smooth function instead, such as softmax or sigmoid",
)
FLAT = ("the derivative of {op} in {at} is 0 at {operand} = {x}", "set {operand} to a place where it has a slope")
AT_EDGE = ("the derivative of {op} in {at} counts as 0 at {operand} = {x} ({edges})", "move {operand} away from there")
NOT_CHOSEN = ("{op} in {at} does not choose {operand} = {x}", "nothing, as long as another operand is chosen")
SAME_SHARES = (
    "all shares of {op} in {at} get the same upstream gradient {upstream}, and they always add up to 1",
    "weigh the shares differently",
)
ONE_SHARE = (
    "{op} in {at} is saturated: one share is 1 and the others are 0 in {dtype}",
    "take log_softmax or cross_entropy of {operand}, or smaller scores",
)
UNDERFLOW = (
    "the product of {upstream} with the slope {slope} of {op} in {at} is 0 in {dtype}",
    "scale the output up, or take a wider number type",
)
MIXED = ("the rule of {op} in {at} gives {operand} the gradient 0", "look at its steps with cadena steps")


class GradientEdge(NamedTuple):
    """An operation and the slot at which a gradient ends; `cancels` where contributions of several add up to 0."""

    item: Instruction
    slot: int
    cancels: bool = False


class Reasons:
    """Why gradients of a run are None or 0. One walk over the graph answers for all its nodes."""

    def __init__(self, run: Run) -> None:
        self.run, self.document = run, run.program.document

    def of(self, name: str) -> tuple[Clause, ...]:
        """Clauses about a node, without its name; none where its gradient is not 0 in some element."""
        run, output = self.run, self.run.program.output
        if name not in run.plan.index or run.value(name) is None:
            return (FAULTY,)
        if output is None:
            return (NO_OUTPUT,)
        node, note = self.document.nodes[name], unconnected(self.document.nodes[name])
        gradient = run.gradient(name)
        if note is not None and note.reason is NoPath.RESULT:
            return (self._of_note(node, note),)
        if gradient is not None and (gradient.any() or not gradient.size):
            return ()
        if note is not None and gradient is None:
            return (self._of_note(node, note),)
        if name == output and gradient is not None:
            return (SEED,)
        if name not in self._before_output:
            return (self._off_the_way(name),)
        if gradient is None and node.is_leaf and not self._is_wanted(node):
            return (self._of_kind(node),)
        wires = self._wires.get(run.plan.index[name], ())
        clauses = {clause.worded(): clause for clause in map(self._of_wire, wires)}  # of x·x one, not two
        return tuple(clauses.values()) or (Clause(*NOTHING_WANTED),)

    def sentences(self, name: str, remedies: Remedies = PYTHON) -> tuple[str, ...]:
        """The clauses as sentences that name the node and its line."""
        gradient = self.run.gradient(name) if name in self.run.plan.index else None
        note, line = unconnected(self.document.nodes[name]), line_text(self.document, name)
        is_none = not note.zeros if note is not None else gradient is None
        word = "None" if is_none else "0"
        subject = {"node": shown_name(self.document, name), "word": word, "line": line}
        frame = IN_SCRIPT if line else SENTENCE
        return tuple(fill(frame, subject | {"clause": clause}, remedies) for clause in self.of(name))

    def leaves(self) -> list[str]:
        """The inputs and parameters whose gradient is None, or 0 everywhere, in the order of the document."""
        nodes = self.document.nodes.values()
        return [node.name for node in nodes if node.is_leaf and node.op != "constant" and self._is_lost(node.name)]

    def _is_lost(self, name: str) -> bool:
        if name not in self.run.plan.index or self.run.value(name) is None:
            return True
        gradient = self.run.gradient(name)
        return gradient is None or bool(gradient.size and not gradient.any())

    def _is_wanted(self, node: Node) -> bool:
        wrt = self.run.program.wrt
        return node.wants_gradient if wrt is None else node.name in wrt

    @cached_property
    def _before_output(self) -> set[str]:
        output = self.run.program.output
        return set() if output is None else ancestors(self.document, output)

    @cached_property
    def _wires(self) -> dict[int, tuple[GradientEdge, ...]]:
        """The wires at which the gradients of nodes end, by node number; those of a node are those of its consumers
        where the gradient is lost already."""
        run, plan = self.run, self.run.plan
        ends = dict[int, dict[tuple[int, int], GradientEdge]]()
        gradients, before = run.gradients, self._before_output
        lost = [not reached or not np.any(gradients[number]) for number, reached in enumerate(plan.reached)]
        for item in reversed(plan.instructions):
            name = plan.names[item.out]
            if name not in before:
                continue
            for slot, operand in enumerate(item.operands):
                if not lost[operand]:
                    continue
                mine = ends.setdefault(operand, {})
                if len(mine) >= MOST:
                    continue
                if _chooses(item, slot):
                    mine[item.out, slot] = GradientEdge(item, slot)
                elif lost[item.out]:
                    for key, wire in list(ends.get(item.out, {}).items())[: MOST - len(mine)]:
                        mine.setdefault(key, wire)
                elif slot in item.active:
                    part = run.contribution(name, slot)
                    cancels = part is not None and bool(part.any())
                    mine[(operand, -1) if cancels else (item.out, slot)] = GradientEdge(item, slot, cancels)
        return {number: tuple(wires.values()) for number, wires in ends.items()}

    # --- sentences

    def _at(self, number: int) -> str:
        """A node with the line of its script."""
        name = self.run.plan.names[number]
        line = line_text(self.document, name)
        return f"{self._shown(number)} ({line})" if line else self._shown(number)

    def _shown(self, number: int) -> str:
        return shown_name(self.document, self.run.plan.names[number])

    def _of_note(self, node: Node, note: Unconnected) -> Clause:
        what, remedy = NOTES[note.reason]
        file = (self.document.extra.get("script") or {}).get("name") or "the script"
        at = Clause(AT_LINE, "", {"line": note.line, "file": file}) if note.line else ""
        output, source = self.run.program.output, note.source or node.name
        operands = {"name": node.name, "output": output, "at": at, "call": note.call or "it", "source": source}
        return Clause(what, remedy, operands)

    def _of_kind(self, node: Node) -> Clause:
        recorded = node.extra.get(RECORDED)
        if isinstance(recorded, str):
            return Clause(*RECORDED_VALUE, {"why": recorded})
        return Clause(*KINDS.get(node.op, ("no gradient is asked for it", "name it with --wrt")))

    def _off_the_way(self, name: str) -> Clause:
        consumers, plan = self.document.consumers, self.run.plan
        visited, queue, ends = {name}, [name], list[str]()
        for one in queue:
            above = [consumer for consumer, _ in consumers[one]]
            if not above and one != name:
                ends.append(self._at(plan.index[one]))
            fresh = [consumer for consumer in dict.fromkeys(above) if consumer not in visited]
            visited.update(fresh)
            queue += fresh
        operands = {"output": self.run.program.output, "ends": Listing(tuple(ends[:MOST]))}
        return Clause(ELSEWHERE if ends else NOWHERE, USE, operands)

    def _of_wire(self, wire: GradientEdge) -> Clause:
        item, slot, record = wire.item, wire.slot, wire.item.primitive
        x = short(self.run.values[item.operands[slot]])
        operands: dict[str, Any] = {
            "op": record.name, "at": self._at(item.out), "operand": self._shown(item.operands[slot]), "x": x,
            "node": self._shown(item.out), "dtype": self.run.dtype,
            "edges": record.edges.partition(". ")[0].rstrip("."),
        }  # fmt: skip
        if wire.cancels:
            return self._of_sum(item.operands[slot])
        if isinstance(record, FunctionCall):
            return Clause(*CUSTOM if record.is_custom else INSIDE, operands)
        if Trait.HELD in record.traits:
            text = source_line(self.document, self.run.plan.names[item.out])
            if text:
                line = line_text(self.document, self.run.plan.names[item.out])
                return Clause(*HELD_BY_LINE, operands | {"line": line, "text": text})
            return Clause(*HELD, operands)
        if _is_step(record):
            return Clause(*NO_SLOPE, operands)
        if _chooses(item, slot):
            return Clause(*CHOICE, operands)
        return self._of_slope(item, slot, operands)

    def _of_sum(self, number: int) -> Clause:
        """Contributions that add up to 0."""
        run, parts = self.run, list[Clause]()
        for name, slot in self.document.consumers[run.plan.names[number]]:
            part = run.contribution(name, slot)
            if part is not None and part.any():
                parts.append(Clause(PART, "", {"part": short(part), "at": self._at(run.plan.index[name])}))
        return Clause(*CANCELS, {"parts": Listing(tuple(parts), most=2 * MOST)})

    def _of_slope(self, item: Instruction, slot: int, operands: dict[str, Any]) -> Clause:
        """An operation whose own derivative makes the contribution 0."""
        run, record = self.run, item.primitive
        upstream, local = run.gradient(run.plan.names[item.out]), run.local(run.plan.names[item.out], slot)
        assert upstream is not None
        others = [other for place, other in enumerate(item.operands) if place != slot]
        zeros = [other for other in others if not np.any(run.values[other])]
        if local is None:
            if zeros:
                return Clause(*FACTOR, operands | {"factor": self._at(zeros[0])})
            if record is softmax:
                is_same = not np.ptp(upstream)
                return Clause(*SAME_SHARES if is_same else ONE_SHARE, operands | {"upstream": short(upstream.flat[0])})
            return Clause(*MIXED, operands)
        at = tuple(map(int, np.argwhere(upstream != 0.0)[0])) if upstream.ndim else ()
        slope = float(local[at])
        operands["x"] = short(number_at(run.values[item.operands[slot]], at, upstream.shape))
        if slope and upstream[at] * local[at]:
            return Clause(*CANCELS_WITHIN, operands)
        if slope:
            return Clause(*UNDERFLOW, operands | {"upstream": short(upstream[at]), "slope": short(slope)})
        if Trait.CUT_OFF in record.traits:
            return Clause(*CLOSED, operands)
        if record.traits & (Trait.SATURATES | Trait.SLOPED) and len(record.slots) == 1:
            return Clause(*SATURATED, operands)
        if zeros:
            return Clause(*FACTOR, operands | {"factor": self._at(zeros[0])})
        if record.traits & Trait.CHOOSES and others:
            return Clause(*NOT_CHOSEN, operands)
        numbers = [run.values[number] for number in (item.out, *item.operands)]
        is_corner = record.corner is not None and bool(np.any(record.corner(*numbers)))
        return Clause(*AT_EDGE if is_corner else FLAT, operands)


def _chooses(item: Instruction, slot: int) -> bool:
    return not item.primitive.slot(slot).differentiable


def _is_step(record: Primitive) -> bool:
    """Whether an operation has no gradient for any operand, or one of 0 wherever it is tried."""
    if len(record.choosers) == len(record.slots):
        return True
    rule = record.slots[0].partial
    if rule is None or len(record.slots) > 1:
        return False
    points = [record.complete(example[-1] if isinstance(example[-1], dict) else {}) for example in record.examples]
    operands = [np.asarray(example[0], dtype=np.float64) for example in record.examples]
    return all(
        not np.any(rule(record.value(x, **attributes), x, **attributes))
        for x, attributes in zip(operands, points, strict=True)
    )


def why_none(run: Run, name: str) -> tuple[str, ...]:
    """Sentences on why the gradient of a node is None, or 0 everywhere; none where it is not."""
    return Reasons(run).sentences(name)
