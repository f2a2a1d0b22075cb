"""The inspector: the selected node, the graph when none is selected, or several nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.gui.background.throttle import Throttle
from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.graph_page import GraphPage
from cadena.gui.panels.inspector.multi_edit import SeveralPage
from cadena.gui.panels.parts.common import column_in, in_tab_order, panel_width, scrolled
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.gui.panels.inspector.node_page import NodePage

WIDTH, MIN_WIDTH = 300, 270
HELD = 500  # milliseconds that a picture is kept at most


class Inspector(QWidget):
    """Follows the session; many changes in a row are shown once, and while it is hidden it does nothing."""

    enterAsked = Signal(str)  # the call whose subgraph is requested
    gradientAsked = Signal(str)  # the call whose custom gradient is requested
    panelAsked = Signal(str)  # the panel that is requested

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._landed = -1
        self.graph, self.several = GraphPage(session, theme), SeveralPage(session, theme)
        inside = QWidget()
        self._pages = QVBoxLayout(inside)
        self._pages.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        for page in (self.graph, self.several):
            self._pages.addWidget(page)
        self._pages.addStretch(1)
        self._scroll = scrolled(inside)
        column_in(self).addWidget(self._scroll)
        self._node: NodePage | None = None
        self._soon = Throttle(self, self.follow)
        for signal in (session.documentChanged, session.runChanged, session.selectionChanged):
            signal.connect(self._soon.request)
        for signal in (session.methodChanged, session.hiddenChanged, session.askingChanged):
            signal.connect(self._soon.request)
        session.timeChanged.connect(self._follow_time)
        self._held = QTimer(self, singleShot=True, interval=HELD)
        self._held.timeout.connect(self._release)
        typesetter.formulas_set.connect(self._release)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setMinimumWidth(panel_width(theme, MIN_WIDTH))
        if self._node is not None:
            self._node.set_theme(theme)
        self.graph.set_theme(theme)
        self.several.set_theme(theme)
        self.follow()

    @property
    def node(self) -> NodePage:
        """The page of one node, built right after the first frame, which does not show it."""
        if self._node is None:
            self._node = self._make_node()
        return self._node

    def _make_node(self) -> NodePage:
        from cadena.gui.panels.inspector.node_page import NodePage

        page = NodePage(self.session, self._theme)
        page.hide()
        page.function.enterAsked.connect(self.enterAsked)
        page.function.gradientAsked.connect(self.gradientAsked)
        page.facts.panelAsked.connect(self.panelAsked)
        self._pages.insertWidget(1, page)
        in_tab_order(self.graph, page)
        return page

    def paintEvent(self, event) -> None:
        if self._node is None:
            QTimer.singleShot(0, self, lambda: self.node)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, WIDTH), 600)

    def showEvent(self, event) -> None:
        self.follow()

    def follow(self) -> None:
        """Show the session as it is now."""
        if not self.isVisible():
            return
        self._landed = self.session.frame.landed
        selection = self.session.selection
        self.graph.setVisible(not selection and bool(self.session.document.nodes))
        if self._node is not None or len(selection) == 1:
            self.node.setVisible(len(selection) == 1)
        self.several.setVisible(len(selection) > 1)
        if not selection:
            self.graph.follow()
        elif len(selection) == 1:
            self.node.show_node(next(iter(selection)))
            self._hold()
        else:
            self.several.follow()

    def _hold(self) -> None:
        """Keep the picture until formulas that are being set have their sizes: else what is below them would jump."""
        views = self.node.findChildren(FormulaView)
        if any(view.isVisibleTo(self) and not view.is_set for view in views):
            self._scroll.setUpdatesEnabled(False)
            self._held.start()

    def _release(self) -> None:
        self._held.stop()
        self._scroll.setUpdatesEnabled(True)

    def _follow_time(self) -> None:
        """Show the changes of a step; between two landings there are none."""
        if not self.isVisible() or self._landed == self.session.frame.landed:
            return
        self._soon.request()
