"""All passes give the same numbers, and a pass that would raise gives way to one that answers inf or nan."""

from dataclasses import replace

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import chain, graph, wide


def varied(count: int, seed: int = 0) -> Document:
    """Random operations of all elementwise kinds that run on Python floats or not, with attributes and without."""
    random = np.random.default_rng(seed)
    kinds = "sigmoid gelu relu6 logaddexp arctan2 multiply leaky_relu add fmax erf".split()
    nodes = {f"w{i}": Node(f"w{i}", "parameter", value=float(random.uniform(-1, 1))) for i in range(20)}
    names = list(nodes)
    for number in range(count):
        op, name = str(random.choice(kinds)), f"n{number}"
        inputs = tuple(names[-40:][i] for i in random.integers(20, size=len(REGISTRY[op].slots)))
        nodes[name] = Node(name, op, inputs)
        names.append(name)
    for number, name in enumerate(list(nodes)[20:]):
        nodes[f"s{number}"] = Node(f"s{number}", "add", (f"s{number - 1}" if number else "w0", name))
    return Document(nodes, output=f"s{count - 1}")


GRAPHS = {
    "varied": varied(400),
    "wide": wide(3000),
    "chain": chain(3000),
    "small": wide(200, leaves=8),
    "deep and wide": wide(6000, leaves=300),
}


MAKERS = ("floats", "levels", "arrays")


def numbers(document: Document, made: str, dtype: str = "float64") -> tuple[np.ndarray, np.ndarray]:
    """Values and gradients by node number, as the pass `made` computes them."""
    program = cadena.compile(document)
    one = getattr(program.passes, made)
    values = one.forward(program.defaults, dtype)
    gradients = one.reverse(values, np.ones((), dtype=dtype))
    reached = np.array(program.plan.reached)
    return np.array(one.by_number(values)), np.array(one.by_number(gradients), dtype=dtype)[reached]


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("made", [name for name in MAKERS if name != "arrays"])
def test_fast_passes_agree_with_the_pass_over_arrays(name: str, made: str) -> None:
    values, gradients = numbers(GRAPHS[name], made)
    expected_values, expected_gradients = numbers(GRAPHS[name], "arrays")
    # math and numpy may differ in the last digit of sin and tanh, and differences of near numbers magnify that.
    np.testing.assert_allclose(values, expected_values, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(gradients, expected_gradients, rtol=1e-10, atol=1e-13)


def test_levels_keep_float32() -> None:
    values, gradients = numbers(GRAPHS["wide"], "levels", dtype="float32")
    assert values.dtype == gradients.dtype == np.float32
    exact, _ = numbers(GRAPHS["wide"], "arrays", dtype="float32")
    np.testing.assert_allclose(values, exact, rtol=1e-4, atol=1e-5)


def test_an_operand_used_many_times_in_one_level_gets_every_contribution() -> None:
    nodes = {"x": Node("x", "parameter", value=2.0)}
    nodes |= {f"s{i}": Node(f"s{i}", "multiply", ("x", "x")) for i in range(64)}
    names = [f"s{i}" for i in range(64)]
    for i in range(63):
        nodes[f"t{i}"] = Node(f"t{i}", "add", (names.pop(0), names.pop(0)))
        names.append(f"t{i}")
    _, gradients = numbers(Document(nodes, output=names[0]), "levels")
    assert gradients[0] == 64 * 4.0


def test_a_large_graph_with_an_overflow_still_answers() -> None:
    document = wide(3000)
    blown = Node("blown", "exp", ("huge",))
    nodes = {**document.nodes, "huge": Node("huge", "parameter", value=1e4), "blown": blown}
    run = cadena.compile(replace(document, nodes=nodes)).run()
    assert run.value("blown") == np.inf
    assert np.isfinite(run.value(str(document.output)))  # type: ignore[arg-type]


def test_a_large_graph_whose_reverse_pass_divides_by_zero_still_answers() -> None:
    nodes = dict(chain(3000).nodes)
    nodes["root"] = Node("root", "sqrt", ("zero",))
    nodes["zero"] = Node("zero", "parameter", value=0.0)
    nodes["y"] = Node("y", "add", ("n2999", "root"))
    run = cadena.compile(Document(nodes, output="y")).run()
    assert run.gradient("zero") == np.inf
    assert np.isfinite(run.gradient("x"))  # type: ignore[arg-type]


def test_a_gradient_of_minus_zero_keeps_its_sign() -> None:
    document = graph(x=1.0, k=("constant", -0.0), y=("multiply", "k", "x"))
    gradient = cadena.compile(document).run().gradient("x")
    assert gradient == 0
    assert np.signbit(gradient)


def test_the_pass_is_chosen_by_size_and_dtype() -> None:
    def chosen(document: Document, dtype: str) -> str:
        return type(cadena.compile(document).run(dtype=dtype)._pass).__name__

    assert chosen(wide(200, leaves=8), "float64") == "FloatPass"
    assert chosen(wide(200, leaves=8), "float32") == "ArrayPass"
    assert chosen(chain(3000), "float64") == "FloatPass"
    assert chosen(chain(3000), "float32") == "ArrayPass"
    assert chosen(GRAPHS["deep and wide"], "float64") == chosen(GRAPHS["deep and wide"], "float32") == "LevelPass"
