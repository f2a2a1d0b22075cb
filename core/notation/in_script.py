"""What the code says of a node: its line, and the index by which people read it, w[3] for w_3.

A name has no brackets, so that files, expressions and programs can hold it. An element without a variable of its own is
shown by its index in texts and formulas for people.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.text.plain_text import cleaned, elided

WORD = re.compile(r"\w+")
NOTED_LINE = re.compile(r"(?P<file>.{1,200}):(?P<number>[0-9]{1,9})")  # as captures note it at nodes
IMPORTED = re.compile(r"^\s*(?:import|from)\s+(jax|tensorflow|autograd|torch)\b", re.MULTILINE)
LIBRARY = "library"  # key in `extra` of a capture: the library of its code
MOST_LETTERS = 60  # of a line of the script in a sentence


def _script_items(document: Document, key: str) -> Mapping[str, Any]:
    """What the script says of nodes, by their names; a file may hold anything there."""
    script = document.extra.get("script")
    by_name = script.get(key) if isinstance(script, Mapping) else None
    return by_name if isinstance(by_name, Mapping) else {}


class CodeLine(NamedTuple):
    """A line of the user's code (0 if unknown) and its file."""

    number: int = 0
    file: str = ""

    def __str__(self) -> str:
        return f"line {self.number} of {self.file}" if self.number else ""


def code_line(document: Document, name: str) -> CodeLine:
    """The line of the code that made a node: of the document's script, or of what was captured.

    A number that the code wrote among others, as 2 in 2 * x, has the line of the operation that reads it.
    """
    lines = _script_items(document, "lines")
    if not lines and not document.has_lines:
        return CodeLine()
    seen, queue = {name}, [name]
    for one in queue:
        node, number = document.nodes.get(one), lines.get(one)
        if isinstance(number, int) and number:
            file = document.extra["script"].get("name")
            return CodeLine(number, file if isinstance(file, str) and file else "the script")
        if node is not None and (noted := NOTED_LINE.fullmatch(node.line)):
            return CodeLine(int(noted["number"]), noted["file"])
        if node is not None and node.op in ("parameter", "input") and not lines:
            continue  # no line of what is captured made it
        above = [consumer for consumer, _ in document.consumers.get(one, ()) if consumer not in seen]
        seen.update(above)
        queue += above
    return CodeLine()


def line_of(document: Document, name: str) -> int:
    """The line of the code that made a node; 0 where none did."""
    return code_line(document, name).number


def line_text(document: Document, name: str) -> str:
    """The line of a node and its file, "line 3 of model.py"; "" where it has none."""
    return str(code_line(document, name))


def short_line(document: Document, line: CodeLine) -> str:
    """A line; its file is named where the document does not hold the code itself."""
    return f"line {line.number}" if line.number and "script" in document.extra else str(line)


def code_line_of_fault(document: Document, fault: Fault) -> CodeLine:
    """The line of a fault's node; that of the node inside a function where the fault is there."""
    inner, function = fault.operands.get("problem"), document.functions.get(str(fault.operands.get("function")))
    if isinstance(inner, Fault) and function is not None:
        body = Document(function.nodes, functions=document.functions)
        if (line := code_line_of_fault(body, inner)).number:
            return line
    return code_line(document, fault.node)


def line_of_fault(document: Document, fault: Fault) -> str:
    """As text: "line 3 of model.py", or "" if unknown."""
    return str(code_line_of_fault(document, fault))


def library_of(document: Document) -> str:
    """The library that the document's code computes with, "jax"; "" where there is none, or it is not known."""
    script = document.extra.get("script")
    text = script.get("text") if isinstance(script, Mapping) else None
    imported = IMPORTED.search(text) if isinstance(text, str) else None
    noted = document.extra.get(LIBRARY)
    return imported[1] if imported else noted if isinstance(noted, str) else ""


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
