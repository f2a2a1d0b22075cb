"""Where the cells of matrices stand: which rows and columns are shown of many, and the places of all matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.teaching.schemes import MatrixForm, Scheme

ShownLines = tuple[int | None, ...]  # rows or columns; None for those that are left out
LEAST = 3  # lines of an elided axis
NARROWEST = 0.7  # of the width that the numbers of a product need; their type becomes smaller


def shown_lines(count: int, room: int, focus: int) -> ShownLines:
    """The rows or columns that are shown where there is room for `room`: the ends, and those around `focus`."""
    room = max(room, LEAST)
    if count <= room:
        return tuple(range(count))
    if focus < room - 2:
        return (*range(room - 2), None, count - 1)
    if focus > count - room + 1:
        return (0, None, *range(count - room + 2, count))
    if room < 5:
        return (None, focus, None)
    begin = focus - (room - 4) // 2
    return (0, None, *range(begin, begin + room - 4), None, count - 1)


@dataclass(frozen=True)
class Measures:
    """Sizes in pixels: of the cells, of the column of row indices, of a line of words, and between two matrices."""

    row: float
    width: Callable[[MatrixForm], float]  # of the cells of a matrix
    title: Callable[[MatrixForm], float]  # the width of the name and the words above it
    index: float
    line: float
    gap: float


@dataclass(frozen=True, eq=False)
class PlacedMatrix:
    """A matrix with the area of its cells, the rows and columns that are shown, and the place of its title."""

    form: MatrixForm
    area: QRectF
    rows: ShownLines
    columns: ShownLines
    title: QRectF
    row_indices: bool
    column_indices: bool

    def cell(self, row: int, column: int) -> QRectF:
        """The place of the cell in a shown row and column, counted from 0 among those that are shown."""
        wide, tall = self.area.width() / len(self.columns), self.area.height() / len(self.rows)
        return QRectF(self.area.left() + column * wide, self.area.top() + row * tall, wide, tall)

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column of the matrix at a point; None beside it and where lines are left out."""
        if not self.area.contains(point):
            return None
        across = int((point.x() - self.area.left()) / self.area.width() * len(self.columns))
        down = int((point.y() - self.area.top()) / self.area.height() * len(self.rows))
        row, column = self.rows[min(down, len(self.rows) - 1)], self.columns[min(across, len(self.columns) - 1)]
        return None if row is None or column is None else (row, column)


def place(scheme: Scheme, focus: tuple[int, int], room: QSizeF, measures: Measures) -> tuple[PlacedMatrix, ...]:
    """The matrices of a scheme in this room: a product in Falk's scheme, others one below or beside the other."""
    return (_product if scheme.is_product else _row_by_row)(scheme, focus, room, measures)


def _product(scheme: Scheme, focus: tuple[int, int], room: QSizeF, measures: Measures) -> tuple[PlacedMatrix, ...]:
    """The left matrix beside its result, and the other above it: each element stands where its two lines cross."""
    left, above = scheme.operands
    (rows, inner), columns = left.shape, above.shape[1]
    gap, tall = measures.gap, measures.row
    wide, result_wide = measures.width(left), max(measures.width(above), measures.width(scheme.result))
    needed = measures.index + gap + min(inner, LEAST) * wide + min(columns, LEAST) * result_wide
    shrunk = max(min((room.width() - measures.index - gap) / max(needed - measures.index - gap, 1.0), 1.0), NARROWEST)
    wide, result_wide = wide * shrunk, result_wide * shrunk
    for_columns = room.width() - measures.index - gap - max(min(inner, LEAST + 2) * wide, 4 * measures.index)
    column_lines = shown_lines(columns, int(for_columns / result_wide), focus[1])
    for_inner = room.width() - measures.index - gap - len(column_lines) * result_wide
    down = int((room.height() - 3 * measures.line - gap) / tall)
    inner_lines = shown_lines(inner, min(int(for_inner / wide), max(down // 2, down - rows)), 0)
    row_lines = shown_lines(rows, down - len(inner_lines), focus[0])
    x = measures.index
    y = measures.line + max(len(inner_lines) * tall, 3.5 * measures.line) + gap  # two titles of two lines beside it
    split = x + max(len(inner_lines) * wide, min(7 * measures.index, for_inner)) + gap
    size = QSizeF(len(column_lines) * result_wide, len(row_lines) * tall)
    places = (
        QRectF(split - gap - len(inner_lines) * wide, y, len(inner_lines) * wide, size.height()),
        QRectF(split, y - gap - len(inner_lines) * tall, size.width(), len(inner_lines) * tall),
        QRectF(QPointF(split, y), size),
    )
    corner = split - gap - x
    titles = (
        QRectF(x, y - 2 * measures.line - 2, corner, 2 * measures.line),
        QRectF(x, measures.line, corner, 2 * measures.line),
        QRectF(x, places[2].bottom() + 2, split - x + size.width(), measures.line),
    )
    return (
        PlacedMatrix(left, places[0], row_lines, inner_lines, titles[0], True, False),
        PlacedMatrix(above, places[1], inner_lines, column_lines, titles[1], False, True),
        PlacedMatrix(scheme.result, places[2], row_lines, column_lines, titles[2], False, False),
    )


def _row_by_row(scheme: Scheme, focus: tuple[int, int], room: QSizeF, measures: Measures) -> tuple[PlacedMatrix, ...]:
    """Each matrix beside the one before where it fits, else below."""
    placed: list[PlacedMatrix] = []
    x = y = lowest = 0.0
    tall = _rows_in(scheme.matrices, room, measures)
    for form in scheme.matrices:
        rows, columns = form.shape
        cell = measures.width(form)
        across = int((room.width() - measures.index) / cell)
        same = form.shape == scheme.result.shape
        row_lines = shown_lines(rows, tall, focus[0] if same else 0)
        column_lines = shown_lines(columns, across, focus[1] if same else 0)
        wide = len(column_lines) * cell
        words = min(max(wide, measures.title(form)) + measures.index, room.width())
        if x > 0.0 and x + words > room.width():
            x, y = 0.0, lowest + measures.gap
        head = 2 * measures.line
        area = QRectF(x + measures.index, y + head, wide, len(row_lines) * measures.row)
        title = QRectF(x + measures.index, y, words - measures.index, measures.line)
        placed.append(
            PlacedMatrix(form, area, row_lines, column_lines, title, form.array.ndim > 1, form.array.ndim > 0)
        )
        x, lowest = x + words + measures.gap, max(lowest, area.bottom())
    return tuple(placed)


def _rows_in(forms: Sequence[MatrixForm], room: QSizeF, measures: Measures) -> int:
    """The rows that each matrix may have so that all of them fit one below the other."""
    small = [form.shape[0] for form in forms if form.shape[0] < LEAST]
    large = len(forms) - len(small)
    heads = len(forms) * (2 * measures.line + measures.gap)
    return int((room.height() - heads) / measures.row - sum(small)) // max(large, 1)


def bottom(placed: Sequence[PlacedMatrix]) -> float:
    """The height that placed matrices take."""
    return max((max(item.area.bottom(), item.title.bottom()) for item in placed), default=0.0)
