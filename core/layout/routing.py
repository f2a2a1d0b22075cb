"""Routes around cards: a wire that would pass behind a card takes a level lane above or below it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cadena.core.graph.columns import table

SWING = 40.0  # a wire leaves its port and enters the next at least this far straight on
SAMPLES = 33  # points of a curve that are tested
MOST_REACH, MOST_SAG = 4.0 * SWING, 3.0 * SWING  # of a curve beyond its ends, and below the lower one
RAMP = 52.0  # how much of the way a wire takes to climb to its lane: less than the gap between two columns
CLEAR = 12.0  # between a card and a lane
NEAR = 3.0  # a wire that comes nearer to a card seems to pass behind it
LANE = 10.0  # between two lanes
MAX_PAIRS = 8_000  # wires times cards: in larger graphs nobody follows a single wire, and there it would take too long
TRIED = 128  # levels, the nearest ones
HIDDEN, SHARED = 40.0, 100.0  # the cost of a point behind a card, and of another wire's lane, in canvas units of way

TIMES = np.linspace(0.0, 1.0, SAMPLES)[:, None]
WEIGHTS = np.hstack([(1 - TIMES) ** 3, 3 * TIMES * (1 - TIMES) ** 2, 3 * TIMES**2 * (1 - TIMES), TIMES**3])
RISE = np.linspace(0.0, 1.0, 9)
STEEP = RISE * RISE * (3.0 - 2.0 * RISE)


def bend(dx: Any, dy: Any) -> tuple[Any, Any]:
    """How far the control points of a curve lie right of its start (left of its end), and how far below (arrays too).

    A wire that runs back swings out to both sides, and below the cards if it would hide behind them.
    """
    reach = np.maximum(dx * 0.5, SWING + np.clip(-dx * 0.25, 0.0, MOST_REACH - SWING))
    return reach, np.clip((SWING - dx) / (2.0 * SWING), 0.0, 1.0) * np.maximum(MOST_SAG - np.abs(dy) * 0.5, 0.0)


Curve = tuple[float, float, float, float, float, float]  # the control points at its start and at its end, and its end


def through(stops: Sequence[tuple[float, float]]) -> Iterator[Curve]:
    """The curves from the first stop, a port, to the last one, another, through those between: level at each."""
    last = len(stops) - 2
    for place, ((x1, y1), (x2, y2)) in enumerate(pairwise(stops)):
        swing = min(SWING, math.hypot(x2 - x1, y2 - y1) / 2)
        at_point = (x2 - x1) / 2 if x2 > x1 else swing
        at_port = max(at_point, swing)
        yield (
            x1 + (at_port if place == 0 else at_point), y1, x2 - (at_port if place == last else at_point), y2, x2, y2,
        )  # fmt: skip


def port_shares(target: np.ndarray, slot: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """How far down its card each wire ends, as a part of the height. `slots` has the number of slots of each card."""
    return np.asarray((slot + 1) / (slots[target] + 1))


def wire_ends(boxes: np.ndarray, wires: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Where each wire begins and ends, x, y, x, y: wires x 4. `shares` are the `port_shares` of the wires."""
    source, target, _ = wires.T
    left, top, right, bottom = boxes.T
    ends = top[target] + (bottom - top)[target] * shares
    return table(right[source], (top + bottom)[source] / 2, left[target], ends)


def is_large(wires: np.ndarray, boxes: np.ndarray) -> bool:
    """Whether the graph is too large for lanes."""
    return len(wires) * len(boxes) > MAX_PAIRS


def lanes(ends: np.ndarray, controls: np.ndarray, wires: np.ndarray, boxes: np.ndarray) -> dict[int, float]:
    """The level of the lane of each wire, by row, that needs one; wires that run back swing out by themselves."""
    if not len(wires) or is_large(wires, boxes):
        return {}
    curves = points_on(control_points(ends, controls))
    around = _hidden(curves, boxes, wires) & (ends[:, 2] - ends[:, 0] > 2.0 * RAMP)
    lanes_by_row: dict[int, float] = {}
    occupied: list[tuple[float, float, float, int]] = []  # level, left, right, source
    for row in np.flatnonzero(around).tolist():
        levels, costs = _choices(ends[row], wires[row], boxes, occupied)
        costs += _along(levels, ends[row], curves[~around & (wires[:, 0] != wires[row, 0])])
        best = int(np.argmin(costs))
        level = lanes_by_row[row] = float(levels[best])
        occupied.append((level, float(ends[row, 0]), float(ends[row, 2]), int(wires[row, 0])))
    return lanes_by_row


def control_points(ends: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """The plain curves between these ends (wires x 4), with what `bend` says of each (wires x 2): wires x 4 x 2."""
    begin, end, back = ends[:, :2], ends[:, 2:], controls * (1.0, -1.0)
    return np.stack([begin, begin + controls, end - back, end], axis=1)


def points_on(curves: np.ndarray) -> np.ndarray:
    """Points of curves, given by their control points (curves x 4 x 2), at even times: curves x samples x 2."""
    points: np.ndarray = WEIGHTS @ curves
    return points


def _hidden(points: np.ndarray, boxes: np.ndarray, wires: np.ndarray) -> np.ndarray:
    """Which of the wires passes behind a card that it does not belong to."""
    inside = np.asarray(_inside(points, boxes).any(axis=1))
    rows = np.arange(len(wires))
    inside[rows, wires[:, 0]] = inside[rows, wires[:, 1]] = False
    return np.asarray(inside.any(axis=1))


def _inside(points: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Which points lie within which boxes, or too near: ... x points x boxes."""
    x, y = points[..., 0, None], points[..., 1, None]
    left, top, right, bottom = boxes.T
    return np.asarray((left - NEAR < x) & (x < right + NEAR) & (top - NEAR < y) & (y < bottom + NEAR))


def _choices(
    end: np.ndarray, wire: np.ndarray, boxes: np.ndarray, occupied: list[tuple[float, float, float, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """The levels that a wire could take, and what each costs."""
    x1, y1, x2, y2 = end.tolist()
    others = np.delete(boxes, wire[:2], axis=0)
    between = others[(others[:, 0] < x2) & (others[:, 2] > x1)]
    edges = [*(between[:, 1] - CLEAR).tolist(), *(between[:, 3] + CLEAR).tolist()]
    candidates = {round(level) for level in (*edges, y1, y2, *(level for level, *_ in occupied))}
    levels = np.array(sorted({level + shift for level in candidates for shift in (0.0, LANE, -LANE)}))
    way = np.abs(levels - y1) + np.abs(levels - y2)
    levels, way = (part[np.argsort(way, kind="stable")[:TRIED]] for part in (levels, way))
    hidden = _inside(_ramps(end, levels), between).any(axis=2).sum(axis=1)
    costs = HIDDEN * (hidden + SAMPLES * _cards_on(levels, between, x1 + RAMP, x2 - RAMP)) + way
    for level, left, right, source in occupied:
        if left < x2 and x1 < right and source != wire[0]:
            costs += SHARED * (np.abs(levels - level) < LANE - 1.0)
    return levels, costs


def _along(levels: np.ndarray, end: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """The cost on each level of running along plain curves of other nodes."""
    x, y = curves.reshape(-1, 2).T
    heights = np.sort(y[(x > end[0] + RAMP) & (x < end[2] - RAMP)])
    near = np.searchsorted(heights, levels + LANE - 1.0) - np.searchsorted(heights, levels - LANE + 1.0)
    return np.asarray(SHARED * near / (SAMPLES / 4))


def _cards_on(levels: np.ndarray, boxes: np.ndarray, first: float, last: float) -> np.ndarray:
    """The number of cards in the way on each level, from the place `first` to `last`."""
    left, top, right, bottom = boxes.T
    level = levels[:, None]
    inside = (left - NEAR < last) & (first < right + NEAR) & (top - NEAR < level) & (level < bottom + NEAR)
    return np.asarray(inside.sum(axis=1))


def _ramps(end: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Points of the ways from the ports to each of the levels: levels x points x 2."""
    x1, y1, x2, y2 = end.tolist()
    level = levels[:, None]
    y = np.concatenate([y1 + (level - y1) * STEEP, level + (y2 - level) * STEEP], axis=1)
    x = np.concatenate([x1 + RAMP * RISE, x2 - RAMP + RAMP * RISE])
    return np.stack([np.broadcast_to(x, y.shape), y], axis=-1)
