"""How many paths lead from a node to the output, and where all of them meet: what the sum in its gradient runs over."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from cadena.core.graph.shape import PathSummary, path_summary
from cadena.core.run.plan import Plan
from cadena.gui.panels.common import caption
from cadena.gui.plain import PlainLabel, shown
from cadena.gui.session import Session
from cadena.gui.work import Work

MAX_NODES = 2_000  # networkx makes a graph of so many in some 30 ms, in a thread
MAX_COUNTED = 10**6
MAX_NAMED = 4


class PathsFact(QWidget):
    """One line, worked out in a thread; hidden where there is no path, or only the node itself."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._work: Work | None = None
        self._asked: tuple[Plan | None, str] = (None, "")
        self.text = PlainLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(caption("paths"))
        row.addWidget(self.text, 1)
        self.hide()

    def show_node(self, name: str) -> None:
        """Tell of another node, or of the same one after an edit of the wires."""
        run, document = self._session.run, self._session.document
        if self._asked[0] is run.plan and self._asked[1] == name:
            return
        self._asked = (run.plan, name)
        if self._work:
            self._work.cancel()
        self._work = None
        self.hide()
        output, has_cycle = run.program.output, any(fault.kind == "cycle" for fault in run.plan.faults)
        if output not in document.nodes or output == name or has_cycle or len(document.nodes) > MAX_NODES:
            return
        self._work = work = Work(lambda _: path_summary(document, name, str(output)))
        work.found.connect(self._found)  # a method, which Qt leaves out once the panel is gone
        work.begin()

    def _found(self, work: Work, found: PathSummary) -> None:
        if work is self._work:
            self.text.setText(in_words(str(self._session.run.program.output), found))
            self.setVisible(found.number > 0)


def in_words(output: str, found: PathSummary) -> str:
    """ "2 to L, all through c"."""
    number = f"{found.number:,}".replace(",", "\u202f") if found.number <= MAX_COUNTED else "more than a million"
    told = f"{number} to {shown(output)}"
    if found.number == 1 or not found.through:
        return told
    named = [shown(name) for name in found.through]
    few = named if len(named) <= MAX_NAMED else [*named[: MAX_NAMED - 1], f"{len(named) - MAX_NAMED + 1} more"]
    return f"{told}, all through {', '.join(few)}"
