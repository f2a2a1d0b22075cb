"""Choosers: one that elides long texts, and one that does not take the keys away from the canvas."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from cadena.gui.look.text_cleaning import tip, title

MAX_LETTERS = 16  # letters of an entry: the row above the canvas has no room for more
MAX_LIST = 480  # pixels of a list that opens: it stays within the window
BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class ElidedComboBox(QComboBox):
    """A combo box that shows … in the middle of a text that it has no room for; Qt's own style sheets cut it off."""

    @property
    def shown(self) -> QStyleOptionComboBox:
        """The style option that is painted."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        middle = Qt.TextElideMode.ElideMiddle
        text = option.currentText or self.placeholderText()
        option.currentText = self.fontMetrics().elidedText(text, middle, room)
        return option

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.updateGeometry()  # Qt keeps the size of before its style sheet

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self.updateGeometry()

    def showPopup(self) -> None:
        """Show the list as wide as its longest text; Qt makes it as narrow as the box, and cuts what is longer."""
        view = self.view()
        margins, bar = view.contentsMargins(), view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + margins.left() + margins.right() + bar, MAX_LIST))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), self.shown
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Chooser(ElidedComboBox):
    """A chooser that keeps the keys only when it was reached by a key; used by mouse, it leaves them to the canvas.

    `chosen` carries the item's data: with `show_only` the text as it was offered, although it may be shown shortened.
    """

    chosen = Signal(object)

    def __init__(self, letters: int = MAX_LETTERS) -> None:
        super().__init__()
        self._letters = letters
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))
        self._reached_by_key = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._reached_by_key = self._reached_by_key or event.reason() in BY_KEY
        QTimer.singleShot(0, self, self._give_back)

    def _give_back(self) -> None:
        if not self._reached_by_key:
            self.clearFocus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:  # its own list is no other place
            self._reached_by_key = False

    def show_only(self, texts: list[str], current: str, named: Callable[[str], str] = str) -> None:
        """Offer `texts`, shown as `named` has them, with `current` chosen, without emitting `chosen`."""
        offered = [(title(named(text), self._letters), text) for text in texts]
        if [(self.itemText(at), self.itemData(at)) for at in range(self.count())] == offered:
            if self.currentData() != current:
                with QSignalBlocker(self):
                    self.setCurrentIndex(self.findData(current))
            return
        with QSignalBlocker(self):
            self.clear()
            for text in texts:
                self.addItem(title(named(text), self._letters), text)
                is_whole = len(text) <= self._letters
                self.setItemData(self.count() - 1, "" if is_whole else tip(named(text)), Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(self.findData(current))
