"""The setting of forward mode, the number of tangents in a pass, beside the number of passes that this takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from cadena.gui.panels.parts.common import caption, row_in
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser

if TYPE_CHECKING:
    from cadena.core.methods.forward.timeline import ForwardTimeline


class TangentSettings(QWidget):
    """The setting; it takes no room for another method, and a single element leaves no choice."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.width_ = Chooser()
        self.width_.setAccessibleName("Tangents in a pass")
        self.width_.setToolTip(
            "1: dual numbers, a pass for each element of each leaf\nall: derivative vectors, as many tangents as "
            "memory holds in one pass"
        )
        self.width_.addItem("1", 1)
        self.width_.addItem("all", None)
        self.width_.activated.connect(self._choose)
        self.word, self.passes = caption("tangents in a pass"), caption("")
        self.passes.setToolTip("How often forward mode goes through the graph for all gradients")
        row_in(self, self.word, self.width_, self.passes)

    def follow(self) -> bool:
        """Show the width of the session's method. Returns whether there is anything to show."""
        if self.session.timeline.method != "forward":
            self.hide()
            return False
        timeline = cast("ForwardTimeline", self.session.timeline)
        count, passes = timeline.elements, timeline.passes_needed
        is_asked = self.session.asking.is_open  # perhaps for this number
        for widget in (self.word, self.width_):
            widget.setVisible(count > 1)
        with QSignalBlocker(self.width_):
            self.width_.setItemText(1, "all" if is_asked else f"all ({count})")
            self.width_.setCurrentIndex(int(self.session.method.width is None))
        self.passes.setText("" if is_asked else f"{passes} pass{'' if passes == 1 else 'es'}")
        self.show()
        return True

    def _choose(self) -> None:
        self.session.set_method(replace(self.session.method, width=self.width_.currentData()))
