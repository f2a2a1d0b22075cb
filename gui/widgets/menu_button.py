"""A quiet button that says what is chosen, "Method Reverse", and opens a menu to choose another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionToolButton, QToolButton

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import menu_text
from cadena.gui.look.theme import Theme

ARROW, AIR = 8, 12  # pixels at `type` 1: the width of the chevron, and the room beside the words


class MenuButton(QToolButton):
    """The caption is muted, the choice is not. Used by mouse, it leaves the keys to the canvas."""

    chosen = Signal(str)

    def __init__(self, caption: str, theme: Theme) -> None:
        super().__init__()
        self.caption, self.current = caption, ""
        self._shows_caption = True
        self._choices = QActionGroup(self)
        self.setMenu(QMenu(self))
        self.setProperty("quiet", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(caption)
        self.clicked.connect(self.open)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._plain, self._medium = look.font(theme), look.font(theme)
        self._medium.setWeight(QFont.Weight.Medium)
        self.updateGeometry()
        self.update()

    def offer(self, choices: Iterable[tuple[str, str]], named: Callable[[str], str] = str) -> None:
        """List the choices, each with a tooltip; one is `chosen` when the user picks it."""
        for text, tip in choices:
            action = self.menu().addAction(menu_text(named(text)))
            action.setData(text)
            action.setToolTip(tip)
            action.setCheckable(True)
            action.triggered.connect(lambda _, text=text: self.chosen.emit(text))
            self._choices.addAction(action)
        self.menu().setToolTipsVisible(True)

    def show_choice(self, text: str) -> None:
        """Show the choice that holds now."""
        self.current = text
        for action in self._choices.actions():
            action.setChecked(action.data() == text)
        self.setAccessibleDescription(text)
        self.updateGeometry()
        self.update()

    def show_caption(self, shown: bool) -> None:
        self._shows_caption = shown
        self.updateGeometry()
        self.update()

    def open(self) -> None:
        """Open the menu below the button, without waiting for it to close."""
        self.menu().popup(self.mapToGlobal(QPoint(0, self.height())))

    def _words(self) -> list[tuple[str, QFont, str]]:
        shown = next((action.text() for action in self._choices.actions() if action.isChecked()), self.current)
        words = [(self.caption, self._plain, "muted")] if self._shows_caption or not shown else []
        return [*words, (shown.replace("&&", "&"), self._medium, "text")] if shown else words

    def sizeHint(self) -> QSize:
        between = QFontMetrics(self._plain).horizontalAdvance(" ") * 2
        words = sum(QFontMetrics(font).horizontalAdvance(text) + between for text, font, _ in self._words())
        scale = self._theme.type
        return QSize(round(words + (ARROW + 2 * AIR) * scale), round(34 * scale))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = ""
        option.features = QStyleOptionToolButton.ToolButtonFeature.None_
        self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)
        x, height = AIR * theme.type, self.height()
        for text, font, color in self._words():
            painter.setFont(font)
            painter.setPen(theme.color(color))
            width = QFontMetrics(font).horizontalAdvance(text)
            painter.drawText(QRectF(x, 0, width + 2, height), Qt.AlignmentFlag.AlignVCenter, text)
            x += width + QFontMetrics(self._plain).horizontalAdvance(" ") * 2
        self._paint_chevron(painter, x, height / 2)
        painter.end()

    def _paint_chevron(self, painter: QPainter, x: float, middle: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = ARROW / 2 * self._theme.type
        points = [
            QPointF(x, middle - half / 2),
            QPointF(x + half, middle + half / 2),
            QPointF(x + 2 * half, middle - half / 2),
        ]
        painter.setPen(
            QPen(
                self._theme.color("text"),
                1.6 * self._theme.line,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        painter.drawPolyline(QPolygonF(points))
