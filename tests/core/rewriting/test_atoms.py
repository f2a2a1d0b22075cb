"""Composite operations taken apart compute the same, and fold back to exactly what they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Function, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.graph.groups import KEY, all_groups, groups
from cadena.core.layout.arrange import arrange, card_sizes
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.atoms import expand, fold, group_of, has_atoms
from cadena.core.rewriting.function_edits import inline, make_function
from cadena.core.rewriting.opening import opened, opened_gradient, with_body, with_gradient
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import open_lesson
from tests.core.functions.graphs import RECIPROCAL, calling, custom
from tests.core.graphs import graph
from tests.thorough import some

COMPOSITE = [name for name, primitive in REGISTRY.items() if primitive.definition is not None]
# Examples that only the fused operation can take -> why.
FUSED_ONLY = {
    ("nll_loss", 1): "leaves out an example",
    ("cross_entropy", 1): "leaves out an example",
}


def example_graph(op: str, index: int) -> Document:
    """An example of an operation with a wanted gradient for each operand, which two other nodes read as well."""
    *numbers, last = REGISTRY[op].examples[index]
    attributes = last if isinstance(last, dict) else {}
    numbers = numbers if attributes or isinstance(last, dict) else [*numbers, last]
    leaves = {f"x{i}": np.asarray(item, float) for i, item in enumerate(numbers)}
    nodes = {**leaves, "y": (op, *leaves, attributes), "s": ("sin", "y"), "L": ("sum", "s")}
    return arrange(graph(**nodes))


CASES = [
    pytest.param(op, index, id=f"{op}-{index}")
    for op in COMPOSITE
    for index in range(len(REGISTRY[op].examples))
    if (op, index) not in FUSED_ONLY
]
EVERY = pytest.mark.parametrize(("op", "index"), some(CASES))


@pytest.mark.some(20)
@EVERY
def test_values_and_gradients_stay_what_they_are(op, index):
    document = example_graph(op, index)
    fused, taken = compile(document).run(), compile(expand(document, "y")).run()
    assert not taken.program.faults
    for name, node in document.nodes.items():
        np.testing.assert_allclose(taken.value(name), fused.value(name), rtol=1e-12, atol=1e-12)
        if node.is_leaf and fused.gradient(name) is not None:
            found = taken.gradient(name)  # None for classes, which only choose: cross_entropy says 0
            np.testing.assert_allclose(0.0 if found is None else found, fused.gradient(name), rtol=1e-12, atol=1e-12)


@pytest.mark.some(20)
@EVERY
def test_folding_gives_back_the_very_document_also_from_a_file(op, index):
    document = example_graph(op, index)
    expanded = expand(document, "y")
    assert expanded.nodes["y"].op != op and expanded.consumers["y"] == document.consumers["y"]
    for one in (expanded, decode(encode(expanded), "file")):
        for name in groups(expanded.extra)["y"].nodes:
            folded = fold(one, name)
            assert folded == document and list(folded.nodes) == list(document.nodes)


@pytest.mark.some(20)
@EVERY
def test_no_card_covers_another_once_a_node_is_taken_apart(op, index):
    new = expand(example_graph(op, index), "y")
    boxes = [(*new.layout[name], *size) for name, size in card_sizes(new).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])


def test_every_definition_is_one_of_an_operation_with_examples_to_test_it_by():
    assert all(any((op, index) not in FUSED_ONLY for index in range(len(REGISTRY[op].examples))) for op in COMPOSITE)
    assert has_atoms("softmax") and not has_atoms("exp") and not has_atoms("parameter")
    wanted = "sigmoid softmax log_softmax logsumexp cross_entropy nll_loss mse_loss huber_loss layer_norm batch_norm"
    assert all(map(has_atoms, wanted.split()))


@pytest.mark.some(20)
@EVERY
def test_an_expanded_document_is_the_same_after_saving_and_loading(op, index):
    expanded = expand(example_graph(op, index), "y")
    assert decode(encode(expanded), "file") == expanded


@pytest.mark.some(20)
@EVERY
def test_taken_apart_to_the_last_piece_it_is_folded_back_step_by_step(op, index):
    """The last piece has the name of the whole: taken apart itself, it made the file forget the operation around it."""
    document = example_graph(op, index)
    steps = [document]
    while composite := [node.name for node in steps[-1].nodes.values() if has_atoms(node.op)]:
        steps.append(expand(steps[-1], composite[-1]))
    fused, taken = compile(document).run(), compile(steps[-1]).run()
    np.testing.assert_allclose(taken.value("L"), fused.value("L"), rtol=1e-9)
    folded = decode(encode(steps[-1]), "file")
    while found := all_groups(folded.extra):
        folded = fold(folded, found[0].nodes[0])
    assert folded == document


def test_softmax_is_exp_sum_and_divide():
    new = expand(graph(x=[1.0, 2.0], p=("softmax", "x")), "p")
    added = {name: (node.op, *node.inputs) for name, node in new.nodes.items() if name != "x"}
    assert added == {"p_e": ("exp", "x"), "p_total": ("sum", "p_e"), "p": ("divide", "p_e", "p_total")}


def test_the_pieces_overflow_where_the_fused_operation_does_not():
    document = replace(graph(x=[1000.0, 0.0], p=("softmax", "x")), dtype="float32")
    assert compile(document).run().value("p").tolist() == [1.0, 0.0]
    assert np.isnan(compile(expand(document, "p")).run().value("p")[0])


def test_pieces_that_are_composite_themselves_are_taken_apart_and_folded_together():
    document = example_graph("layer_norm", 0)
    once = expand(document, "y")
    inner = next(name for name, node in once.nodes.items() if node.op == "mean")
    twice = expand(once, inner)
    assert group_of(twice, inner).name == inner and group_of(twice, "y").name == "y"
    assert fold(twice, inner) == once
    assert fold(twice, "y") == document and fold(twice, groups(twice.extra)[inner].nodes[0]) == once


@pytest.mark.parametrize("old", ["x", "p", "p_e", "p_total"])
def test_a_group_is_still_folded_after_one_of_its_nodes_got_another_name(old):
    document = graph("L", x=[1.0, 2.0], p=("softmax", "x"), L=("sum", "p"))
    renamed = edits.rename(expand(document, "p"), old, "other")
    group = next(iter(groups(renamed.extra).values()))
    expected = edits.rename(document, old, "other") if old in document.nodes else document
    assert fold(renamed, group.nodes) == expected


SOFTMAX = expand(graph("L", x=[1.0, 2.0], z=1.0, p=("softmax", "x"), L=("sum", "p")), "p")
SIGMOID = expand(graph(x=1.0, y=("sigmoid", "x")), "y")


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (edits.remove(SOFTMAX, ["p_e"]), "p_e was removed"),
        (edits.remove(SOFTMAX, ["x"]), "x was removed"),
        (edits.remove(SOFTMAX, ["p"]), "p was removed"),
        (edits.connect(SOFTMAX, "p_total", "L", 0), "its piece p_total also feeds L; remove that wire"),
        (edits.set_output(SOFTMAX, "p_total"), "its piece p_total is the output"),
        (edits.set_operation(SOFTMAX, "p_e", "exp2"), "p_e was changed"),
        (edits.connect(SOFTMAX, "z", "p", 0), "p was changed"),
        (edits.set_attribute(SOFTMAX, "p_total", "axis", 0), "p_total was changed"),
        (edits.set_value(SIGMOID, "y_k0", 2.0), "y_k0 was changed"),
        (edits.disconnect(SIGMOID, "y_exp", 0), "y_exp was changed"),
    ],
)
def test_a_damaged_group_is_not_folded_and_a_sentence_says_what_is_wrong(damaged, words):
    group = next(iter(groups(damaged.extra)))
    with pytest.raises(Refused, match=f"{group} cannot be folded back into .*{words}"):
        fold(damaged, group)


@pytest.mark.parametrize(
    ("document", "name", "words"),
    [
        (graph(x=1.0, y=("exp", "x")), "y", "y has nothing to expand: exp is elementary"),
        (graph(x=1.0, y=("exp", "x")), "x", "x has nothing to expand"),
        (graph(x=1.0, y=("exp", "x")), "z", "there is no node z"),
        (graph(x=1.0, y=("hypot", "x")), "y", "y cannot be expanded before it runs: y waits for its operand"),
        (example_graph("nll_loss", 1), "y", "y cannot be expanded: some examples have the class"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused_with_a_sentence(document, name, words):
    with pytest.raises(Refused, match=words):
        expand(document, name)


def test_a_function_that_has_the_name_of_an_operation_is_not_taken_for_it():
    document = calling(RECIPROCAL, 1.0)
    renamed = replace(document, functions={"sigmoid": RECIPROCAL})
    renamed = replace(renamed, nodes={**document.nodes, "L": Node("L", "sigmoid", inputs=("x0",))})
    with pytest.raises(Refused, match=r"L calls the function sigmoid, .* step into it"):
        expand(renamed, "L")


@pytest.mark.parametrize("names", ["w0", [], ["w0", "w1"]])
def test_nodes_of_no_group_cannot_be_folded(names):
    with pytest.raises(Refused, match=r"(w0|w0, w1|nothing): this belongs to no expanded node"):
        fold(open_lesson("1"), names)


@pytest.mark.parametrize(
    "record",
    [
        7,
        {"p": 3},
        {"p": {"op": "softmax"}},
        {"p": {"op": "softmax", "inputs": [], "attributes": {}, "nodes": []}},
        {"p": {"op": "no", "inputs": ["x"], "attributes": {}, "nodes": ["p"]}},
        {"p": {"op": "softmax", "inputs": ["x"], "attributes": {"axis": 9}, "nodes": ["p"]}},
        {"p": {"op": "softmax", "inputs": ["p"], "attributes": {}, "nodes": ["p"]}},
        {
            "p": {"op": "softmax", "inputs": ["x"], "attributes": {}, "nodes": ["q", "p"]},
            "q": {"op": "softmax", "inputs": ["x"], "attributes": {}, "nodes": ["p", "q"]},
        },
    ],
)
def test_records_that_make_no_sense_do_no_harm(record):
    document = replace(graph(x=[1.0], q=("exp", "x"), p=("softmax", "q")), extra={"atoms": record})
    with pytest.raises(Refused):
        fold(document, "p")
    assert edits.rename(document, "x", "u").nodes["q"] == Node("q", "exp", inputs=("u",))


@pytest.mark.parametrize("name", ["s", "p"])
def test_pieces_came_to_lie_under_a_card_of_the_next_row(name):
    """Of sigmoid's, one did, since softmax stood left of the sigmoid and made no room."""
    nodes = {"x": 2.0, "s": ("sigmoid", "x"), "v": np.arange(3.0), "p": ("softmax", "v"), "L": ("sum", "m")}
    document = arrange(graph(**nodes | {"m": ("multiply", "s", "p")}))
    new = expand(document, name)
    boxes = [(*new.layout[one], *size) for one, size in card_sizes(new).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])
    assert fold(new, name).layout == document.layout


def test_a_group_is_folded_though_its_operand_has_another_shape_now():
    """The pieces of a mean hold the count of elements, which nobody had changed."""
    document = graph(x=[1.0, 2.0, 3.0], m=("mean", "x"))
    longer = as_value([1.0, 2.0, 3.0, 4.0, 6.0])
    changed = edits.set_value(expand(document, "m"), "x", longer)
    assert compile(changed).run().value("m") == 16 / 3  # the pieces stay what they are
    assert fold(changed, "m") == edits.set_value(document, "x", longer)


def test_a_group_is_folded_though_its_operand_does_not_run():
    document = graph(x=[1.0, 2.0], q=("sin", "x"), p=("softmax", "q"))
    broken = edits.disconnect(expand(document, "p"), "q", 0)
    assert fold(broken, "p") == edits.disconnect(document, "q", 0)


def softmax_that_remembers(shapes):
    expanded = expand(graph(x=[1.0, 2.0], p=("softmax", "x")), "p")
    return replace(expanded, extra={"atoms": {"p": {**expanded.extra["atoms"]["p"], "shapes": shapes}}})


@pytest.mark.parametrize("shapes", [[[2], [2]], [], [[2, 2]], None])
def test_shapes_of_a_file_that_say_nothing_do_no_harm(shapes):
    assert fold(softmax_that_remembers(shapes), "p").nodes["p"].op == "softmax"


@pytest.mark.parametrize("shapes", [[[10**9, 10**9]], [[-1]]])
def test_shapes_of_a_file_that_make_no_sense_are_told(shapes):
    with pytest.raises(Refused, match="what the file remembers of it makes no sense; keep the pieces"):
        fold(softmax_that_remembers(shapes), "p")


def test_what_is_expanded_inside_a_function_is_folded_back_there_later():
    inner = Function(("x",), graph(y=("softmax", "x")).nodes, "y")
    document = calling(inner, [1.0, 2.0])
    written = with_body(document, "f", expand(opened(document, "L"), "y"))
    again = opened(decode(encode(written)), "L")
    assert again.nodes["y"].op == "divide" and compile(written).run().value("L").sum() == 1.0
    back = with_body(written, "f", fold(again, "y"))
    assert back.functions["f"].nodes == inner.nodes and not back.functions["f"].extra


def test_what_is_expanded_inside_a_custom_gradient_is_folded_back_there_later():
    nodes = graph(s=("sigmoid", "x"), dx=("multiply", "s", "g"))
    document = calling(custom(Function(("x",), graph(y=("softplus", "x")).nodes, "y"), nodes, "dx"), [1.0, 2.0])
    within = expand(opened_gradient(document, "L"), "s")
    written = with_gradient(document, "f", within, ["dx"])
    np.testing.assert_allclose(compile(written).run().gradient("x0"), compile(document).run().gradient("x0"))
    back = fold(opened_gradient(decode(encode(written)), "L"), "s")
    assert back.nodes.keys() == {"x", "y", "g", "s", "dx"} and back.nodes["s"].op == "sigmoid"


# --- pieces that go elsewhere


PIECES = pytest.mark.parametrize("op", ["sigmoid", "softmax", "layer_norm", "std", "tanh"])


def expanded(op: str) -> tuple[Document, list[str]]:
    """An expanded node between two others, and its pieces."""
    document = expand(arrange(graph(x=[1.0, 2.0, 4.0], a=("sin", "x"), y=(op, "a"), L=("sum", "y"))), "y")
    (group,) = all_groups(document.extra)
    return document, list(group.nodes)


@PIECES
def test_pasted_pieces_of_an_expanded_node_could_not_be_folded(op):
    document, pieces = expanded(op)
    part = decode(encode(edits.fragment(document, pieces)))  # as it goes over the clipboard
    pasted, names = edits.paste(document, part)
    assert not set(names) & document.nodes.keys()
    back = fold(pasted, names)
    kept = back.layout.keys() & document.nodes.keys()
    assert all(back.layout[name] == document.layout[name] for name in kept), "nothing had made room for them"
    (again,) = back.nodes.keys() - document.nodes.keys()
    assert (back.nodes[again].op, back.nodes[again].inputs) == (op, ("a",))
    assert fold(back, "y").nodes["y"].op == op, "those that were copied are as before"


@pytest.mark.parametrize(("op", "inner"), [("mish", "y_tanh"), ("mse_loss", "y")])
def test_pieces_within_pieces_are_pasted_with_both_groups(op, inner):
    document = graph(x=[1.0, -2.0], t=[0.0, 1.0], y=(op, "x", "t") if op == "mse_loss" else (op, "x"))
    leaves = {name for name, node in document.nodes.items() if node.is_leaf}
    document = expand(expand(document, "y"), inner)
    pasted, names = edits.paste(document, edits.fragment(document, document.nodes.keys() - leaves))
    back = fold(pasted, names)
    assert [back.nodes[name].op for name in back.nodes.keys() - document.nodes.keys()] == [op]


def test_some_of_the_pieces_are_pasted_as_ordinary_nodes():
    document, pieces = expanded("softmax")
    part = edits.fragment(document, pieces[1:])
    assert KEY not in part.extra
    assert KEY not in edits.fragment(document, ["a"]).extra


def test_a_text_pasted_brings_no_lesson_along():
    lesson = open_lesson("1")
    assert edits.paste(Document({}), lesson)[0].extra == {}


@PIECES
def test_pieces_made_a_function_could_not_be_folded_in_it(op):
    document, pieces = expanded(op)
    made = make_function(document, pieces, "f")
    assert not all_groups(made.extra), "the call was taken for one of the pieces"
    inside = fold(opened(decode(encode(made)), "y"), "y")
    assert inside.nodes["y"].op == op
    again = inline(made, "y")
    assert fold(again, "y").nodes["y"].op == op
    assert fold(again, "y").layout["L"] == again.layout["L"]
    np.testing.assert_allclose(compile(again).run().value("L"), compile(document).run().value("L"))


def test_a_function_leaves_the_groups_of_other_nodes_alone():
    document = expand(graph(x=[1.0, 2.0], a=("sigmoid", "x"), y=("sin", "a"), L=("sum", "y")), "a")
    made = make_function(document, ["y"], "f")
    assert made.extra == document.extra and fold(made, "a").nodes["a"].op == "sigmoid"


def test_a_norm_of_no_elements_whose_pieces_have_no_value_is_not_taken_apart():
    document = graph(x=np.zeros((2, 0)), y=("norm", "x", {"ord": "inf", "axis": 1}))
    with pytest.raises(Refused, match="y cannot be expanded: max of no elements"):
        expand(document, "y")
