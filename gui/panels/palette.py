"""The palette: the common operations, and all behind "More…" and the search; dragged, double-clicked or by Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from cadena.core.rewriting.function_edits import remove_function
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.chips import Chip
from cadena.gui.panels.parts.common import clear, scrolled
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.panels.parts.fold import Fold
from cadena.gui.search.catalogue import Entry, nothing, operations, search
from cadena.gui.session.session import Session

WIDTH = 208  # pixels at `type` 1, in a large window
OPEN_AT_FIRST = 7  # categories; the others show their heading alone until it is clicked
COMMON = {
    "Arithmetic": "add subtract multiply divide power sqrt abs maximum".split(),
    "Functions": "exp log sin cos tanh sigmoid relu".split(),
    "Arrays": "matmul transpose sum mean norm softmax".split(),
    "Loss": "mse_loss cross_entropy".split(),
}
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class Palette(QWidget):
    """Emits operationActivated(name) when an operation is to be put onto the canvas."""

    operationActivated = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme, self._next_theme = session, theme, theme
        self._operations = operations(session.document.functions)
        self._functions = session.document.functions  # those that are listed
        categories = dict.fromkeys(operation.category for operation in self._operations if not operation.is_function)
        self._folded = set(list(categories)[OPEN_AT_FIRST:])
        self._width = WIDTH
        self._is_whole = False  # all operations are shown, not only the common ones
        self.search = QLineEdit(placeholderText="find an operation", clearButtonEnabled=True)
        self.search.setProperty("search", True)
        self.search.setAccessibleName("Find an operation")
        self.search.setToolTip("Find an operation by name, symbol or what it does")
        self._glass = QAction(self)
        self.search.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._show)
        self.search.returnPressed.connect(self._take_first)
        self.search.installEventFilter(self)
        self._inside = QWidget()
        self._rows = QVBoxLayout(self._inside)
        self._rows.setContentsMargins(1, 2, look.GAP // 2, look.GAP)
        self._scroll = scrolled(self._inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, look.GAP, look.GAP, 0)
        column.addWidget(self.search)
        column.addWidget(self._scroll, 1)
        session.documentChanged.connect(lambda _: self._follow())
        self._set_sizes()
        self._take_theme()

    def _follow(self) -> None:
        """List the functions that the document has now."""
        functions = self.session.document.functions
        if functions is not self._functions and functions != self._functions:
            self._operations = operations(functions)
            self._show(self.search.text())
        self._functions = functions

    def set_theme(self, theme: Theme) -> None:
        """Take a theme over, while the palette is hidden (as on a stage) only when it is shown again."""
        self._next_theme = theme
        if self.isVisible():
            self._take_theme()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, line = QPainter(self), max(1, round(self._theme.line))
        painter.fillRect(self.width() - line, 0, line, self.height(), self._theme.color("hairline"))
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        if self._next_theme is not self._theme:
            self._take_theme()

    def _take_theme(self) -> None:
        theme, same_sizes = self._next_theme, self._next_theme.type == self._theme.type
        self._theme = theme
        self._glass.setIcon(icons.icon("search", theme, "muted"))
        if same_sizes:  # a third of the time that new chips take, and the scrolled place stays
            for stop in self._stops:
                if isinstance(stop, Chip | Fold):
                    stop.set_theme(theme)
        else:
            self._set_sizes()

    def _set_sizes(self) -> None:
        self.fit(self._width)
        self._show(self.search.text())

    def fit(self, width: int) -> None:
        """Take a width, in pixels at `type` 1."""
        self._width = width
        self.setFixedWidth(round(width * self._theme.type))

    @property
    def chips(self) -> list[Chip]:
        """The chips to be seen now, in reading order."""
        return [stop for stop in self._stops if isinstance(stop, Chip) and self._groups.get(stop) not in self._folded]

    @property
    def folds(self) -> list[Fold]:
        """The headings of the categories to be seen now."""
        return [stop for stop in self._stops if isinstance(stop, Fold)]

    def _is_search(self) -> bool:
        return bool(self.search.text().strip())

    # --- what is shown

    def _show(self, text: str) -> None:
        """All operations, or those that the search means."""
        clear(self._rows)
        self._stops: list[QAbstractButton] = []  # what the arrows move among: chips, headings that fold, and "More…"
        self._groups: dict[Chip, str] = {}  # of the chips that fold away
        self._has_chip = False
        if text.strip():
            self._show_matches(search(text, self._operations), text)
        else:
            for category, operations in self._shown().items():
                self._show_category(category, operations)
            self._add_more()
        self._rows.addStretch(1)
        self._scroll.verticalScrollBar().setValue(0)

    def _shown(self) -> dict[str, list[Entry]]:
        """What is listed while nothing is searched for: the common operations, or all, by category."""
        groups: dict[str, list[Entry]] = {}
        common = {name: group for group, names in COMMON.items() for name in names}
        for entry in self._operations:
            if self._is_whole or entry.is_leaf or entry.is_function:
                groups.setdefault(entry.category, []).append(entry)
        if not self._is_whole:
            by_name = {entry.name: entry for entry in self._operations if entry.name in common}
            groups |= {group: [by_name[name] for name in names] for group, names in COMMON.items()}
        return groups

    def _add_more(self) -> None:
        self.more = QPushButton("Fewer" if self._is_whole else "More…")
        self.more.setToolTip("Show the common operations alone" if self._is_whole else "Show all operations")
        self.more.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.more.clicked.connect(self._toggle_more)
        self.more.installEventFilter(self)
        self._stops.append(self.more)
        self._rows.addSpacing(round(4 * self._theme.type))
        self._rows.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def _toggle_more(self) -> None:
        self._is_whole = not self._is_whole
        self._show(self.search.text())

    def _show_category(self, category: str, entries: list[Entry]) -> None:
        if self._stops:
            self._rows.addSpacing(round(4 * self._theme.type))
        fold = Fold(category, len(entries), category not in self._folded, self._theme)
        fold.installEventFilter(self)
        self._stops.append(fold)
        box = QWidget()
        flow = FlowLayout(box, round(6 * self._theme.type))

        def fill() -> None:
            """Put the chips in, when they are first seen."""
            if not flow.count():
                chips = [self._chip(operation) for operation in entries]
                self._groups.update(dict.fromkeys(chips, category))
                for chip in chips:
                    flow.addWidget(chip)
                place = self._stops.index(fold) + 1
                self._stops[place:place] = chips

        if fold.isChecked():
            fill()
        fold.toggled.connect(fill)
        fold.toggled.connect(box.setVisible)
        fold.toggled.connect(lambda unfolded: self._remember(category, unfolded))
        self._rows.addWidget(fold)
        self._rows.addWidget(box)
        if not fold.isChecked():  # not before it has its place: shown without a parent it would be a window
            box.hide()

    def _remember(self, category: str, unfolded: bool) -> None:
        (self._folded.discard if unfolded else self._folded.add)(category)

    def _show_matches(self, matches: list[Entry], text: str) -> None:
        for operation in matches:
            chip = self._chip(operation, as_row=True)
            self._stops.append(chip)
            self._rows.addWidget(chip)
        if matches:
            self.chips[0].set_best(True)
        else:
            self._nothing = PlainLabel(nothing(text), wordWrap=True)
            self._rows.addWidget(self._nothing)

    def _chip(self, operation: Entry, as_row: bool = False) -> Chip:
        chip = Chip(operation, self._theme, as_row)
        if self._has_chip:  # one stop for the tab key; from there the arrows go on
            chip.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._has_chip = True
        chip.activated.connect(self.operationActivated)
        if operation.is_function:
            chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            chip.customContextMenuRequested.connect(lambda at: self.menu_of(operation.name).popup(chip.mapToGlobal(at)))
        chip.installEventFilter(self)
        return chip

    def menu_of(self, function: str) -> QMenu:
        """What can be done with one of the document's functions."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Add a call", lambda: self.operationActivated.emit(function))
        remove = menu.addAction("Remove function", lambda: self._remove(function))
        remove.setEnabled(not self.session.levels)  # from within, it would come back with the graph around
        return menu

    def _remove(self, function: str) -> None:
        self.session.edit(lambda document: remove_function(document, function), f"Remove the function {function}")

    # --- keys

    def _take_first(self) -> None:
        if self.search.text().strip() and self.chips:
            self.operationActivated.emit(self.chips[0].operation.name)

    def eventFilter(self, watched, event) -> bool:
        kind, is_stop = event.type(), isinstance(watched, Chip | Fold | QPushButton)
        if kind is QEvent.Type.ShortcutOverride and is_stop and event.key() in ARROWS:
            event.accept()  # the arrows move among the chips; the window's shortcuts must not take them
            return True
        if kind is QEvent.Type.KeyPress:
            return self._key(watched, event)
        if kind is QEvent.Type.FocusIn and is_stop:
            self._scroll.ensureWidgetVisible(watched, 0, 20)
        return False

    def _key(self, watched: QWidget, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self.search.setFocus()
            return True
        if watched is self.search:
            if event.key() == Qt.Key.Key_Down and self.chips:
                self.chips[0].setFocus(Qt.FocusReason.TabFocusReason)
                return True
            return False
        if event.key() in ARROWS and isinstance(watched, QAbstractButton):
            self._move(watched, *ARROWS[Qt.Key(event.key())])
            return True
        return False

    def _move(self, here: QAbstractButton, across: int, down: int) -> None:
        """The focus to the chip or heading beside, above or below; from the first row up into the search field."""
        target: QWidget | None
        seen: list[QAbstractButton] = [stop for stop in self._stops if stop.isVisible()]
        if across:
            place = seen.index(here) + across
            target = seen[place] if 0 <= place < len(seen) else None
        else:
            target = _below(here, down, seen) or (self.search if down < 0 else None)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)


def _below(here: QAbstractButton, down: int, among: list[QAbstractButton]) -> QAbstractButton | None:
    """The chip or heading in the next row (down 1) or the row before (-1) whose middle is nearest."""
    middle = {item: item.mapTo(item.window(), item.rect().center()) for item in among}
    at = middle[here]
    ahead = [item for item in among if (middle[item].y() - at.y()) * down > here.height() / 2]
    return min(ahead, default=None, key=lambda i: (abs(middle[i].y() - at.y()), abs(middle[i].x() - at.x())))
