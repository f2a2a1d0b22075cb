"""What one session compiles."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cadena.core.front import Program
from cadena.core.graph.document import Document
from cadena.gui.session.session import Session


def record_compiled(monkeypatch: pytest.MonkeyPatch, session: Session, record: Callable[[Document], object]) -> None:
    """Call `record` with each document that the session compiles after an edit, or ahead of one.

    A session of an earlier test may still compile what it had put off: that is not recorded.
    """
    edited = Program.edited

    def compiling(program: Program, after: Document) -> Program:
        if program is session.program:
            record(after)
        return edited(program, after)

    monkeypatch.setattr(Program, "edited", compiling)
