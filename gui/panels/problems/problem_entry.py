"""One entry of the list of problems: an icon, a sentence in full, and a button for each fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from cadena.core.graph.fault import Fault, Kind
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import shown, tip
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.common import clear
from cadena.gui.panels.parts.flow_layout import FlowLayout

WORDS = {
    Kind.CYCLE: "Cycle",
    Kind.OPEN_SLOT: "Open slot",
    Kind.MISSING_INPUT: "Missing operand",
    Kind.TOO_MANY_INPUTS: "Too many operands",
    Kind.UNKNOWN_OPERATION: "Unknown operation",
    Kind.ATTRIBUTE: "Setting",
    Kind.SHAPE: "Shapes do not fit",
    Kind.NO_VALUE: "No value",
    Kind.FUNCTION: "Function",
    Kind.INF_VALUE: "Infinite value",
    Kind.NAN_VALUE: "Not a number",
    Kind.INF_GRADIENT: "Infinite gradient",
    Kind.NAN_GRADIENT: "Gradient is not a number",
    Kind.OUTPUT: "Output",
    Kind.VIOLATED_GUARD: "Other branch",
    Kind.VANISHED_GRADIENT: "Gradient silently 0",
    Kind.SUBNORMAL_GRADIENT: "Gradient loses digits",
    Kind.DEAD_RELU: "Dead relu",
    Kind.VANISHING_BY_LAYER: "Vanishing by layer",
    Kind.EXPLODING_BY_LAYER: "Exploding by layer",
    Kind.LOST_DIGITS: "Lost digits",
    Kind.RECORDED_VALUE: "Recorded value",
}
PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
ARROWS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
FixAction = tuple[str, str, Callable[[], object]]  # a button's text, its tooltip and what it does


def word(fault: Fault) -> str:
    """The kind of a fault in a word or two."""
    return WORDS.get(fault.kind, fault.kind)


class ProblemEntry(QFrame):
    """A fault or, in calmer colours, a hint. `activated` by a click or Enter; `stepped` by the arrow keys."""

    activated = Signal()
    stepped = Signal(int)
    reached = Signal()  # it has the focus now

    def __init__(self, theme: Theme, named: Callable[[str], str]) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it is painted anew as the mouse comes and goes
        self._named = named
        self.fault: Fault | None = None
        self.lit = False
        self._icon, self._follows = "fault", False
        self._choices: tuple[FixAction, ...] = ()
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.sentence.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.row = QWidget()
        self._flow = FlowLayout(self.row, look.GAP)
        self._box = QVBoxLayout(self)
        self._box.setSpacing(look.GAP // 2)
        self._box.addWidget(self.sentence)
        self._box.addWidget(self.row)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._side = theme, round(16 * theme.type)
        self._set_margins()
        self._fold_buttons()
        self.update()

    def _set_margins(self) -> None:
        left = (1 + self._follows) * (self._side + look.GAP) + look.GAP
        self._box.setContentsMargins(left, look.GAP // 2 + 1, look.GAP, look.GAP // 2 + 1)

    def _set_follows(self, follows: bool) -> None:
        if follows != self._follows:
            self._follows = follows
            self._set_margins()

    def show_fault(
        self, fault: Fault, choices: Sequence[FixAction], follows: bool = False, line: str = "", note: str = ""
    ) -> None:
        """Show a fault or a hint with its choices, its line, and a `note`; indented where it `follows` from the entry
        above."""
        self.fault, self._icon = fault, "hint" if fault.severity == "hint" else "fault"
        self._set_follows(follows)
        sentence = self._named(worded(fault))
        title = f"{word(fault)}, {line}" if line else word(fault)
        sentences = f"{sentence}. {note}".strip()
        self._say(f"<b>{escape(title)}</b>&ensp;{escape(shown(sentences))}", f"{title}: {sentences}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip(self._named(f"Go to {fault.node}")))
        self._offer(tuple(choices))

    def say(self, text: str, icon: str) -> None:
        """Show a sentence that leads nowhere."""
        self.fault, self._icon = None, icon
        self._set_follows(False)
        self._say(escape(shown(text)), text)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.unsetCursor()
        self.setToolTip("")
        self._offer(())

    def _say(self, rich: str, plain: str) -> None:
        if self.accessibleName() != plain:
            self.sentence.setText(rich)
            self.setAccessibleName(plain)
        self.update()

    @property
    def buttons(self) -> list[QPushButton]:
        return self.row.findChildren(QPushButton, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def _offer(self, choices: tuple[FixAction, ...]) -> None:
        if [choice[:2] for choice in choices] != [choice[:2] for choice in self._choices]:
            clear(self._flow)
            for number, (_, hint, _) in enumerate(choices):
                self._flow.addWidget(self._button(number, hint))
        self._choices = choices
        self.row.setVisible(bool(choices))
        self._fold_buttons()

    def _button(self, number: int, hint: str) -> QPushButton:
        button = QPushButton()
        button.setToolTip(tip(self._named(hint)))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAutoDefault(True)  # Enter presses it as well
        button.clicked.connect(lambda: self._choices[number][2]())
        return button

    def _fold_buttons(self) -> None:
        """Break the text of buttons that are too long for the panel into lines: nothing is cut."""
        margins = self._box.contentsMargins()
        room = self.width() - margins.left() - margins.right() - round(26 * self._theme.type)
        metrics = QFontMetrics(look.font(self._theme))
        placed = [self._flow.itemAt(index) for index in range(self._flow.count())]
        buttons: list[QPushButton] = [item.widget() for item in placed if item is not None]  # type: ignore[misc]
        for button, (text, _, _) in zip(buttons, self._choices):
            folded = in_lines(shown(self._named(text)), metrics, room).replace("&", "&&")
            if button.text() != folded:
                button.setText(folded)
                button.setAccessibleName(text)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fold_buttons()

    def set_lit(self, lit: bool) -> None:
        """Mark this as the entry that the canvas shows now, or not."""
        self.lit = lit
        self.update()

    # --- painting

    def paintEvent(self, event) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        room = QRectF(look.GAP, self._box.contentsMargins().top(), self._side, self._side)
        if self._follows:
            self._paint_from_above(painter, room.translated(self._side + look.GAP, 0.0))
            return
        icons.draw(painter, self._icon, room, theme.color("fault" if self._icon == "fault" else "muted"))

    def _paint_from_above(self, painter: QPainter, room: QRectF) -> None:
        """Paint a line from the entry above down to the sentence."""
        painter.setPen(QPen(self._theme.color("fault"), 1.5 * self._theme.line))
        left, middle = room.left() - look.GAP, room.center().y()
        painter.drawLine(QPointF(left, 0.0), QPointF(left, middle))
        painter.drawLine(QPointF(left, middle), QPointF(room.right() - look.GAP, middle))

    def _paint_ground(self, painter: QPainter) -> None:
        theme, width = self._theme, 2.0 * self._theme.line
        room = QRectF(self.rect()).adjusted(width, 1.0, -width, -1.0)
        painter.setPen(QPen(theme.color("ink"), width) if self.hasFocus() else Qt.PenStyle.NoPen)
        ground = "fault_ground" if self._icon == "fault" else "field"
        if self.lit or (self.fault and self.underMouse()):
            painter.setBrush(theme.color(ground, 1.0 if self.lit else 0.5))
        painter.drawRoundedRect(room, look.RADIUS - 2, look.RADIUS - 2)

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self.reached.emit()
        self.update()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.update()

    # --- mouse and keys

    def mouseReleaseEvent(self, event) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if self.fault and inside and event.button() is Qt.MouseButton.LeftButton:
            self.activated.emit()

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and event.key() in (*PRESS, *ARROWS):
            event.accept()  # else the space bar would play
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() in PRESS:
            self.activated.emit()
        elif event.key() in ARROWS:
            self.stepped.emit(ARROWS[event.key()])
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, super().minimumSizeHint().height())


def in_lines(text: str, metrics: QFontMetrics, room: int) -> str:
    """Break `text` between words, so that no line is wider than `room` pixels if possible."""
    lines = [""]
    for part in text.split(" "):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and metrics.horizontalAdvance(longer) > room:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)
