"""The output as a function of one or two elements of leaves, at many places: curves, contours, steps downhill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import Document, Tensor, Value, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, element_name, never, stop_if
from cadena.core.run.program import Program, Run, compile
from cadena.core.text.numbers import short
from cadena.core.tracing.from_document import as_function
from cadena.core.tracing.transforms import hvp

PATH = 60  # steps of a path of descent
FLAT = 1e-12  # of the largest element: a determinant that counts as 0


class LeafElement(NamedTuple):
    """An element of a leaf: the one at the flat index `at`."""

    leaf: str
    at: int = 0

    def title(self, document: Document) -> str:
        """The element's name, such as W[0, 1]."""
        return element_name(self.leaf, self.at, _shape(document, self.leaf))


def _shape(document: Document, leaf: str) -> tuple[int, ...]:
    value = document.nodes[leaf].value
    return value.shape if isinstance(value, Tensor) else ()


def elements_of(run: Run, most: int = 200) -> list[LeafElement]:
    """The elements of the parameters, then of the other leaves, that have a gradient and so can be moved."""
    document, plan = run.program.document, run.plan
    leaves = [plan.names[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    leaves = sorted((name for name in leaves if name != document.output), key=plan.index.__getitem__)
    listed = [LeafElement(name, index) for name in leaves for index in range(math.prod(_shape(document, name)))]
    return listed[:most]


class Landscape:
    """The output of a document over some of its elements; all other leaves stay. Compiled once.

    Raises Refused for an output that does not run or is not a single number, and for an element that is inf or nan.
    """

    def __init__(self, document: Document, elements: Sequence[LeafElement], cancelled: Cancel = never) -> None:
        self.document, self.elements, self._cancelled = document, tuple(elements), cancelled
        self._program: Program[Run] = compile(document, wrt={one.leaf for one in elements})
        plan = self._program.plan
        if plan.output is None:
            raise Refused("there is no output that runs", "choose one, and fix its faults")
        if plan.shapes[plan.output] != ():
            what = "{output} is not a single number"
            raise Refused(what, "put a sum behind it", output=document.output)
        for one, number in zip(elements, self.here, strict=True):
            if not math.isfinite(number):
                what = "{name} is {number}, which has no neighbours"
                raise Refused(what, "set it to a finite number", name=one.title(document), number=short(number))

    @property
    def here(self) -> tuple[float, ...]:
        """The elements' own values."""
        return tuple(float(as_array(self._value(one.leaf)).flat[one.at]) for one in self.elements)

    def _value(self, leaf: str) -> Value:
        value = self.document.nodes[leaf].value
        assert value is not None
        return value

    def values(self, place: Sequence[float]) -> dict[str, Value]:
        """The values of the leaves at a place."""
        moved: dict[str, Any] = {}
        for one, number in zip(self.elements, place, strict=True):
            array = moved.setdefault(one.leaf, np.array(as_array(self._value(one.leaf)), np.float64))
            array.flat[one.at] = number
        return {leaf: as_value(array) for leaf, array in moved.items()}

    def _run(self, place: Sequence[float]) -> Run:
        stop_if(self._cancelled)
        return self._program.run(self.values(place))

    def height(self, place: Sequence[float]) -> float:
        """The output at a place."""
        return float(self._run(place).value(str(self.document.output)))  # type: ignore[arg-type]

    def heights(self, *axes: np.ndarray) -> np.ndarray:
        """The output over a grid, a row for each place on the first axis."""
        grid = np.stack([places.ravel() for places in np.meshgrid(*axes, indexing="ij")], axis=1)
        flat = [self.height(place) for place in grid.tolist()]
        return np.array(flat).reshape([len(axis) for axis in axes])

    def gradient(self, place: Sequence[float]) -> np.ndarray:
        """The partial derivatives at a place."""
        run = self._run(place)
        parts = [run.gradient(one.leaf) for one in self.elements]
        slopes = [
            0.0 if part is None else float(part.flat[one.at]) for one, part in zip(self.elements, parts, strict=True)
        ]
        return np.array(slopes)

    def hessian(self, place: Sequence[float]) -> np.ndarray:
        """The second partial derivatives at a place: the gradient's tangent along each element."""
        names = list(dict.fromkeys(one.leaf for one in self.elements))
        function = as_function(self.document, wrt=names)
        values = self.values(place)
        primals = [as_array(values[name]).astype(self.document.dtype) for name in names]
        columns = []
        for one in self.elements:
            stop_if(self._cancelled)
            along = [np.zeros_like(primal) for primal in primals]
            along[names.index(one.leaf)].flat[one.at] = 1.0
            products = hvp(function, primals, along)
            columns.append([float(np.asarray(products[names.index(row.leaf)]).flat[row.at]) for row in self.elements])
        return np.array(columns).T

    def descent(self, place: Sequence[float], rate: float, steps: int = PATH) -> np.ndarray:
        """The places of gradient descent, the first one among them; it ends where a number is not finite."""
        places = [np.array(place, float)]
        for _ in range(steps):
            after = places[-1] - rate * self.gradient(places[-1].tolist())
            if not np.isfinite(after).all() or np.abs(after).max() > 1e12:
                break
            places.append(after)
        return np.array(places)


class Newton(NamedTuple):
    """A Newton step, and what the Hessian says: `step` is None where its determinant is 0."""

    hessian: np.ndarray
    step: np.ndarray | None
    is_bowl: bool  # all curvatures are above 0, so that the step leads to a minimum of the parabola

    @property
    def words(self) -> str:
        """What the step leads to, as a clause."""
        if self.step is None:
            return "the determinant of the Hessian is 0: there is no Newton step"
        return "the Newton step" if self.is_bowl else "the Newton step, to a saddle or a maximum"


def newton(gradient: np.ndarray, hessian: np.ndarray) -> Newton:
    """The step that solves hessian · step = −gradient."""
    if not np.isfinite(hessian).all() or not np.isfinite(gradient).all():
        return Newton(hessian, None, False)
    curvatures = np.linalg.eigvalsh((hessian + hessian.T) / 2.0)
    if np.abs(curvatures).min() <= FLAT * max(np.abs(curvatures).max(), 1e-300):
        return Newton(hessian, None, False)
    return Newton(hessian, np.linalg.solve(hessian, -gradient), bool(curvatures.min() > 0.0))
