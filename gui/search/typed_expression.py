"""Expressions typed in the search of nodes: a preview of the new nodes, or the mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value
from cadena.core.ops.primitive import known_as
from cadena.gui.look.wording import worded
from cadena.gui.search.catalogue import Entry

CATEGORY = "Expression"
MAX_LETTERS = 2_000  # of an expression that is typed
SURE = re.compile(r"[=(\[*@^;]|\s[-+/%]\s")  # no name and no title that is looked for has these
SIGNS = re.compile(r"[\w)\]]\s*[-+/%]\s*[\w(\[]|^\s*-\s*[^\W\d]")


@dataclass(frozen=True)
class Typed:
    """A typed expression: its entry in a list, None for a mistake, and a preview of its effect."""

    entry: Entry | None
    preview: str
    is_sure: bool  # that no search is meant

    def among(self, entries: list[Entry]) -> list[Entry]:
        """The entries with the expression among them; none if an expression that is sure has a mistake."""
        if self.entry is None:
            return [] if self.is_sure else entries
        return [self.entry, *entries] if self.is_sure else [*entries, self.entry]


def nothing_typed(text: str) -> None:
    """No expression: the search is for names alone."""


def typed(text: str, document: Document, add: Callable[[], object]) -> Typed | None:
    """The expression that a text is, whose entry does `add`; None for a name, a number or words."""
    is_sure = SURE.search(text) is not None and known_as(text.strip()) is None
    has_signs = SURE.search(text) or SIGNS.search(text)
    if not has_signs or not re.search(r"\w", text) or len(text) > MAX_LETTERS or _is_value(text):
        return None
    from cadena.core.expressions.describing import describe_changes
    from cadena.core.expressions.reading import read
    from cadena.core.expressions.syntax import Misread

    try:
        new = read(text, document).new
    except Misread as refusal:
        return Typed(None, _sentence(worded(refusal.mistake)), is_sure) if is_sure else None
    if not new:
        return None
    entry = Entry(text, symbol=text, category=CATEGORY, run=add)
    return Typed(entry, _sentence(describe_changes(new)), is_sure)


def _is_value(text: str) -> bool:
    """Whether it is a number or a list, which the search offers as the value of a leaf."""
    try:
        read_value(text)
    except Refused:
        return False
    return True


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('?') else '.'}"
