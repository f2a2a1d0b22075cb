"""Functions in files."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from tests.core.functions.graphs import with_functions
from tests.core.storage.documents import documents
from tests.core.storage.test_decoding import file_with, refusal
from tests.thorough import tries

SQUARE = {"inputs": ["x"], "nodes": [{"name": "y", "op": "multiply", "inputs": ["x", "x"]}], "output": "y"}
CUSTOM = {"inputs": ["x", "y", "g"], "nodes": [], "outputs": ["g"]}


def file_of(function, name="square"):
    return file_with({"name": "w", "op": "parameter", "value": 3.0}, functions={name: function})


@tries(60)
@given(with_functions())
def test_a_graph_with_functions_is_the_same_after_saving_and_loading(pair):
    document = pair[1]
    again = decode(encode(document))
    assert again == document and list(again.functions) == list(document.functions)
    values = [compile(one).run().values for one in (document, again)]
    assert repr(values[0]) == repr(values[1])


@tries(40)
@given(documents())
def test_any_functions_survive_and_the_file_stays_the_same(document):
    data = encode(document)
    assert decode(data).functions == document.functions and encode(decode(data)) == data


def test_a_short_function_stands_on_one_line_and_a_long_one_has_a_node_a_line():
    long = SQUARE | {"nodes": [{"name": f"n{i}", "op": "sin", "inputs": ["x"]} for i in range(9)], "output": "n8"}
    text = encode(decode(file_with(functions={"square": SQUARE, "long": long}))).decode()
    assert f'"functions": {{"square": {json.dumps(SQUARE)},\n  "long": {{"inputs": ["x"], "nodes": [\n    {{' in text
    assert text.count('\n    {"name": "n') == 9


def test_unknown_keys_of_a_function_and_of_its_gradient_survive():
    later = SQUARE | {"gradient": CUSTOM | {"colour": [1]}, "icon": {"a": None}}
    assert json.loads(encode(decode(file_of(later))))["functions"]["square"] == later


def test_no_custom_gradient_may_be_said_with_null():
    assert decode(file_of(SQUARE | {"gradient": None})).functions["square"].gradient is None


WRONG = [
    ([], "functions must be functions by name, each an object with inputs, nodes and output"),
    ({"f": 3}, "function f: this must be an object with inputs, nodes, output, gradient, doc, layout"),
    ({"2x": SQUARE}, "function 2x: 2x begins with a digit; put a letter"),
    ({"f": {"nodes": [], "output": "y"}}, 'function f: the key "inputs" is missing; add a list of names for the'),
    ({"f": SQUARE | {"inputs": "x"}}, "function f: inputs must be a list of names for the operands, in slot order"),
    ({"f": SQUARE | {"output": None}}, "function f: output must be the name of a node or of an operand"),
    ({"f": SQUARE | {"nodes": [{"name": "y"}]}}, 'function f: node 1 (y): the key "op" is missing'),
    ({"f": SQUARE | {"doc": 1}}, "function f: doc must be a text"),
    ({"f": SQUARE | {"gradient": []}}, "function f: gradient: this must be an object with inputs, nodes, outputs"),
    ({"f": SQUARE | {"gradient": CUSTOM | {"outputs": "g"}}}, "function f: gradient: outputs must be a list with a"),
    ({"f": SQUARE | {"gradient": {"inputs": []}}}, 'function f: gradient: the key "nodes" is missing'),
    ({"f": SQUARE | {"later": json.loads("[" * 150 + "]" * 150)}}, "function f: later: this is nested more than 100"),
]


@pytest.mark.parametrize(("functions", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_wrong_with_a_function_is_named_with_its_place(functions, sentence):
    assert refusal(file_with(functions=functions)).startswith(sentence)


def test_a_function_that_cannot_be_called_does_not_keep_a_file_from_being_read():
    document = decode(file_of(SQUARE | {"output": "nowhere"}))
    assert encode(document) and document.functions["square"].output == "nowhere"


def test_values_in_functions_are_checked_like_all_others():
    nodes = [{"name": "k", "op": "constant", "value": [[1, 2], [3]]}]
    with pytest.raises(Refused, match=r"function square: node 1 \(k\): value has rows of lengths 1 and 2"):
        decode(file_of(SQUARE | {"nodes": nodes}))
