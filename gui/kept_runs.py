"""The runs that an undo, a redo or the edit in hand will show: kept, or made ahead, so that they come at once."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QObject, SignalInstance

from cadena.core.front import Program, Run
from cadena.core.graph.document import Document, changes
from cadena.core.graph.fault import Refused
from cadena.core.graph.history import History
from cadena.gui.graph_edits import DocumentChange, changed
from cadena.gui.throttle import Throttle


class Undoing(Protocol):
    """The session, as far as its runs are kept."""

    program: Program
    history: History
    seed: np.ndarray | None
    opened: SignalInstance


class Foreseen(NamedTuple):
    """A change of a document and the run of what comes out."""

    before: Document
    change: DocumentChange
    run: Run


class KeptRuns(QObject):
    """The run that was left last, that of the document before the present one, and that of an edit which is foreseen,
    where they have other nodes or wires.

    Only of graphs of numbers: what tensors take in time and room is not known before.
    """

    def __init__(self, session: Undoing, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._kept = session, tuple[Run, ...]()
        self._foreseen: Foreseen | None = None
        self._soon = Throttle(self, self.run_before)
        session.opened.connect(self._forget)

    def run_after(self, left: Run, document: Document) -> Run | None:
        """The run of a document that comes after the run `left`, if it is known."""
        session = self._session
        if session.seed is not None:  # inside a function, where a run depends on the graph around it
            self._forget()
            return None
        ahead = (self._foreseen.run,) if self._foreseen is not None else ()
        known = next((run for run in (*self._kept, *ahead) if run.program.document is document), None)
        if known not in ahead:
            self._forget_foreseen()
        self._foreseen = None
        self._kept = (left,) if left.plan.table is not None else ()
        self._soon.request()
        return known

    def _forget(self) -> None:
        self._kept = ()
        self._forget_foreseen()
        self._soon.cancel()

    def _forget_foreseen(self) -> None:
        if self._foreseen is not None:
            self._foreseen.run.forget_steps()
            self._foreseen = None

    def foresee(self, change: DocumentChange) -> Run | None:
        """Make ready the run of an edit that is likely to come; None where it has no other nodes or wires."""
        session, program, before = self._session, self._session.program, self._session.history.present
        self._forget_foreseen()
        if session.seed is not None or program.plan.table is None or program.document is not before:
            return None
        try:
            after = changed(program.plan, before, change)
        except Refused:  # when it comes it says why
            return None
        if not changes(before, after).structural:
            return None
        run = program.edited(after).run()
        _ = run.causes
        self._foreseen = Foreseen(before, change, run)
        return run

    def foreseen(self, change: DocumentChange) -> Document | None:
        """What a change makes of the present document, if it was foreseen."""
        known = self._foreseen
        is_known = known is not None and known.change is change and known.before is self._session.history.present
        return known.run.program.document if known is not None and is_known else None

    def run_before(self) -> Run | None:
        """The run that an undo will show, now made if need be; None where it has no other nodes or wires."""
        session, program, document = self._session, self._session.program, self._session.history.before
        if document is None or session.seed is not None or program.plan.table is None:
            return None
        known = next((run for run in self._kept if run.program.document is document), None)
        if known is not None or not changes(program.document, document).structural:
            return known
        run = program.edited(document).run()
        _ = run.causes  # and its gradients, which all views ask for
        self._kept += (run,)
        return run
