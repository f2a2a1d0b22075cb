"""Folding of long chains and frames: what is one card at each moment, and the way there when something else is open."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QWidget

from cadena.core.graph.chains import Chain, chains, folded
from cadena.core.graph.frames import CollapsedFrame, Folded, collapsed_frames, collapsed_titles
from cadena.core.methods.reverse.timeline import Timeline, ease
from cadena.gui.canvas.rendering.camera_path import SETTLED
from cadena.gui.canvas.rendering.folded_positions import FoldedPlaces, between, fold
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.session.session import Session

UNFOLDING = 260  # milliseconds
KEPT = 8  # pictures at rest, for steps near each other
JUMP = 1.0  # steps: a longer way in time is gone in the same motion as an unfolding


Open = tuple[frozenset[str], frozenset[str], frozenset[str]]  # nodes kept, nodes opened, the ends of a wire
FoldKeys = tuple[tuple[str, ...], ...]  # of what is folded


@dataclass(frozen=True)
class Openness:
    """What is not folded, apart from what the step needs: nodes that are kept, and whole chains of opened ones.

    A collapsed frame is open where some of its nodes are opened and others not, or a wire within it is. Steps leave it
    as it is.
    """

    kept: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    wire: frozenset[str] = frozenset()  # the ends of one that is selected
    chains: bool = True  # whether any chain is folded

    def opens(self, frame: CollapsedFrame) -> bool:
        """Whether a collapsed frame is open."""
        members = frozenset(frame.members)
        chosen = members & self.opened
        return bool(chosen and chosen != members) or len(members & self.wire) > 1


class Folding:
    """The pictures of one document by the moment: a pure function of the steps and of what is open.

    `timeline` is None in build mode. One that `holds` moves together as the folding `before` it, as during a drag.
    """

    def __init__(
        self, flat: Geometry, timeline: Timeline | None, openness: Openness, before: Folding | None, holds: bool,
    ) -> None:  # fmt: skip
        self.flat, self.timeline, self.openness, self.holds = flat, timeline, openness, holds
        self._like: Folding | None = (before._like or before) if before is not None and holds else None
        is_same = before is not None and before.openness.chains and before.flat.wires is flat.wires
        self.whole: tuple[Chain, ...] = ()
        if before is not None and is_same and before.flat.document.output == flat.document.output:
            self.whole = before.whole if openness.chains else ()
        elif openness.chains:
            self.whole = chains(flat.document, flat.wired)
        self.frames = collapsed_frames(flat.document, flat.wired)
        self._rests: OrderedDict[FoldKeys, Geometry] = OrderedDict()
        self._chosen: OrderedDict[int, Geometry] = OrderedDict()
        if before is not None and before._is_untouched and before.is_of(flat, timeline, openness, before.holds):
            self._rests, self._chosen = before._rests.copy(), before._chosen.copy()  # a drag begins or ends in place
        self._way: tuple[float, Geometry] | None = None

    def is_of(self, flat: Geometry, timeline: Timeline | None, openness: Openness, holds: bool) -> bool:
        """Whether these are what its pictures are made of."""
        return (self.flat is flat and self.timeline is timeline) and (self.openness, self.holds) == (openness, holds)

    @property
    def _is_untouched(self) -> bool:
        """Whether nothing has moved since a drag began, if one is under way."""
        return self._like is None or self._like.flat is self.flat

    def at(self, time: float, cut: bool = False) -> Geometry:
        """The picture at a moment; with `cut` as it is at the end of the step under way."""
        index = math.ceil(time) if cut else math.floor(time)
        begin = self._rest(index)
        share = ease(min((time - index) / SETTLED, 1.0)) if time > index else 0.0
        if not share or (end := self._rest(index + 1)) is begin:
            return begin
        if share == 1.0:
            return end
        if self._way is None or self._way[0] != time:
            self._way = time, between(begin, end, share)
        return self._way[1]

    def _rest(self, index: int) -> Geometry:
        """The picture before the step of this number."""
        if self.timeline is None:
            index = 0
        if index not in self._chosen:
            frames = tuple(frame for frame in self.frames if not self.openness.opens(frame))
            kept = self.openness.kept | self._near(index) | {name for frame in frames for name in frame.members}
            runs: tuple[Folded, ...] = (*folded(self.whole, kept, self.openness.opened), *frames)
            key = tuple(run.key for run in runs)
            if key not in self._rests:
                self._rests[key] = self._folded(index, runs)
            self._chosen[index] = self._rests[key]
            self._rests.move_to_end(key)
            for known in (self._chosen, self._rests):
                if len(known) > KEPT:
                    known.popitem(last=False)
        return self._chosen[index]

    def _folded(self, index: int, runs: tuple[Folded, ...]) -> Geometry:
        if not runs:
            return self.flat
        like = self._like._rest(index) if self._like is not None else None
        return fold(self.flat, runs, like.closings if isinstance(like, FoldedPlaces) else None)

    def _near(self, index: int) -> set[str]:
        """The nodes of the step before, of this one and of the next."""
        names = set[str]()
        if self.timeline is None:
            return names
        for at in range(max(index - 1, 0), min(index + 2, len(self.timeline))):
            step = self.timeline[at]
            nodes = self.flat.document.nodes
            inputs = nodes[step.node].inputs if step.node in nodes else ()
            names.update(name for name in (step.node, step.operand, *inputs) if name is not None)
        return names


class Folds(QObject):
    """The folding that a view shows, and the motion from what it showed before. `choice` is None until one is made."""

    began = Signal()  # a motion
    moved = Signal()  # on by a little

    def __init__(self, session: Session, parent: QWidget, many: int) -> None:
        """Graphs of `many` nodes are large."""
        super().__init__(parent)
        self._session, self._view, self._many = session, parent, many
        self.choice: bool | None = None
        self.folding: Folding | None = None
        self.before: Geometry | None = None  # where a motion began, while it lasts
        self.goal: Geometry | None = None  # where it ends, and what is shown at rest
        self._shown: Geometry | None = None  # last
        self._key: tuple[object, ...] = ()
        self._time = session.time
        self._motion = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=UNFOLDING)
        self._motion.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._motion.valueChanged.connect(self._move)
        self._motion.finished.connect(self.finish)

    @property
    def on(self) -> bool:
        """Whether long chains are folded: as chosen, else in large graphs where the camera follows the steps."""
        by_itself = self._session.follow_steps and len(self._session.document.nodes) >= self._many
        return by_itself if self.choice is None else self.choice

    def forget(self) -> None:
        """Begin anew, with another graph."""
        self.choice, self._key, self._shown, self.folding = None, (), None, None
        self.finish()

    def finish(self) -> None:
        """End the motion under way."""
        self._motion.stop()
        self.before = None
        self.moved.emit()

    @property
    def share(self) -> float:
        """The part of a motion that is done."""
        return 1.0 if self.before is None else float(self._motion.currentValue() or 0.0)

    def places(self, flat: Geometry, open_: Open, hold: bool) -> Geometry:
        """The places to show now; while they `hold`, as during a drag, nothing else is folded or moves together."""
        session = self._session
        self.goal = self._goal(flat, Openness(*open_, chains=self.on), hold)
        if self._shown is not None and self._shown is not self.goal:
            self.goal.keep_detours_of(self._shown, hold)
        key = (self.folding, self.on)
        leaps = abs(session.time - self._time) > JUMP
        self._time = session.time
        if (key != self._key or leaps) and not hold:
            self._key = key
            self._set_out(self._shown, self.goal)
        if self.before is not None:
            self._shown = between(self.before, self.goal, self.share)
        else:
            self._shown = self.goal
        return self._shown

    def at(self, time: float) -> Geometry | None:
        """The places at another moment, when nothing else moves them; None before any are shown."""
        if self.folding is None:
            return self.goal
        return self.folding.at(time, self._session.reduce_motion)

    def _goal(self, flat: Geometry, openness: Openness, hold: bool) -> Geometry:
        if not self.on and not collapsed_titles(flat.document):
            self.folding = None
            return flat
        session, old = self._session, self.folding
        timeline = None if session.live else session.timeline
        if hold and old is not None:
            openness = old.openness
        is_known = old is not None and old.is_of(flat, timeline, openness, hold)
        self.folding = known = old if old and is_known else Folding(flat, timeline, openness, old, hold)
        return known.at(session.time, session.reduce_motion)

    def _set_out(self, shown: Geometry | None, goal: Geometry) -> None:
        """Begin a motion where the places differ and most nodes stay."""
        self.before = None
        self._motion.stop()
        if shown is None or self._session.reduce_motion or not self._view.isVisible():
            return
        stay = len(shown.numbers.keys() & goal.numbers.keys())
        is_same = shown.names == goal.names and np.array_equal(shown.boxes, goal.boxes)
        if (shown.folds or goal.folds) and not is_same and 2 * stay >= len(goal.names):
            self.before = shown
            self._motion.start()
            self.began.emit()

    def _move(self) -> None:
        self.moved.emit()
