"""The parts of a window: how they stand together, in which theme, and which of them are shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenuBar, QVBoxLayout, QWidget

from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering import minimap
from cadena.gui.export.exports import Exports
from cadena.gui.files.drops import FileDrops
from cadena.gui.files.opening import Files
from cadena.gui.files.questions import Dialogs
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.files.recovery.offer import Offer
from cadena.gui.files.settings import Settings
from cadena.gui.frame.command import Actions
from cadena.gui.frame.command_search import CommandSearch, EntrySource
from cadena.gui.frame.dock import Dock
from cadena.gui.frame.documents import Documents
from cadena.gui.frame.empty_canvas import EmptyCanvas
from cadena.gui.frame.entries import entries, topic_entries
from cadena.gui.frame.graph_space import GraphRoom, share_in
from cadena.gui.frame.header import Header
from cadena.gui.frame.help_pages import KeysPage, Pages, about_page
from cadena.gui.frame.window_layout import SMALL, least_size, sizes_in
from cadena.gui.frame.zoom_control import ZoomControl
from cadena.gui.lessons.desk import LessonDesk
from cadena.gui.look import style
from cadena.gui.look.theme import Theme, less_large
from cadena.gui.notices.banner import Banner
from cadena.gui.notices.levels import Levels
from cadena.gui.notices.toast import Toast
from cadena.gui.panels.expression.expression_bar import ExpressionBar
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.breadcrumb import Breadcrumb
from cadena.gui.panels.parts.common import row_in
from cadena.gui.panels.parts.panel_layout import INSPECTOR, Side
from cadena.gui.panels.parts.panel_record import CODE, Panels
from cadena.gui.panels.problems.problems import Problems
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.panels.steps.transport import Transport
from cadena.gui.panels.table import PANELS
from cadena.gui.session.function_editing import Inside
from cadena.gui.session.session import Session
from cadena.gui.widgets.boxes import splitter, stack
from cadena.gui.widgets.focus import Rounds
from cadena.gui.widgets.slide import Slide
from cadena.gui.widgets.strip import Strip

MIN_CANVAS = (150, 100)
MOST_BELOW, ON_STAGE_BELOW = 0.3, 0.186  # of the height of the window, for the panel below the graph
FIRST_SIZES = {Side.LEFT: CODE, Side.BELOW: 176}  # pixels at `type` 1, of what the user can make larger
LOW = 560  # pixels at `type` 1: the height of a window that is too low for canvas, problems and a step
LOW_FOR_BAR, LOW_FOR_LINES = 500, 600  # the same: for canvas, expressions and a step; for several expressions

RECOVERED = QSize(80, 46)  # pixels, of the picture of a graph that is offered after a crash


class WindowFrame(QMainWindow):
    """One session on the screen. `Window` adds the commands, and what these alone lead to."""

    resized = Signal()
    themeShown = Signal()
    presentingChanged = Signal()

    menus: Actions  # the commands, which `Window` knows

    def __init__(
        self, session: Session, settings: Settings, recovery: Recovery, questions: Dialogs | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.session, self.settings, self.recovery = session, settings, recovery
        self._slides = False  # panels that come and go do so visibly
        self.presenting = False  # whether only the canvas, the step and the transport are shown
        session.setParent(self)  # it goes with the window, and with it all that listens to it
        for name in ("reduce_motion", "follow_steps", "name_patterns", "has_played"):
            setattr(session, name, getattr(settings, name))
        self._follow_motion()
        session.playback.leaving.connect(self._note_playing)
        session.set_shown(replace(session.shown, has_map=settings.map_shown))
        self.theme = style.chosen_theme(self.settings.theme, self.settings.type_scale)
        style.apply(self, self.theme)  # before there are parts: they take over the type when they are made
        self._pages = Pages()
        self.files = Files(session, settings, questions or Dialogs(self))
        self.exports = Exports(self.files, session, lambda: self.canvas.goal)
        self._make_parts()
        self._put_together()
        self.documents = Documents(session, self.files, recovery, self.canvas, self.panels)

    def _make_parts(self) -> None:
        session, theme = self.session, self.theme
        self.canvas = Canvas(session, theme)
        self.banner = Banner(theme, icons.draw)
        self.inside = Inside(session, lambda: self.canvas.camera)
        self.levels = Levels(self.inside, self.banner, self.canvas.setFocus)
        self.breadcrumb = Breadcrumb(theme, self.levels.leave, self.inside.set_output)
        self.panels = Panels(PANELS, session, theme, self.settings)
        self.desk = LessonDesk(session, theme, self.panels)
        self.expressions = ExpressionBar(session, theme)
        self.canvas.escaped.connect(self._close_latest)
        self.expressions.left.connect(self._leave_expressions)
        self.expressions.resizing.connect(lambda whole: None if self.presenting else self.canvas.hold(whole))
        self.expressions.grew.connect(self.canvas.take_in)
        ways = {
            "Add a node": (
                "Find an operation, or type a number (A)",
                lambda: self.canvas.commands.ask_for_operation_on(self.canvas.middle),
            ),
            "Open a lesson": ("Browse all lessons (Ctrl+Shift+L)", self.desk.toggle_gallery),
            "Import a script": (
                "Open a PyTorch, TensorFlow, JAX or numpy script, or a model",
                self.files.import_script,
            ),
        }
        self.beginning = EmptyCanvas(session, self.canvas, self._begin_with, ways, theme)
        self.step_band = StepBand(session, theme)
        self.transport = Transport(session, theme)
        self.header = Header(session, theme)
        self.header.mode.build.clicked.connect(self.build)
        self.band = Strip("top", theme)
        self.offer = Offer(session, self.recovery, self.files, self.inside, self.banner, self._small_picture)
        self.zoom = ZoomControl(self.canvas)
        self.toast = Toast(session, self.canvas, self._covered)
        self.canvas.cameraChanged.connect(self.toast.give_way)
        self.presentingChanged.connect(self._show_zoom)
        self.presentingChanged.connect(self._hold_notices)
        session.documentChanged.connect(self._show_zoom)
        self.left, self.dock, self.below = (Dock(side, session, self.panels, theme) for side in Side)
        self.docks = (self.left, self.dock, self.below)
        for dock in self.docks:
            dock.asked.connect(self.open_panel)
            dock.closeAsked.connect(self.close_panel)
            dock.moveAsked.connect(self.move_panel)
        self._was_live = session.live
        session.timeChanged.connect(self._follow_mode)
        self.operations = Palette(session, theme)
        self.inspector: Inspector = self.panels["inspector"]
        self.problems: Problems = self.panels["problems"]

    def _put_together(self) -> None:
        self.beside = splitter(Qt.Orientation.Horizontal, self.canvas, stretch=0)
        self.middle = splitter(Qt.Orientation.Vertical, self.beside, self.below, stretch=0)
        stack(self.band, self.step_band, self.transport)
        middle = stack(QWidget(), self.expressions, self.breadcrumb, self.middle, self.band, stretch=2)
        self.canvas.setMinimumSize(*MIN_CANVAS)
        self.across = splitter(Qt.Orientation.Horizontal, self.left, middle, stretch=1)
        self.across.splitterMoved.connect(lambda: self._note_size(Side.LEFT, self.left.width()))
        self.middle.splitterMoved.connect(lambda: self._note_size(Side.BELOW, self.below.height()))
        self.main = QWidget()
        row = row_in(self.main, self.operations, self.across, self.dock, spacing=0)
        row.setStretch(1, 1)
        whole = (self.header, self.banner, self.desk, self.main)
        self.setCentralWidget(stack(QWidget(), *whole, stretch=3))
        listing = lambda: entries(self.menus, self.session, self.settings, self.files, self.canvas)  # noqa: E731
        self.search = CommandSearch(listing, self.header, self.theme, self.canvas.commands.typed)
        around = (self.header, self.banner, self.desk, self.expressions, self.breadcrumb)
        self.room = GraphRoom(self, self.main, self.dock, self.band, self.step_band, around)
        self.room.share = share_in(self.settings.type_scale)
        self.setMinimumSize(least_size(self))
        self._drops = FileDrops(self, self.files.open_path)
        self.panels.changed.connect(self._show_panels)
        self._show_panels()
        self.rounds = Rounds(self, self.canvas, self._round, self._close_focused)

    def menuBar(self) -> QMenuBar:
        return self.header.menus

    def _round(self) -> list[QWidget]:
        """The parts of the window in the order in which the keys go through them."""
        strips = (self.step_band, self.transport, self.banner)
        beside = (self.dock, self.below)
        return [self.canvas, self.expressions, *beside, *strips, self.header, self.desk, self.left, self.operations]

    # --- look

    def choose_theme(self, name: str) -> None:
        """Switch to another theme, one of settings.THEME_CHOICES."""
        self.settings.theme = name
        if name == "projector" and not self.presenting:
            self.session.message.emit("F5 gives the graph the whole screen; Esc brings everything back")
        chosen = style.chosen_theme(self.settings.theme, self.settings.type_scale)
        if chosen is not self.theme:  # half a second, in which nothing else happens
            self._apply_theme()

    def _apply_theme(self) -> None:
        self.theme = style.chosen_theme(self.settings.theme, self.settings.type_scale)
        self.show_theme()

    @property
    def shown_theme(self) -> Theme:
        """The theme of text and buttons, on a stage in its sizes."""
        if not self.presenting:
            return self.theme
        from cadena.gui.look.stage_sizes import on_stage  # not before it is wanted

        return on_stage(self.theme, self.size())

    def show_theme(self) -> None:
        """Show everything in the theme."""
        shown = self.shown_theme
        style.apply(self, shown)
        strips = (self.header, self.breadcrumb, self.banner, self.band)
        parts = (self.canvas, self.beginning, self.desk, self.expressions, self.step_band, self.transport)
        for part in (*parts, *strips, *self.docks, self.search, self.operations, *self.panels.values()):
            part.set_theme(shown)
        self.themeShown.emit()
        self.room.share = share_in(self.settings.type_scale)
        if not self.presenting:
            self.room.divide()
        self.show_levels()

    # --- panels

    def open_panel(self, name: str) -> None:
        """Open the part of a panel with this name."""
        with self._held():
            self.panels.open(name)

    def toggle_panel(self, name: str) -> None:
        """Open the part of this name, or go back to what was there before it."""
        with self._keys_kept(name):
            self.panels.toggle(name)

    def toggle_title(self, panel: str) -> None:
        """Open the panel of this title with the part that was open last; close it where it is open."""
        shown = next((record for record in self.panels.parts_of(panel) if self.panels.stands(record.name)), None)
        if shown is not None and shown.is_folded:
            self.close_panel(shown.name)
        else:
            self.toggle_panel((shown or self.panels.part_to_open(panel)).name)

    def panel_shown(self, panel: str) -> bool:
        """Whether the panel of this title is open."""
        return any(self.panels.stands(record.name) for record in self.panels.parts_of(panel))

    def move_panel(self, name: str) -> None:
        """Move the panel of this part below the graph, or back beside it."""
        with self._held():
            self.panels.move(name)

    def close_panel(self, name: str) -> None:
        """Close the part of this name, and so its dock."""
        with self._keys_kept(name):
            self.panels.close(name)

    @contextmanager
    def _keys_kept(self, name: str) -> Iterator[None]:
        """Give the keys to the canvas where the panel that goes had them, not to whatever Qt finds next."""
        had_focus = self.panels[name].isAncestorOf(self.focusWidget())
        with self._held():
            yield
        if had_focus and not self.panels.stands(name):
            self.canvas.setFocus()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep the picture on the screen while panels come and go by the user's will; an audience sees it whole."""
        if not (self.presenting and self.canvas.shows_all):
            self.canvas.hold()
        self._slides = self.isVisible() and not self.session.reduce_motion and Slide.milliseconds > 0
        yield
        self._slides = False

    def _show_panels(self) -> None:
        """Show what stands around the graph."""
        standing = self.panels.standing
        were_shown = [not dock.isHidden() for dock in self.docks]
        for dock in self.docks:
            self._slide(dock, dock.side in standing)
            dock.follow()
        self._show_palette()
        if were_shown != [not dock.isHidden() for dock in self.docks]:
            self.give_sizes()
        self.make_room()

    def _show_palette(self) -> None:
        shown = self.panels.has_palette
        self._slide(self.operations, shown)
        self.operations.setVisible(shown)

    def _slide(self, part: Dock | Palette, shown: bool) -> None:
        """Let a part that is about to come, or to go, slide on its way."""
        if not self._slides or part.isHidden() is not shown:
            return
        around = self.middle if part is self.below else self.main
        room = QRect(around.mapTo(self.main, QPoint()), around.size())
        if part is self.below:
            size = part.height() if not shown else self._sizes[Side.BELOW]
            room.setTop(room.bottom() + 1 - size)
            way = QPointF(0.0, size)
        else:
            size = self._sizes[Side.LEFT] if shown and part is self.left else part.width()
            if part is self.dock:
                room.setLeft(room.right() + 1 - size)
            else:
                room.setWidth(size)
            way = QPointF(size if part is self.dock else -size, 0.0)
        Slide(self.main, part, room, way, shown)

    @property
    def _sizes(self) -> dict[Side, int]:
        """The sizes, in this document, of the docks that the user can make larger."""
        sizes = {
            side: round(self.panels.layout.sizes.get(side, size) * self.theme.type)
            for side, size in FIRST_SIZES.items()
        }
        most = ON_STAGE_BELOW if self.presenting else MOST_BELOW
        return {**sizes, Side.BELOW: min(sizes[Side.BELOW], round(most * self.height()))}

    def give_sizes(self) -> None:
        """Give the docks that the user can make larger the sizes that they have in this document."""
        left, below = self._sizes[Side.LEFT], self._sizes[Side.BELOW]
        self.across.setSizes([left, max(self.across.width() - left, 1)])
        self.below.column.invalidate()  # else it is as high as with the tabs that it has just lost
        self.below.column.activate()
        self.middle.setSizes([max(self.middle.height() - below, 1), below])

    def _note_size(self, side: Side, pixels: int) -> None:
        self.panels.resize(side, round(pixels / self.theme.type))

    def _place_lesson(self) -> None:
        """The lesson stands at the foot of the dock; where there is none, or no room, above the graph."""
        central = self.centralWidget()
        layout = central.layout() if central is not None else None
        assert isinstance(layout, QVBoxLayout)
        if sizes_in(self.size()).has_lesson and not self.dock.isHidden() and not self.presenting:
            self.desk.stand_in(self.dock.column, -1, is_card=True)
        else:
            self.desk.stand_in(layout, layout.indexOf(self.main), is_card=False)

    def _close_focused(self, focused: QWidget | None) -> None:
        """Close the panel that holds the focus."""
        if focused is not None and not self.desk.isAncestorOf(focused):
            held = (dock.open_record for dock in self.docks if dock.isAncestorOf(focused))
            if (record := next(held, None)) is not None:
                self.toggle_panel(record.name)

    def _close_latest(self) -> None:
        """Stop a training; else close the panel that was opened last, but for the inspector."""
        if self.session.learns:
            self.session.learning.pause()
            return
        opened = [name for name in self.panels.standing.values() if name != INSPECTOR]
        if opened and not self.presenting:
            self.toggle_panel(opened[-1])

    def _follow_mode(self) -> None:
        """Show what is for building alone while nothing is watched."""
        if self.session.live is not self._was_live:
            self._was_live, has_palette = self.session.live, self.panels.has_palette
            if has_palette is self.operations.isHidden():
                with self._held():
                    self._show_palette()

    def build(self) -> None:
        """Go to Build, with the palette beside the graph, of which what is in view stays in view."""
        with nullcontext() if self.canvas.is_fitted_again else self._held():
            self.panels.show_palette(True)
            self.session.show_live()

    def _note_playing(self) -> None:
        if not self.session.has_played:
            self.session.has_played = self.settings.has_played = True

    def _covered(self, area: QRect) -> tuple[int, ...]:
        """How much of the canvas that is needed lies below an area, the most needed first."""
        of_step, others = self.canvas.cards_under(area)
        controls = [part.geometry() for part in (self.beginning, self.zoom) if part.isVisible()]
        map_ = minimap.area(self.canvas.scene)
        controls += [map_.toRect()] if map_ is not None else []
        return sum(map(area.intersects, controls)), of_step, others

    def _show_zoom(self) -> None:
        """Offer to zoom where there is a graph, but not to an audience."""
        self.zoom.setVisible(bool(self.session.document.nodes) and not self.presenting)
        self.toast.give_way()

    def _hold_notices(self) -> None:
        """Keep from an audience what it has not asked for."""
        self.banner.hold(self.presenting)
        self.toast.hold(self.presenting)

    def _begin_with(self, text: str) -> None:
        """Build the graph of a formula on the empty canvas."""
        self.expressions.build(text)
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_expressions(self) -> None:
        """Give the keys to the canvas, and the room of the bar where it is scarce."""
        self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._fold_expressions()

    def _fold_expressions(self) -> None:
        """Show the bar to an audience, and in a window that is too low for it, only while it is used."""
        is_scarce = self.presenting or self.height() < LOW_FOR_BAR * self.theme.type
        self.expressions.setVisible(not is_scarce or self.expressions.editor.hasFocus())

    def make_room(self) -> None:
        """Make the transport small in a low window; there, and on a stage, problems or choices replace the sentence."""
        is_low = self.height() < LOW * self.theme.type
        sizes = SMALL if self.presenting else sizes_in(self.size())  # a stage enlarges all that a small screen has
        self.header.fit(sizes)
        self.dock.fit(sizes.dock)
        self.operations.fit(sizes.palette)
        self.panels.fit(self.width() / self.theme.type, sizes.palette, sizes.dock)
        self._place_lesson()
        self.expressions.set_low(not sizes.has_lines or self.height() < LOW_FOR_LINES * self.theme.type)
        self._fold_expressions()
        if not self.presenting:
            shown = less_large(self.theme) if is_low else self.theme
            if shown != self.transport.theme:
                self.transport.set_theme(shown)
        is_full = (is_low or self.presenting) and (self.levels.chooses_gradient or not self.below.isHidden())
        self.step_band.setHidden(is_full)
        self.desk.give_room(not (is_low and self.levels.chooses_gradient))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.make_room()
        self.room.fit()
        self.resized.emit()

    def toggle_reduced_motion(self) -> None:
        self.settings.reduce_motion = self.session.reduce_motion = not self.session.reduce_motion
        self._follow_motion()

    def _follow_motion(self) -> None:
        """Let controls move as the canvas does."""
        QApplication.setEffectEnabled(Qt.UIEffect.UI_General, not self.session.reduce_motion)

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_levels(self) -> None:
        """Show the levels down to the shown function, if one is shown."""
        levels, outputs = self.inside.levels, self.inside.outputs
        self.levels.follow()
        names = ["graph", *(f"gradient of {level.op}" if level.is_gradient else level.op for level in levels)]
        tips = [self.files.name, *(f"the call {level.call}" for level in levels)]
        self.breadcrumb.show_way(names, tips, levels[-1].description if levels else "")
        labels = levels[-1].labels if outputs is not None else ()
        self.breadcrumb.show_outputs(labels, outputs or (), list(self.session.document.nodes))
        self.make_room()

    def step(self, by: int) -> None:
        """Go to the next or the previous step; while the orders are compared, to a visit of the one without order."""
        if not self.panels.stands("order"):
            self.session.step(by)
        elif not self.session.telling.turn(by):
            self.panels["order"].open().step(by)

    def open_search(self, source: EntrySource | None = None, prompt: str = "Find anything") -> None:
        """Open the command search, or the same with other entries."""
        self.search.open(source, prompt)

    def choose_of(self, topic: str, title: str) -> None:
        """Let a command of one topic be chosen from a list with this title."""
        self.open_search(lambda: topic_entries(self.menus, topic, self.session, title), f"{title}…")

    def _small_picture(self, document: Document) -> QImage | None:
        from cadena.gui.canvas.rendering.thumbnail import small_picture

        return small_picture(document, self.theme, RECOVERED)

    def open_export(self, kind: str) -> None:
        """Ask for the settings of a picture, a film or a handout, and write it."""
        from cadena.gui.export.dialogs import DIALOGS

        self._pages.show(DIALOGS[kind](self, self.session, self.exports, self.theme))

    # --- pages

    def ask_for_step(self) -> None:
        """Let the user type the number of a step."""
        self.transport.counter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_keys(self) -> None:
        self._pages.show(KeysPage(self, self.menus.commands, self.theme))

    def show_settings(self) -> None:
        from cadena.gui.frame.settings_page import SettingsPage  # not before it is wanted

        self._pages.show(SettingsPage(self, self.menus))

    def show_about(self) -> None:
        self._pages.show(about_page(self))
