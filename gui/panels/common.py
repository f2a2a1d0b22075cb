"""Small widgets that all panels share: labels that elide, sentences for refusals, headings, and edits with an answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core import Document, Refused
from gui import theme as look
from gui.panels import icons
from gui.session import Session
from gui.theme import Theme


class ElidedLabel(QLabel):
    """A label of one line that ends in … where it does not fit; the tooltip then holds the whole text."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.hint = ""  # a tooltip of its own, for example all digits of a number

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    @property
    def shown(self) -> str:
        """What is to be read: the text, or its beginning with …"""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def paintEvent(self, event) -> None:
        shown = self.shown
        self.setToolTip(self.hint or ("" if shown == self.text() else self.text()))
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)


class Sentence(QWidget):
    """One sentence about something wrong, led by the fault icon; takes no room while there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._label.setProperty("fault", True)
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._label)
        self.set_theme(theme)
        self.say("")

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._icon = theme, round(16 * theme.type)
        self._box.setContentsMargins(self._icon + 6, 2, 0, 2)
        self.update()

    def say(self, text: str) -> None:
        """Show a sentence, or nothing for ""."""
        if text != self._label.text() or text == "":
            self._label.setText(text[:1].upper() + text[1:])
            self.setAccessibleName(text)
            self.setVisible(bool(text))

    @property
    def text(self) -> str:
        return self._label.text()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        room = self.rect().adjusted(0, 2, 0, 0)
        room.setSize(QSize(self._icon, self._icon))
        icons.draw(painter, "fault", room.toRectF(), self._theme.color("fault"))


class Divider(QFrame):
    """A thin line between two sections."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(round(theme.line))
        self.setStyleSheet(f"background: {theme.border};")


def heading(text: str) -> QLabel:
    """The bold title of a section."""
    label = QLabel(text)
    label.setProperty("heading", True)
    return label


def caption(text: str) -> QLabel:
    """The small muted word beside or above a field."""
    label = QLabel(text)
    label.setProperty("label", True)
    return label


def number_label(theme: Theme, role: str) -> ElidedLabel:
    """A number in its role's colour, to the right of its caption."""
    label = ElidedLabel()
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    dress_number(label, theme, role)
    return label


def dress_number(label: QLabel, theme: Theme, role: str) -> None:
    """Give a number label the type and colour of its role in this theme."""
    label.setFont(look.font(theme, look.NUMBER, bold=True))
    label.setStyleSheet(f"color: {getattr(theme, role)}; font-size: {round(look.NUMBER * theme.type)}px; font-weight: bold;")


def attempt(session: Session, change: Callable[[Document], Document], label: str, merge: str | None = None) -> str:
    """Edit the document; the refusal's sentence when it cannot be done, else ""."""
    try:
        change(session.document)
    except Refused as refusal:
        return str(refusal)
    session.edit(change, label, merge)
    return ""


def clear(layout) -> None:
    """Take all widgets out of a layout and let them go."""
    while (item := layout.takeAt(0)) is not None:
        if item.widget() is not None:
            item.widget().hide()
            item.widget().deleteLater()
