"""The parts of a window: how they stand together, in which theme, and which of them are shown."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenuBar, QVBoxLayout, QWidget

from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.canvas import Canvas
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
from cadena.gui.frame.entries import entries, topic_entries
from cadena.gui.frame.graph_space import GraphRoom, fold_panels
from cadena.gui.frame.header import Header
from cadena.gui.frame.help_pages import KeysPage, Pages, about_page
from cadena.gui.frame.naive_order import NaiveOrder
from cadena.gui.frame.window_layout import least_size, sizes_in
from cadena.gui.frame.zoom_control import ZoomControl
from cadena.gui.lessons.desk import LessonDesk
from cadena.gui.look import style
from cadena.gui.look.theme import Theme, less_large
from cadena.gui.notices.banner import Banner
from cadena.gui.notices.levels import Levels
from cadena.gui.notices.toast import Toast
from cadena.gui.panels.expression.expression_bar import ExpressionBar
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.panels.methods.error_plot import ErrorPlot
from cadena.gui.panels.methods.order_panel import OrderPanel
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.parts.breadcrumb import Breadcrumb
from cadena.gui.panels.parts.common import row_in
from cadena.gui.panels.parts.panel_record import PanelRecord, Panels, Side
from cadena.gui.panels.problems.problems import Problems
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.panels.steps.transport import Transport
from cadena.gui.panels.table import PANELS
from cadena.gui.session.function_editing import Inside
from cadena.gui.session.session import Session
from cadena.gui.widgets.boxes import splitter, stack
from cadena.gui.widgets.focus import Rounds
from cadena.gui.widgets.strip import Strip

PROBLEMS_HEIGHT, MIN_CANVAS = 144, (150, 100)
LOW = 560  # pixels at `type` 1: the height of a window that is too low for canvas, problems and a step

RECOVERED = QSize(80, 46)  # pixels, of the picture of a graph that is offered after a crash


class WindowFrame(QMainWindow):
    """One session on the screen. `Window` adds the commands, and what these alone lead to."""

    resized = Signal()
    themeShown = Signal()
    presentingChanged = Signal()

    panel_records: tuple[PanelRecord, ...] = PANELS
    menus: Actions  # the commands, which `Window` knows

    def __init__(
        self, session: Session, settings: Settings, recovery: Recovery, questions: Dialogs | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.session, self.settings, self.recovery = session, settings, recovery
        self.presenting = False  # whether only the canvas, the step and the transport are shown
        session.setParent(self)  # it goes with the window, and with it all that listens to it
        for name in ("reduce_motion", "follow_steps", "name_patterns"):
            setattr(session, name, getattr(settings, name))
        session.set_shown(replace(session.shown, has_map=settings.map_shown))
        self.theme = style.chosen_theme(self.settings.theme, self.settings.type_scale)
        style.apply(self, self.theme)  # before there are parts: they take over the type when they are made
        self._pages = Pages()
        self.files = Files(session, settings, questions or Dialogs(self))
        self.exports = Exports(self.files, session, lambda: self.canvas.goal)
        self._make_parts()
        self._put_together()
        self.documents = Documents(session, self.files, recovery, self.canvas)

    def _make_parts(self) -> None:
        session, theme = self.session, self.theme
        self.canvas = Canvas(session, theme)
        self.banner = Banner(theme)
        self.inside = Inside(session, lambda: self.canvas.camera)
        self.levels = Levels(self.inside, self.banner, self.canvas.setFocus)
        self.breadcrumb = Breadcrumb(theme, self.levels.leave, self.inside.set_output)
        self.order, self.error = OrderPanel(session, theme), ErrorPlot(session, theme)
        self.desk = LessonDesk(session, theme)
        self.expressions = ExpressionBar(session, theme)
        self.expressions.left.connect(self._leave_expressions)
        self.expressions.grew.connect(lambda new: self.canvas.reveal(new) if new else self.canvas.zoom_to_fit())
        self.step_band = StepBand(session, theme)
        self.transport = Transport(session, theme)
        self.header = Header(session, theme)
        self.band = Strip("top", theme)
        self.offer = Offer(session, self.recovery, self.files, self.inside, self.banner, self._small_picture)
        self.toast = Toast(session, self.canvas)
        self.zoom = ZoomControl(self.canvas)
        self.presentingChanged.connect(lambda: self.zoom.setHidden(self.presenting))
        self.naive = NaiveOrder(session, self.order, self.band)
        self.panels = Panels(PANELS, session, theme, self.settings)
        self.dock = Dock(session, self.panels, theme)
        self.dock.asked.connect(self.toggle_panel)
        self.dock.closeAsked.connect(self.close_panel)
        self.dock.shown.connect(self._place_lesson)
        self._was_live = session.live
        session.timeChanged.connect(self._follow_mode)
        self.operations: Palette = self.panels["palette"]
        self.inspector: Inspector = self.panels["inspector"]
        self.problems: Problems = self.panels["problems"]

    def _put_together(self) -> None:
        self.beside = splitter(Qt.Orientation.Horizontal, self.canvas, self.error, stretch=0)
        left, _, below = map(self.panels.on, Side)
        self.middle = splitter(Qt.Orientation.Vertical, self.beside, *below, stretch=0)
        stack(self.band, self.step_band, self.transport)
        middle = stack(QWidget(), self.expressions, self.breadcrumb, self.middle, self.order, self.band, stretch=2)
        self.canvas.setMinimumSize(*MIN_CANVAS)
        self.order.hide()
        self.error.hide()
        self.across = splitter(Qt.Orientation.Horizontal, *left, middle, stretch=len(left))
        self.main = QWidget()
        row = row_in(self.main, self.across, self.dock, spacing=0)
        row.setStretch(0, 1)
        whole = (self.header, self.banner, self.desk, self.main)
        self.setCentralWidget(stack(QWidget(), *whole, stretch=3))
        listing = lambda: entries(self.menus, self.session, self.settings, self.files, self.canvas)  # noqa: E731
        self.search = CommandSearch(listing, self.header, self.theme, self.canvas.commands.typed)
        around = (self.header, self.banner, self.desk, self.expressions, self.breadcrumb)
        self.room = GraphRoom(self, self.main, self.dock, self.band, self.step_band, around)
        self.setMinimumSize(least_size(self))
        self._drops = FileDrops(self, self.files.open_path)
        self.panels.show_open()
        self.rounds = Rounds(self, self.canvas, self._round, self._close_focused)

    def menuBar(self) -> QMenuBar:
        return self.header.menus

    def _round(self) -> list[QWidget]:
        """The parts of the window in the order in which the keys go through them."""
        left, _, below = map(self.panels.on, Side)
        strips = (self.step_band, self.transport, self.banner)
        beside = (self.dock, *below, self.error, self.order)
        return [self.canvas, self.expressions, *beside, *strips, self.header, self.desk, *left]

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
        if not self.presenting:
            fold_panels(self.panels, self.width(), self.theme)

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
        strips = (self.header, self.breadcrumb, self.order, self.error, self.banner, self.band)
        parts = (self.canvas, self.desk, self.expressions, self.step_band, self.transport)
        for part in (*parts, *strips, self.dock, self.search, *self.panels.values()):
            part.set_theme(shown)
        self.themeShown.emit()
        if not self.presenting:
            self.room.divide()
        self.show_levels()

    def toggle_panel(self, panel: str) -> None:
        """Open or close the panel of this name."""
        had_focus = self.panels[panel].isAncestorOf(self.focusWidget())
        self.panels.toggle(panel)
        if had_focus:  # else it goes to whatever Qt finds next
            self.canvas.setFocus()
        if self.panels[panel] in self.panels.on(Side.LEFT):
            self.panels.fold(self.width())
        self.make_room()
        self.menus.refresh()

    def close_panel(self, panel: str) -> None:
        """Close the panel of this name, and what would come back in its place."""
        self.toggle_panel(panel)
        if not self.dock.isHidden() and (behind := self.dock.open_record) is not None:
            self.toggle_panel(behind.name)

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
        for record in self.panel_records:
            if record.side is not Side.LEFT and self.panels[record.name].isAncestorOf(focused):
                self.close_panel(record.name)
                break

    def _follow_mode(self) -> None:
        """Show what is for building alone while nothing is watched."""
        if self.session.live is not self._was_live:
            self._was_live = self.session.live
            if not self.presenting:
                self.panels.show_open()
                self.panels.fold(self.width())

    def _leave_expressions(self) -> None:
        """Give the keys to the canvas, and the room of the bar where it is scarce."""
        self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._fold_expressions()

    def _fold_expressions(self) -> None:
        """Show the bar to an audience, and in a window that is low for its type, only while it is used."""
        is_scarce = self.presenting or self.height() < LOW * self.theme.type
        self.expressions.setVisible(not is_scarce or self.expressions.editor.hasFocus())

    def make_room(self) -> None:
        """Make the transport small in a low window; there problems, or a choice, take the room of the sentence."""
        is_low, sizes = self.height() < LOW * self.theme.type, sizes_in(self.size())
        self.header.fit(sizes)
        self.dock.fit(sizes.dock)
        self._place_lesson()
        self.expressions.set_low(not sizes.has_lines)
        self._fold_expressions()
        if not self.presenting:
            shown = less_large(self.theme) if is_low else self.theme
            if shown != self.transport.theme:
                self.transport.set_theme(shown)
        is_full = is_low and (self.levels.chooses_gradient or not self.problems.isHidden())
        self.step_band.setHidden(is_full)
        self.desk.give_room(not (is_low and self.levels.chooses_gradient))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.make_room()
        self.room.fit()
        self.resized.emit()

    def toggle_layers(self) -> None:
        """Open or close the plot of the gradients by layer, beside the problems."""
        if self.problems.isHidden():
            self.toggle_panel("problems")
            self.problems.layers.hide()
        self.problems.show_layers()
        self.menus.refresh()

    @property
    def layers_shown(self) -> bool:
        return self.problems.isVisible() and not self.problems.layers.isHidden()

    def toggle_error(self) -> None:
        """Open or close the plot of the error of differences over their step h, beside the canvas."""
        self.error.setVisible(self.error.isHidden())
        (self.canvas if self.error.isHidden() else self.error).setFocus()
        self.menus.refresh()

    @property
    def error_shown(self) -> bool:
        return not self.error.isHidden()

    def toggle_reduced_motion(self) -> None:
        self.settings.reduce_motion = self.session.reduce_motion = not self.session.reduce_motion

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

    # --- the recursion without an order

    def toggle_order(self) -> None:
        self.naive.toggle()
        self.menus.refresh()

    @property
    def order_shown(self) -> bool:
        return not self.order.isHidden()

    def step(self, by: int) -> None:
        self.naive.step(by)

    def open_search(self, source: EntrySource | None = None) -> None:
        """Open the command search."""
        self.search.open(source)

    def entries_of(self, topic: str) -> EntrySource:
        """The entries of the commands of one topic."""
        return lambda: topic_entries(self.menus, topic, self.session)

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
