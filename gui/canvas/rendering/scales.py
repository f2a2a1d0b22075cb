"""What the colour of cards says where the user wishes: value, size of the gradient, time or depth.

All numbers of a run are put on a scale at once, and kept; a node has its colour only from when its number is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.order import order
from cadena.core.methods.reverse.timeline import Frame, Timeline
from cadena.core.text.numbers import short
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.look.heat_colors import colours
from cadena.gui.look.theme import Theme

FAINTEST = 0.15  # the part of the least gradient that is not 0


@dataclass(frozen=True)
class Scale:
    """A number for each node that has one, as part of the scale from -1 or 0 to 1, and the texts of its ends."""

    title: str
    parts: np.ndarray
    has: np.ndarray  # whether a node has a number
    ends: tuple[str, str]
    kind: str  # of the colours
    begin: float = 0.0  # the part at the lower end

    @property
    def signed(self) -> bool:
        return self.begin < 0.0


def _by_value(timeline: Timeline) -> Scale:
    run = timeline.run
    values = [run.value(name) for name in run.plan.names]
    numbers, has = _farthest(values)
    largest = float(np.max(np.abs(numbers[np.isfinite(numbers)]), initial=0.0))
    parts = numbers / largest if largest else numbers
    return Scale("value", parts, has, (short(-largest), short(largest)), "value", -1.0)


def _by_gradient(timeline: Timeline) -> Scale:
    run = timeline.run
    numbers, has = _farthest([run.gradient(name) for name in run.plan.names])
    numbers = np.abs(numbers)
    there = numbers[np.isfinite(numbers) & (numbers > 0.0)]
    low, high = (float(there.min()), float(there.max())) if there.size else (1.0, 1.0)
    span = math.log(high) - math.log(low)  # their ratio may be larger than any number
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (np.log(numbers) - math.log(low)) / span if span else np.ones(len(numbers))
    parts = np.where(numbers > 0.0, FAINTEST + (1.0 - FAINTEST) * share, 0.0)
    parts[np.isnan(numbers)] = np.nan
    return Scale("size of the gradient", parts, has, (short(low), short(high)), "gradient", FAINTEST)


def _by_time(timeline: Timeline) -> Scale:
    document, names = timeline.run.program.document, timeline.run.plan.names
    operations = (name for name in order(document)[0] if not document.nodes[name].is_leaf)
    steps = {name: number for number, name in enumerate(operations, start=1)}
    return _counted("step of the forward pass", [steps.get(name, 0) for name in names], "time")


def _by_depth(timeline: Timeline) -> Scale:
    depths = _depths(timeline.run.program.document)
    return _counted("operations from the leaves", [depths[name] for name in timeline.run.plan.names], "depth")


def _counted(title: str, counts: list[int], kind: str) -> Scale:
    most = max(counts, default=0)
    return Scale(
        title, np.array(counts, dtype=float) / max(most, 1), np.ones(len(counts), dtype=bool), ("0", str(most)), kind
    )


def _depths(document: Document) -> dict[str, int]:
    """How many operations lie on the longest way from a leaf to each node, itself included."""
    depths = dict.fromkeys(document.nodes, 0)
    for name in order(document)[0]:
        node = document.nodes[name]
        if not node.is_leaf:
            depths[name] = 1 + max((depths[source] for source in node.inputs if source in depths), default=0)
    return depths


def _farthest(values: list[np.ndarray | None]) -> tuple[np.ndarray, np.ndarray]:
    """Each number, or the element of an array that lies farthest from 0; and whether there is one."""
    has = np.array([value is not None and value.size > 0 for value in values], dtype=bool)
    numbers = np.zeros(len(values))
    for place in np.flatnonzero(has).tolist():
        value = np.asarray(values[place])
        numbers[place] = float(value) if not value.ndim else float(value.flat[int(np.argmax(np.abs(value)))])
    return numbers, has


SCALES: dict[str, Callable[[Timeline], Scale]] = {
    "value": _by_value, "gradient": _by_gradient, "time": _by_time, "depth": _by_depth,
}  # fmt: skip
ENDS = {"time": "heat_low", "depth": "heat_high", "gradient": "gradient_high"}  # the colours of the scales' upper ends


@lru_cache(maxsize=2)
def _scale(by: str, timeline: Same) -> Scale:
    return SCALES[by](timeline.value)


@lru_cache(maxsize=2)
def _last_arrivals(timeline: Same) -> np.ndarray:
    """For each node the number of the step that completes its gradient."""
    shown: Timeline = timeline.value
    plan = shown.run.plan
    steps = np.zeros(len(plan.names), dtype=int)
    for name, contributions in shown.arrivals.items():
        steps[plan.index[name]] = contributions[-1][0]
    if plan.output is not None:
        steps[plan.output] = shown.forward_length
    return steps


def _known(by: str, frame: Frame) -> np.ndarray:
    """For each node whether its place on the scale is to be seen by now."""
    if by == "value":
        return np.asarray(frame.shown, dtype=bool)
    if by == "gradient" and frame.landed < len(frame.timeline):
        done: np.ndarray = _last_arrivals(Same(frame.timeline)) < frame.landed
        return done & (frame.landed > frame.timeline.forward_length)
    return np.ones(len(frame.run.plan.names), dtype=bool)


Rgb = tuple[int, int, int]


class Tints:
    """The colours of the nodes of a scene, by their numbers in the plan."""

    def __init__(self, scene: Scene) -> None:
        self._index = scene.frame.run.plan.index
        self.scale = _scale(scene.shown.by, Same(scene.frame.timeline))
        hidden = scene.hidden.kinds & {"values", "gradients"}
        self.known = _known(scene.shown.by, scene.frame) & self.scale.has
        if {"value": "values", "gradient": "gradients"}.get(scene.shown.by) in hidden:
            self.known &= False
        self.rgb = _rgb(self.scale, scene.theme)

    def of(self, name: str) -> Rgb | None:
        """The colour of a node; None where it has none now."""
        number = self._index[name]
        if not self.known[number]:
            return None
        red, green, blue = self.rgb[number].tolist()
        return red, green, blue


def _rgb(scale: Scale, theme: Theme) -> np.ndarray:
    return _tinted(Same(scale), theme)


@lru_cache(maxsize=4)
def _tinted(scale: Same, theme: Theme) -> np.ndarray:
    return colours_of(scale.value.parts, scale.value, theme)


def colours_of(parts: np.ndarray, scale: Scale, theme: Theme) -> np.ndarray:
    if scale.signed:
        with_end = np.append(parts, 1.0)
        return colours(with_end, theme, scale.kind)[:-1]  # the end says how far the scale reaches
    zero, end = theme.color("heat_zero"), theme.color(ENDS[scale.kind])
    share = np.clip(np.nan_to_num(parts), 0.0, 1.0)[:, None]
    low, high = (np.array((color.red(), color.green(), color.blue()), dtype=float) for color in (zero, end))
    mixed = low + (high - low) * share
    mixed[~np.isfinite(parts)] = [theme.color("fault").red(), theme.color("fault").green(), theme.color("fault").blue()]
    return mixed.round().astype(np.uint8)
