"""The recursion without an order in the place of the step band, and back."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from cadena.gui.panels.methods.order_panel import OrderPanel
from cadena.gui.session.session import Session


class NaiveOrder(QObject):
    """Switches between the step band, whose steps are ordered, and the comparison of orders."""

    def __init__(self, session: Session, order: OrderPanel, band: QWidget) -> None:
        super().__init__(session)
        self._session, self._order, self._band = session, order, band
        self._moment: float | None = None  # that was shown before the orders were compared; None: build mode

    def toggle(self) -> None:
        """Compare the orders, which goes through the steps; then go back to the moment that was shown."""
        session, opens = self._session, self._order.isHidden()
        if opens:
            self._moment = None if session.live else session.time
        elif self._moment is not None:
            session.set_time(self._moment)
        else:
            session.show_live()
        self._band.setVisible(not opens)
        self._order.setVisible(opens)
        self._order.follow()

    def step(self, by: int) -> None:
        """Go to the next or the previous step; while the orders are compared, to a visit of the unordered one."""
        if self._order.isVisible():
            self._order.step(by)
        else:
            self._session.playback.step(by)

    def leave(self) -> None:
        """Close the comparison: another level needs the room, and has an order of its own."""
        if not self._order.isHidden():
            self._moment = None  # one of the level that was left
            self.toggle()
