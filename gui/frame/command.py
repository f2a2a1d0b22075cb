"""Commands, each defined once as a record; menus, shortcuts, Ctrl+K and the page of help are views of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from cadena.gui.background.throttle import Throttle
from cadena.gui.look.text_cleaning import menu_text
from cadena.gui.session.session import Session

MenuGroups = tuple[tuple[str, ...], ...]  # of a menu: commands by their id, or a submenu by its path
A_NODE, SOME_NODES = "select a fitting node first", "select some nodes first"


def always() -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """One action that the user can start.

    `topic` is a path such as "View/Theme": Ctrl+K says "Theme: Dark". `label` gives the text where it changes,
    `checked` the mark where there is one. `stage_keys` hold in a presentation alone, where letters do nothing else.
    `words` are further words by which it is found. `needs` says what to do first where it is not `enabled`.
    """

    id: str
    text: str
    topic: str
    run: Callable[[], object]
    keys: tuple[str, ...] = ()
    tip: str = ""
    enabled: Callable[[], bool] = always
    label: Callable[[], str] | None = None
    checked: Callable[[], bool] | None = None
    stage_keys: tuple[str, ...] = ()
    needs: str = ""
    words: str = ""

    @property
    def shown_text(self) -> str:
        """The text as it reads now, e.g. "Undo Move b1"."""
        return self.label() if self.label else self.text

    @property
    def refusal(self) -> str:
        """Why it is not carried out now."""
        reason = f": {self.needs}" if self.needs else ""
        return f"“{self.shown_text.rstrip('…')}” cannot be done now{reason}."

    @property
    def all_keys(self) -> tuple[str, ...]:
        """Its keys with those of a presentation."""
        return (*self.keys, *self.stage_keys)

    @property
    def shown_keys(self) -> str:
        """All keys in the form of this platform, a space between them, e.g. "Ctrl+Z ."; empty when there is none."""
        return " ".join(map(key_text, self.all_keys))

    def keys_when(self, presenting: bool) -> tuple[str, ...]:
        """The keys that hold now: in a presentation none of a single sign but those of the stage."""
        if not presenting:
            return self.keys
        return (*self.stage_keys, *(key for key in self.keys if len(key) > 1 and key not in NOT_ON_STAGE))


PLAIN_KEY = re.compile(r"(Shift\+)?[A-Z0-9]")  # a key that is easily pressed by mistake
NOT_ON_STAGE = ("Del", "Backspace", "F2", "PgDown", "PgUp")  # they edit, or are a clicker's
ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


def key_text(key: str) -> str:
    """A key as it is shown to the user."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    head, plus, last = native.rpartition("+") if not native.endswith("+") else (native, "", "")
    return f"{head}{plus}{ARROWS.get(last, last)}"


class Actions(QObject):
    """The commands as Qt actions of one window. They follow the session a frame later, since all are asked: the canvas
    comes first. Whoever wants to know earlier, as a key that is pressed or a menu that opens, finds them up to date.
    """

    done = Signal(str, bool)  # what a key without Ctrl did, and whether undo takes it back

    def __init__(
        self, window: QMainWindow, session: Session, commands: Iterable[Command], menus: Mapping[str, MenuGroups]
    ) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._soon = Throttle(self, self.refresh)
        self.commands = tuple(commands)
        self.by_id = {command.id: command for command in self.commands}
        self._actions = {command.id: self._make(command) for command in self.commands}
        self._pairs = [(command, self._actions[command.id]) for command in self.commands]
        self._enabled: dict[str, bool] = {}
        self._menus = {path: self._make_menu(path) for path in menus}
        for path, groups in menus.items():
            self._fill(self._menus[path], groups)
        self._live = session.live
        window.installEventFilter(self)
        changed = (session.fileChanged, session.selectionChanged, session.playbackChanged, session.accumulatedChanged)
        for signal in changed:
            signal.connect(self._soon.request)
        session.timeChanged.connect(self._follow_mode)
        self.refresh()

    def _make(self, command: Command) -> QAction:
        action = QAction(command.text, self)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setToolTip(command.tip)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setCheckable(command.checked is not None)
        action.triggered.connect(lambda: self.run_and_tell(command.id))
        self._window.addAction(action)  # so that its keys work while the menu bar is hidden
        return action

    def _make_menu(self, path: str) -> QMenu:
        menu = QMenu(path.rpartition("/")[2], self._window)
        menu.aboutToShow.connect(self.refresh)  # a wire, for one, is selected without a word of the session
        if "/" not in path:
            menu.setTitle(f"&{path}")
            self._window.menuBar().addMenu(menu)
        return menu

    def _fill(self, menu: QMenu, groups: MenuGroups) -> None:
        for index, group in enumerate(groups):
            if index:
                menu.addSeparator()
            for entry in group:
                menu.addAction(self._menus[entry].menuAction() if "/" in entry else self._actions[entry])

    def menu(self, path: str) -> QMenu:
        """The menu with this path."""
        self._soon.catch_up()
        return self._menus[path]

    def action(self, command_id: str) -> QAction:
        self._soon.catch_up()
        return self._actions[command_id]

    def run(self, command_id: str) -> None:
        """Carry out a command, if it can be carried out now."""
        command = self.by_id[command_id]
        if command.enabled():
            command.run()
        self._soon.request()

    def run_and_tell(self, command_id: str) -> None:
        """Carry out a command, and say what a key without Ctrl did: it may have been pressed by mistake."""
        command, before = self.by_id[command_id], self._session.document
        self.run(command_id)
        if not any(PLAIN_KEY.fullmatch(key) for key in command.keys):
            return
        if self._session.document is not before and (done := self._session.history.undo_label):
            self.done.emit(done, True)
        elif command.checked and self._session.document is before:
            self.done.emit(f"{command.text}: {'on' if command.checked() else 'off'}", False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say why a key does nothing: it comes to the window where no widget and no command that is enabled took it.

        Before, Qt asks the widgets and then the window whether they want it more than the commands do.
        """
        if event.type() is QEvent.Type.ShortcutOverride:
            self._soon.catch_up()
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                return False  # it is pressed where nothing is left to be closed, too
            key = QKeySequence(event.keyCombination())
            unfit = (command for command, action in self._pairs if key in action.shortcuts() and not command.enabled())
            if command := next(unfit, None):
                self._session.message.emit(command.refusal)
        return False

    def set_presenting(self, presenting: bool) -> None:
        """Put the keys of a presentation in the place of the usual ones, or back."""
        for command in self.commands:
            keys = command.keys_when(presenting)
            self._actions[command.id].setShortcuts([QKeySequence(key) for key in keys])
        self.refresh()  # the stage keeps a clicker's keys from the filter above

    def refresh(self) -> None:
        """Bring texts, marks and what is enabled up to date."""
        self._soon.cancel()
        for command, action in self._pairs:
            if (enabled := command.enabled()) is not self._enabled.get(command.id):  # Qt is slow to find out
                action.setEnabled(enabled)
                self._enabled[command.id] = enabled
            if command.label:
                action.setText(menu_text(command.label()))
            if command.checked:
                action.setChecked(command.checked())

    def _follow_mode(self) -> None:
        if self._session.live is not self._live:  # time itself changes sixty times a second and no command with it
            self._live = self._session.live
            self._soon.request()
