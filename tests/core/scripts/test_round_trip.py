"""Import, export, import is the identity on graphs: the same operations, names, wires and values, the same output.

What a language has no name for is written in several calls, of which reading makes several nodes; written and read once
more, these are the same again.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from cadena.core.dialects.export import PROGRAMS, export
from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_array
from cadena.core.lessons import lessons, open_lesson
from cadena.core.ops.primitive import REGISTRY
from tests.core.dialects.programs import is_healthy, of_record
from tests.core.graphs import documents
from tests.core.scripts.reading import read


def reread(document: Document, language: str) -> Document:
    return read(export(document, language).text, language).document


def attributes(node: Node) -> dict:
    """All attributes of a node, as lists and numbers."""
    record = REGISTRY.get(node.op)
    full = record.complete(dict(node.attributes)) if record and record.attributes else dict(node.attributes)
    return {key: listed(value) for key, value in full.items()}


def listed(value):
    return [listed(item) for item in value] if isinstance(value, list | tuple) else value


def same_value(one: Node, other: Node) -> bool:
    if one.value is None or other.value is None:
        return one.value is other.value
    return np.array_equal(as_array(one.value), as_array(other.value), equal_nan=True)


def unlike(before: Document, after: Document) -> Iterator[str]:
    """A sentence for each difference of two graphs; places of cards and texts about them are none."""
    for what in ("output", "dtype", "functions"):
        if getattr(before, what) != getattr(after, what):
            yield f"{what}: {getattr(before, what)}, then {getattr(after, what)}"
    if lost := before.nodes.keys() ^ after.nodes.keys():
        yield f"only one of the two has {sorted(lost)}"
    for name in before.nodes.keys() & after.nodes.keys():
        one, other = before.nodes[name], after.nodes[name]
        if (one.op, one.inputs, one.wants_gradient) != (other.op, other.inputs, other.wants_gradient):
            yield f"{name}: {one.op}{one.inputs}, then {other.op}{other.inputs}"
        elif attributes(one) != attributes(other):
            yield f"{name}: {attributes(one)}, then {attributes(other)}"
        elif not same_value(one, other):
            yield f"{name}: {one.value}, then {other.value}"


def has_gradient(document: Document) -> bool:
    """Whether a program about it asks for a gradient; a script that asks for none is about no graph."""
    run = compile(document).run()
    return any(node.wants_gradient and run.gradient(name) is not None for name, node in document.nodes.items())


def examples() -> Iterator[tuple[str, int, Document]]:
    for op, record in REGISTRY.items():
        for number, document in enumerate(of_record(record)):
            if has_gradient(document):
                yield op, number, document


@pytest.mark.parametrize("language", PROGRAMS)
def test_what_is_imported_is_the_same_after_export_and_import(language):
    found = {}
    for op, number, document in examples():
        imported = reread(document, language)
        if differs := list(unlike(imported, reread(imported, language))):
            found[op, number] = differs
    assert not found


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_lesson_that_is_imported_is_the_same_after_export_and_import(language):
    for lesson in lessons():
        imported = reread(open_lesson(str(lesson.number)), language)
        assert not list(unlike(imported, reread(imported, language))), lesson.name


@pytest.mark.parametrize("language", PROGRAMS)
@settings(max_examples=60)
@given(document=documents())
def test_a_random_graph_that_is_imported_is_the_same_after_export_and_import(language, document):
    if has_gradient(document) and is_healthy(document):
        imported = reread(document, language)
        assert not list(unlike(imported, reread(imported, language)))
