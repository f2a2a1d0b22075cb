"""The runs that an undo or a redo will show: kept, or made ahead, so that they come at once."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, SignalInstance

from cadena.core.front import Program, Run
from cadena.core.graph.document import Document, changes
from cadena.core.graph.history import History
from cadena.gui.throttle import Throttle


class Undoing(Protocol):
    """The session, as far as its runs are kept."""

    program: Program
    history: History
    seed: np.ndarray | None
    opened: SignalInstance


class KeptRuns(QObject):
    """The run that was left last, and that of the document before the present one, where it has other nodes or wires.

    Only of graphs of numbers: what tensors take in time and room is not known before.
    """

    def __init__(self, session: Undoing, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._kept = session, tuple[Run, ...]()
        self._soon = Throttle(self, self._make_ready)
        session.opened.connect(self._forget)

    def run_after(self, left: Run, document: Document) -> Run | None:
        """The run of a document that comes after the run `left`, if it is known."""
        session = self._session
        if session.seed is not None:  # inside a function, where a run depends on the graph around it
            self._forget()
            return None
        known = next((run for run in self._kept if run.program.document is document), None)
        self._kept = (left,) if left.plan.table is not None else ()
        self._soon.request()
        return known

    def _forget(self) -> None:
        self._kept = ()
        self._soon.cancel()

    def _make_ready(self) -> None:
        """Run the document that an undo will show, unless it was left just now."""
        program, document = self._session.program, self._session.history.before
        if document is None or any(run.program.document is document for run in self._kept):
            return
        if program.plan.table is None or not changes(program.document, document).structural:
            return
        run = program.edited(document).run()
        _ = run.causes  # and its gradients, which all views ask for
        self._kept += (run,)
