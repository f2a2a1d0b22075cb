from __future__ import annotations

import json
import math
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from cadena.core.front import compile
from cadena.core.graph.document import Document, Function, Tensor
from cadena.core.graph.fault import Refused
from cadena.core.graph.unconnected import NoPath, Unconnected, unconnected
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from tests.core.graphs import graph
from tests.core.storage.documents import EXAMPLE, documents
from tests.effort import effort
from tests.thorough import tries


def file_with(*nodes, **keys):
    return json.dumps({"format": "cadena", "version": 2, "nodes": nodes} | keys).encode()


def refusal(data):
    with pytest.raises(Refused) as refused:
        decode(data, "x.cadena")
    sentence = str(refused.value)
    assert sentence.startswith("x.cadena: ")
    assert "; " in sentence
    assert "\n" not in sentence
    return sentence.removeprefix("x.cadena: ")


W = {"name": "w0", "op": "parameter", "value": 2.0}

NOT_A_FILE = {
    b"": "the file is empty",
    b" \n\t": "the file is empty",
    b"\xef\xbb\xbf": "the file is empty",
    b"hello": "this is not a Cadena file",
    b"[1, 2]": "this is not a Cadena file",
    b"{}": "this is not a Cadena file",
    b'{"format": "other"}': "this is not a Cadena file",
    b"\x89PNG\r\n\x1a\n": "byte 1: this is not UTF-8 text",
    EXAMPLE.decode().encode("utf-16"): "byte 1: this is not UTF-8 text",
    EXAMPLE.replace(b"...", b"caf\xe9"): "byte 49: this is not UTF-8 text",
    EXAMPLE[:-3]: "the file ends in the middle",
    EXAMPLE[:200]: "the file ends in the middle",
    EXAMPLE.replace(b"2.0", b"NaN"): "line 3, column 46: this is not JSON (invalid character)",
    EXAMPLE.replace(b"4.0}", b"4.0,}"): "line 4, column 46: this is not JSON (trailing comma in object)",
    EXAMPLE + b"}": "line 9, column 2: this is not JSON (trailing characters)",
    b"[" * 1_000_000: "this is not a Cadena file",
    b'{"format": "cadena", "a": ' + b"[" * 1_000_000: "the file is nested too deeply",
}


@pytest.mark.parametrize("data", NOT_A_FILE, ids=range(len(NOT_A_FILE)))
def test_what_is_no_cadena_file_is_refused_in_one_sentence(data):
    assert refusal(data).startswith(NOT_A_FILE[data])


WRONG = [
    (file_with(version=7), "the file was made by a newer Cadena (format version 7; this one reads up to 2); update"),
    (file_with(version=0), "version must be a whole number from 1"),
    (file_with(version="1"), "version must be a whole number from 1"),
    (file_with(version=True), "version must be a whole number from 1"),
    (b'{"format": "cadena"}', "version must be a whole number from 1"),
    (b'{"format": "cadena", "version": 2}', 'the key "nodes" is missing; add a list of nodes'),
    (file_with(nodes={}), "nodes must be a list of nodes"),
    (file_with(title=3), "title must be a text"),
    (file_with(output=["L"]), "output must be the name of a node, or null"),
    (file_with(dtype="int8"), 'dtype must be "float64", "float32" or "float16"'),
    (file_with(layout={"w0": [0]}), "layout must be places by node name"),
    (file_with(layout={"w0": [0, True]}), "layout must be places by node name"),
    (b'{"format": "cadena", "version": 2, "nodes": [], "frames": 1e400}', "frames: this cannot be read (number out of"),
]
WRONG_NODES = [
    ("w0", "node 2: this must be an object such as"),
    ({"op": "add"}, 'node 2: the key "name" is missing'),
    ({"name": "m1"}, 'node 2 (m1): the key "op" is missing'),
    ({"name": 3, "op": "add"}, "node 2: name must be a text"),
    ({"name": "m1", "op": None}, "node 2 (m1): op must be the name of an operation"),
    ({"name": "m1", "op": "add", "inputs": "w0"}, "node 2 (m1): inputs must be a list of node names"),
    ({"name": "m1", "op": "add", "inputs": ["w0", 1]}, "node 2 (m1): inputs must be a list of node names"),
    ({"name": "m1", "op": "sum", "attributes": [0]}, "node 2 (m1): attributes must be settings by name"),
    ({"name": "m1", "op": "input", "gradient": 1}, "node 2 (m1): gradient must be true or false"),
    ({"name": "w0", "op": "input"}, "node 2 (w0): there is a node w0 already, before it"),
    ({"name": "2x", "op": "input"}, "node 2 (2x): 2x begins with a digit; put a letter or _ before it"),
    (
        {"name": "lambda", "op": "input"},
        "node 2 (lambda): lambda is a Python keyword; choose another name, such as lambda_",
    ),
    ({"name": "", "op": "input"}, "node 2 (): a name is missing; type one such as w0"),
    ({"name": "a\nb\x1b[2J", "op": "input"}, r"node 2 (a\nb\x1b[2J): 'a\nb\x1b[2J' cannot be a name"),
]
WRONG_VALUES = [
    (True, "must be a number"),
    ("2.0", "must be a number"),
    ({}, "must be a number"),
    (10**400, "must be a number"),
    ([10**400], "holds a number that is too large"),
    ([1, True], "holds true"),
    ([None], "holds null"),
    ([["1.5"]], "holds '1.5'"),
    ([{"shape": []}], "holds an object"),
    ([1, [2]], "has rows of numbers beside single numbers"),
    ([[1, 2], [3]], "has rows of lengths 1 and 2"),
    ([[[1], [2]], [[3], 4]], "has rows of numbers beside single numbers"),
    (json.loads("[" * 40 + "]" * 40), "has more than 32 dimensions"),
    ({"shape": [2], "dtype": "float64"}, "must be a number"),
    ({"shape": [0], "dtype": "int8", "base64": ""}, "must be a number"),
    ({"shape": [-1], "dtype": "float64", "base64": ""}, "must be a number"),
    ({"shape": [0], "dtype": "float64", "base64": "", "order": "F"}, "must be a number"),
    ({"shape": [1], "dtype": "float64", "base64": "AA!A"}, "holds base64 that is broken"),
    ({"shape": [1], "dtype": "float64", "base64": "é"}, "holds base64 that is broken"),
    (
        {"shape": [2], "dtype": "float64", "base64": "AAAAAAAAAAA="},
        "does not fit its shape: float64 of shape [2]",
    ),
    ({"shape": [10**9], "dtype": "float32", "base64": "AAAA"}, "does not fit its shape"),
    ({"shape": [10**9] * 5, "dtype": "float32", "base64": "AAAA"}, "has a shape that no array can have"),
    ({"shape": [0, 10**4000], "dtype": "float32", "base64": ""}, "has a shape that no array can have"),
    ({"shape": [0, 2**40, 2**40], "dtype": "float32", "base64": ""}, "has a shape that no array can have"),
    ({"shape": [1] * 70, "dtype": "float16", "base64": "AAA="}, "has a shape that no array can have"),
]
WRONG += [(file_with(W, node), sentence) for node, sentence in WRONG_NODES]
WRONG += [
    (file_with(W, {"name": "x", "op": "input", "value": value}), f"node 2 (x): value {sentence}")
    for value, sentence in WRONG_VALUES
]


WRONG += [
    (file_with(W).replace(b"2.0", number), f"node 1 (w0): value: this cannot be read ({what} out of range)")
    for number, what in [(b"1e400", "number"), (b"-1e999", "number"), (b"9" * 5000, "integer value")]
]


@pytest.mark.parametrize(("data", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_wrong_in_a_file_is_named_with_its_place(data, sentence):
    assert refusal(data).startswith(sentence)


def test_a_file_nested_more_deeply_than_can_be_saved_again_is_refused():
    deep = {"later": json.loads("[" * 150 + "]" * 150)}
    for data in (file_with(W | deep), file_with(W | {"attributes": deep}), file_with(W, **deep)):
        assert "later: this is nested more than 100 levels deep" in refusal(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_a_document_or_one_sentence(data):
    assert_document_or_refusal(data)


@pytest.mark.parametrize("end", range(0, len(EXAMPLE) - 2, 7))
def test_a_file_cut_off_anywhere_is_refused(end):
    assert refusal(EXAMPLE[:end]) == f"the file {'ends in the middle' if end else 'is empty'}; restore a copy of it"


DAMAGE = (b"[", b"}", b'"', b"null", b"1e999", b"[[]]")


@tries(60)
@given(documents(), st.data())
def test_damaged_files_are_a_document_or_one_sentence(document, data):
    content = bytearray(encode(document))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 8)))
        content[start:end] = data.draw(st.one_of(st.binary(max_size=4), st.sampled_from(DAMAGE)))
    assert_document_or_refusal(bytes(content))


def assert_document_or_refusal(data):
    try:
        document = decode(data)
    except Refused:
        refusal(data)
    else:
        assert decode(encode(document)) == document


def test_faults_of_the_graph_do_not_keep_a_file_from_being_read():
    document = decode(
        file_with(
            {"name": "a", "op": "add", "inputs": ["b", "a"]},
            {"name": "b", "op": "exp", "inputs": ["a"]},
            {"name": "c", "op": "exp", "inputs": ["nowhere"]},
            {"name": "d", "op": "teleport", "inputs": ["a", None, "b"], "attributes": {"to": "Mars"}, "speed": [1, 2]},
            output="gone",
        )
    )
    kinds = {fault.kind for fault in compile(document).faults}
    assert kinds == {"cycle", "missing-input", "unknown-operation", "output"}
    assert decode(encode(document)) == document
    assert document.nodes["d"].extra == {"speed": [1, 2]}


def test_a_byte_order_mark_is_no_fault():
    assert decode(b"\xef\xbb\xbf" + EXAMPLE) == decode(EXAMPLE)


def test_values_are_read_as_float64_unless_the_file_says_otherwise():
    nodes = decode(
        file_with(
            {"name": "a", "op": "input", "value": 2},
            {"name": "b", "op": "input", "value": [[1, "nan"], ["-inf", 2.5]]},
            {"name": "c", "op": "input", "value": {"shape": [2], "dtype": "float16", "base64": "ADwAQA=="}},
            {"name": "d", "op": "input", "value": []},
            {"name": "e", "op": "input", "value": {"shape": [], "dtype": "float32", "base64": "AAAgQA=="}},
            {"name": "f", "op": "input", "value": [0.1, 2], "dtype": "float32"},
        )
    ).nodes
    assert type(nodes["a"].value) is float
    np.testing.assert_array_equal(nodes["b"].value.array, [[1, math.nan], [-math.inf, 2.5]])
    assert nodes["c"].value == Tensor((2,), "float16", np.float16([1, 2]).tobytes())
    assert nodes["d"].value == Tensor((0,), "float64", b"")
    assert nodes["e"].value == 2.5  # a single number is never a Tensor
    assert nodes["f"].value == Tensor((2,), "float32", np.float32([0.1, 2]).tobytes())


@pytest.mark.parametrize("extra", [{}, {"a": 1}, 3])
def test_a_key_that_only_our_own_record_of_a_node_has_is_kept_like_any_unknown_key(extra):
    document = decode(file_with(W | {"extra": extra}))
    assert document.nodes["w0"].extra == {"extra": extra}
    assert json.loads(encode(document))["nodes"] == [W | {"extra": extra}]


def test_an_array_is_refused_that_is_written_with_the_names_of_our_own_record():
    value = {"shape": [1], "dtype": "float64", "data": "AAAAAAAAAAA="}
    assert refusal(file_with(W | {"value": value})).startswith("node 1 (w0): value must be a number")


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("odd", [{}, {"colour": "red"}])
def test_an_attribute_that_is_inf_or_nan_is_a_number_again_after_loading(number, odd):
    nodes = graph(x=[1.0, 2.0], y=("pad", "x", {"pad_width": 1, "constant_values": number})).nodes
    document = Document({name: with_fields(node, extra=odd) for name, node in nodes.items()}, output="y")
    document = replace(document, functions={"f": Function(("x",), {"y": nodes["y"]}, "y")})
    loaded = decode(encode(document))
    assert loaded == document and compile(loaded).plan.faults == compile(document).plan.faults


def test_inf_stays_a_text_where_it_is_a_choice():
    document = graph(x=[1.0, -2.0], y=("norm", "x", {"ord": "inf"}))
    assert decode(encode(document)) == document and compile(decode(encode(document))).run().value("y") == 2.0


def test_nothing_in_a_file_is_executed(tmp_path):
    trap = tmp_path / "executed"
    code = f"__import__('pathlib').Path({str(trap)!r}).touch()"
    nodes = [
        {"name": "x", "op": "input", "value": [1.0, 2.0], "code": code},
        {"name": "y", "op": "getitem", "inputs": ["x"], "attributes": {"index": code}},
        {"name": "z", "op": code, "inputs": ["x"]},
        {"name": "s", "op": "sum", "inputs": ["x"], "attributes": {"axis": code}},
    ]
    function = {"inputs": ["x"], "nodes": [{"name": "y", "op": code, "inputs": ["x"]}], "output": "y", "code": code}
    nodes.append({"name": "c", "op": "f", "inputs": ["x"]})
    run = compile(decode(file_with(*nodes, code=code, functions={"f": function}, output="s"))).run()
    assert {fault.node for fault in run.faults} == {"y", "z", "s", "c"}
    assert not trap.exists()


HEAD = b'{"format": "cadena", "version": 2, "nodes": [{"name": "x", "op": "input", "value": '
HUNDRED_MEGABYTES = {
    "zeros": (lambda: bytes(10**8), "this is not a Cadena file"),
    "random": (lambda: os.urandom(10**8), ""),
    "lists": (lambda: HEAD + b"[],\n" * 25_000_000, "the file holds more than 20,000,000 values"),
    "deep": (lambda: HEAD + b"[" * 10**8, "the file holds more than 20,000,000 values"),
    "text": (lambda: HEAD + b'"' + b"a" * 10**8, "the file ends in the middle"),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", HUNDRED_MEGABYTES)
def test_a_hundred_megabytes_of_nonsense_are_answered_soon(kind):
    make, sentence = HUNDRED_MEGABYTES[kind]
    data = make()
    told: list[str] = []
    assert effort(lambda: told.append(refusal(data))) < 1_000, "nothing may be done for each byte or value in Python"
    assert told[0].startswith(sentence)


def test_why_a_leaf_has_no_gradient_is_read_checked_and_kept():
    """Its key took anything, and was not in the schema."""
    data = (Path(__file__).parent / "frozen" / "v2_unconnected.cadena").read_bytes()
    document = decode(data)
    note = unconnected(document.nodes["v"])
    assert note == Unconnected(NoPath.ITEM, 7, "y.item()", "y") and document.nodes["v"].extra["note"] == "kept"
    assert unconnected(document.nodes["n"]) == Unconnected(NoPath.INTEGER)
    assert decode(encode(document)) == document
    for wrong in (b'{"reason": "whim"}', b'{"line": 7}', b'"item"', b'{"reason": "item", "line": -1}'):
        damaged = data.replace(b'{"reason": "integer"}', wrong)
        assert refusal(damaged).startswith('node 2 (n): unconnected must be an object such as {"reason": "item"')
