"""The answer of a method of differentiation, in one form for all, so that answers can be compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors, why_no_gradient
from cadena.core.methods.names import Method
from cadena.core.run.program import Run
from cadena.core.text.wording import Clause, Remedy

Elements = Mapping[str, np.ndarray]  # for each leaf the requested elements, as indices into the flat array
Cancel = Callable[[], bool]


class Cancelled(Exception):
    """The caller no longer wants the answer."""


class NoStep(Refused):
    """A step of differences that gives no quotient: 0, or lost in rounding; the message names the element."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The gradients that one method gives, with what they cost.

    `gradients` and `errors` (estimates of how far off they are, where the method can tell) are arrays of the leaf's
    shape; elements that were not requested are nan. `passes` counts what `kind` says: reverse passes, tangent passes,
    or whole runs; a tangent pass carries up to `width` tangents at once. `value` is the output as the method itself
    computes it (weighted with the seed), nan where it takes the run's; its gradients are not `is_sound` where it
    computes an output that is not finite. `steps` holds the step h that differences took for each element. A method
    that cannot be used has a `fault` and no gradients.
    """

    method: str
    gradients: Mapping[str, np.ndarray] = field(default_factory=dict)
    errors: Mapping[str, np.ndarray] = field(default_factory=dict)
    passes: int = 0
    kind: str = ""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    fault: Clause | None = None
    steps: Mapping[str, np.ndarray] = field(default_factory=dict)
    value: float = math.nan
    width: int = 1
    is_sound: bool = True

    @property
    def cost(self) -> str:
        """The passes in words: "1 reverse pass", "15 tangent passes", "1 pass carrying 15 tangents", "42 runs"."""
        many = "" if self.passes == 1 else "es"
        if not self.passes:
            return ""
        if self.kind == "run":
            return f"{self.passes} run{many and 's'}"
        if self.width > 1:
            return f"{self.passes} pass{many} carrying {self.width} tangents{' each' if many else ''}"
        return f"{self.passes} {self.kind} pass{many}"


def never() -> bool:
    """Never cancel: the default for callers that do not."""
    return False


def stop_if(cancelled: Cancel) -> None:
    """Raise Cancelled when the caller says so; called between any two passes."""
    if cancelled():
        raise Cancelled


def output_number(run: Run) -> int:
    """The number of the output. Raises Refused when there is none that runs."""
    if run.plan.output is not None:
        return run.plan.output
    name = run.program.output
    if name is None:
        raise Refused("the graph has no output", Remedy.CHOOSE_OUTPUT)
    raise Refused("{node}: the output does not run, so it has no gradients", Remedy.FIX_FAULTS, node=name)


def require_single_number(run: Run) -> None:
    """Raise Refused when the output is an array: a gradient is that of one number."""
    shape = run.plan.shapes[output_number(run)]
    if shape:
        what = "{node} has shape {shape}, and a gradient is that of a single number"
        raise Refused(what, Remedy.GIVE_SEED, node=run.program.output, shape=shape)


def require_wanted_leaf(run: Run) -> None:
    """Raise Refused when the output depends on no leaf whose gradient is wanted."""
    if wanted_leaves(run):
        return
    document, output = run.program.document, run.plan.names[output_number(run)]
    wrt = run.program.wrt
    leaves = (node for node in document.nodes.values() if node.is_leaf)
    requested = (node.name for node in leaves if (node.wants_gradient if wrt is None else node.name in wrt))
    behind = ancestors(document, output)
    if choosing := next((name for name in requested if name in behind), None):
        raise Refused(
            "{why}", "make a leaf a parameter that does more", why=why_no_gradient(document, output, choosing)
        )
    raise Refused("{node} depends on no leaf whose gradient is wanted", Remedy.WANT_LEAF, node=output)


def wanted_leaves(run: Run) -> dict[str, tuple[int, ...]]:
    """The leaves whose gradient is wanted and on which the output depends, with their shapes."""
    plan = run.plan
    return {plan.names[leaf]: plan.shapes[leaf] or () for leaf in plan.leaves if plan.reached[leaf]}


def all_elements(run: Run) -> dict[str, np.ndarray]:
    """All elements of all wanted leaves."""
    return {name: np.arange(int(np.prod(shape, dtype=int))) for name, shape in wanted_leaves(run).items()}


def spread_elements(run: Run, most: int) -> dict[str, np.ndarray]:
    """At most `most` elements, spread evenly over all wanted leaves, at least one of each if that many may be."""
    full = all_elements(run)
    total = sum(map(len, full.values()))
    if total <= most:
        return full
    names = _evenly(np.array(list(full)), most)
    share = max(most // max(len(names), 1), 1)
    chosen = {name: _evenly(full[name], share) for name in names.tolist()}
    return {name: indices for name, indices in chosen.items() if len(indices)}


def _evenly(items: np.ndarray, most: int) -> np.ndarray:
    """Choose at most `most` of the items, at even distances, including the first and the last."""
    return items if len(items) <= most else items[np.linspace(0, len(items) - 1, most).astype(int)]


def blank(run: Run, elements: Elements) -> dict[str, np.ndarray]:
    """For each leaf an array of nan, float64, to be filled in."""
    return {name: np.full(run.plan.shapes[run.plan.index[name]] or (), np.nan) for name in elements}


def element_name(name: str, index: int, shape: tuple[int, ...]) -> str:
    """The name of an element: "w0", or "W[1, 0]" with its place in the array."""
    if not shape:
        return name
    return f"{name}[{', '.join(str(int(item)) for item in np.unravel_index(index, shape))}]"


def element_of(run: Run, method: Method) -> tuple[str | None, int]:
    """The element that is moved: the requested one if it exists, else the first; None where there is none."""
    elements = all_elements(run)
    if method.leaf in elements and method.index < len(elements[method.leaf]):
        return method.leaf, method.index
    return next((name for name, indices in elements.items() if len(indices)), None), 0


def differs_in_h(run: Run, method: Method, other: Method) -> bool:
    """Whether two methods differ only in the step h; a leaf that is not named is the first."""
    same = replace(method, step=other.step, leaf=other.leaf, index=other.index) == other
    return same and element_of(run, method) == element_of(run, other)


def moved_element(run: Run, method: Method) -> tuple[str, int]:
    """The element that is moved. Raises Refused where there is none."""
    require_wanted_leaf(run)
    leaf, index = element_of(run, method)
    if leaf is None:
        raise Refused("the leaves have no elements, so there is nothing to move", "give one of them a number")
    return leaf, index
