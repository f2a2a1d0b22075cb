"""The script that a document was made from: its text, and the line of each node; saved and undone with the graph.

It stands in the document's `extra`, which every version of the file format keeps as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from cadena.core.graph.document import Document
from cadena.core.layout.arrange import arrange
from cadena.core.scripts.remark import BRANCH, LOOP

if TYPE_CHECKING:
    from cadena.core.scripts.running import ScriptResult

KEY = "script"


@dataclass(frozen=True)
class AttachedScript:
    """A script of a document; `is_current` says whether the graph is what this text makes."""

    text: str
    name: str = ""  # of the file that it came from
    is_current: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)  # of the nodes that stand for something in the text
    labels: Mapping[str, str] = field(default_factory=dict)  # of nodes whose name can be no index: w_0 is w[0]
    remarks: tuple[tuple[int, str], ...] = ()  # lines, and what to know of them: the loop was unrolled 5 times
    passes: tuple[int, ...] = ()  # the line of each backward pass
    chosen: int = 0  # the pass whose graph it is
    unwritten: str = ""  # why edits of the graph are not in the text: a clause
    computed_by: str = ""  # the library that ran it, as "PyTorch 2.13.0"; "" for our stand-ins
    is_one_way: bool = False  # whether loops were unrolled or branches followed, which other numbers might not take

    def with_text(self, text: str) -> AttachedScript:
        """The script after its text was edited, with the lines where they stand now."""
        if text == self.text:
            return self
        to = _moves(self.text, text)
        return replace(
            self,
            text=text,
            is_current=False,
            lines={name: new for name, line in self.lines.items() if (new := to(line))},
            remarks=tuple((new, sentence) for line, sentence in self.remarks if (new := to(line))),
            passes=tuple(to(line) for line in self.passes),
        )


def script_of(document: Document) -> AttachedScript | None:
    """The script of a document; None where it has none, or something else under that key."""
    if KEY not in document.extra:
        return None
    try:
        return msgspec.convert(document.extra[KEY], AttachedScript)
    except msgspec.ValidationError:
        return None


def with_script(document: Document, script: AttachedScript | None) -> Document:
    """The document with another script, or without one."""
    if script == script_of(document):
        return document
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    return replace(document, extra=extra if script is None else extra | {KEY: msgspec.to_builtins(script)})


def _moves(before: str, after: str) -> Callable[[int], int]:
    """From a line to where it stands after an edit between a common beginning and a common end; 0 for a lost one."""
    old, new = before.split("\n"), after.split("\n")
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
    by, kept_below = len(new) - len(old), len(old) - tail
    return lambda line: line if line <= head or by == 0 else line + by if line > kept_below else 0


def with_graph(document: Document, script: AttachedScript, result: ScriptResult, chosen: int | None = None) -> Document:
    """The document with the graph that a run of its script has made; if it has no others, cards stay where they are.

    `script` is that which ran; its text in the document may have been edited since then.
    """
    graph = result.document
    assert graph is not None
    before = script_of(document)
    title = document.title if before is not None and before.lines else script.name.removesuffix(".py")
    layout = {name: at for name, at in document.layout.items() if name in graph.nodes}
    if len(layout) < len(graph.nodes):
        layout = dict(graph.layout or arrange(graph).layout)
    after = after_run(script, result, chosen)
    return with_script(
        replace(graph, title=title, layout=layout), after if before is None else after.with_text(before.text)
    )


def after_run(script: AttachedScript, result: ScriptResult, chosen: int | None = None) -> AttachedScript:
    """The script with what a run of it tells of its lines; `chosen` is the backward pass, the last if None."""
    last = max(len(result.passes) - 1, 0) if result.chosen is None else result.chosen
    return replace(
        script,
        is_current=True,
        unwritten="",
        lines=result.lines,
        labels=result.labels,
        remarks=tuple((remark.line, remark.sentence) for remark in result.remarks),
        is_one_way=bool(result.computed_by) or any(remark.kind in (LOOP, BRANCH) for remark in result.remarks),
        passes=result.passes,
        computed_by=result.computed_by,
        chosen=last if chosen is None else chosen,
    )
