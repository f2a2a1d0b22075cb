"""A widget that shows one formula as large as its room allows, with words under its parts; never cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.notation.parts import QUAD, FormulaPart, parts_of
from cadena.gui.formulas import pictures
from cadena.gui.formulas.lines import PLATE_FOOT, Captions, Lines, Placed, Room, lay_out, lay_out_all, legible
from cadena.gui.formulas.typesetter import are_set, cached, set_quickly, typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme

NOT_YET = Lines(0.0, (), 0.0, 0.0)
DOCKED = 250.0  # pixels at `type` 1: the width of a formula in the dock, of a small window too
BASELINE = 0.44  # of the height of a view that is fixed


def pieces(parts: Iterable[FormulaPart]) -> Iterator[str]:
    """The LaTeX pieces of a formula, with its marks."""
    return (piece for part in parts for piece in (part.latex, part.mark) if piece not in ("", QUAD))


class FormulaView(QWidget):
    """`largest` and `least` are type sizes of the theme's scale. A view with `fixed` height fits the formula to it."""

    def __init__(
        self, theme: Theme, largest: float, least: float, role: str = "text", fixed: float = 0.0, right: bool = False
    ) -> None:
        super().__init__()
        self._right = right  # set against the right edge
        self._theme, self._role, self._sizes, self._fixed = theme, role, (largest, least), fixed
        self._parts: tuple[FormulaPart, ...] = ()
        self._progress = 1.0
        self._laid = dict[tuple[float, float], Lines]()  # by room: a layout asks for several widths in turn
        self._waits = False  # for a formula that is being set
        typesetter.formulas_set.connect(self._come)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(not fixed)
        self.setSizePolicy(policy)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._laid = theme, {}
        if self._fixed:
            self.setFixedHeight(round(self._fixed * theme.type))
        self._changed()

    def show_latex(self, latex: str, spoken: str = "") -> None:
        """Show a formula, set at once where that is quick; `spoken` is what a screen reader says."""
        parts = parts_of(latex) if latex else ()
        set_quickly(pieces(parts))
        self.show_parts(parts, spoken or latex)

    def show_parts(self, parts: Sequence[FormulaPart], spoken: str = "") -> None:
        """Show a formula that is already cut into parts."""
        self.setAccessibleName(spoken)
        if tuple(parts) != self._parts:
            self._parts, self._laid = tuple(parts), {}
            typesetter.ask(pieces(self._parts))
            self._changed()

    def show_until(self, progress: float) -> None:
        """Show the parts that have appeared by this part of the step; the others keep their places free."""
        changed = any((part.appears <= progress) != (part.appears <= self._progress) for part in self._parts)
        self._progress = progress
        if changed:
            self.update()

    @property
    def seen(self) -> tuple[FormulaPart, ...]:
        """The parts that have appeared."""
        return tuple(part for part in self._parts if part.appears <= self._progress)

    def set_role(self, role: str) -> None:
        """Set the formula in the colour of another role."""
        self._role = role
        self.update()

    @property
    def parts(self) -> tuple[FormulaPart, ...]:
        return self._parts

    @property
    def is_set(self) -> bool:
        """Whether it has its size: nothing of it is still being set."""
        return are_set(pieces(self._parts))

    def _changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _come(self) -> None:
        """Repaint, since formulas have been set: perhaps this one."""
        if self._waits:
            self._waits, self._laid = False, {}
            self._changed()

    @property
    def largest(self) -> float:
        """The size that no formula exceeds, in pixels at `type` 1."""
        return self._sizes[0]

    def limit(self, largest: float) -> None:
        """Set formulas no larger than this, in pixels at `type` 1, also where there is room."""
        if largest != self.largest:
            self._sizes, self._laid = (largest, self._sizes[1]), {}
            self.update()

    @property
    def caption_height(self) -> float:
        """The height of the words under a formula, in pixels at `type` 1."""
        return (self._caption_metrics().height() + 2) / self._theme.type

    @property
    def type_size(self) -> float:
        """The size of the formula in its room, in pixels at `type` 1; the largest while it is being set."""
        lines = self.lines(self.width(), self.height())
        return lines.size / self._theme.type if lines.placed else self.largest

    def lines(self, width: float, height: float = 1e6) -> Lines:
        """The formula laid out in this room; nothing as long as it is being set."""
        if lines := self._laid.get((width, height)):
            return lines
        if not self._is_set():
            return NOT_YET
        largest, least = (size * self._theme.type for size in self._sizes)
        metrics = self._caption_metrics()
        captions = Captions(metrics.height() + 2, metrics.horizontalAdvance)
        room = Room(width, height, largest, least)
        if self._fixed:
            lines = lay_out(self._parts, room, captions)
        else:  # not by its width: a scroll bar would come for the matrices and go with them, again and again
            parts = legible(self._parts, room._replace(width=DOCKED * self._theme.type), captions)
            lines = lay_out_all(parts, room, captions)
        self._laid[width, height] = lines
        return lines

    def _is_set(self) -> bool:
        """Whether all pieces are set; else they are requested."""
        if all(cached(piece) is not None for piece in pieces(self._parts)):
            return True
        self._laid, self._waits = {}, True
        return False

    def _caption_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(look.font(self._theme, look.LABEL))

    def hasHeightForWidth(self) -> bool:
        return not self._fixed

    def heightForWidth(self, width: int) -> int:
        return round(self.lines(max(width, 40)).height + 2) if self._parts else 0

    def sizeHint(self) -> QSize:
        return QSize(200, self.maximumHeight() if self._fixed else self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0)

    def paintEvent(self, event) -> None:
        if self._waits and self._is_set():  # while others are still being set, so that nobody has said so
            self._come()
            if not self._fixed:  # there is no room for it yet
                return
        # What was laid out may have left the typesetter's cache.
        lines = self.lines(self.width(), self.height() if self._fixed else 1e6) if self._is_set() else NOT_YET
        painter, ratio = QPainter(self), self.devicePixelRatioF()
        top, left = self._top(lines), self.width() - lines.width - 1 if self._right else 0.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item in (item for item in lines.placed if item.appears <= self._progress):
            setting, latex, ink = pictures.setting(item.latex), item.latex, getattr(self._theme, self._role)
            if item.result:
                latex, ground = pictures.on_plate(item.latex, self._theme)
                ink = self._theme.on_strong
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(ground))
                plate = item.plate(lines.size).translated(left, top)
                painter.drawRoundedRect(plate, look.RADIUS, look.RADIUS)
            y = top + item.baseline - setting.ascent * lines.size / pictures.REFERENCE
            corner = QPointF(round((left + item.x - 1) * ratio) / ratio, round((y - 1) * ratio) / ratio)
            painter.drawPixmap(corner, pictures.render(latex, lines.size, ink, ratio))
        self._paint_captions(painter, lines, top)

    def _top(self, lines: Lines) -> float:
        """The top of the first line; the baseline of a single line stays in place from formula to formula."""
        spare = self.height() - lines.height
        if not self._fixed or not lines.placed or len({item.baseline for item in lines.placed}) > 1:
            return spare / 2
        return min(max(BASELINE * self.height() - lines.placed[0].baseline, 0.0), spare)

    def _paint_captions(self, painter: QPainter, lines: Lines, top: float) -> None:
        painter.setFont(look.font(self._theme, look.LABEL))
        painter.setPen(self._theme.color("muted"))
        height = self._caption_metrics().height()
        for item in (item for item in lines.placed if item.caption and item.appears <= self._progress):
            same_line = [other for other in lines.placed if other.baseline == item.baseline]
            level = item.baseline + max(self._descent(other, lines.size) for other in same_line)
            room = QRectF(item.middle - 200, top + level + 2, 400, height)
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, item.caption)

    @staticmethod
    def _descent(item: Placed, size: float) -> float:
        foot = PLATE_FOOT * size if item.result else 0.0
        return pictures.setting(item.latex).descent * size / pictures.REFERENCE + foot
