"""The settings of the method, each method's in its own widget, and an offer to sum an output of many numbers."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QPushButton, QWidget

from cadena.gui.panels.methods.differences_settings import DifferencesSettings
from cadena.gui.panels.parts.common import leave_keys, row_in
from cadena.gui.panels.plots.tangent_settings import TangentSettings
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session


class MethodSettings(QWidget):
    """The settings; they take no room where there are none."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.differences = DifferencesSettings(session)
        self.tangents = TangentSettings(session)
        self.sum = QPushButton("Add a sum")
        leave_keys(self.sum)
        self.sum.clicked.connect(lambda: session.edit(*graph_edits.sum_output(session.document.output)))
        row_in(self, self.tangents, self.differences, self.sum)
        self.hide()  # until the band is shown: without a parent it would be a window of its own

    def follow(self) -> bool:
        """Show the settings of the session's method; whether it has any."""
        many = math.prod(self.session.output_shape)
        self.sum.setVisible(bool(self.session.output_shape))
        self.sum.setToolTip(
            f"{self.session.document.output} has {many} elements, and gradients are those of a single number: put a "
            f"sum behind it. Without one the seed weighs the elements, 1 for each."
        )
        carries, moves = self.tangents.follow(), self.differences.follow()
        return carries or moves or bool(self.session.output_shape)
