"""A straight-line script and its graph follow each other's edits: numbers, names, nodes.

What cannot be said in the script stays in the graph, and the script's `unwritten` says why in a clause.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, Node, Value, as_array, as_value, changes
from cadena.core.graph.edits import set_value
from cadena.core.scripts.attached import AttachedScript, script_of, with_script
from cadena.core.scripts.straight import (
    NotStraight,
    StraightScript,
    WrittenNumber,
    is_plain,
    same_but_for_numbers,
    straight,
    with_branches,
)


def followed(before: Document, after: Document) -> Document:
    """The document after an edit of its graph, with the script that this makes of its script."""
    script = script_of(before)
    if script is None or not script.is_current or after.nodes is before.nodes or script_of(after) != script:
        return after
    try:
        if script.computed_by:
            raise NotStraight(f"a script that ran with {script.computed_by.split()[0]} itself is left as it is")
        return with_script(after, _with_edit(script, before, after))
    except NotStraight as reason:
        return with_script(after, replace(_still_there(script, after), unwritten=script.unwritten or str(reason)))


def retyped(document: Document, text: str) -> Document:
    """The document with an edited script. Where only numbers differ that are leaves of the graph, these follow."""
    script = script_of(document) or AttachedScript("")
    new = with_script(document, script.with_text(text))
    if not script.is_current or script.computed_by:
        return new
    try:
        old, now = straight(script.text), straight(text)
        if (pairs := same_but_for_numbers(old, now)) is None:
            return new
        for before, after in pairs:
            value = after.value.astype(document.dtype)
            name = _node_of(before, old, script, document)
            new = set_value(new, name, as_value(float(value) if not value.ndim else value))
    except NotStraight:
        return new
    moves = {line: now.tree.body[place].lineno for line in script.lines.values() if (place := old.place_of(line)) >= 0}
    return with_script(
        new, replace(script, text=text, lines={name: moves[at] for name, at in script.lines.items() if at in moves})
    )


def _still_there(script: AttachedScript, document: Document) -> AttachedScript:
    """The script with the lines of those nodes that still exist."""
    return replace(script, lines={name: line for name, line in script.lines.items() if name in document.nodes})


def _with_edit(script: AttachedScript, before: Document, after: Document) -> AttachedScript:
    difference = changes(before, after)
    if difference.functions or difference.output:
        raise NotStraight("the script says itself what its output is and which functions it has")
    if len(difference.added) == len(difference.removed) == 1:
        (old,), (new,) = difference.removed, difference.added
        if before.nodes[old].op == after.nodes[new].op and before.nodes[old].inputs == after.nodes[new].inputs:
            return _renamed(script, old, new)
    for name in difference.removed:
        script = _removed(script, name, difference.removed)
    for name in difference.valued:
        script = _with_number(script, before, after, name)
    for name in [name for name in after.nodes if name in difference.rewired and name in script.lines]:
        script = _rewritten(script, before, after, name)
    for name in after.nodes:
        if name not in script.lines and (name in difference.added or name in difference.rewired):
            script = _added(script, after, name)
    return script


# --- numbers


def _with_number(script: AttachedScript, before: Document, after: Document, name: str) -> AttachedScript:
    code = with_branches(script.text)
    literal = next((item for item, node in _matches(code, script, before) if node == name), None)
    old, value = before.nodes[name].value, after.nodes[name].value
    assert value is not None and old is not None
    if literal is not None and not (is_plain(literal.statement) and _holds(literal, old, before)):
        straight(script.text)  # which says why
        literal = None
    if literal is None:
        raise NotStraight(f"{script.labels.get(name, name)} has no number of its own in the script")
    return replace(script, text=code.with_value(literal, as_array(value).astype(after.dtype)))


def _holds(literal: WrittenNumber, value: Value, document: Document) -> bool:
    """Whether a leaf still has the number that stands in the script, which a training loop would have changed."""
    return np.array_equal(literal.value.astype(document.dtype), as_array(value).astype(document.dtype), equal_nan=True)


def _node_of(literal: WrittenNumber, code: StraightScript, script: AttachedScript, document: Document) -> str:
    name = next((node for item, node in _matches(code, script, document) if item is literal), None)
    if name is None:
        raise NotStraight(f"line {literal.node.lineno} has a number that no single node holds")
    return name


def _matches(code: StraightScript, script: AttachedScript, document: Document) -> Iterator[tuple[WrittenNumber, str]]:
    """Which number of the script is which leaf: where as many leaves of a statement have a value as there are such
    numbers in it."""
    leaves: dict[int, list[Node]] = {}
    for node in document.nodes.values():
        line = _line_of(node.name, script, document) if node.is_leaf and node.value is not None else 0
        if line and (statement := code.statement_at(line)) is not None:
            leaves.setdefault(id(statement), []).append(node)
    by_statement: dict[int, list[WrittenNumber]] = {}
    for literal in code.literals:
        by_statement.setdefault(id(literal.statement), []).append(literal)
    for statement_id, literals in by_statement.items():
        held = [(node, _key(as_array(node.value or 0.0), document)) for node in leaves.get(statement_id, [])]
        keys = [(literal, _key(literal.value, document)) for literal in literals]
        numbers = Counter(key for _, key in keys)
        for key, count in Counter(key for _, key in held).items():
            if numbers[key] == count:
                pairs = zip([item for item, k in keys if k == key], [node for node, k in held if k == key], strict=True)
                yield from ((literal, node.name) for literal, node in pairs)


def _key(value: np.ndarray, document: Document) -> tuple[tuple[int, ...], bytes]:
    return value.shape, (value.astype(document.dtype) + 0.0).tobytes()


def _line_of(name: str, script: AttachedScript, document: Document) -> int:
    """The line of a leaf; of one without a line that of the nodes that use it, if they agree."""
    if name in script.lines:
        return script.lines[name]
    lines = {script.lines.get(consumer, 0) for consumer, _ in document.consumers[name]}
    return lines.pop() if len(lines) == 1 else 0


# --- names and nodes


def _renamed(script: AttachedScript, old: str, new: str) -> AttachedScript:
    text = straight(script.text).renamed(old, new)
    return replace(
        script,
        text=text,
        lines={new if name == old else name: line for name, line in script.lines.items()},
        labels={
            name: new + label[len(old) :] if label.startswith(f"{old}[") else label
            for name, label in script.labels.items()
            if name != old
        },
    )


def _removed(script: AttachedScript, name: str, removed: frozenset[str]) -> AttachedScript:
    """The script without a node: its statement becomes a comment, where nothing else needs it."""
    if name not in script.lines:
        return script  # a number without a variable, which stays where it stands
    code = straight(script.text)
    line = script.lines[name]
    lines = {key: at for key, at in script.lines.items() if key != name}
    if line in lines.values() and name not in code.assigned:
        raise NotStraight(f"{script.labels.get(name, name)} is a part of line {line}")
    statement = code.statement_of(name)
    readers = [other.lineno for other in code.readers(name) if other is not statement]
    if readers:
        raise NotStraight(f"line {readers[0]} reads {name}")
    if rest := [key for key, at in lines.items() if at == line and key not in removed]:
        raise NotStraight(f"line {line} made {rest[0]} too")
    return replace(script, text=code.commented_out(statement), lines=lines)


def _rewritten(script: AttachedScript, before: Document, after: Document, name: str) -> AttachedScript:
    """The script with another right side for the variable of a node, whose operation or operands are others now."""
    old, node, line = before.nodes[name], after.nodes[name], script.lines[name]
    if node.is_leaf and with_fields(old, value=node.value) == node:
        return _with_number(script, before, after, name)
    if None in node.inputs:
        raise NotStraight(f"{name} is not complete")
    if node.is_leaf or [key for key, at in script.lines.items() if at == line] != [name]:
        raise NotStraight(f"line {line} makes more than {name}, or says it in its own way")
    from cadena.core.scripts.written import operation_code

    code = straight(script.text)
    statement = code.statement_of(name)
    return replace(script, text=code.with_right_side(statement, operation_code(code, node, script.labels)))


def _added(script: AttachedScript, after: Document, name: str) -> AttachedScript:
    """The script with a statement for a new node, as soon as this has all operands."""
    node = after.nodes[name]
    known = [item for item in node.inputs if item in script.lines]
    if waiting := [item for item in node.inputs if item not in script.lines]:
        if None not in waiting and all(after.nodes[item].is_leaf for item in waiting if item):
            raise NotStraight(f"{waiting[0]} has no variable of its own in the script")
        return script  # it is still being wired
    from cadena.core.scripts.written import leaf_code, operation_code

    code = straight(script.text)
    right = leaf_code(code, node) if node.is_leaf else operation_code(code, node, script.labels)
    above = [code.statement_at(script.lines[item]) for item in known if item]
    above += [item for item in code.tree.body if isinstance(item, ast.Import | ast.ImportFrom)]
    at = max((item.end_lineno or 0 for item in above if item is not None), default=0)
    text = code.with_line(f"{name} = {right}", at)
    moved = replace(script.with_text(text), is_current=True)
    return replace(moved, lines={**moved.lines, name: at + 1})
