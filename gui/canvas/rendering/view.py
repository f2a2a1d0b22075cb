"""The view of the canvas: it paints the session's document, run and time, and has the camera."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from cadena.core.graph.blocks import BlockKey
from cadena.core.graph.document import Changes, Document
from cadena.core.graph.fault import Fault
from cadena.core.graph.frames import collapsed_titles
from cadena.core.run.plan import Plan
from cadena.gui.canvas.rendering import minimap, note_lines
from cadena.gui.canvas.rendering.camera import FIT_ZOOM, MIN_ZOOM, Camera
from cadena.gui.canvas.rendering.camera_follower import Follower
from cadena.gui.canvas.rendering.camera_path import LEGIBLE, active, revealing, taking_in
from cadena.gui.canvas.rendering.cards import TAB
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Geometry
from cadena.gui.canvas.rendering.hit_boxes import EMPTY, Hit, HitMap, hit
from cadena.gui.canvas.rendering.painting import Layers, paint
from cadena.gui.canvas.rendering.scene import Decorations, Scene
from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

if TYPE_CHECKING:  # what folds blocks is imported when it is first needed
    from cadena.gui.canvas.rendering.anchor import Anchor
    from cadena.gui.canvas.rendering.folding import Folding, Folds, Open

MANY = 60  # nodes: a graph with so many begins with its blocks folded, where they save many cards
ZOOM_STEP = 1.25
CLEAR = 8.0  # pixels between the edge of the view and a card that something had come to cover


class Home(NamedTuple):
    """Where the picture stays on the screen, while it is shown a little aside to uncover a node."""

    camera: Camera
    shown: Camera
    fits: bool  # the whole graph is in view there, but for what panels cover


class Growth(NamedTuple):
    """What the camera showed as nodes began to come, and shows of them so far."""

    before: Document
    start: Camera
    shown: Camera


class OnStage(NamedTuple):
    """The places on a stage, and what they were made for."""

    flat: Geometry
    size: QSize
    below: float
    places: Geometry


class CanvasView(QWidget):
    """One painting surface. It is painted anew only after a change of the session, the camera or a gesture."""

    cameraChanged = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme, self.camera = session, theme, Camera()
        self.hovered: Hit = EMPTY
        self.selected_wire: tuple[str, int] | None = None
        self.covered: QRectF | None = None  # the part of the view that a control lies over
        self.remarks: tuple[tuple[str, str], ...] = ()  # remarks of an open comparison at nodes
        self.remarked_wire: tuple[str, int] | None = None
        self.path: tuple[tuple[str, int], ...] = ()  # the wires of a path that is lit
        self.elements: dict[tuple[str, str], np.ndarray] = {}  # marked in the maps of cards, by node and role
        self.pointed: Fault | None = None  # the fault that the list of problems points to
        self._layers = Layers(self)
        typesetter.formulas_set.connect(self._formulas_came)
        self._flat: Geometry | None = None
        self._is_on_stage = False
        self._on_stage: OnStage | None = None
        self._anchor: Anchor | None = None
        self._pointer = QPointF()  # where the mouse was last, in pixels of the view
        self._plan: Plan | None = None
        self._hits: HitMap | None = None
        self._fitted: Camera | None = None  # the camera that shows the whole graph, while it is in use
        self._laid_out = session.document.layout  # that was fitted
        self._is_held = self._is_cut = False  # the picture stays on the screen; and is not whole in view for it
        self._stays_whole = False  # it is, by moving and by getting smaller
        self._stood = QPoint(), QSize()  # where in its window, of which size
        self._home: Home | None = None
        self._growth: Growth | None = None
        self._uncover_soon = QTimer(self, interval=0, singleShot=True)  # when the layouts have come to rest
        self._uncover_soon.timeout.connect(self._uncover)
        self.enlargement = 1.0, FIT_ZOOM  # and the zoom of a small graph in it
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        changed = (session.documentChanged, session.runChanged, session.timeChanged, session.selectionChanged)
        for signal in (*changed, session.accumulatedChanged, session.playbackChanged, session.hiddenChanged):
            signal.connect(self._repaint)
        session.opened.connect(self._forget_folds)  # before the graph is fitted
        self._follower = Follower(self, self)
        session.runChanged.connect(lambda: self.point_at(None))
        session.selectionChanged.connect(self._leave_pointed)

    def _repaint(self, difference: Changes | None = None) -> None:
        if difference is not None:
            self._keep_fitted(difference)
        if difference is None or difference.structural or not difference.anything_runs:  # else with its run, at once
            self.update()

    def _keep_fitted(self, difference: Changes) -> None:
        """A graph that was whole in view still is, after an edit that moves no card and adds none."""
        known, layout = self._laid_out, self.session.document.layout
        stays = known is not layout and not (difference.added or difference.moved)
        if stays and layout.items() <= known.items():
            self._laid_out = layout

    def sizeHint(self) -> QSize:
        return QSize(900, 600)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    def enlarge(self, enlarged: float, largest: float = FIT_ZOOM, on_stage: bool = False) -> None:
        """Show everything so much larger than on a usual screen; there `largest` is the zoom of a small graph.

        On a stage its cards stand where they fill the view.
        """
        if (enlarged, largest, on_stage) != (*self.enlargement, self._is_on_stage):
            shows_all = self.shows_all
            self.enlargement, self._is_on_stage = (enlarged, largest), on_stage
            if shows_all:
                self.zoom_to_fit()
            self.update()

    # --- content -------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The document that is shown."""
        return self.session.document

    @property
    def places(self) -> Geometry:
        """The places of everything."""
        plan, flat = self.session.program.plan, self._flat
        if flat is None or self._plan is not plan:
            fits = self.session.program.document.nodes is self.document.nodes  # not yet: a gesture's, after an undo
            self._plan = plan if fits else None
            flat = self._flat = Geometry.after(flat, self.document, plan.shapes_by_name, plan.wired)
        elif flat.document.layout is not self.document.layout:
            flat = self._flat = flat.moved(self.document)
        elif flat.document is not self.document:
            flat = self._flat = flat.for_values(self.document)
        if "folds" not in vars(self) and len(self.document.nodes) < MANY and not collapsed_titles(self.document):
            return self._seen(flat)
        return self._seen(self.folds.places(flat, self._openness, self.holds_still))

    def _seen(self, places: Geometry) -> Geometry:
        """These places, on a stage those that an audience sees of a small graph without folds."""
        is_small = places is self._flat and len(self.document.nodes) < MANY
        return self._staged(places) if self._is_on_stage and is_small else places

    def _staged(self, flat: Geometry) -> Geometry:
        """The places of a small graph on a stage; with room for signs of faults where its first run there had some."""
        from cadena.gui.canvas.rendering.stage_places import BELOW, FAULT, staged  # not before a presentation

        before = self._on_stage
        if before is not None and before.flat is flat and before.size == self.size():
            return before.places
        if before is not None and before.flat.names is flat.names:
            below = before.below
        else:
            below = FAULT if any(fault.severity == "fault" for fault in self.session.run.faults) else BELOW
        enlarged, largest = self.enlargement
        places = staged(flat, QSizeF(self.size()), enlarged, largest * enlarged, below)
        self._on_stage = OnStage(flat, self.size(), below, places)
        return places

    @cached_property
    def folds(self) -> Folds:
        """The blocks that are shown as one card, and how they unfold."""
        from cadena.gui.canvas.rendering.folding import Folds  # not before a graph is large, or they are asked for

        folds = Folds(self.session, self, MANY)
        folds.began.connect(self._hold_anchor)
        folds.moved.connect(self._keep_anchor)
        return folds

    @property
    def folds_blocks(self) -> bool:
        """Whether blocks are folded."""
        self.places  # noqa: B018 -- it is known with the picture
        return self.folding is not None and self.folding.openness.layout is not None

    @property
    def goal(self) -> Geometry:
        """The places of everything when nothing unfolds any more."""
        shown = self.places
        goal = self.folds.goal if "folds" in vars(self) else None
        return shown if goal is None else self._seen(goal)

    def places_at(self, time: float) -> Geometry:
        """The places of everything at another moment, when nothing else moves them."""
        shown = self.places
        then = self.folds.at(time) if "folds" in vars(self) else None
        return shown if then is None else self._seen(then)

    @property
    def folding(self) -> Folding | None:
        """What is folded, if anything may be."""
        return self.folds.folding if "folds" in vars(self) else None

    @property
    def holds_still(self) -> bool:
        """Whether nothing shall be folded or unfolded now."""
        return False

    @property
    def _openness(self) -> Open:
        """The nodes that are not folded, as they have remarks or wires, the selected, and the ends of a wire."""
        marked = {node for node, _ in self.remarks}
        wires = filter(None, (self.selected_wire, self.remarked_wire))
        ends = frozenset(end for wire in wires for end in (wire[0], self.document.source_of(*wire)) if end)
        return frozenset(marked) | ends, self.session.selection, ends

    def _forget_folds(self) -> None:
        if "folds" in vars(self):
            self.folds.forget()

    @property
    def unfolds(self) -> bool:
        """Whether something is on the way to where it stands when it is folded or unfolded."""
        return "folds" in vars(self) and self.folds.before is not None

    def toggle_folding(self) -> None:
        """Fold repeats and other blocks to one card each, or unfold them."""
        choice = not self.folds_blocks
        self.refold(lambda: setattr(self.folds, "choice", choice))

    @property
    def has_leaf_rows(self) -> bool:
        """Whether leaves that one operation uses stand in its card."""
        self.places  # noqa: B018 -- which reads the geometry
        is_large = len(self.document.nodes) >= MANY
        return is_large if "folds" not in vars(self) or self._flat is None else self.folds.has_rows(self._flat)

    def toggle_leaf_rows(self) -> None:
        """Put leaves that one operation uses into its card, or show them as cards."""
        choice = not self.has_leaf_rows
        self.refold(lambda: setattr(self.folds, "rows_choice", choice))

    def toggle_block(self, key: BlockKey) -> None:
        """Open a block, or close it."""
        self.refold(lambda: self.folds.toggle(key))

    def close_block(self) -> bool:
        """Close the block that was opened last; whether one was."""
        is_open = self.folds_blocks and bool(self.folds.last_opened)
        if is_open:
            self.refold(lambda: self.folds.toggle(self.folds.last_opened[-1]))
        return is_open

    def refold(self, change: Callable[[], object]) -> None:
        """Change what is folded; a whole graph in view stays in view."""
        fits, start = self.shows_all, self.camera
        change()
        if fits:
            self._fitted = self.fitting(self.goal)
            if self.folds.before is None:
                self.set_camera(self._fitted)
            else:
                from cadena.gui.canvas.rendering.anchor import Anchor

                self._anchor = Anchor(start, start, end=self._fitted)
        self.update()

    def _hold_anchor(self) -> None:
        """Note where the card at the mouse is, which stays there while chains unfold or fold."""
        before, goal = self.folds.before, self.folds.goal
        if before is not None and goal is not None:
            seen = self.middle if self._pointer.isNull() else self._pointer  # as far as the view knows
            from cadena.gui.canvas.rendering.anchor import anchored

            self._anchor = anchored(before, goal, self.camera.to_world(seen), self.camera)

    def _keep_anchor(self) -> None:
        held, places = self._anchor, self.places
        if held is not None and held.last == self.camera and held.is_in(places):
            camera = held.camera(places, self.folds.share)
            self._anchor = replace(held, last=camera)
            self.set_camera(camera)
        if self.folds.before is None:
            self._anchor = None
        self.update()

    @property
    def hits(self) -> HitMap:
        """The hit tests."""
        if self._hits is None or self._hits.geometry is not self.places:
            self._hits = HitMap(self.places)
        return self._hits

    def hit(self, at: QPointF) -> Hit:
        """The object under a pixel of the view."""
        if self.place_on_map(at) is not None:
            return Hit("map")
        if self.session.faults and (fault := self._layers.fault_at(self.camera.to_world(at))) is not None:
            return Hit("badge", fault.node, fault=fault)
        return hit(self.hits, self.camera, at)

    def place_on_map(self, at: QPointF) -> QPointF | None:
        """The point of the canvas that a pixel of the map in the corner stands for; None where there is no map."""
        return minimap.to_world(self.scene, at)

    def pointer(self) -> QPointF | None:
        """The place of the mouse in the view; None when it is elsewhere."""
        at = self.mapFromGlobal(self.cursor().pos())
        return QPointF(at) if self.rect().contains(at) and self.underMouse() else None

    def cards_under(self, area: QRect) -> tuple[int, int]:
        """How many cards of the step, and how many of all, lie below an area of the view, when nothing unfolds any
        more."""
        places = (self.folds.goal if self.unfolds else None) or self.places
        to_canvas, _ = self.camera.transform.inverted()
        room, output = to_canvas.mapRect(QRectF(area)), places.numbers.get(self.session.document.output or "")
        under = set(places.cards_in(room).tolist())
        if output is not None and room.intersects(places.card(places.names[output]).adjusted(0, -TAB, 0, 0)):
            under.add(output)  # with its tab
        frame = self.session.frame
        groups = active(frame.step, frame.timeline) if frame.step is not None and not self.session.live else []
        of_step = {places.numbers.get(name) for group in groups for name in group}
        return len(of_step & under), len(under)

    @property
    def middle(self) -> QPointF:
        """The pixel in the middle of the view."""
        return QPointF(self.rect().center())

    @property
    def decorations(self) -> Decorations:
        return Decorations(hovered_wire=self.hovered.wire, selected_wire=self.selected_wire)

    @property
    def scene(self) -> Scene:
        """Everything that the picture depends on."""
        session = self.session
        return Scene(
            document=self.document,
            geometry=self.places,
            frame=session.frame,
            faults=session.faults,
            theme=self.theme,
            camera=self.camera,
            view=QSizeF(self.size()),
            selection=session.selection,
            hovered=self.hovered.node if self.hovered.kind != "wire" else None,
            live=session.live,
            accumulated=session.held,
            breakpoints=session.breakpoints,
            path=tuple(wire for wire in self.path if self.document.source_of(*wire)),
            elements=self.elements,
            decorations=self.decorations,
            pointed=self.pointed,
            remarks=self.remarks,
            remarked_wire=self.remarked_wire,
            hidden=session.hidden,
            labelled=not session.playback.sweeps,
            shown=session.shown,
            covered=self.covered,
            enlarged=self.enlargement[0],
        )

    def cover(self, place: QRectF | None) -> None:
        """Keep clear a part of the view that a control lies over, in pixels; None for no such part."""
        if place == self.covered:
            return
        fits, self.covered = self.is_fitted_again, place
        if fits:
            self._fit()
        self.update()

    def show_remarks(self, remarks: tuple[tuple[str, str], ...], wire: tuple[str, int] | None) -> None:
        """Show remarks at nodes, (node, text), and the wire that a comparison has reached, (target, slot)."""
        self.remarks, self.remarked_wire = remarks, wire
        self.update()

    def show_path(self, wires: tuple[tuple[str, int], ...]) -> None:
        """Light a path, wire by wire, each (target, slot); () for none."""
        self.path = wires
        self.update()

    def mark_elements(self, elements: dict[tuple[str, str], np.ndarray]) -> None:
        """Mark elements (flat) in the maps of cards, by node and role ("value", "gradient"); {} for none."""
        self.elements = elements
        self.update()

    def point_at(self, fault: Fault | None) -> None:
        """Light a fault or a hint, until its node is no longer selected or the numbers change."""
        self.pointed = fault
        self.update()

    def _leave_pointed(self) -> None:
        if self.pointed and self.pointed.node not in self.session.selection:
            self.point_at(None)

    def _formulas_came(self) -> None:
        """Repaint the cards, tokens, notes and labels that show formulas."""
        if self.session.timeline.has_formulas or note_lines.areas(self.document):
            self._layers.forget()
        else:
            self._layers.repaint()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:  # which ends after an error too: Qt dies of one that does not
            paint(painter, self.scene, self._layers)

    # --- the camera ---------------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """Look at another part of the canvas."""
        if camera != self.camera:
            self.camera = camera
            self.cameraChanged.emit()
            self.update()

    def look(self, camera: Camera) -> None:
        """Look at a graph as it was left, whatever comes and goes around it as it is shown."""
        self._is_held = False
        self.set_camera(camera)

    def move_camera(self, camera: Camera) -> None:
        """Move the camera by hand: from now on the view does not follow the steps."""
        self._follower.leave()
        self.set_camera(camera)

    def zoom_to_fit(self) -> None:
        """Show the whole graph, also in a window of another size as long as the view is not moved."""
        if self.session.playback.playing:
            self._follower.leave()
        self._fit()

    def _fit(self) -> None:
        self._anchor, self._fitted, self._laid_out = None, self.fitting(self.goal), self.session.document.layout
        self._is_held = self._is_cut = False
        self.set_camera(self._fitted)

    def fitting(self, places: Geometry) -> Camera:
        """The camera that shows all of these places, and no card below a control."""
        enlarged, largest = self.enlargement
        bounds = places.bounds()
        return self._uncovering(places, lambda room: Camera.fitted(bounds, room, largest * enlarged))

    def _uncovering(self, places: Geometry, show: Callable[[QSizeF], Camera]) -> Camera:
        """The camera that shows something in a view of this size, or in the part of it that is clear of a control."""
        covered, camera = self.covered, show(QSizeF(self.size()))
        below = camera.transform.inverted()[0].mapRect(covered) if covered is not None else QRectF()
        if covered is None or not len(places.cards_in(below)):
            return camera
        rooms = QSizeF(covered.left(), self.height()), QSizeF(self.width(), covered.top())
        return max(map(show, rooms), key=lambda one: one.zoom)

    @property
    def least_zoom(self) -> float:
        """How far out a hand can zoom: until the whole graph is in view, however large it is."""
        return min(MIN_ZOOM, self.fitting(self.goal).zoom)

    @property
    def shows_all(self) -> bool:
        """Whether the whole graph is in view since `zoom_to_fit`; one that is being built stays where it is."""
        return self.fits and not self._is_cut

    @property
    def fits(self) -> bool:
        """Whether the whole graph is in view, but for what panels cover that came since."""
        return self.camera == self._fitted and self._laid_out is self.session.document.layout

    @property
    def is_fitted_again(self) -> bool:
        """Whether the whole graph is in view and takes another size with the view."""
        return self.shows_all and not self._is_held

    @property
    def refolds_all(self) -> bool:
        """Whether the whole graph is in view and takes another size as it unfolds."""
        return self.shows_all and self.folding is not None and self.folding.may_refold

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        window = self.window()
        (corner, size), self._stood = self._stood, (self.mapTo(window, QPoint()), window.size())
        if self._is_held and size == window.size():
            self._stay_on_screen(corner - self._stood[0])
        elif self.fits:
            self._fit()

    def hold(self, whole: bool = False) -> None:
        """Keep the picture where it is on the screen while panels and bars around it come, go and change their height,
        until it is fitted again; a `whole` graph in view stays in view, by as little motion as that needs."""
        self._is_held, self._stays_whole = True, whole

    def _stay_on_screen(self, moved: QPoint) -> None:
        """Move the camera against the move of the view; what the user is about is not covered."""
        home = self._home
        if home is None or home.shown != self.camera:
            home = Home(self.camera, self.camera, self.fits)
        camera, fits = home.camera.panned(moved.x(), moved.y()), home.fits
        self._home = Home(camera, camera, fits)
        self.set_camera(camera)
        if fits:
            self._fitted = camera
            seen = camera.visible(QSizeF(self.size())).adjusted(-1, -1, 1, 1)
            self._is_cut = not seen.contains(self.goal.bounds())
        self._uncover_soon.start()

    def _uncover(self) -> None:
        """Bring the selected nodes, else those of the step, back into view where something has come to cover them."""
        names = self.session.selection or self._follower.step_nodes
        area, size = self.area_at(names, self.session.time), QSizeF(self.size())
        is_free = self._is_held and not self.holds_still
        if is_free and self._stays_whole and self.fits and self._is_cut:
            cards = self.places.area(self.places.names)
            camera = self._uncovering(self.places, lambda room: taking_in(self.camera, room, QRectF(), cards))
            self._fitted, self._is_cut = camera, False
            self.set_camera(camera)
        elif names and is_free and not self.camera.visible(size).contains(area):
            self.set_camera(revealing(self.camera, size, area, margin=CLEAR))
            if self._home is not None:
                self._home = self._home._replace(shown=self.camera)

    def zoom_in(self) -> None:
        self._zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        self._zoom(1.0 / ZOOM_STEP)

    def zoom_reset(self) -> None:
        """One pixel for each canvas unit."""
        self._zoom(1.0 / self.camera.zoom)

    def _zoom(self, factor: float) -> None:
        self.move_camera(self.camera.zoomed_at(self.middle, factor, self.least_zoom))

    def reveal(self, names: Iterable[str]) -> None:
        """Move the view just enough to show these nodes, which the map does not cover then."""
        cards = self.area_at(names, self.session.time)
        camera = revealing(self.camera, QSizeF(self.size()), cards)
        self.set_camera(self.clear_of_map(camera, cards))

    def take_in(self, before: Document) -> None:
        """Show the nodes that have come since `before`, and what was in view then, or all cards where old ones have
        moved; the camera moves, and zooms out, as little as that needs, counted from where it was then."""
        if not before.nodes:
            self.zoom_to_fit()
            return
        known, document, were = self._growth, self.session.document, before.layout
        goes_on = known is not None and known.before is before and known.shown == self.camera
        start = known.start if known is not None and goes_on else self.camera
        view, (wide, high) = start.visible(QSizeF(self.size())), NUMBER_CARD
        seen = {
            name for name, (x, y) in were.items()
            if view.left() <= x and view.top() <= y and x + wide <= view.right() and y + high <= view.bottom()
        }  # fmt: skip
        new, area_of = document.nodes.keys() - before.nodes.keys(), self.places.area
        if any(document.layout.get(name, at) != at for name, at in were.items()):
            shown, kept = set(document.nodes), set[str]()
        else:
            shown, kept = new, seen & document.nodes.keys() if self.folding is None else set()
        area, place = area_of(shown), area_of(kept)
        camera = self._uncovering(self.places, lambda room: taking_in(start, room, area, place))
        if camera.zoom < min(start.zoom, LEGIBLE / self.theme.type**0.5) and not were.keys() <= seen:
            camera = revealing(start, QSizeF(self.size()), area_of(new)) if new else start
        elif document.nodes.keys() <= {*kept, *shown}:
            self._anchor, self._fitted, self._laid_out = None, camera, document.layout
            self._is_held, self._is_cut = True, False
        self.set_camera(self.clear_of_map(camera, area_of(new)) if new and camera != self._fitted else camera)
        self._growth = Growth(before, start, self.camera)

    def clear_of_map(self, camera: Camera, cards: QRectF) -> Camera:
        """A camera, moved so that the map does not cover these cards."""
        return minimap.cleared(replace(self.scene, camera=camera), cards)

    def show_node(self, name: str) -> None:
        """Move the view just enough to show a node."""
        if name in self.session.document.nodes:
            self.reveal([name])

    def area_at(self, names: Iterable[str], time: float) -> QRectF:
        """The area that the cards of some nodes take at a moment."""
        return self.places_at(time).area(names)
