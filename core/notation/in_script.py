"""What a document's script says of a node: its line, and the index by which people read it, w[3] for w_3.

A name has no brackets, so that files, expressions and programs can hold it. An element without a variable of its own is
shown by its index in texts and formulas for people.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cadena.core.graph.document import Document
from cadena.core.text.plain_text import cleaned, elided

WORD = re.compile(r"\w+")
MOST_LETTERS = 60  # of a line of the script in a sentence


def _script_items(document: Document, key: str) -> Mapping[str, Any]:
    """What the script says of nodes, by their names; a file may hold anything there."""
    script = document.extra.get("script")
    by_name = script.get(key) if isinstance(script, Mapping) else None
    return by_name if isinstance(by_name, Mapping) else {}


def line_of(document: Document, name: str) -> int:
    """The line of the script that made a node; 0 where none did.

    A number that the script wrote among others, as 2 in 2 * x, has the line of the operation that reads it.
    """
    lines = _script_items(document, "lines")
    if not lines:
        return 0
    seen, queue = {name}, [name]
    for one in queue:
        line = lines.get(one)
        if isinstance(line, int) and line:
            return line
        above = [consumer for consumer, _ in document.consumers.get(one, ()) if consumer not in seen]
        seen.update(above)
        queue += above
    return 0


def line_text(document: Document, name: str) -> str:
    """The line of a node and the file of its script, "line 3 of model.py"; "" where it has none."""
    line = line_of(document, name)
    script = document.extra.get("script")
    file = script.get("name") if isinstance(script, Mapping) else None
    return f"line {line} of {file or 'the script'}" if line else ""


def source_line(document: Document, name: str) -> str:
    """What the script says in the line of a node; "" where it has none."""
    line, script = line_of(document, name), document.extra.get("script")
    text = script.get("text") if isinstance(script, Mapping) else None
    lines = text.splitlines() if isinstance(text, str) else []
    return elided(lines[line - 1].strip(), MOST_LETTERS) if 0 < line <= len(lines) else ""


def _is_element(document: Document, name: str) -> bool:
    node = document.nodes.get(name)
    return (
        node is not None
        and node.op == "getitem"
        and None not in node.inputs
        and name in _script_items(document, "labels")
    )


def shown_name(document: Document, name: str) -> str:
    """The name that people read: the node's own, or the index of an element."""
    node = document.nodes.get(name)
    if node is None or node.op != "getitem":  # nearly always
        return name
    indices: list[str] = []
    while _is_element(document, name) and len(indices) < len(document.nodes):  # in a cycle no name is the first
        node = document.nodes[name]
        indices.append(f"[{cleaned(str(node.attributes.get('index', 0)))}]")
        name = str(node.inputs[0])
    return "".join((name, *reversed(indices)))


def with_shown_names(document: Document, text: str) -> str:
    """A text about the nodes of a document, with each name as people read it."""
    return WORD.sub(lambda word: shown_name(document, word[0]), text) if _script_items(document, "labels") else text
