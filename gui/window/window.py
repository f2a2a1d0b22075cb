"""The main window: its parts with the commands, the documents' tabs, the presentation, and what connects them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.commands.context import open_menu
from cadena.gui.commands.menus import MENUS
from cadena.gui.commands.navigation import list_bookmarks
from cadena.gui.commands.presenting import StageOnDemand
from cadena.gui.commands.table import all_commands
from cadena.gui.files.notices import FileNotices
from cadena.gui.files.questions import Dialogs
from cadena.gui.files.recent_menu import list_recent
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.files.settings import Settings
from cadena.gui.frame.command import Actions
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.frame.key_guard import KeyGuard, SpaceBar
from cadena.gui.frame.window_layout import first_size
from cadena.gui.look.text_cleaning import title
from cadena.gui.notices.task_notice import TaskNotice
from cadena.gui.panels.parts.panel_record import connect
from cadena.gui.session.session import Session
from cadena.gui.tabs.tabs import Tabs
from cadena.gui.tabs.windows import Windows
from cadena.gui.widgets.focus import ControlRings, FocusRing

if TYPE_CHECKING:
    from cadena.gui.presenting.stage import Stage


class Window(WindowFrame):
    """A window with all that its parts do for each other."""

    def __init__(
        self, session: Session, settings: Settings, recovery: Recovery, questions: Dialogs | None = None,
        windows: Windows | None = None,
    ) -> None:  # fmt: skip
        super().__init__(session, settings, recovery, questions)
        self.windows = windows or Windows(window_beside)
        self.tabs = Tabs(self, self.documents, self.windows)
        self._stage = StageOnDemand(self)
        self.menus = Actions(self, session, all_commands(self, self._stage, self.tabs), MENUS)
        self.menus.done.connect(self.toast.say)
        session.tasks.is_dragging = lambda: self.canvas.gesture is not None
        self.task_notice = TaskNotice(session.tasks, self.canvas, self, lambda: self.canvas.theme)
        self.header.offer_to_compare(self.menus.action("view.methods"))
        self.header.offer_to_share(map(self.menus.action, MENUS["File/Export"][0]))
        self.canvas.commands.navigation.lead_through(lambda: self.documents.key, self.documents.show_again)
        self.documents.leaving.connect(self.canvas.commands.navigation.leave)
        list_bookmarks(self.menus.menu("View/Bookmarks"), self.canvas.commands.navigation)
        list_recent(self.menus.menu("File/Open recent"), self.files, settings)
        self._connect()
        self._restore_places()

    def _connect(self) -> None:
        slots: dict[str, Callable[..., None]] = {
            "nodeActivated": self.canvas.commands.go_to, "pointedAt": self.canvas.point_at,
            "operationActivated": self.canvas.commands.add_at_view_center, "exportAsked": self.exports.plot,
            "enterAsked": self.levels.enter, "gradientAsked": self.levels.enter_gradient,
            "graphReplaced": self.canvas.zoom_to_fit, "focusReturned": self.canvas.setFocus,
            "pathShown": self.canvas.show_path, "elementsMarked": self.canvas.mark_elements,
            "remarksShown": self.canvas.show_remarks, "grew": self.canvas.take_in,
            "panelAsked": self.toggle_panel, "runScriptAsked": self._run_script,
            "lessonAsked": self.files.open_lesson,
        }  # fmt: skip
        connect((*self.panels.values(), self.operations, self.step_band, self.desk), slots)
        self.panels.changed.connect(self.menus.refresh)
        self.desk.wait_for(self.canvas, self.header)
        self.problems.countChanged.connect(self.header.problems.count)
        self.header.problemsAsked.connect(partial(self.toggle_panel, "problems"))
        self.header.presentAsked.connect(partial(self.menus.run, "view.present"))
        self.header.searchAsked.connect(partial(self.menus.run, "help.search"))
        self.canvas.problemAsked.connect(self._show_problem)
        self.step_band.problemAsked.connect(self._show_problem)
        self.canvas.menuAsked.connect(partial(open_menu, self.menus, self.canvas))
        self._file_notices = FileNotices(self.files, self.banner)
        self.files.scriptImported.connect(self._show_script)
        self.documents.changed.connect(self.menus.refresh)
        self.search.left.connect(partial(self.canvas.setFocus, Qt.FocusReason.ShortcutFocusReason))
        self.session.fileChanged.connect(self._show_name)
        self.presentingChanged.connect(self.tabs.follow)
        self.presentingChanged.connect(self.make_room)
        self.themeShown.connect(lambda: self.tabs.set_theme(self.shown_theme))
        self.session.opened.connect(self.canvas.zoom_to_fit)
        self.session.opened.connect(self.canvas.setFocus)  # else what is beside the inspector's old page has it
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply_theme)
        self.installEventFilter(KeyGuard(self))
        SpaceBar(self, self.canvas)
        self.ring = FocusRing(self.canvas, lambda: self.canvas.theme)
        self.control_rings = ControlRings(self, lambda: self.theme)
        self._connect_levels()

    def _connect_levels(self) -> None:
        self.files.reloading.connect(self.inside.leave_all)
        self.canvas.enterAsked.connect(self.levels.enter)
        add, clear = (partial(self.menus.run, name) for name in ("run.backward", "run.zero-grad"))
        self.inspector.graph.accumulation.ask(add, clear)
        self.inside.cameraChanged.connect(self._look)
        self.inside.changed.connect(self.show_levels)
        self.session.documentChanged.connect(lambda _: self.show_levels() if self.inside.levels else None)
        self._show_name()
        self.show_levels()

    def _restore_places(self) -> None:
        self.resize(first_size(self))
        self.restoreGeometry(self.settings.place("window"))

    def _show_name(self) -> None:
        self.setWindowTitle(f"{title(self.files.name).replace('[*]', '[*][*]')}[*] — Cadena")
        if self.isWindowModified() != (modified := self.session.modified):  # Qt would tell all parts again
            self.setWindowModified(modified)

    def _show_problem(self, fault: Fault) -> None:
        """Show a fault in the list of problems, with its fixes."""
        self.open_panel("problems")
        self.problems.show_problem(fault)

    def _show_script(self) -> None:
        """Show the script that was imported, to be read and run."""
        self.open_panel("code")
        self.panels["code"].open().focus_script()

    def _run_script(self) -> None:
        """Run the document's script, where the user can see it."""
        self._show_script()
        self.panels["code"].open().script.start()

    @property
    def stage(self) -> Stage:
        """The presentation of this window."""
        return self._stage()

    def _look(self, camera: Camera | None) -> None:
        """Show what this camera shows, or all of the graph."""
        if camera is None:
            self.canvas.zoom_to_fit()
        else:
            self.canvas.set_camera(camera)

    # --- events of Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():  # not when it was only minimized
            self.give_sizes()
            self.canvas.setFocus()
            self.canvas.zoom_to_fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.documents.may_leave():
            event.ignore()
            return
        self.session.playback.pause()
        if self.presenting:
            self.stage.toggle()
        self.settings.set_place("window", self.saveGeometry())
        self.tabs.leave()
        self.recovery.close()
        event.accept()


def window_beside(window: WindowFrame, windows: Windows) -> Window:
    """Another window with an empty graph."""
    session = Session(Document({}))
    session.show_live()
    return Window(session, window.settings, Recovery(session, window.recovery.folder), windows=windows)
