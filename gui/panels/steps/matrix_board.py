"""The matrices of a step, painted: the lines that meet are lit; mouse and arrow keys choose the element."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.teaching.elements import Meeting
from cadena.core.teaching.schemes import RESULT, MatrixForm, Scheme
from cadena.core.text.numbers import is_bad, shape_text, short
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.steps.matrix_layout import Measures, PlacedMatrix, bottom, place

Key = Qt.Key
MOVES = {Key.Key_Left: (0, -1), Key.Key_Right: (0, 1), Key.Key_Up: (-1, 0), Key.Key_Down: (1, 0)}
PAGE = 10  # rows
MEASURED = 60  # numbers
BRACKET = 3.0  # pixels
MAX_FOLLOWED = 20_000  # elements of an operand up to which it is looked for where the one under the mouse flows
OWN_KEYS = {*MOVES, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}
WIDEST_NUMBER = "−0.0000"  # of the usual four digits
CENTER = Qt.AlignmentFlag.AlignCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
NOT_YET = "·"


class MatrixBoard(QWidget):
    """`elementChosen(element)` when the mouse or a key has chosen another element (flat) of the result."""

    elementChosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.scheme: Scheme | None = None
        self.item: Meeting | None = None
        self._landed = True
        self._anchor = (0, 0)  # the row and the column around which matrices are shown
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setAccessibleName("Matrices")
        self.setAccessibleDescription("The arrays of the step; the arrow keys choose an element of the result")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._font, self._bold = look.font(theme), look.font(theme, bold=True)
        self._small = look.font(theme, look.CAPTION)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, round(bottom(self._places(QSizeF(max(self.width(), 200), 1e4)))) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(12 * self._measures.line))

    def show_meeting(self, scheme: Scheme | None, item: Meeting | None, has_landed: bool) -> None:
        """Show the matrices and light what meets; results stay hidden until the step has landed."""
        if scheme is not None and item is not None and self._is_outside(scheme, item):
            self._anchor = scheme.result.cell(item.element)
        self.scheme, self.item, self._landed = scheme, item, has_landed
        self.updateGeometry()
        self.update()

    def _is_outside(self, scheme: Scheme, item: Meeting) -> bool:
        """Whether the chosen element is among the rows and columns that are left out."""
        if self.scheme is None or self.scheme.result.shape != scheme.result.shape:
            return True
        row, column = scheme.result.cell(item.element)
        results = [one for one in self._placed() if one.form.place == RESULT]
        return not results or row not in results[0].rows or column not in results[0].columns

    def resizeEvent(self, event) -> None:
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # matrices stand beside or below each other

    # --- places

    @property
    def _measures(self) -> Measures:
        metrics, small = QFontMetricsF(self._bold), QFontMetricsF(self._small)
        widest, least = metrics.horizontalAdvance(WIDEST_NUMBER), small.horizontalAdvance("0000")

        def width(form: MatrixForm) -> float:
            """The width of the cells: of some of the numbers, and of usual ones at most."""
            some = form.array.reshape(-1)[:: max(form.array.size // MEASURED, 1)]
            needed = max((metrics.horizontalAdvance(short(number)) for number in some), default=0.0)
            return min(max(needed, least), widest) + 8

        def title(form: MatrixForm) -> float:
            return metrics.horizontalAdvance(form.title) + 6 + small.horizontalAdvance(_words(form)) + 2

        index, line = small.horizontalAdvance("000") + 4, small.height() + 2
        return Measures(metrics.height() + 8, width, title, index, line, 2 * look.GAP)

    def _places(self, room: QSizeF) -> tuple[PlacedMatrix, ...]:
        if self.scheme is None:
            return ()
        room = QSizeF(room.width() - BRACKET, room.height())  # the line of the last bracket lies outside of its cells
        return place(self.scheme, self._anchor, room, self._measures)

    def _placed(self) -> tuple[PlacedMatrix, ...]:
        return self._places(QSizeF(self.size()))

    # --- painting

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for matrix in self._placed():
            self._paint(painter, matrix)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("ink"), 2.0 * self._theme.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0))

    def _paint(self, painter: QPainter, matrix: PlacedMatrix) -> None:
        lit = self._lit(matrix.form)
        self._paint_title(painter, matrix, against_right=matrix.form.place == RESULT and not matrix.column_indices)
        for down, row in enumerate(matrix.rows):
            for across, column in enumerate(matrix.columns):
                place = matrix.cell(down, across)
                if row is None or column is None:
                    self._write(painter, place, "⋮" if column is not None else "⋯", "muted")
                    continue
                self._paint_cell(painter, place, matrix.form, (row, column), matrix.form.flat(row, column) in lit)
        self._paint_frame(painter, matrix)
        self._paint_indices(painter, matrix)

    def _lit(self, form: MatrixForm) -> set[int]:
        if self.item is None:
            return set()
        return {self.item.element} if form.place == RESULT else set(self.item.lit(form.place).tolist())

    def _paint_cell(
        self, painter: QPainter, place: QRectF, form: MatrixForm, cell: tuple[int, int], is_lit: bool
    ) -> None:
        hidden = form.place == RESULT and not self._landed
        text = NOT_YET if hidden else short(form.number(*cell))
        if is_lit:
            painter.fillRect(place.adjusted(1, 1, -1, -1), self._theme.color(f"{form.role}_ground"))
        role = "fault" if not hidden and is_bad(form.number(*cell)) else form.role
        self._write(painter, place, text, role, bold=is_lit)
        if is_lit and form.place == RESULT:
            painter.setPen(QPen(self._theme.color(form.role), 2.4 * self._theme.line**0.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1.5, 1.5, -1.5, -1.5))

    def _write(self, painter: QPainter, place: QRectF, text: str, role: str, bold: bool = False) -> None:
        """A text in its cell, in smaller type where it is long."""
        font = self._bold if bold else self._font
        needed = QFontMetricsF(font).horizontalAdvance(text)
        if needed > place.width() - 4:
            font = look.font(self._theme, look.LABEL * (place.width() - 4) / needed, bold)
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        painter.drawText(place, CENTER, text)

    def _paint_frame(self, painter: QPainter, matrix: PlacedMatrix) -> None:
        """The brackets of a matrix, and thin lines between its cells."""
        area, theme = matrix.area, self._theme
        painter.setPen(QPen(theme.color("border", 0.5), 1.0))
        for down in range(1, len(matrix.rows)):
            y = matrix.cell(down, 0).top()
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        for across in range(1, len(matrix.columns)):
            x = matrix.cell(0, across).left()
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(QPen(theme.color("text"), 1.6 * theme.line**0.5))
        for x, inwards in ((area.left(), 5.0), (area.right(), -5.0)):
            corners = (
                QPointF(x + inwards, area.top()), QPointF(x, area.top()),
                QPointF(x, area.bottom()), QPointF(x + inwards, area.bottom()),
            )  # fmt: skip
            painter.drawPolyline(corners)

    def _paint_title(self, painter: QPainter, matrix: PlacedMatrix, against_right: bool) -> None:
        """The name in the colour of its numbers, then its shape and what it is."""
        form, theme, place = matrix.form, self._theme, matrix.title
        painter.setFont(self._bold)
        painter.setPen(theme.color(form.role))
        metrics = QFontMetricsF(self._bold)
        name = metrics.elidedText(form.title, Qt.TextElideMode.ElideRight, place.width())
        words = _words(form)
        taken, small = metrics.horizontalAdvance(name) + 6, QFontMetricsF(self._small)
        spare = place.width() - taken - small.horizontalAdvance(words)
        line = QRectF(place.left(), place.top(), place.width(), metrics.height())
        line.adjust(max(spare, 0.0) if against_right else 0.0, 0.0, 0.0, 0.0)
        painter.drawText(line, LEFT, name)
        painter.setFont(self._small)
        painter.setPen(theme.color("muted"))
        below = place.height() > 1.5 * metrics.height()
        rest = line.translated(0.0, line.height()) if below else line.adjusted(taken, 0.0, 0.0, 0.0)
        painter.drawText(rest, LEFT, small.elidedText(words, Qt.TextElideMode.ElideRight, rest.width()))

    def _paint_indices(self, painter: QPainter, matrix: PlacedMatrix) -> None:
        measures = self._measures
        painter.setFont(self._small)
        painter.setPen(self._theme.color("muted"))
        for down, row in enumerate(matrix.rows if matrix.row_indices else ()):
            place = matrix.cell(down, 0)
            place = QRectF(place.left() - measures.index - 2, place.top(), measures.index - 2, place.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, _index(row))
        for across, column in enumerate(matrix.columns if matrix.column_indices else ()):
            place = matrix.cell(0, across)
            place = QRectF(place.left(), place.top() - measures.line - 1, place.width(), measures.line)
            painter.drawText(place, CENTER, _index(column))

    # --- choosing

    def mouseMoveEvent(self, event) -> None:
        self._choose_at(event.position())

    def mousePressEvent(self, event) -> None:
        self._choose_at(event.position())

    def _choose_at(self, point: QPointF) -> None:
        """Choose the element under the mouse; on an operand of a product its line, else where its element flows."""
        if self.scheme is None or self.item is None:
            return
        for matrix in self._placed():
            cell = matrix.at(point)
            if cell is not None and (element := self._element_at(matrix.form, cell)) is not None:
                self._choose(element)

    def _element_at(self, form: MatrixForm, cell: tuple[int, int]) -> int | None:
        """The element of the result that a cell of any matrix stands for."""
        assert self.scheme is not None and self.item is not None
        result = self.scheme.result
        row, column = result.cell(self.item.element)
        if form.place == RESULT:
            return form.flat(*cell)
        if self.scheme.is_product:
            is_left = form is self.scheme.operands[0]
            return result.flat(cell[0], column) if is_left else result.flat(row, cell[1])
        if form.array.size > MAX_FOLLOWED:
            return form.flat(*cell) if form.array.shape == result.array.shape else None
        reached = self.scheme.reached_from(form, form.flat(*cell))
        if self.item.element in reached or not len(reached):
            return None
        return int(reached[0])

    def _choose(self, element: int) -> None:
        if self.item is not None and element != self.item.element:
            self.elementChosen.emit(element)

    def wheelEvent(self, event) -> None:
        """Show other rows, with Shift other columns."""
        if self.scheme is None:
            return
        sideways = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        turns = -(event.angleDelta().y() or event.angleDelta().x()) / 40
        anchor = [self._anchor[0] + (0 if sideways else turns), self._anchor[1] + (turns if sideways else 0)]
        rows, columns = self.scheme.result.shape
        self._anchor = (_within(anchor[0], rows), _within(anchor[1], columns))
        self.update()

    def event(self, event: QEvent) -> bool:
        """Keep the arrow keys, which would go from step to step."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if self.scheme is None or self.item is None or event.key() not in OWN_KEYS:
            super().keyPressEvent(event)
            return
        row, column = self.scheme.result.cell(self.item.element)
        rows, columns = self.scheme.result.shape
        down, across = MOVES.get(event.key(), (0, 0))
        pages = {Key.Key_PageUp: -PAGE, Key.Key_PageDown: PAGE}
        row = _within(row + down + pages.get(event.key(), 0), rows)
        ends = {Key.Key_Home: 0, Key.Key_End: columns - 1}
        column = _within(ends.get(event.key(), column + across), columns)
        self._choose(self.scheme.result.flat(row, column))


def _within(number: float, count: int) -> int:
    return min(max(int(number), 0), count - 1)


def _words(form: MatrixForm) -> str:
    """The words beside the name of a matrix: its shape and what it is."""
    return f"{shape_text(form.array.shape)}, {form.caption}"


def _index(line: int | None) -> str:
    return "" if line is None else str(line)
