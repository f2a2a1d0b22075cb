"""The quick form of a file is read as the same document, and no piece of it takes long."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from cadena.core.graph.document import Document, Node, as_value
from cadena.core.storage.decoding import decode
from cadena.core.storage.pieces import LARGE, SLICE, pieces
from tests.core.graphs import wide
from tests.core.storage.documents import documents


@given(documents())
def test_what_is_written_in_pieces_is_read_back_equal(document):
    content = b"".join(pieces(document))
    found = decode(content)
    assert found == document and list(found.nodes) == list(document.nodes) and b"\n" not in content


def test_a_large_graph_comes_in_many_small_pieces():
    document = wide(10_000)
    found = list(pieces(document))
    assert decode(b"".join(found)) == document
    assert max(map(len, found)) < 200_000


def test_a_large_array_comes_in_many_pieces_among_its_neighbours():
    array = np.random.default_rng(0).standard_normal((300, 401))
    nodes = [Node("a", "input", value=1.0), Node("W", "parameter", value=as_value(array), extra={"note": "x"})]
    nodes += [Node("V", "parameter", value=as_value(array + 1)), Node("y", "matmul", inputs=("W", "V"))]
    document = Document({node.name: node for node in nodes})
    found = list(pieces(document))
    assert decode(b"".join(found)) == document
    assert array.nbytes > SLICE > LARGE and max(map(len, found)) == SLICE // 3 * 4


def test_half_a_character_is_replaced_as_in_a_file():
    assert decode(b"".join(pieces(Document({}, title="a\ud800b")))).title == "a?b"


def test_a_place_that_is_nowhere_is_left_out():
    nodes = {name: Node(name, "input", value=0.0) for name in "xy"}
    found = decode(b"".join(pieces(Document(nodes, layout={"x": (float("nan"), 0.0), "y": (1.0, 2.0)}))))
    assert found.layout == {"y": (1.0, 2.0)}
