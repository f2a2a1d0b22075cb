"""The main window: it assembles the parts and does what concerns more than one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from cadena.core.graph.document import Document
from cadena.gui import style
from cadena.gui.actions.context import open_menu
from cadena.gui.actions.entries import entries
from cadena.gui.actions.keys import KeyGuard, SpaceBar
from cadena.gui.actions.lessons import turn_panel
from cadena.gui.actions.navigation import BOOKMARKS, list_bookmarks
from cadena.gui.actions.record import Actions
from cadena.gui.actions.search import CommandSearch, EntrySource
from cadena.gui.actions.table import all_commands
from cadena.gui.boxes import splitter, stack
from cadena.gui.canvas.hand.canvas import Canvas
from cadena.gui.done import DoneNotice
from cadena.gui.file_notices import FileNotices
from cadena.gui.file_questions import Questions
from cadena.gui.files import Files
from cadena.gui.focus import FocusRing, Rounds
from cadena.gui.help_pages import Pages, about_page, keys_page
from cadena.gui.inside import Inside
from cadena.gui.lessons.desk import LessonDesk
from cadena.gui.levels import Levels
from cadena.gui.naive_order import NaiveOrder
from cadena.gui.notices import Banner, MessageLine
from cadena.gui.panel import PanelRecord, Panels, Side, connect
from cadena.gui.panels.breadcrumb import Breadcrumb
from cadena.gui.panels.error_plot import ErrorPlot
from cadena.gui.panels.inspector import Inspector
from cadena.gui.panels.order_panel import OrderPanel
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.problems import Problems
from cadena.gui.panels.step_band import StepBand
from cadena.gui.panels.table import PANELS
from cadena.gui.panels.transport import Transport
from cadena.gui.places import WindowPlaces, first_size, least_size
from cadena.gui.plain import title
from cadena.gui.questions import Dialogs
from cadena.gui.recent import list_recent
from cadena.gui.recovery.keeper import Recovery
from cadena.gui.recovery.offer import Offer
from cadena.gui.room import GraphRoom, fold_panels, small_where_low, tell_folded
from cadena.gui.session import Session
from cadena.gui.settings import Settings
from cadena.gui.strip import Strip
from cadena.gui.tabs.documents import Documents
from cadena.gui.tabs.drops import FileDrops
from cadena.gui.tabs.tabs import Tabs
from cadena.gui.tabs.windows import Windows
from cadena.gui.task_notice import TaskNotice
from cadena.gui.tool_row import ToolRow

if TYPE_CHECKING:
    from cadena.gui.stage.stage import Stage

PROBLEMS_HEIGHT, MIN_CANVAS = 144, (150, 100)
LOW = 560  # pixels at `type` 1: the height of a window that is too low for canvas, problems and a step


class Window(QMainWindow):
    """One session on the screen."""

    panel_records: tuple[PanelRecord, ...] = PANELS

    def __init__(
        self, session: Session, settings: Settings, recovery: Recovery, questions: Questions | None = None,
        windows: Windows | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.session, self.settings, self.recovery = session, settings, recovery
        session.setParent(self)  # it goes with the window, and with it all that listens to it
        for name in ("reduce_motion", "follow_steps", "name_patterns"):
            setattr(session, name, getattr(settings, name))
        session.showing.show_map(settings.map_shown)
        self.theme = style.chosen_theme(self.settings.theme, self.settings.type_scale)
        style.apply(self, self.theme)  # before there are parts: they take over the type when they are made
        self._pages = Pages()
        self.files = Files(session, settings, questions or Dialogs(self), self._export)
        self._make_parts()
        self._put_together()
        self.documents = Documents(session, self.files, recovery, self.canvas)
        self.windows = windows or Windows(window_beside)
        self.tabs = Tabs(self, self.documents, self.windows)
        self.menus = Actions(self, session, all_commands(self, session, settings, self.files, self.canvas, self.inside))
        self.done = DoneNotice(session, self.canvas, lambda: self.canvas.theme)
        self.menus.done.connect(self.done.say)
        session.tasks.is_dragging = lambda: self.canvas.gesture is not None
        self.task_notice = TaskNotice(session.tasks, self.canvas, self, lambda: self.canvas.theme)
        self.tool_row.export.setMenu(self.menus.menu("File/Export as code"))
        self.canvas.commands.navigation.lead_through(self.documents)
        list_bookmarks(self.menus.menu(BOOKMARKS), self.canvas.commands.navigation)
        list_recent(self.menus.menu_below("file.open", "Open recent"), self.files, settings)
        self._connect()
        self._restore_places()

    # --- assembly

    def _make_parts(self) -> None:
        session, theme = self.session, self.theme
        self.canvas = Canvas(session, theme)
        self.banner = Banner(theme)
        self.inside = Inside(session, self.canvas)
        self.levels = Levels(self.inside, self.banner, self.canvas.setFocus)
        self.breadcrumb = Breadcrumb(theme, self.levels.leave, self.inside.set_output)
        self.order, self.error = OrderPanel(session, theme), ErrorPlot(session, theme)
        self.desk = LessonDesk(session, theme)
        self.step_band = StepBand(session, theme)
        self.transport = Transport(session, theme)
        listing = lambda: entries(self.menus, session, self.settings, self.files, self.canvas)  # noqa: E731
        self.search = CommandSearch(listing, typed=self.canvas.commands.typed)
        self.tool_row: ToolRow = ToolRow(session, self.search, theme)
        self.band = Strip("top", theme)
        self.offer = Offer(session, self.recovery, self.files, self.inside, self.banner)
        self.message_line = MessageLine(session, lambda: self.toggle_panel("problems"), theme)
        self.naive = NaiveOrder(session, self.order, self.band)
        self.panels = Panels(PANELS, session, theme, self.settings)
        self.operations: Palette = self.panels["palette"]
        self.inspector: Inspector = self.panels["inspector"]
        self.problems: Problems = self.panels["problems"]

    def _put_together(self) -> None:
        self.beside = splitter(Qt.Orientation.Horizontal, self.canvas, self.error, stretch=0)
        left, right, below = map(self.panels.on, Side)
        self.middle = splitter(Qt.Orientation.Vertical, self.beside, *below, stretch=0)
        stack(self.band, self.step_band, self.transport)
        middle = stack(QWidget(), self.breadcrumb, self.middle, self.order, self.band, stretch=1)
        self.canvas.setMinimumSize(*MIN_CANVAS)
        self.order.hide()
        self.error.hide()
        self.across = splitter(Qt.Orientation.Horizontal, *left, middle, *right, stretch=len(left))
        whole = (self.tool_row, self.banner, self.desk, self.across, self.message_line)
        self.setCentralWidget(central := stack(QWidget(), *whole, stretch=3))
        self.message_line.lie_over(self.canvas, central.layout())
        around = (self.menuBar(), self.tool_row, self.banner, self.desk, self.breadcrumb, self.message_line)
        self.room = GraphRoom(self, self.across, self.band, self.step_band, around)
        self.setMinimumSize(least_size(self))
        self._drops = FileDrops(self, self.files.open_path)
        self.panels.show_open()

    def _connect(self) -> None:
        slots: dict[str, Callable[..., None]] = {
            "nodeActivated": self.canvas.commands.go_to, "pointedAt": self.canvas.point_at,
            "operationActivated": self.canvas.commands.add_at_view_center, "exportAsked": self.files.exports.plot,
            "enterAsked": self.levels.enter, "gradientAsked": self.levels.enter_gradient,
            "graphReplaced": self.canvas.zoom_to_fit, "focusReturned": self.canvas.setFocus,
            "pathShown": self.canvas.show_path, "elementsMarked": self.canvas.mark_elements,
            "panelAsked": self.toggle_panel, "runScriptAsked": self._run_script,
            "lessonAsked": self.files.open_lesson,
        }  # fmt: skip
        connect((*self.panels.values(), self.order, self.error, self.step_band, self.desk), slots)
        self.desk.ask(partial(turn_panel, self.menus))
        self.desk.wait_for(self.canvas, self.tool_row)
        self.problems.countChanged.connect(self.message_line.count)
        self.canvas.menuAsked.connect(partial(open_menu, self.menus, self.canvas))
        self.canvas.filesDropped.connect(self._drops.open_all)
        self._file_notices = FileNotices(self.files, self.banner)
        self.files.scriptImported.connect(self._show_script)
        self.documents.changed.connect(self.menus.refresh)
        self.search.left.connect(partial(self.canvas.setFocus, Qt.FocusReason.ShortcutFocusReason))
        self.search.closed.connect(lambda: self.tool_row.setHidden(self.presenting))
        self.session.fileChanged.connect(self._show_name)
        self.session.opened.connect(self.canvas.zoom_to_fit)
        self.session.opened.connect(self.canvas.setFocus)  # else what is beside the inspector's old page has it
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply_theme)
        self.installEventFilter(KeyGuard(self))
        SpaceBar(self, self.canvas)
        self.rounds = Rounds(self, self.canvas, self._round)
        self.ring = FocusRing(self.canvas, lambda: self.canvas.theme)
        self._connect_levels()

    def _connect_levels(self) -> None:
        self.files.reloading.connect(self.inside.leave_all)
        self.canvas.enterAsked.connect(self.levels.enter)
        self.order.closeAsked.connect(self.toggle_order)
        self.order.shown.connect(self.canvas.show_remarks)
        self.error.close_button.clicked.connect(self.toggle_error)
        add, clear = (partial(self.menus.run, name) for name in ("run.backward", "run.zero-grad"))
        self.inspector.graph.accumulation.ask(add, clear)
        self.inside.changed.connect(self.naive.leave)
        self.inside.changed.connect(self._show_levels)
        self.session.documentChanged.connect(lambda _: self._show_levels() if self.inside.levels else None)
        self._show_name()
        self._show_levels()

    def _restore_places(self) -> None:
        self.resize(first_size(self))
        self.middle.setSizes([self.height(), PROBLEMS_HEIGHT])
        self.places = WindowPlaces(self, {"across": self.across, "middle": self.middle}, self.settings)
        self.places.restore()

    def _round(self) -> list[QWidget]:
        """The parts of the window in the order in which the keys go through them."""
        left, right, below = map(self.panels.on, Side)
        strips = (self.step_band, self.transport, self.message_line, self.banner)
        return [self.canvas, *right, *below, self.error, self.order, *strips, self.tool_row, self.desk, *left]

    def _show_name(self) -> None:
        self.setWindowTitle(f"{title(self.files.name).replace('[*]', '[*][*]')}[*] — Cadena")
        if self.isWindowModified() != (modified := self.session.modified):  # Qt would tell all parts again
            self.setWindowModified(modified)

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
            tell_folded(fold_panels(self.panels, self.width(), self.theme), self.panels, self.message_line)

    def show_theme(self) -> None:
        """Show everything in the theme, on a stage in its sizes."""
        shown = self.stage.themes[0] if self.presenting else self.theme
        style.apply(self, shown)
        strips = (self.tool_row, self.breadcrumb, self.order, self.error, self.banner, self.band, self.message_line)
        for part in (self.canvas, self.tabs, self.desk, self.step_band, self.transport, *strips, *self.panels.values()):
            part.set_theme(shown)
        if self.presenting:
            self.stage.follow_theme()
        else:
            self.room.divide(self.theme.type)
        self._show_levels()

    def toggle_panel(self, panel: str) -> None:
        """Open or close the panel of this name."""
        had_focus = self.panels[panel].isAncestorOf(self.focusWidget())
        self.panels.toggle(panel)
        if had_focus:  # else it goes to whatever Qt finds next
            self.canvas.setFocus()
        is_left = self.panels[panel] in self.panels.on(Side.LEFT)
        tell_folded(self.panels.fold(self.width()) if is_left else (), self.panels, self.message_line)
        self._make_room()
        self.menus.refresh()

    def _show_script(self) -> None:
        """Show the script that was imported, to be read and run."""
        if self.panels["code"].isHidden():
            self.toggle_panel("code")
        self.panels["code"].open().focus_script()

    def _run_script(self) -> None:
        """Run the document's script, where the user can see it."""
        self._show_script()
        self.panels["code"].open().script.start()

    def _make_room(self) -> None:
        """Make the transport small in a low window; there problems, or a choice, take the room of the sentence."""
        is_low = self.height() < LOW * self.theme.type
        self.message_line.set_brief(is_low or self.presenting)
        if not self.presenting:
            small_where_low(self.transport, self.theme, is_low)
        is_full = is_low and (self.levels.chooses_gradient or not self.problems.isHidden())
        self.step_band.setHidden(is_full)
        self.desk.give_room(not (is_low and self.levels.chooses_gradient))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        self.room.fit()
        if self.presenting:
            self.stage.fit()

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

    @property
    def presenting(self) -> bool:
        """Whether only the canvas, the step and the transport are shown."""
        return "stage" in vars(self) and self.stage.on

    @cached_property
    def stage(self) -> Stage:
        """The presentation of this window."""
        from cadena.gui.stage.stage import Stage  # not before one is wanted

        return Stage(self, self)

    def toggle_presenting(self) -> None:
        self.stage.toggle()
        self.tabs.follow()
        self._make_room()

    def _show_levels(self) -> None:
        """Show the levels down to the shown function, if one is shown."""
        levels, outputs = self.inside.levels, self.inside.outputs
        self.levels.follow()
        names = ["graph", *(f"gradient of {level.op}" if level.is_gradient else level.op for level in levels)]
        tips = [self.files.name, *(f"the call {level.call}" for level in levels)]
        self.breadcrumb.show_way(names, tips, levels[-1].description if levels else "")
        labels = levels[-1].labels if outputs is not None else ()
        self.breadcrumb.show_outputs(labels, outputs or (), list(self.session.document.nodes))
        self._make_room()

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
        """Open the command search; while presenting its row is there for as long as the search is."""
        self.tool_row.show()
        self.search.open(source)

    def _export(self, session: Session, path: Path) -> Iterator[int]:
        from cadena.gui.export.picture import writing_shown  # not before one is wanted

        return writing_shown(session, path, self.theme.name)

    def open_export(self, kind: str) -> None:
        """Ask for the settings of a picture, a film or a handout, and write it."""
        from cadena.gui.export.dialogs import DIALOGS

        self._pages.show(DIALOGS[kind](self, self.session, self.files.exports, self.theme))

    # --- pages

    def ask_for_step(self) -> None:
        """Let the user type the number of a step."""
        self.transport.counter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_keys(self) -> None:
        self._pages.show(keys_page(self, self.menus.commands))

    def show_about(self) -> None:
        self._pages.show(about_page(self))

    # --- events of Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():  # not when it was only minimized
            fold_panels(self.panels, self.width(), self.theme)  # without a word: there may be news of the file
            self.canvas.setFocus()
            self.canvas.zoom_to_fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.documents.may_leave():
            event.ignore()
            return
        self.session.playback.pause()
        if self.presenting:
            self.toggle_presenting()
        self.places.keep()
        self.tabs.leave()
        self.recovery.close()
        event.accept()


def window_beside(window: Window) -> Window:
    """Another window with an empty graph."""
    session = Session(Document({}))
    session.show_live()
    return Window(session, window.settings, Recovery(session, window.recovery.folder), windows=window.windows)
