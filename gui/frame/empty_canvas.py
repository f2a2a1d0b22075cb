"""What stands on an empty canvas: a field for a formula, and three ways to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from cadena.core.expressions.syntax import Misread
from cadena.core.graph.fault import Refused
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.expression.expression_bar import EXAMPLE, MistakeLabel
from cadena.gui.session.session import Session

SENTENCE = "Start with a formula, a node or a lesson."
WIDTH, HEIGHT = 560, 52  # pixels at `type` 1, of the field
AIR = 24  # around it, where the canvas is narrow


class EmptyCanvas(QWidget):
    """Stands in the middle of the canvas while the graph has no nodes. `build(text)` makes the graph; it may refuse.

    `ways` are the texts of the buttons, each with its tip and what it does.
    """

    def __init__(
        self,
        session: Session,
        canvas: QWidget,
        build: Callable[[str], object],
        ways: Mapping[str, tuple[str, Callable[[], object]]],
        theme: Theme,
    ) -> None:
        super().__init__(canvas)
        self._session, self._canvas, self._build = session, canvas, build
        self.sentence, self.field = PlainLabel(SENTENCE, wordWrap=True), QLineEdit()
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.field.setProperty("begin", True)
        self.field.setPlaceholderText(EXAMPLE)
        self.field.setAccessibleName("A formula")
        self.field.setAccessibleDescription("Type a formula such as y = w*x + b; Enter makes the graph")
        self.field.returnPressed.connect(self._enter)
        self.field.textEdited.connect(lambda: self._say(""))
        self.field.installEventFilter(self)
        self.mistake = MistakeLabel(theme)
        self.buttons = {text: QPushButton(text) for text in ways}
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addStretch(1)
        for text, button in self.buttons.items():
            tip, act = ways[text]
            button.setProperty("begin", True)
            button.setToolTip(tip)
            button.clicked.connect(act)
            row.addWidget(button)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.sentence)
        self._column.addWidget(self.field)
        self._column.addWidget(self.mistake, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addLayout(row)
        canvas.installEventFilter(self)
        session.documentChanged.connect(self.follow)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.sentence.setFont(look.font(theme, look.SENTENCE, bold=True))
        self.field.setFont(look.code_font(theme, look.CODE))
        self.field.setFixedHeight(round(HEIGHT * theme.type))
        self._column.setSpacing(round(20 * theme.type))
        self.mistake.set_theme(theme)
        self.follow()

    def follow(self) -> None:
        """Stand there while there are no nodes."""
        is_empty = not self._session.document.nodes
        if is_empty is self.isHidden():
            self.field.clear()
            self.setVisible(is_empty)
            self._say("")
        elif is_empty:
            self._place()

    def _place(self) -> None:
        width = min(round(WIDTH * self._theme.type), self._canvas.width() - 2 * AIR)
        height = self._column.totalHeightForWidth(width)
        own = height - (0 if self.mistake.isHidden() else self.mistake.sizeHint().height() + self._column.spacing())
        self.resize(width, height)
        self.move((self._canvas.width() - width) // 2, max(0, (self._canvas.height() - own) // 2))

    def _enter(self) -> None:
        """Make the graph, or say below the field what is wrong."""
        if not self.field.text().strip():
            return
        try:
            self._build(self.field.text())
        except Misread as refusal:
            self._say(worded(refusal.mistake))
        except Refused as refusal:
            self._say(worded(refusal))

    def _say(self, sentence: str) -> None:
        stop = "" if not sentence or sentence.endswith("?") else "."
        self.mistake.say(f"{sentence[:1].upper()}{sentence[1:]}{stop}")
        self.mistake.setVisible(bool(sentence))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._canvas and event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        elif watched is self.field and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() is QEvent.Type.KeyPress:
                self.field.clear()
                self._say("")
                self._canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
        return False
