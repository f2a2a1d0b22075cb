"""Folding of blocks and frames: what is one card at each moment, and the way there when something else is open."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QWidget

from cadena.core.graph.blocks import Block, BlockKey, Blocks
from cadena.core.graph.frames import CollapsedFrame, collapsed_frames, collapsed_titles
from cadena.core.layout.arrange import CardSize
from cadena.core.layout.nested import NestedLayout
from cadena.core.methods.reverse.timeline import Timeline, ease
from cadena.gui.canvas.rendering.camera_path import SETTLED
from cadena.gui.canvas.rendering.folded_positions import (
    LEAF_ROW,
    FoldedPlaces,
    between,
    fold,
    fold_size,
    leaves_in_cards,
    nested,
)
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.session.session import Session

UNFOLDING = 260  # milliseconds
KEPT = 8  # pictures at rest, for steps near each other
JUMP = 1.0  # steps: a longer way in time is gone in the same motion as an unfolding
SAVED = 0.5  # part of the cards: a graph of which blocks save as many begins with them closed

Open = tuple[frozenset[str], frozenset[str], frozenset[str]]  # nodes kept, nodes chosen, the ends of a wire
FoldKeys = tuple[object, ...]  # of what is folded


@dataclass(frozen=True)
class Openness:
    """What is not folded, apart from what the step needs: nodes that are kept, and what holds some chosen ones.

    A block or a collapsed frame is open where some of its nodes are chosen and others not, or a wire within it is.
    Steps open blocks, and leave frames as they are.

    layout: placement of the blocks; None if nothing is folded
    opened: the blocks that are open by hand
    steps: whether steps open blocks
    rows: whether leaves stand in the cards of their operations
    """

    kept: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    wire: frozenset[str] = frozenset()  # the ends of one that is selected
    layout: NestedLayout | None = None
    opened: frozenset[BlockKey] = frozenset()
    steps: bool = True
    rows: bool = False

    def opens(self, frame: CollapsedFrame) -> bool:
        """Whether a collapsed frame is open."""
        members = frozenset(frame.members)
        chosen = members & self.chosen
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
        self.frames = collapsed_frames(flat.document, flat.wired)
        self._rests: OrderedDict[FoldKeys, Geometry] = OrderedDict()
        self._chosen: OrderedDict[int, Geometry] = OrderedDict()
        if before is not None and before._is_untouched and before.is_of(flat, timeline, openness, before.holds):
            self._rests, self._chosen = before._rests.copy(), before._chosen.copy()  # a drag begins or ends in place
        elif before is not None and before.openness == openness and is_same_picture(before.flat, flat):
            self._rests = OrderedDict((key, rest.for_values(flat.document)) for key, rest in before._rests.items())
        self._way: tuple[float, Geometry] | None = None

    def is_of(self, flat: Geometry, timeline: Timeline | None, openness: Openness, holds: bool) -> bool:
        """Whether these are what its pictures are made of."""
        return (self.flat is flat and self.timeline is timeline) and (self.openness, self.holds) == (openness, holds)

    @property
    def may_refold(self) -> bool:
        """Whether blocks or frames are folded, so that steps and clicks change how large the picture is."""
        return self.openness.layout is not None or bool(self.frames)

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
        if self.timeline is None or not self.openness.steps:
            index = 0
        if index not in self._chosen:
            self._chosen[index] = self._with_blocks(index) if self.openness.layout else self._with_frames(index)
            for known in (self._chosen, self._rests):
                if len(known) > KEPT:
                    known.popitem(last=False)
        return self._chosen[index]

    def _with_blocks(self, index: int) -> Geometry:
        layout, names, openness = self.openness.layout, self.flat.numbers, self.openness
        assert layout is not None
        kept, chosen = (
            [names[name] for name in some if name in names]
            for some in (openness.kept | self._near(index), openness.chosen)
        )
        first = layout.blocks.first
        places = layout.places(openness.opened, *(some[some >= 0] for some in (first[kept], first[chosen])))
        key = tuple(card.node if card.block is None else card.block.span for card in places.cards)
        return self._once(key, partial(nested, self.flat, layout, places))

    def _with_frames(self, index: int) -> Geometry:
        frames = tuple(frame for frame in self.frames if not self.openness.opens(frame))
        return self._once(tuple(frame.key for frame in frames), partial(self._folded, index, frames))

    def _once(self, key: FoldKeys, make: Callable[[], Geometry]) -> Geometry:
        """A picture at rest, the same object for all moments that show the same cards."""
        if key not in self._rests:
            self._rests[key] = make()
        self._rests.move_to_end(key)
        return self._rests[key]

    def _folded(self, index: int, frames: tuple[CollapsedFrame, ...]) -> Geometry:
        inside = leaves_in_cards(self.flat) if self.openness.rows else np.zeros(len(self.flat.names), dtype=bool)
        if not frames and not inside.any():
            return self.flat
        like = self._like._rest(index) if self._like is not None else None
        places = fold(self.flat, frames, inside, like if isinstance(like, FoldedPlaces) else None)
        return places if places.folds or places.inside else self.flat

    def _near(self, index: int) -> set[str]:
        """The nodes of the step before, of this one and of the next."""
        names = set[str]()
        if self.timeline is None or not self.openness.steps or not index:  # nothing has happened yet
            return names
        for at in range(max(index - 1, 0), min(index + 2, len(self.timeline))):
            step = self.timeline[at]
            nodes = self.flat.document.nodes
            inputs = nodes[step.node].inputs if step.node in nodes else ()
            names.update(name for name in (step.node, step.operand, *inputs) if name is not None)
        return names


def is_same_picture(flat: Geometry, other: Geometry) -> bool:
    """Whether two documents differ at most in the values of leaves."""
    before, after = flat.document, other.document
    is_same = (before.layout is after.layout, before.extra is after.extra, before.output == after.output)
    return flat.wired is other.wired and flat.shapes is other.shapes and all(is_same)


def layout_of(flat: Geometry, has_rows: bool) -> NestedLayout:
    """The layout of a graph by its blocks; with rows for the leaves that one operation uses in the card of that."""
    blocks = Blocks(flat.document, flat.wired)
    inside = leaves_in_cards(flat) if has_rows else np.zeros(len(flat.names), dtype=bool)
    source, target, _ = flat.wires.T
    rows = np.bincount(target[inside[source]], minlength=len(flat.names))
    left, top, right, bottom = flat.boxes.T
    sizes = np.column_stack([right - left, bottom - top + LEAF_ROW * rows])

    def closed_size(block: Block) -> CardSize:
        names = blocks.closed(block, flat.document, blocks.key(block)).results
        wide, high = fold_size(flat, names).toTuple()
        return wide, high

    return NestedLayout(blocks, sizes, inside, closed_size)


def saves_cards(blocks: Blocks) -> bool:
    """Whether blocks save so many cards that a large graph begins with them closed."""
    return blocks.shown_at_first <= SAVED * len(blocks.order)


def folding_at_first(flat: Geometry, timeline: Timeline, many: int) -> Folding:
    """The folding of a graph in which nobody has opened or closed anything; those of `many` nodes are large."""
    is_large, layout = len(flat.names) >= many, None
    if is_large and not collapsed_titles(flat.document):
        layout = layout_of(flat, has_rows=True)
        layout = layout if saves_cards(layout.blocks) else None
    opened = frozenset(layout.blocks.at_first) if layout else frozenset()
    return Folding(flat, timeline, Openness(layout=layout, opened=opened, rows=is_large), None, False)


class Folds(QObject):
    """The folding that a view shows, and the motion from what it showed before.

    choice: whether blocks are folded, by hand; None until it is chosen
    rows_choice: the same for leaves in the cards of their operations
    opened: the blocks that are open by hand, in this order; None until one is opened or closed
    """

    began = Signal()  # a motion
    moved = Signal()  # on by a little

    def __init__(self, session: Session, parent: QWidget, many: int) -> None:
        """Graphs of `many` nodes are large."""
        super().__init__(parent)
        self._session, self._view, self._many = session, parent, many
        self.choice: bool | None = None
        self.rows_choice: bool | None = None
        self.opened: tuple[BlockKey, ...] | None = None
        self._layout: tuple[Geometry, NestedLayout, bool] | None = None
        self._is_worth: bool | None = None  # whether this graph is folded by itself
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

    def is_on(self, flat: Geometry) -> bool:
        """Whether blocks are folded: as chosen, else in large graphs of which they save at least half the cards."""
        if self.choice is not None or len(flat.names) < self._many or collapsed_titles(flat.document):
            return bool(self.choice)
        if self._is_worth is None:  # once: edits of a graph that is not folded do not look for blocks
            self._is_worth = saves_cards(self._layout_of(flat).blocks)
        return self._is_worth

    def has_rows(self, flat: Geometry) -> bool:
        """Whether leaves stand in the cards of their operations: as chosen, else in large graphs."""
        return len(flat.names) >= self._many if self.rows_choice is None else self.rows_choice

    def _layout_of(self, flat: Geometry) -> NestedLayout:
        known, has_rows = self._layout, self.has_rows(flat)
        is_known = known is not None and known[0].wired is flat.wired and known[0].shapes is flat.shapes
        if known is None or not is_known or known[2] != has_rows:
            known = self._layout = flat, layout_of(flat, has_rows), has_rows
        return known[1]

    def toggle(self, key: BlockKey) -> None:
        """Open a block, or close it."""
        before = self._now_open
        self.opened = tuple(one for one in before if one != key) if key in before else (*before, key)

    @property
    def last_opened(self) -> list[BlockKey]:
        """The blocks that were opened by hand and are not at first, the last one last."""
        at_first = self._layout[1].blocks.at_first if self._layout else ()
        return [key for key in self.opened or () if key not in at_first]

    @property
    def _now_open(self) -> tuple[BlockKey, ...]:
        if self.opened is not None or self._layout is None:
            return self.opened or ()
        return tuple(sorted(self._layout[1].blocks.at_first))

    def forget(self) -> None:
        """Begin anew, with another graph."""
        self.choice, self.rows_choice, self.opened, self._layout, self._is_worth = None, None, None, None, None
        self._key, self._shown, self.folding = (), None, None
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
        layout = self._layout_of(flat) if self.is_on(flat) else None
        steps = not session.playback.shows_sweep
        opened = frozenset(self._now_open) if layout else frozenset()
        openness = Openness(*open_, layout, opened, steps, self.has_rows(flat))
        self.goal = self._goal(flat, openness, hold)
        if self._shown is not None and self._shown is not self.goal:
            self.goal.keep_detours_of(self._shown, hold)
        key = (self.folding, layout)
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
        if openness.layout is None and not openness.rows and not collapsed_titles(flat.document):
            self.folding = None
            return flat
        session, old = self._session, self.folding
        timeline = None if session.live else session.timeline
        if hold and old is not None and (old.openness.layout is None or openness.layout is old.openness.layout):
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
        if (shown.folds or goal.folds or shown.inside or goal.inside) and not is_same and 2 * stay >= len(goal.names):
            self.before = shown
            self._motion.start()
            self.began.emit()

    def _move(self) -> None:
        self.moved.emit()
