"""Undo and redo: two stacks of documents. Documents share their nodes, so a stack of hundreds costs little."""

from __future__ import annotations

from dataclasses import dataclass, field

from cadena.core.graph.document import Document


@dataclass(frozen=True, slots=True)
class _Entry:
    document: Document
    label: str
    merge_key: str | None


@dataclass
class History:
    """The present document, the documents before it and, after an undo, those after it."""

    present: Document
    past: list[_Entry] = field(default_factory=list)
    future: list[_Entry] = field(default_factory=list)

    def commit(self, document: Document, label: str, merge_key: str | None = None) -> None:
        """Make `document` the present one. Commits with the same `merge_key` in a row (one drag) are one undo step."""
        if document == self.present:
            return
        merges = merge_key is not None and self.past and self.past[-1].merge_key == merge_key and not self.future
        if not merges:
            self.past.append(_Entry(self.present, label, merge_key))
        self._show(document)
        self.future.clear()

    def seal(self) -> None:
        """End a run of merging commits: the next commit is an undo step of its own."""
        if self.past:
            last = self.past[-1]
            self.past[-1] = _Entry(last.document, last.label, None)

    def copy(self) -> History:
        """Copy the history, to return to it when a drag is cancelled."""
        return History(self.present, list(self.past), list(self.future))

    def undo(self) -> str | None:
        """Go back one step; the label of what was undone, or None when there is nothing to undo."""
        return self._move(self.past, self.future)

    def redo(self) -> str | None:
        """Go forward one step; the label of what was redone, or None."""
        return self._move(self.future, self.past)

    def _move(self, source: list[_Entry], target: list[_Entry]) -> str | None:
        if not source:
            return None
        entry = source.pop()
        target.append(_Entry(self.present, entry.label, None))
        self._show(entry.document)
        return entry.label

    def _show(self, document: Document) -> None:
        if document is not self.present:
            self.present.forget_consumers()
        self.present = document

    @property
    def undo_label(self) -> str | None:
        return self.past[-1].label if self.past else None

    @property
    def redo_label(self) -> str | None:
        return self.future[-1].label if self.future else None
