"""Programs read as scripts in this process: the limits of a script's own are tested elsewhere."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from cadena.core.graph.document import Document
from cadena.core.scripts import asked, child, custom, imports, naming, plain_numbers
from cadena.core.storage.decoding import decode


class NoGraph(Exception):
    """A script from which no graph comes."""


@dataclass
class Read:
    """What a program printed, and what was answered about its graph."""

    printed: str
    graph: bytes
    answer: dict[str, Any]

    @property
    def document(self) -> Document:
        """Its graph. Raises NoGraph where there is none."""
        if "fault" in self.answer:
            raise NoGraph(self.answer["fault"])
        return decode(self.graph)


def refuse(what: str) -> Any:
    raise AssertionError(what)


def read(code: str, language: str) -> Read:
    """Run a program as a script for a library."""
    chosen, arguments = [*imports.CHOSEN], sys.argv
    imports.CHOSEN[:], sys.argv = [language], ["script.py"]  # programs read their own, not pytest's
    imports.modules_of(language)
    passes = sys.modules[imports.LIBRARIES[language]].PASSES
    for tape in [done.tape for done in passes]:  # of the script before, which would make this one's longer
        for kept in vars(tape).values():
            if isinstance(kept, list | dict | set):
                kept.clear()
    for left in (asked.ASKED, custom.FUNCTIONS, naming.TOLD, naming.TURNS, plain_numbers.LEFT, passes):
        left.clear()
    output = io.StringIO()
    try:
        names = imports.names(refuse) | {naming.TELL: naming.tell, naming.TURN: naming.turn}
        names[naming.KEEP] = child.keeper()
        with redirect_stdout(output):
            child._run(code, {"__name__": "__main__", "__builtins__": names, "__doc__": None})
        return Read(output.getvalue(), *child._answer(code, None, [language]))
    finally:
        imports.CHOSEN[:], sys.argv = chosen, arguments
