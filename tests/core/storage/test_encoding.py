from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given

from cadena.core.graph.document import Document, Node, Tensor, as_value
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode, encode_line
from tests.core.storage.documents import EXAMPLE, documents
from tests.thorough import tries


@tries(60)
@given(documents())
def test_what_is_written_is_read_back_equal(document):
    data = encode(document)
    again = decode(data)
    assert again == document
    assert list(again.nodes) == list(document.nodes)
    assert encode(again) == data


def test_the_example_of_the_contract_keeps_every_byte():
    assert encode(decode(EXAMPLE)) == EXAMPLE


@tries(60)
@given(documents())
def test_every_file_is_plain_json_in_utf8_with_a_node_a_line(document):
    data = encode(document)
    stored = json.loads(data.decode("utf-8"), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert [node["name"] for node in stored["nodes"]] == list(document.nodes)
    lines = data.decode("utf-8").split("\n")
    for node in document.nodes:
        assert sum(line.startswith(f'  {{"name": "{node}", ') for line in lines) == 1
    assert data.endswith(b"}\n")


def one_value(value):
    document = Document({"x": Node("x", "input", value=value)})
    stored = json.loads(encode(document))["nodes"][0]["value"]
    assert decode(encode(document)) == document
    return stored


def test_numbers_keep_all_their_digits_and_their_point():
    document = Document({"x": Node("x", "input", value=2.0), "y": Node("y", "input", value=0.1 + 0.2)})
    assert b'"value": 2.0}' in encode(document)
    assert b'"value": 0.30000000000000004}' in encode(document)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (as_value([1, 2.5]), [1.0, 2.5]),
        (as_value([[math.nan, math.inf], [-math.inf, -0.0]]), [["nan", "inf"], ["-inf", -0.0]]),
    ],
)
def test_numbers_that_json_lacks_are_texts(value, stored):
    assert one_value(value) == stored


def test_arrays_of_up_to_a_thousand_numbers_are_lists_and_larger_ones_base64():
    assert isinstance(one_value(as_value(np.zeros(1000))), list)
    large = one_value(as_value(np.zeros((7, 143))))
    assert large["shape"] == [7, 143]
    assert large["dtype"] == "float64"


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_small_arrays_of_other_dtypes_are_lists_too_with_every_bit(dtype):
    array = np.array([[0.1, -0.0, np.inf], [1e-7, np.nan, 1 / 3]], dtype)
    document = Document({"w": Node("w", "parameter", value=as_value(array))})
    stored = json.loads(encode(document))["nodes"][0]
    assert stored["dtype"] == dtype and stored["value"][0] == [float(array[0, 0]), -0.0, "inf"]
    assert decode(encode(document)) == document
    large = one_value(as_value(np.zeros(1001, dtype)))
    assert large["dtype"] == dtype and "base64" in large


def test_shapes_and_bits_that_lists_would_lose_are_kept():
    odd_nan = np.array([0x7FF8000000000001], dtype="<u8").tobytes()
    for tensor in (Tensor((0, 3), "float64", b""), Tensor((1,), "float64", odd_nan)):
        assert isinstance(one_value(tensor), dict)


def test_whole_places_have_no_point_and_a_place_that_is_nowhere_is_left_out():
    nodes = {name: Node(name, "input") for name in "xyz"}
    document = Document(nodes, layout={"x": (1.0, -2.5), "y": (math.nan, 0.0), "z": (1e300, 0.0)})
    assert b'"layout": {"x": [1, -2.5], "z": [1e+300, 0]}' in encode(document)


def test_lists_of_objects_from_other_versions_are_written_an_object_a_line():
    notes = [{"text": "first", "at": [0, 0]}, {"text": "second", "at": [0, 80]}]
    document = Document({}, extra={"notes": notes, "code": "y = x", "training": {"rate": 0.1}})
    assert (
        encode(document)
        .decode()
        .endswith(
            ' "nodes": [],\n'
            ' "notes": [\n'
            '  {"text": "first", "at": [0, 0]},\n'
            '  {"text": "second", "at": [0, 80]}\n'
            " ],\n"
            ' "code": "y = x",\n'
            ' "training": {"rate": 0.1}}\n'
        )
    )


def test_a_bad_number_or_half_a_character_elsewhere_does_not_keep_a_graph_from_being_saved():
    node = Node("x", "resize", attributes={"by": math.inf}, extra={"seen": [math.nan]})
    again = decode(encode(Document({"x": node}, title="half \ud83d")))
    assert again.title == "half ?"
    assert again.nodes["x"].attributes == {"by": "inf"}
    assert again.nodes["x"].extra == {"seen": ["nan"]}


@given(documents())
def test_on_one_line_it_is_read_back_equal(document):
    content = encode_line(document)
    found = decode(content)
    assert found == document and list(found.nodes) == list(document.nodes) and b"\n" not in content
