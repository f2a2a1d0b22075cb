"""The panel of methods: the gradient of the selected node, else of the first parameter, by every method."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.gui.background.throttle import Throttle
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.methods.methods_table import MethodsTable
from cadena.gui.panels.parts.common import scrolled
from cadena.gui.session.asking import HELD_BACK
from cadena.gui.session.session import Session

TITLE = "The gradient of {name} by every method"
NOTHING = "Choose an output that depends on a parameter: there is no gradient to compare yet."


class MethodsPanel(QWidget):
    """Follows the selection while it is open."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.title, self.table = PlainLabel(named=session.named, wordWrap=True), MethodsTable(session, theme)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        column.addWidget(self.title)
        column.addWidget(self.table)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(inside))
        self._soon = Throttle(self, self.follow)
        for signal in (session.selectionChanged, session.documentChanged, session.runChanged, session.askingChanged):
            signal.connect(self._soon.request)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.title.setFont(look.font(theme, bold=True))
        self.table.set_theme(theme)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def follow(self) -> None:
        """Compare at the node that is selected now."""
        if not self.isVisible():
            return
        name, is_held_back = self._node, self._session.asking.is_open
        self.title.setText(HELD_BACK if is_held_back else TITLE.format(name=name) if name else NOTHING)
        self.table.setVisible(bool(name) and not is_held_back)
        if name and not is_held_back:
            self.table.show_node(name)

    @property
    def _node(self) -> str:
        """The selected node; else the first one whose gradient is computed."""
        run, document = self._session.run, self._session.document
        if len(self._session.selection) == 1:
            return next(iter(self._session.selection))
        if run.plan.output is None:
            return ""
        leaves = (node for node in document.nodes.values() if node.op == "parameter" or node.gradient)
        return next((node.name for node in leaves), run.program.output or "")
