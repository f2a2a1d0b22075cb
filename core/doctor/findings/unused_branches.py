"""Gradients of 0 that come from a branch that was not chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cadena.core.ops.selection import where

if TYPE_CHECKING:
    from cadena.core.run.program import Run

CONDITION, CHOSEN_IF_TRUE, CHOSEN_IF_FALSE = 0, 1, 2  # the slots of where


def unused_branch(run: Run, number: int, at: tuple[int, ...]) -> str | None:
    """The nearest `where` above a node whose gradient at place `at` is 0 because it chose the other branch."""
    choice = choice_without(run, number, at)
    return choice[0] if choice else None


def choice_without(run: Run, number: int, at: tuple[int, ...]) -> tuple[str, int] | None:
    """The nearest such `where` and the slot of the branch that it did not choose."""
    consumers = run.program.document.consumers
    queue = [run.plan.names[number]]
    seen = set(queue)
    for name in queue:
        for consumer, slot in consumers[name]:
            if consumer in seen or not _gets_gradient(run, consumer):
                continue
            if run.instruction_of[run.plan.index[consumer]].primitive is where and slot != CONDITION:
                if _not_chosen(run, consumer, slot, at):
                    return consumer, slot
            elif np.any(run.gradient(consumer) == 0.0):
                seen.add(consumer)
                queue.append(consumer)
    return None


def _gets_gradient(run: Run, name: str) -> bool:
    return run.plan.reached[run.plan.index[name]]


def _not_chosen(run: Run, name: str, slot: int, at: tuple[int, ...]) -> bool:
    """Whether the branch in `slot` is not chosen at place `at`, or at any place if it has been reshaped since."""
    condition, result = run.value(str(run.program.document.nodes[name].inputs[CONDITION])), run.value(name)
    assert condition is not None and result is not None
    other = np.broadcast_to(condition == 0.0 if slot == CHOSEN_IF_TRUE else condition != 0.0, result.shape)
    same_places = len(at) == other.ndim and all(index < size for index, size in zip(at, other.shape, strict=True))
    return bool(other[at]) if same_places else bool(other.any())
