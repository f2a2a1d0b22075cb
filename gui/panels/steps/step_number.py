"""The number of the step, which can be typed over to go to another one."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from cadena.gui.session.session import Session

ROOM = 14  # pixels around the text of a field


class StepNumber(QLineEdit):
    """ "21 / 23"; a click selects the number, Enter goes to the one that was typed, Esc leaves everything as it was."""

    def __init__(self, session: Session) -> None:
        super().__init__(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._session = session
        self.setAccessibleName("Step")
        self.setToolTip("Type the number of a step to go there")
        self.setProperty("quiet", True)
        self.returnPressed.connect(self._go)

    def follow(self) -> None:
        """Show the present step, unless another one is being typed."""
        if self.hasFocus():
            return
        steps = len(self._session.timeline)
        text = "live" if self._session.live else f"{math.ceil(self._session.moment)} / {steps}"
        if self.text() != text:
            self.setText(text)
            self.fit()

    def fit(self) -> None:
        """Make room for the longest number in this font, so that nothing jumps."""
        measure, steps = self.fontMetrics().horizontalAdvance, len(self._session.timeline)
        self.setFixedWidth(max(measure(f"{steps} / {steps}"), measure("live")) + ROOM)

    def _go(self) -> None:
        typed, steps = self.text().partition("/")[0].strip(), len(self._session.timeline)
        if not (typed.isdecimal() and int(typed) <= steps):
            self._session.message.emit(f"There is no step {typed or 'without a number'}: type one from 0 to {steps}.")
            self.selectAll()
            return
        self._session.playback.pause()
        self._session.set_time(float(typed))
        self._leave()

    def _leave(self) -> None:
        self.clearFocus()
        self.follow()

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self._session.playback.pause()
        self.setText(str(math.ceil(self._session.moment)))
        self.selectAll()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.follow()

    def mouseReleaseEvent(self, event) -> None:
        self.selectAll()  # a click in Qt puts the cursor between the digits

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)
