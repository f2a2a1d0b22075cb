"""Lines of code beside the nodes that they stand for: each marks the other, and the step under way marks its line."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from cadena.gui.panels.code.editor import CodeEditor
from cadena.gui.session.session import Session

NONE: Mapping[str, int] = {}


class CodeLines(QObject):
    """The lines of one editor. `chosen(line)` when a line was chosen, there or by its node; 0 when none is."""

    chosen = Signal(int)

    def __init__(self, session: Session, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._session, self._editor, self._lines = session, editor, NONE
        editor.lineChosen.connect(self._choose)
        session.selectionChanged.connect(self.mark)
        session.timeChanged.connect(self._mark_now)

    def follow(self, lines: Mapping[str, int]) -> None:
        """Take the lines of another text, by the names of nodes."""
        if lines is not self._lines:
            self._lines = lines
            self.mark()

    def nodes_of(self, line: int) -> list[str]:
        """The nodes that a line stands for, in the order of the lines' table."""
        return [name for name, at in self._lines.items() if at == line]

    def _choose(self, line: int) -> None:
        """Select the nodes of a line."""
        names = self.nodes_of(line)
        if names or self._session.selection:
            self._session.select(names)
        self.chosen.emit(line)

    def mark(self) -> None:
        """Mark the lines of the selected nodes, and that of the step."""
        lines, marks = self._lines, self._editor.marks
        marks.chosen = frozenset(lines[name] for name in self._session.selection if lines.get(name, 0))
        self.chosen.emit(min(marks.chosen, default=0))
        if marks.chosen and not self._editor.hasFocus():
            self._editor.reveal(min(marks.chosen))
        self._mark_now()
        self._editor.show_marks()

    def _mark_now(self) -> None:
        """Mark the line of the step under way."""
        session, now = self._session, (0, "value")
        if self._editor.isVisible() and self._lines and not session.live:
            step = session.frame.step
            role = "gradient" if step and step.phase in ("seed", "reverse") else "value"
            now = (self._lines.get(step.node, 0) if step else 0, role)
        if now != self._editor.marks.now:
            self._editor.marks.now = now
            self._editor.show_marks()
            if now[0]:
                self._editor.reveal(now[0])
