"""All nodes as a table, and the present step as a sentence: what the canvas shows, to be read aloud.

Each line has in words what a card has in places and colours. Qt asks for the cells that are seen, so that ten thousand
nodes take no longer than ten.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.methods.reverse.activity import ROLES, faults_by_now
from cadena.core.methods.reverse.timeline import Frame, Line, Step
from cadena.core.notation.in_script import shown_name
from cadena.core.teaching.hiding import MARK, NOTHING_HIDDEN
from cadena.core.text.numbers import shape_text, short
from cadena.gui.background.throttle import Throttle
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.look.theme import Theme
from cadena.gui.panels.numbers.numbers_view import NumbersView
from cadena.gui.panels.parts.common import heading, panel_width
from cadena.gui.panels.problems.problem_entry import word
from cadena.gui.panels.steps.current_step import current_sentence
from cadena.gui.session.session import Session
from cadena.gui.widgets.decimals import DecimalCells

TITLE = "Nodes"
NOT_YET, NONE = "not yet", "none"
WIDTH = 304
ItemRole = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex
LINES = (2, 3)  # the columns of a card's two lines
COLUMNS = 5
MIDDLE = Qt.AlignmentFlag.AlignVCenter
ALIGNED = {True: int(Qt.AlignmentFlag.AlignRight | MIDDLE), False: int(Qt.AlignmentFlag.AlignLeft | MIDDLE)}
WIDTHS = (52, 92, 80, 80)  # pixels at `type` 1; the notes take the rest


class NodesModel(QAbstractTableModel):
    """A line for each node: its name, its operation, the two lines of its card, and what is to be noted of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.names: list[str] = []
        self._rows: dict[str, int] = {}
        self._document, self._hidden = Document({}), NOTHING_HIDDEN
        self._frame: Frame | None = None
        self._step: Step | None = None  # under way or just done
        self._faults: dict[str, str] = {}

    def show(self, session: Session) -> None:
        """Show this moment."""
        names, frame = list(session.document.nodes), session.frame
        same = names == self.names
        if not same:
            self.beginResetModel()
        self.names, self._document, self._hidden = names, session.document, session.hidden
        self._step = None if session.live else frame.step
        self._frame, self._rows = frame, {name: row for row, name in enumerate(names)}
        self._faults = {fault.node: word(fault) for fault in faults_by_now(frame, session.faults)}
        if not same:
            self.endResetModel()
        elif names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(names) - 1, COLUMNS - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, *LINES)

    def row_of(self, name: str) -> int:
        """The line of a node."""
        return self._rows[name]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self.names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else COLUMNS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ItemRole.DisplayRole):
        if role == ItemRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            return ALIGNED[section in LINES]
        if role != ItemRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Vertical:
            return str(section + 1)
        labels = [line.label for line in self._lines(self.names[0])] if self.names else ["value", "gradient"]
        return ("node", "operation", *labels, "note")[section]

    def data(self, index: Index, role: int = ItemRole.DisplayRole):
        name, column = self.names[index.row()], index.column()
        if role in (ItemRole.DisplayRole, ItemRole.ToolTipRole):
            return self._text(name, column)
        if role == ItemRole.ForegroundRole and column in LINES:
            line = self._lines(name)[column - LINES[0]]
            return self.theme.color(line.ink)
        if role == ItemRole.TextAlignmentRole:
            return ALIGNED[column in LINES]
        if self._step is not None and name == (self._step.operand or self._step.node):  # which the step gives a number
            color = ROLES[self._step.phase]
            if role == ItemRole.BackgroundRole:
                return self.theme.color(f"{color}_ground")
            if role == DecimalCells.BAR and column == 0:
                return self.theme.color(color)
        if role == ItemRole.AccessibleTextRole:
            header = self.headerData(column, Qt.Orientation.Horizontal)
            return f"{header}: {self._text(name, column) or NONE}"
        return None

    def _text(self, name: str, column: int) -> str:
        if column == 0:
            return MARK if self._hidden.hides("names", name) else shown(shown_name(self._document, name))
        if column == 1:
            op = self._document.nodes[name].op
            record = operation(self._document, op)
            return record.title if record else op
        return line_text(self._lines(name)[column - LINES[0]]) if column in LINES else self._note(name)

    def _lines(self, name: str) -> tuple[Line, Line]:
        assert self._frame is not None
        return self._hidden.lines(name, self._frame.lines(name))

    def _note(self, name: str) -> str:
        """What colours, flags and badges say on the canvas."""
        step = self._step
        notes = [self._faults[name]] if name in self._faults else []
        notes += ["in this step"] if step is not None and name in (step.node, step.operand) else []
        notes += ["output"] if name == self._document.output else []
        return ", ".join(notes)


def line_text(line: Line) -> str:
    """A line of a card in words: a number, an array with its shape, a formula; or that there is none yet."""
    if line.number is None:
        hidden = "hidden" if line.text == MARK else line.text
        return hidden or (line.latex[0] if line.latex else NOT_YET if line.expected else NONE)
    text = short(line.number, line.digits)
    return text if not line.number.ndim else f"{shape_text(line.number.shape)}: {text}"


class NodesPanel(QWidget):
    """Follows the moment. A chosen line selects its node, which comes into view: `nodeActivated(name)`."""

    nodeActivated = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.setAccessibleName(TITLE)
        self.title, self.sentence = heading(TITLE), PlainLabel(wordWrap=True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)  # Tab comes to it
        self.sentence.setAccessibleName("The present step")
        self.sentence.setAccessibleDescription("The present step; it is read aloud when it changes")
        self.model = NodesModel(theme)
        self.table = NumbersView(self.model, "Nodes with their values and gradients", rows_are_named=False)
        self.table.setAccessibleDescription("The arrow keys go from node to node, and select it")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.elementChosen.connect(self._choose)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setStretchLastSection(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        for part in (self.title, self.sentence):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        self._soon = Throttle(self, self.follow)
        changed = (session.runChanged, session.methodChanged, session.timeChanged, session.documentChanged)
        for signal in (*changed, session.hiddenChanged, session.selectionChanged):
            signal.connect(self._request)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.model.theme = theme
        self.setMinimumWidth(panel_width(theme, WIDTH))
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, round(width * theme.type))
        self._request()

    def _request(self) -> None:
        if self.isVisible():
            self._soon.request()

    def showEvent(self, event) -> None:
        self.follow()

    def follow(self) -> None:
        """Show this moment, and say it where it is another."""
        if not self.isVisible():
            return
        self.model.show(self.session)
        self._show_selected()
        sentence = current_sentence(self.session)
        if sentence != self.sentence.whole:
            self.sentence.setText(sentence)
            self.sentence.setAccessibleName(sentence)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.sentence, sentence))

    def _show_selected(self) -> None:
        chosen = self.session.selection
        row, model = self.table.currentIndex().row(), self.table.selectionModel()
        if not chosen:
            model.clearSelection()
        elif not (0 <= row < len(self.model.names) and self.model.names[row] in chosen and model.isRowSelected(row)):
            name = next(name for name in self.model.names if name in chosen)
            self.table.choose(self.model.row_of(name), max(self.table.currentIndex().column(), 0))
            flags = QItemSelectionModel.SelectionFlag
            model.select(self.table.currentIndex(), flags.ClearAndSelect | flags.Rows)

    def _choose(self, row: int, column: int) -> None:
        name = self.model.names[row]
        if self.session.selection != {name}:
            self.session.select([name])
            self.nodeActivated.emit(name)
