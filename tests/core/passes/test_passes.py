"""All passes give the same numbers, and a pass that would raise gives way to one that answers inf or nan."""

from dataclasses import replace

import numpy as np
import pytest

import core
from core.document import Document, Node
from core.passes import ArrayPass, FloatPass, LevelPass
from tests.core.graphs import chain, graph, wide

GRAPHS = {
    "wide": wide(3000),
    "chain": chain(3000),
    "small": wide(200, leaves=8),
    "deep and wide": wide(6000, leaves=300),
}


def numbers(document: Document, made: type, *options: bool, dtype: str = "float64") -> tuple[np.ndarray, np.ndarray]:
    """Values and gradients by node number, as `made` computes them."""
    program = core.compile(document)
    one = made(program.plan, *options)
    values = one.forward(program.defaults, dtype)
    gradients = one.reverse(values, np.ones((), dtype=dtype))
    reached = np.array(program.plan.reached)
    return np.array(one.by_number(values)), np.array(one.by_number(gradients), dtype=dtype)[reached]


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize(("made", "options"), [(FloatPass, ()), (LevelPass, (True,)), (LevelPass, (False,))])
def test_fast_passes_agree_with_the_pass_over_arrays(name: str, made: type, options: tuple[bool, ...]) -> None:
    values, gradients = numbers(GRAPHS[name], made, *options)
    expected_values, expected_gradients = numbers(GRAPHS[name], ArrayPass)
    # math and numpy may differ in the last digit of sin and tanh, and differences of near numbers magnify that.
    np.testing.assert_allclose(values, expected_values, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(gradients, expected_gradients, rtol=1e-10, atol=1e-13)


def test_levels_keep_float32() -> None:
    values, gradients = numbers(GRAPHS["wide"], LevelPass, False, dtype="float32")
    assert values.dtype == gradients.dtype == np.float32
    exact, _ = numbers(GRAPHS["wide"], ArrayPass, dtype="float32")
    np.testing.assert_allclose(values, exact, rtol=1e-4, atol=1e-5)


def test_an_operand_used_many_times_in_one_level_gets_every_contribution() -> None:
    nodes = {"x": Node("x", "parameter", value=2.0)}
    nodes |= {f"s{i}": Node(f"s{i}", "multiply", ("x", "x")) for i in range(64)}
    names = [f"s{i}" for i in range(64)]
    for i in range(63):
        nodes[f"t{i}"] = Node(f"t{i}", "add", (names.pop(0), names.pop(0)))
        names.append(f"t{i}")
    _, gradients = numbers(Document(nodes, output=names[0]), LevelPass, True)
    assert gradients[0] == 64 * 4.0


def test_a_large_graph_with_an_overflow_still_answers() -> None:
    document = wide(3000)
    blown = Node("blown", "exp", ("huge",))
    nodes = {**document.nodes, "huge": Node("huge", "parameter", value=1e4), "blown": blown}
    run = core.compile(replace(document, nodes=nodes)).run()
    assert run.value("blown") == np.inf
    assert np.isfinite(run.value(str(document.output)))  # type: ignore[arg-type]


def test_a_large_graph_whose_reverse_pass_divides_by_zero_still_answers() -> None:
    nodes = dict(chain(3000).nodes)
    nodes["root"] = Node("root", "sqrt", ("zero",))
    nodes["zero"] = Node("zero", "parameter", value=0.0)
    nodes["y"] = Node("y", "add", ("n2999", "root"))
    run = core.compile(Document(nodes, output="y")).run()
    assert run.gradient("zero") == np.inf
    assert np.isfinite(run.gradient("x"))  # type: ignore[arg-type]


def test_a_gradient_of_minus_zero_keeps_its_sign() -> None:
    document = graph(x=1.0, k=("constant", -0.0), y=("multiply", "k", "x"))
    gradient = core.compile(document).run().gradient("x")
    assert gradient == 0
    assert np.signbit(gradient)


def test_the_pass_is_chosen_by_size_and_dtype() -> None:
    def chosen(document: Document, dtype: str) -> str:
        return type(core.compile(document).run(dtype=dtype)._pass).__name__

    assert chosen(wide(200, leaves=8), "float64") == "FloatPass"
    assert chosen(wide(200, leaves=8), "float32") == "ArrayPass"
    assert chosen(wide(3000), "float64") == chosen(wide(3000), "float32") == "LevelPass"
