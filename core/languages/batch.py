"""The batch in a graph: which inputs hold an example in each row, and whether processes may share these out.

The batch is the first axis of the inputs that are arrays, if all have one size there. JAX keeps the meaning of a
program wherever its arrays lie, so that it needs no more. Processes that compute a loss each, over their own examples,
need a loss that is the mean or the sum of those of the parts; whether an operation treats the examples apart is tried
on the whole batch and on its halves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.languages.script import Script, prepare
from cadena.core.ops.walk import Instruction


class Batch(NamedTuple):
    """The inputs whose first axis counts the examples, and how many these are."""

    inputs: tuple[str, ...]
    size: int

    def check(self, parts: int) -> None:
        """Raises Refused where the examples cannot be shared out equally."""
        if self.size % parts:
            raise Refused(
                "a batch of {size} cannot be shared out equally among {parts}",
                "choose a number that divides {size}",
                size=self.size,
                parts=parts,
            )


def batch_of(document: Document, output: str, parts: int = 1) -> Batch:
    """The batch behind `output`, for so many parts. Raises Refused where there is none."""
    batch = batch_in(prepare(document, output, ()))
    batch.check(parts)
    return batch


def batch_in(script: Script) -> Batch:
    """The batch of a script. Raises Refused where there is none."""
    shapes = {
        name: array.shape for name, array in script.leaves.items() if array.ndim and _is_input(script.document, name)
    }
    sizes = {shape[0] for shape in shapes.values()}
    if not shapes:
        raise Refused(
            "there is no batch to share out: {output} depends on no input that is an array",
            "make the data inputs whose first axis counts the examples",
            output=script.output,
        )
    if len(sizes) > 1 or sizes == {1}:
        listed = ", ".join(f"{name} {shape}" for name, shape in list(shapes.items())[:6])
        raise Refused(
            "there is no batch to share out: the first axes of the inputs are not of one size above 1 ({listed})",
            "make constants of those that hold no examples",
            listed=listed,
        )
    return Batch(tuple(shapes), sizes.pop())


def shared_inputs(script: Script) -> tuple[str, ...]:
    """The inputs that a program shares out; none where there is no batch, no loss or no gradient.

    A small batch gains nothing by it, and a program to be read would lose.
    """
    if script.ndim or not script.wanted:
        return ()
    try:
        batch = batch_in(script)
    except Refused:
        return ()
    return batch.inputs if batch.size >= FEWEST else ()


def _is_input(document: Document, name: str) -> bool:
    return document.nodes[name].op == "input"


FEWEST = 8  # examples that a program shares out

# How a node's values in the parts of a batch belong together.
WHOLE, ROWS, MEAN, SUM = "whole", "rows", "mean", "sum"
LINEAR = ("add", "subtract", "negative", "positive", "multiply", "divide")


def loss_of_parts(script: Script, batch: Batch) -> str:
    """Whether the output is the mean or the sum of the outputs for the parts of the batch.

    Raises Refused, with the node named, where it is neither, as with a batch norm.
    """
    if held := [name for name in batch.inputs if name in script.wanted]:
        raise Refused(
            "the gradient of {name}, which is part of the batch, is wanted", "share out without it", name=held[0]
        )
    plan, random = script.plan, np.random.default_rng(0)
    kinds = {plan.index[name]: ROWS if name in batch.inputs else WHOLE for name in script.leaves}
    values = {plan.index[name]: array for name, array in script.leaves.items()}
    for instruction in plan.instructions:
        values[instruction.out] = _value(instruction, [values[operand] for operand in instruction.operands])
        kind = _kind(instruction, [kinds[operand] for operand in instruction.operands], values, random)
        if kind is None:
            raise Refused(
                "{name} mixes the examples of the batch", "compute it on one device",
                name=plan.names[instruction.out],
            )  # fmt: skip
        kinds[instruction.out] = kind
    kind = kinds[plan.index[script.output]]
    if kind in (MEAN, SUM):
        return kind
    raise Refused(
        "{output} is neither a mean nor a sum over the batch", "choose such a loss as the output", output=script.output
    )


def _value(instruction: Instruction, operands: Sequence[Any]) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(instruction.primitive.value(*operands, **instruction.attributes))


def _kind(
    instruction: Instruction, kinds: list[str], values: Mapping[int, np.ndarray], random: np.random.Generator
) -> str | None:
    """The kind of an operation's result, from the kinds of its operands; None where it mixes the examples."""
    if set(kinds) == {WHOLE}:
        return WHOLE
    if MEAN in kinds or SUM in kinds:
        return _of_parts(instruction.primitive.name, kinds)
    operands = [_drawn(instruction, slot, values[operand], random) for slot, operand in enumerate(instruction.operands)]
    ignored = instruction.attributes.get("ignore_index")
    if ignored is not None and any(np.any(values[operand] == ignored) for operand in instruction.operands[1:]):
        return None
    half = min(len(one) for one, kind in zip(operands, kinds, strict=True) if kind == ROWS) // 2
    try:
        whole, *parts = (
            _value(instruction, [one[rows] if kind == ROWS else one for one, kind in zip(operands, kinds, strict=True)])
            for rows in (slice(0, 2 * half), slice(0, half), slice(half, 2 * half))
        )
    except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
        return None
    if parts[0].ndim and len(parts[0]) == half and _same(whole, np.concatenate(parts)):
        return ROWS
    if whole.shape != parts[0].shape:
        return None
    return MEAN if _same(whole, (parts[0] + parts[1]) / 2) else SUM if _same(whole, parts[0] + parts[1]) else None


def _of_parts(op: str, kinds: list[str]) -> str | None:
    """A mean stays one when what is the same in all parts is added, a sum when it is multiplied with that."""
    kind = next(kind for kind in kinds if kind in (MEAN, SUM))
    others = set(kinds) - {kind}
    if op not in LINEAR or others - {WHOLE}:
        return None
    if op in ("multiply", "divide"):
        return kind if WHOLE in kinds and (op == "multiply" or kinds[0] == kind) else None
    return kind if kind == MEAN or not others else None


def _drawn(instruction: Instruction, slot: int, value: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Numbers in general position for an operand; its own where they choose, as the numbers of classes do."""
    if not instruction.primitive.slot(slot).differentiable:
        return value
    return random.uniform(0.1, 0.9, value.shape)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True)
