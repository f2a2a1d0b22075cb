"""Gradients that accumulate from one backward pass to the next until they are cleared, as a visible state.

A run by itself never remembers the one before. Libraries with parameters that hold their gradients do, and a forgotten
zero_grad is a frequent mistake; this shows what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Node
from cadena.core.run.program import Run


@dataclass(frozen=True)
class Accumulated:
    """The gradients of leaves by name, each of its leaf's shape, after so many backward passes since the last clearing.

    The last pass may be under way: `awaited` are the leaves at which not all of it has arrived. `note` is a sentence
    for the user where gradients could not be added, else "".
    """

    gradients: Mapping[str, np.ndarray] = field(default_factory=dict)
    passes: int = 0
    note: str = ""
    awaited: frozenset[str] = frozenset()

    def passes_at(self, name: str) -> int:
        """How many passes are wholly in a leaf's gradient."""
        return self.passes - (name in self.awaited)


NOTHING = Accumulated()


def accumulate(before: Accumulated, run: Run) -> Accumulated:
    """Add the gradients of one more backward pass to `before`, for the leaves that have one.

    A leaf that the output does not depend on keeps what it has; one that is gone from the graph, or is computed now, is
    forgotten. Where the shape of a leaf has changed, all start anew, and the note says so; as it does where there is no
    output that runs, and so no pass.
    """
    if run.plan.output is None:
        return replace(before, note="there is no output that runs, so no gradient was added; fix its faults first")
    new, nodes = _gradients(run), run.program.document.nodes
    old = {name: gradient for name, gradient in before.gradients.items() if name in nodes and _may_keep(nodes[name])}
    changed = [name for name in old.keys() & new.keys() if old[name].shape != new[name].shape]
    if changed:
        name = min(changed)
        note = f"{name} had a gradient of shape {old[name].shape} and now has one of {new[name].shape}: all start again"
        return Accumulated(new, 1, note)
    with np.errstate(all="ignore"):  # what overflows is shown as inf
        sums = {name: _frozen(old[name] + part) if name in old else part for name, part in new.items()}
    return Accumulated(old | sums, before.passes + 1)


def under_way(before: Accumulated, after: Accumulated, so_far: Callable[[str], np.ndarray | None]) -> Accumulated:
    """The sums in the midst of the pass that leads from `before` to `after`: with what has arrived `so_far`."""
    arrived = {name: part for name in after.gradients if (part := so_far(name)) is not None}
    with np.errstate(all="ignore"):
        sums = {
            name: before.gradients[name] + part if name in before.gradients else part for name, part in arrived.items()
        }
    whole = {name for name, part in sums.items() if np.array_equal(part, after.gradients[name], equal_nan=True)}
    return Accumulated({**before.gradients, **sums}, after.passes, awaited=frozenset(after.gradients.keys() - whole))


def _may_keep(node: Node) -> bool:
    return node.is_leaf and node.op != "constant"


def renamed(before: Accumulated, old: Node, new: Node) -> Accumulated:
    """Rename a leaf in `before` from `old` to `new`."""
    if old.name not in before.gradients or with_fields(old, name=new.name) != new:
        return before
    names = {old.name: new.name}
    return replace(before, gradients={names.get(name, name): part for name, part in before.gradients.items()})


def zero_grad(before: Accumulated) -> Accumulated:
    """Set all gradients to 0, as before the first backward pass."""
    return Accumulated({name: _frozen(np.zeros_like(part)) for name, part in before.gradients.items()})


def _gradients(run: Run) -> dict[str, np.ndarray]:
    """The gradients of the leaves that have one, as far as the output depends on them."""
    gradients = {}
    for leaf in run.plan.leaves:
        name = run.plan.names[leaf]
        gradient = run.gradient(name)
        # An output that is a leaf has a gradient, although nobody may want it.
        if gradient is not None and (name != run.program.output or run.program.document.nodes[name].wants_gradient):
            gradients[name] = _frozen(gradient)
    return gradients


def _frozen(numbers: np.ndarray) -> np.ndarray:
    """A read-only copy."""
    copy = np.array(numbers)
    copy.flags.writeable = False
    return copy
