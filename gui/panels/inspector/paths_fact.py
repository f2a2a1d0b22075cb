"""The number of paths from a node to the output, over which the sum in its gradient runs, and where they all meet."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from cadena.core.graph.order import ancestors
from cadena.core.graph.shape import PathSummary, path_summary
from cadena.core.run.plan import Plan
from cadena.gui.background.worker import Work
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.panels.parts.common import caption
from cadena.gui.session.session import Session

MAX_NODES = 2_000  # networkx makes a graph of so many in some 30 ms, in a thread
MAX_COUNTED = 10**6
MAX_NAMED = 4


class PathsFact(QWidget):
    """One line, computed in a thread; hidden where there is no path, or only the node itself.

    While the number is being computed the line is there, so that nothing below it moves when the number comes.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._work: Work | None = None
        self._requested: tuple[Plan | None, str] = (None, "")
        self.text = PlainLabel(named=session.named, wordWrap=True, alignment=Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(caption("paths"))
        row.addWidget(self.text, 1)
        self.hide()

    def show_node(self, name: str) -> None:
        """Show the paths of another node, or of the same one after an edit of the wires."""
        run, document = self._session.run, self._session.document
        if self._session.asking.is_open:
            name = ""  # their number may be what is asked for
        if self._requested[0] is run.plan and self._requested[1] == name:
            return
        self._requested = (run.plan, name)
        if self._work:
            self._work.cancel()
        self._work = None
        self.hide()
        output, has_cycle = run.program.output, any(fault.kind == "cycle" for fault in run.plan.faults)
        if output not in document.nodes or output == name or has_cycle or len(document.nodes) > MAX_NODES:
            return
        if name not in ancestors(document, str(output)):
            return
        self.text.setText("…")
        self.show()
        self._work = work = Work(lambda _: path_summary(document, name, str(output)))
        work.succeeded.connect(self._succeeded)  # a method, which Qt leaves out once the panel is gone
        work.begin()

    def _succeeded(self, work: Work, summary: PathSummary) -> None:
        if work is self._work:
            self.text.setText(in_words(str(self._session.run.program.output), summary))


def in_words(output: str, summary: PathSummary) -> str:
    """ "2 to L, all through c"."""
    number = f"{summary.number:,}".replace(",", "\u202f")
    facts = [f"{number} to {shown(output)}"]
    if summary.number > MAX_COUNTED:
        facts = [f"more than a million to {shown(output)}"]
    if summary.number > 1 and summary.through:
        named = [shown(name) for name in summary.through]
        few = named if len(named) <= MAX_NAMED else [*named[: MAX_NAMED - 1], f"{len(named) - MAX_NAMED + 1} more"]
        facts.append(f"all through {', '.join(few)}")
    return ", ".join(facts)
