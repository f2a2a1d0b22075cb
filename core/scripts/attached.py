"""The script that a document was made from: its text, and the line of each node; saved and undone with the graph.

It stands in the document's `extra`, which every version of the file format keeps as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cadena.core.graph.document import Document
from cadena.core.layout.arrange import arrange
from cadena.core.scripts.running import ScriptResult

KEY = "script"


@dataclass(frozen=True)
class AttachedScript:
    """A script of a document; `made` says whether the graph is what this text makes."""

    text: str
    name: str = ""  # of the file that it came from
    made: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)  # of the nodes that stand for something in the text
    passes: tuple[int, ...] = ()  # the line of each backward pass
    chosen: int = 0  # the pass whose graph it is

    def nodes_of(self, line: int) -> list[str]:
        """The nodes that a line made, in the order of the graph."""
        return [name for name, at in self.lines.items() if at == line]

    def with_text(self, text: str) -> AttachedScript:
        """The script after its text was edited, with the lines where they stand now."""
        if text == self.text:
            return self
        return replace(self, text=text, made=False, lines=_moved(self.lines, self.text, text), passes=(), chosen=0)


def script_of(document: Document) -> AttachedScript | None:
    """The script of a document; None where it has none, or something else under that key."""
    kept = document.extra.get(KEY)
    if not isinstance(kept, Mapping) or not isinstance(text := kept.get("text"), str):
        return None
    lines, passes = kept.get("lines"), kept.get("passes")
    return AttachedScript(
        text,
        name=name if isinstance(name := kept.get("name"), str) else "",
        made=kept.get("made") is True,
        lines={str(key): at for key, at in lines.items() if type(at) is int} if isinstance(lines, Mapping) else {},
        passes=tuple(at for at in passes if type(at) is int) if isinstance(passes, list | tuple) else (),
        chosen=chosen if type(chosen := kept.get("chosen")) is int else 0,
    )


def with_script(document: Document, script: AttachedScript | None) -> Document:
    """The document with another script, or without one."""
    if script == script_of(document):
        return document
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    if script is not None:
        kept: dict[str, Any] = {"text": script.text, "name": script.name, "made": script.made}
        kept |= {"lines": dict(script.lines), "passes": list(script.passes), "chosen": script.chosen}
        extra[KEY] = kept
    return replace(document, extra=extra)


def _moved(lines: Mapping[str, int], before: str, after: str) -> dict[str, int]:
    """The lines after an edit of the text between its common beginning and its common end."""
    old, new = before.split("\n"), after.split("\n")
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
    by = len(new) - len(old)
    kept_below = len(old) - tail  # lines up to this number were edited, or stand above the edit
    made = {}
    for name, line in lines.items():
        if line <= head or by == 0:
            made[name] = line
        elif line > kept_below:
            made[name] = line + by
    return made


def with_graph(document: Document, script: AttachedScript, result: ScriptResult, chosen: int | None = None) -> Document:
    """The document with the graph that a run of its script has made; cards of the same names stay where they are."""
    made = result.document
    assert made is not None
    before = script_of(document)
    title = document.title if before is not None and before.lines else script.name.removesuffix(".py")
    layout = {name: at for name, at in document.layout.items() if name in made.nodes}
    if len(layout) < len(made.nodes):
        layout = dict(arrange(made).layout)
    last = max(len(result.passes) - 1, 0)
    done = replace(
        script, made=True, lines=result.lines, passes=result.passes, chosen=last if chosen is None else chosen
    )
    return with_script(replace(made, title=title, layout=layout), done)
