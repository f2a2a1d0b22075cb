"""Values, names, and what differs between two documents."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cadena.core.graph.document import (
    Changes,
    Document,
    Node,
    Tensor,
    are_within_reach,
    as_array,
    as_value,
    changes,
    is_name,
    renewed,
)
from cadena.core.graph.edits import with_nodes
from cadena.core.graph.frames import put_into_frame
from tests.benchmarks.memory import document_bytes_per_node
from tests.core.graphs import documents, edit_sequences, graph
from tests.thorough import tries


@given(
    arrays.arrays(st.sampled_from([np.float64, np.float32, np.float16]), arrays.array_shapes(min_dims=0, min_side=0))
)
def test_an_array_as_a_value_keeps_its_numbers_its_shape_and_its_dtype(array):
    back = as_array(as_value(array))
    assert back.shape == array.shape and np.array_equal(back, array, equal_nan=True)
    assert back.dtype == (array.dtype if array.ndim else np.float64)


@pytest.mark.parametrize("numbers", [[[1, 2], [3]], "4", ["a"], True, [True, False], None, [None], {}, [1j], object()])
def test_what_is_no_array_of_numbers_is_refused(numbers):
    with pytest.raises((TypeError, ValueError)):
        as_value(numbers)


def test_a_big_endian_or_strided_array_is_stored_little_endian_and_in_order():
    array = np.arange(6, dtype=">f8").reshape(2, 3).T
    assert np.array_equal(as_array(as_value(array)), array)
    assert as_value(array) == as_value(np.ascontiguousarray(array, dtype="<f8"))


def test_whole_numbers_become_floats():
    assert as_value(3) == 3.0 and isinstance(as_value(3), float)
    assert as_value(np.int64(3)) == 3.0 and as_value([1, 2]).dtype == "float64"


def test_a_nan_equals_itself_so_that_a_document_equals_its_copy():
    assert graph(x=math.nan) == graph(x=float("nan"))
    assert graph(x=[1.0, math.nan]) == graph(x=[1.0, np.nan])
    assert not changes(graph(x=math.nan), graph(x=float("nan"))).anything_runs


def test_the_array_of_a_value_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        as_array(as_value([1.0, 2.0]))[0] = 5.0


@pytest.mark.parametrize(
    ("text", "valid"),
    [("w0", True), ("ω", True), ("_x", True), ("0w", False), ("", False), ("a b", False), ("if", False)],
)
def test_names_are_identifiers_of_any_script_and_no_keywords(text, valid):
    assert is_name(text) is valid


def test_the_dictionary_that_nodes_without_attributes_share_stays_empty():
    node = Node("x", "sin")
    assert node.attributes is Node("y", "cos").extra and node == Node("x", "sin", attributes={}, extra={})
    changing = [
        lambda given: given.update(axis=0),
        lambda given: given.setdefault("axis", 0),
        lambda given: given.__setitem__("axis", 0),
        lambda given: given.__ior__({"axis": 0}),
    ]
    for change in changing:
        with pytest.raises(TypeError, match="frozen"):
            change(node.attributes)
    assert node.attributes | {"axis": 0} == {"axis": 0} and node.attributes == {} == node.attributes.copy()


@tries(20)
@given(documents())
def test_a_document_can_be_copied_and_pickled(document):
    assert copy.deepcopy(document) == document == pickle.loads(pickle.dumps(document))


@pytest.mark.some(1)
@pytest.mark.parametrize(("placed", "most"), [(False, 450), (True, 650)])
def test_a_document_from_a_file_takes_at_most_700_bytes_a_node(placed, most):
    """Less than that here, as dictionaries of a million entries may be emptier than those of 20,000."""
    assert document_bytes_per_node(20_000, placed) < most


def test_consumers_are_listed_once_per_slot_in_document_order():
    document = graph(x=1.0, y=("multiply", "x", "x"), z=("sin", "x"))
    assert document.consumers == {"x": (("y", 0), ("y", 1), ("z", 0)), "y": (), "z": ()}


def test_a_wire_from_a_node_that_is_not_there_feeds_nobody():
    assert Document({"y": Node("y", "sin", ("gone",))}).consumers == {"y": ()}


# --- changes


def by_comparing_everything(old: Document, new: Document) -> Changes:
    """The same as `changes`, from the meaning of its words alone."""

    def but_for_value(node: Node) -> tuple[object, ...]:
        shape = node.value.shape if isinstance(node.value, Tensor) else None if node.value is None else ()
        return node.op, node.inputs, node.attributes, node.gradient, node.extra, shape

    both = [name for name in new.nodes if name in old.nodes]
    differing = [name for name in both if old.nodes[name] != new.nodes[name]]
    valued = {name for name in differing if but_for_value(old.nodes[name]) == but_for_value(new.nodes[name])}
    return Changes(
        added=frozenset(set(new.nodes) - set(old.nodes)),
        removed=frozenset(set(old.nodes) - set(new.nodes)),
        valued=frozenset(valued),
        rewired=frozenset(set(differing) - valued),
        moved=frozenset(name for name in new.layout if old.layout.get(name) != new.layout[name]),
        output=old.output != new.output,
        dtype=old.dtype != new.dtype,
    )


@tries(30)
@given(edit_sequences())
def test_changes_between_documents_of_one_history_are_found(states):
    for old in states:
        for new in states:
            assert changes(old, new) == by_comparing_everything(old, new)


@pytest.mark.parametrize("name", ["w0", "framed", "new"])
def test_what_an_edit_of_one_node_notes_is_what_is_found_anew(name):
    before = put_into_frame(with_nodes(graph(), Node("framed", "input")), ["framed"], "A frame")
    assert [node.name for node in before.noted] == ["framed"]
    for node in (Node(name, "constant", value=2.0), Node(name, "constant", value=2.0, extra={"frame": "Another"})):
        after = with_nodes(before, node)
        assert renewed(before.nodes, after.nodes) == (name,)
        assert renewed(after.nodes, before.nodes) == ((name,) if name in before.nodes else ())
        assert after.noted == Document(after.nodes).noted
        same = with_nodes(after, node)
        assert renewed(after.nodes, same.nodes) == () and same.noted == after.noted


@tries(40)
@given(documents(), documents())
def test_changes_between_unrelated_documents_are_found(old, new):
    assert changes(old, new) == by_comparing_everything(old, new)


@tries(40)
@given(documents())
def test_a_document_does_not_differ_from_itself_nor_from_its_copy(document):
    copied = Document(**{key: item for key, item in document.__dict__.items() if key != "consumers"})
    for other in (document, copied, replace(document, nodes=dict(document.nodes))):
        difference = changes(document, other)
        assert not difference.anything_runs and not difference.moved


def test_a_new_value_of_another_shape_is_more_than_a_new_value():
    old = graph(x=1.0)
    assert changes(old, graph(x=2.0)).valued == {"x"} and not changes(old, graph(x=2.0)).structural
    assert changes(old, graph(x=[2.0])).rewired == {"x"} and changes(old, graph(x=[2.0])).structural


def test_a_title_or_a_place_does_not_make_anything_run():
    old = graph(x=1.0)
    assert not changes(old, replace(old, title="new")).anything_runs
    difference = changes(old, replace(old, layout={"x": (1.0, 2.0)}))
    assert difference.moved == {"x"} and not difference.anything_runs


@pytest.mark.parametrize("count", [3, 300])
@pytest.mark.parametrize("far", [1.1e9, -1.1e9, float("nan"), float("inf")])
def test_one_place_out_of_reach_is_noticed_among_few_and_many(count, far):
    near = [(float(index), -float(index)) for index in range(count)]
    assert are_within_reach(near)
    assert not are_within_reach([*near, (0.0, far), (1.0, 1.0)])
