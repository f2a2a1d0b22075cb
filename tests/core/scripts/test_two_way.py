"""A straight-line script and its graph follow each other's edits."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph.document import Document, Node, as_array, as_value
from cadena.core.graph.edits import connect, remove, rename, set_value
from cadena.core.scripts.attached import AttachedScript, script_of, with_graph
from cadena.core.scripts.running import run
from cadena.core.scripts.straight import NotStraight, straight
from cadena.core.scripts.two_way import followed, retyped

pytestmark = pytest.mark.usefixtures("forked_scripts")

CHAIN = """import torch

w = torch.tensor([2., 5.], requires_grad=True)
v = torch.tensor(0.1, requires_grad=True)
m = w[0] * w[1]
n = m * v
c = 3 * m + n - 3.5
L = 15 - c  # at the end
L.backward()
"""


def made(text: str) -> Document:
    """The document of a script that has run."""
    result = run(text)
    assert result.fault is None, result.fault
    return with_graph(Document({}), AttachedScript(text), result)


@pytest.fixture(scope="module")
def chain() -> Document:
    return made(CHAIN)


def edited(before: Document, after: Document) -> AttachedScript:
    script = script_of(followed(before, after))
    assert script is not None
    return script


def with_node(document: Document, node: Node) -> Document:
    return replace(document, nodes={**document.nodes, node.name: node})


def constant(document: Document, value: float) -> str:
    return next(n.name for n in document.nodes.values() if n.op == "constant" and n.value == value)


# --- from the graph to the text


def test_a_number_of_a_card_changes_in_the_script(chain):
    script = edited(chain, set_value(chain, "v", 0.25))
    assert script.text == CHAIN.replace("0.1", "0.25") and script.is_current and not script.unwritten


def test_one_element_of_a_tensor_changes_alone_and_keeps_its_manner(chain):
    value = as_value(np.array([2.0, 6.0], np.float32))
    assert edited(chain, set_value(chain, "w", value)).text == CHAIN.replace("[2., 5.]", "[2., 6.]")


def test_a_constant_within_a_formula_changes(chain):
    assert edited(chain, set_value(chain, constant(chain, 15.0), 14.0)).text == CHAIN.replace("15", "14")
    assert edited(chain, set_value(chain, constant(chain, 15.0), -1.0)).text == CHAIN.replace("15", "(-1)")


def test_an_infinite_number_stays_in_the_graph(chain):
    script = edited(chain, set_value(chain, "v", float("inf")))
    assert script.text == CHAIN and script.unwritten == "line 4 has no number for nan and infinity"


def test_a_renamed_node_renames_its_variable(chain):
    script = edited(chain, rename(chain, "m", "product"))
    assert "product = w[0] * w[1]\nn = product * v\nc = 3 * product" in script.text and script.lines["product"] == 5


def test_a_renamed_array_renames_its_elements(chain):
    script = edited(chain, rename(chain, "w", "u"))
    assert "m = u[0] * u[1]" in script.text and set(script.labels.values()) == {"u[0]", "u[1]"}


@pytest.mark.parametrize("new", ["torch", "print", "v2"])
def test_a_name_that_means_something_else_stays_in_the_graph(new):
    document = made(CHAIN.replace("L.backward()", "v2 = 1\nL.backward()"))
    script = edited(document, rename(document, "m", new))
    assert script.unwritten == f"{new} means something else in the script" and "m = w" in script.text


def test_a_new_leaf_and_a_new_operation_get_statements(chain):
    with_leaf = followed(chain, with_node(chain, Node("k", "parameter", value=2.0)))
    script = script_of(with_leaf)
    assert script.text.split("\n")[1] == "k = torch.tensor(2.0, requires_grad=True)" and script.lines["m"] == 6
    script = edited(with_leaf, with_node(with_leaf, Node("s", "sin", ("m",))))
    assert "m = w[0] * w[1]\ns = torch.sin(m)\n" in script.text and script.lines["s"] == 7 and not script.unwritten
    assert made(script.text).nodes["L"] == chain.nodes["L"]


def test_an_operation_is_written_once_it_is_wired(chain):
    document = with_node(chain, Node("p", "multiply", (None, None)))
    open_ = followed(chain, document)
    assert script_of(open_).text == CHAIN
    half = followed(open_, connect(open_, "m", "p", 0))
    assert script_of(half).text == CHAIN
    whole = followed(half, connect(half, "v", "p", 1))
    assert "p = m * v" in script_of(whole).text


def test_a_deleted_node_becomes_a_comment(chain):
    document = made(CHAIN.replace("L.backward()", "q = m * v\nr = q + L\nr.backward()"))
    after = remove(document, ["r"])
    script = edited(document, after)
    assert script.text == script_of(document).text and script.unwritten  # the script says itself what its output is
    with_z = followed(document, with_node(document, Node("z", "sin", ("m",))))
    gone = followed(with_z, remove(with_z, ["z"]))
    assert "# z = torch.sin(m)" in script_of(gone).text and "z" not in script_of(gone).lines
    assert made(script_of(gone).text).nodes.keys() == document.nodes.keys()


def test_a_node_that_others_read_stays_in_the_script(chain):
    script = edited(chain, remove(chain, ["n"]))
    assert script.text == CHAIN and script.unwritten == "line 7 reads n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("for i in range(2):\n    v = v * 2\n", "line 4 is a loop, which no single node stands for"),
        ("if v > 0:\n    v = v * 2\n", "line 4 is a branch, which no single node stands for"),
        ("f = lambda x: x\nv = f(v) * 2\n", "line 4 is a function, which no single node stands for"),
    ],
)
def test_a_script_that_is_not_straight_says_why_the_edit_stays_in_the_graph(text, reason):
    head = "import torch\n\nv = torch.tensor(1., requires_grad=True)\n"
    document = made(f"{head}{text}v.backward()\n" if "loop" not in text else head)
    leaf = next(n.name for n in document.nodes.values() if n.op == "parameter")
    script = edited(document, rename(document, leaf, "other"))
    assert script.unwritten == reason and script.text == script_of(document).text
    number = edited(document, set_value(document, leaf, 4.0))
    assert number.text == script_of(document).text.replace("1.", "4.") and not number.unwritten


def test_a_number_that_a_loop_has_changed_since_is_not_the_one_that_stands_in_the_script():
    loop = "for i in range(2):\n    loss = v ** 2\n    loss.backward()\n    with torch.no_grad():\n"
    loop += "        v -= 0.1 * v.grad\n    v.grad = None\n"
    document = made(f"import torch\n\nv = torch.tensor(1., requires_grad=True)\n{loop}")
    script = edited(document, set_value(document, "v", 4.0))
    assert script.unwritten and script.text == script_of(document).text


def test_an_edit_of_the_graph_is_not_written_into_a_script_that_was_edited_since(chain):
    document = retyped(chain, CHAIN + "x = 1\n")
    assert not script_of(document).is_current
    assert edited(document, set_value(document, "v", 7.0)).text == CHAIN + "x = 1\n"


# --- from the text to the graph


@pytest.mark.parametrize(
    ("old", "new", "name", "value"),
    [
        ("0.1", "0.5", "v", 0.5),
        ("[2., 5.]", "[2., -7.5]", "w", [2.0, -7.5]),
        ("15", "16.5", "15", 16.5),
        ("3.5", "4e2", "3.5", 400.0),
    ],
)
def test_a_number_changed_in_the_text_changes_in_the_graph(chain, old, new, name, value):
    name = name if name.isidentifier() else constant(chain, float(name))
    document = retyped(chain, CHAIN.replace(old, new))
    assert as_array(document.nodes[name].value).tolist() == pytest.approx(value)
    assert script_of(document).is_current and script_of(document).text == CHAIN.replace(old, new)


def test_a_remark_in_the_text_leaves_graph_and_script_together(chain):
    document = retyped(chain, CHAIN.replace("# at the end", "# the loss").replace("\nm =", "\n\nm ="))
    assert document.nodes is chain.nodes and script_of(document).is_current and script_of(document).lines["m"] == 6


@pytest.mark.parametrize(
    "new", [CHAIN.replace("15 - c", "15 + c"), CHAIN + "y = 2\n", "x = (", CHAIN.replace("w[0]", "w[1]")]
)
def test_any_other_edit_of_the_text_waits_for_a_run(chain, new):
    document = retyped(chain, new)
    assert document.nodes is chain.nodes and not script_of(document).is_current


def test_both_ways_end_where_they_began(chain):
    there = followed(chain, set_value(chain, "v", 0.75))
    back = retyped(there, CHAIN)
    assert back.nodes == chain.nodes and script_of(back).text == CHAIN


# --- generated: numbers, their text, and what a run makes of it

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, width=32).map(lambda x: x + 0.0)


@given(st.data())
def test_any_number_written_into_the_text_is_read_as_that_number(data):
    count = data.draw(st.integers(1, 5))
    names = [f"x{i}" for i in range(count)]
    olds = data.draw(st.lists(NUMBERS, min_size=count, max_size=count))
    lines = [f"{name} = {data.draw(st.sampled_from(['{}', '({})', '-{} * 2', 'f([{}, 1])']))}" for name in names]
    text = "\n".join(line.format(abs(old)) for line, old in zip(lines, olds, strict=True))
    code = straight(f"é = 'ä'\n{text}")
    place = data.draw(st.integers(0, len(code.literals) - 1))
    literal = code.literals[place]
    value = np.asarray(data.draw(NUMBERS)) if not literal.value.ndim else np.array([data.draw(NUMBERS), 1.0])
    new = straight(code.with_value(literal, value))
    assert [item.value.tolist() for item in new.literals] == [
        value.tolist() if number == place else item.value.tolist() for number, item in enumerate(code.literals)
    ]
    assert new.without_numbers == code.without_numbers


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.sampled_from("abcd"))
def test_renaming_back_gives_the_text_again(letters, old):
    lines = [f"{name} = {' + '.join(letters[:i]) or '1'}" for i, name in enumerate(dict.fromkeys(letters))]
    text = "ä = 1\n" + "\n".join(lines)
    if old not in letters:
        with pytest.raises(NotStraight):
            straight(text).renamed(old, "zz")
    else:
        try:
            new = straight(text).renamed(old, "ßß")
        except NotStraight:
            return
        assert straight(new).renamed("ßß", old) == text and ast.parse(new)
