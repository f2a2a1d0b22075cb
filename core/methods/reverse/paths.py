"""A gradient as the sum over all paths from a node to the output: of each path the product of its local derivatives.

Factors stand in the order of the reverse pass: that of the output first, as the upstream gradient is written first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import Document
from cadena.core.graph.shape import PathSummary, Wire, path_summary, paths
from cadena.core.methods.reverse.step_text import local_label, local_slope, no_paint, ratio
from cadena.core.methods.reverse.timeline import Paint
from cadena.core.ops.expression import POWER, SUM, Written, written_number
from cadena.core.run.program import Run
from cadena.core.text.numbers import PLAIN, Figures, figures, fits, latex_number, short

MAX_LISTED = 64  # paths; of more, their number is told


@dataclass(frozen=True)
class Path:
    """A path from a node to the output, wire by wire; `product` is its part of the node's gradient, of its shape."""

    nodes: tuple[str, ...]
    wires: tuple[Wire, ...]
    product: np.ndarray


class PathSum:
    """The paths from `name` to the output of a run along which gradients flow, and the sum of their products."""

    def __init__(self, run: Run, name: str) -> None:
        self.run, self.name, self.output = run, name, str(run.program.output)
        self.gradient = run.gradient(name) if name in run.plan.index else None

    @cached_property
    def _carrying(self) -> Document:
        return carrying(self.run)

    @cached_property
    def summary(self) -> PathSummary:
        """The number of paths, and the nodes that all of them pass through."""
        return path_summary(self._carrying, self.name, self.output)

    @cached_property
    def listed(self) -> tuple[Path, ...]:
        """The paths with their products; none where there are more than `MAX_LISTED`."""
        if self.gradient is None or self.name == self.output or not 0 < self.summary.number <= MAX_LISTED:
            return ()
        return tuple(map(self._path, paths(self._carrying, self.name, self.output, MAX_LISTED)))

    def _path(self, wires: list[Wire]) -> Path:
        """Push the seed back along the wires alone, each by its own rule."""
        run, carried = self.run, np.asarray(self.run.seed)
        for node, slot in reversed(wires):
            item = run.instruction_of[run.plan.index[node]]
            with np.errstate(all="ignore"):
                carried = item.primitive.vjp(slot, carried, run.value(node), run.operands(item), item.attributes)
        return Path((self.name, *(node for node, _ in wires)), tuple(wires), np.asarray(carried))

    # --- in words and formulas

    def labels(self, path: Path) -> tuple[str, ...]:
        """The local derivatives along a path: "∂L/∂c = −1", "∂m3/∂b1 = w3 = 7"."""
        return tuple(local_label(self.run, *wire) for wire in reversed(path.wires))

    def path_formula(self, path: Path, latex: bool, paint: Paint = no_paint) -> str:
        """The product along a path in symbols, with numbers where the factors are numbers, and its result."""
        run, dot = self.run, r" \cdot " if latex else " · "
        pairs = list(zip(path.nodes[1:], path.nodes, strict=False))[::-1]
        symbols = dot.join(ratio(run, node, operand, latex) for node, operand in pairs)
        factors = self.factors(path)
        precision = figures(lambda *shown: np.prod(shown), factors, path.product) if factors else PLAIN
        numbers = dot.join(paint("value", _grouped(factor, precision, latex)) for factor in factors)
        equals = precision.relation(latex) if factors else "="
        result = paint("gradient", _written(path.product, latex))
        return f"{symbols} = {numbers} {equals} {result}" if factors else f"{symbols} = {result}"

    def factors(self, path: Path) -> list[np.ndarray]:
        """The local derivatives of a path of numbers, with the seed where it is another than 1; none for arrays."""
        seed = [] if (self.run.seed == 1).all() else [self.run.seed]
        slopes = [*seed, *(self.slope(*wire) for wire in reversed(path.wires))]
        factors = [np.asarray(slope) for slope in slopes if slope is not None]
        if len(factors) < len(slopes) or any(factor.ndim for factor in factors):
            return []
        return factors

    def slope(self, node: str, slot: int) -> np.ndarray | None:
        """The local derivative of a wire; None for arrays, and for a custom gradient, which need not be a product.

        An operation that mixes elements, such as a loss, has no formula for it, and between numbers is a product too.
        """
        run, item = self.run, self.run.instruction_of[self.run.plan.index[node]]
        slope: np.ndarray | None = local_slope(run, node, slot)
        y, operand = np.asarray(run.value(node)), run.operands(item)[slot]
        if slope is not None or y.ndim or np.ndim(operand) or isinstance(item.primitive, FunctionCall):
            return slope
        with np.errstate(all="ignore"):
            return np.asarray(item.primitive.vjp(slot, np.ones((), y.dtype), y, run.operands(item), item.attributes))

    def sum_formula(self, latex: bool, paint: Paint = no_paint) -> str:
        """The gradient as the sum of the products: "∂L/∂a1 = −14 + (−27) = −41"."""
        assert self.gradient is not None
        head = paint("gradient", ratio(self.run, str(self.run.target), self.name, latex))
        result = paint("gradient", _written(self.gradient, latex))
        if not all(fits(path.product) for path in self.listed) or len(self.listed) < 2:
            return f"{head} = {result}"
        products = [path.product for path in self.listed]
        precision = figures(lambda *shown: sum(shown), products, self.gradient)
        first, *others = [written_number(product, latex, precision) for product in products]
        added = " + ".join([first.text, *(_in_sum(other, latex) for other in others)])
        return f"{head} = {added} {precision.relation(latex)} {result}"


def carrying(run: Run) -> Document:
    """The document of a run with the wires alone that carry a gradient: none does into a slot that only chooses."""
    document, index = run.program.document, run.plan.index
    nodes = {}
    for name, node in document.nodes.items():
        item = run.instruction_of.get(index[name])
        active = item.active if item is not None else ()
        inputs = tuple(source if slot in active else None for slot, source in enumerate(node.inputs))
        nodes[name] = node if inputs == node.inputs else with_fields(node, inputs=inputs)
    return replace(document, nodes=nodes)


def _grouped(number: np.ndarray, precision: Figures, latex: bool) -> str:
    written = written_number(number, latex, precision)
    return written.text if written.binding >= POWER else _in_brackets(written, latex)


def _in_sum(written: Written, latex: bool) -> str:
    has_sign = written.text.startswith(("-", "−"))
    return _in_brackets(written, latex) if has_sign or written.binding < SUM else written.text


def _in_brackets(written: Written, latex: bool) -> str:
    return rf"\left({written.text}\right)" if latex else f"({written.text})"


def _written(number: np.ndarray, latex: bool) -> str:
    return latex_number(number) if latex else short(number)
