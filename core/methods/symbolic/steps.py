"""The steps of symbols; the expressions of a graph without parameters are worth a look, too."""

from __future__ import annotations

from cadena.core.methods.answer import Cancel
from cadena.core.methods.names import Method
from cadena.core.methods.symbolic.timeline import MAX_SHOWN, SymbolsTimeline
from cadena.core.run.program import Run


def steps(run: Run, method: Method, whole: bool, cancelled: Cancel) -> SymbolsTimeline:
    return SymbolsTimeline(run, None if whole else MAX_SHOWN, cancelled)
