from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.methods.symbolic.answer import symbolic
from cadena.core.methods.symbolic.expressions import MAX_OPERATIONS, Expressions, NoForm, differentiated
from cadena.core.methods.symbolic.forms import form
from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.teaching.lessons import open_lesson
from tests.benchmarks.growing import GROWING
from tests.core.graphs import chain, graph, wide
from tests.core.methods.symbolic.growth import growth
from tests.thorough import in_turn, some

# Operations that no expression is made of -> why.
NO_FORM = {
    **dict.fromkeys("floor ceil trunc round floor_divide remainder fmod".split(), "flat between jumps"),
    **dict.fromkeys("inv solve det slogdet cholesky eigh svd pinv".split(), "worked out by LAPACK"),
    **dict.fromkeys(("nan_to_num", "isfinite"), "asks whether numbers are finite"),
    "stop_gradient": "its value would be differentiated",
    "zeta": "SymPy has no derivative of it by its first operand",
    "gradient": "numpy's takes real numbers only",
}
CASES = [
    pytest.param(primitive, example, id=f"{primitive.name}-{number}")
    for primitive in REGISTRY.values()
    for number, example in enumerate(primitive.examples)
]


def example_graph(primitive: Primitive, example: tuple) -> Document:
    """The operation on its example's operands, all of them parameters."""
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    operands = [np.asarray(item, float) for item in example if not isinstance(item, dict)]
    leaves = {f"x{i}": item if item.ndim else float(item) for i, item in enumerate(operands)}
    return graph(**leaves, y=(primitive.name, *leaves, attributes))


@pytest.mark.some(80)
@pytest.mark.parametrize(("primitive", "example"), some(CASES))
def test_the_derivative_by_symbols_is_the_gradient_of_reverse_mode(primitive, example):
    document = example_graph(primitive, example)
    seed = np.random.default_rng(0).standard_normal(np.shape(compile(document).run().value("y")))
    run = compile(document).run(seed=seed)
    answer = symbolic(run)
    assert (answer.fault is not None) == (primitive.name in NO_FORM), answer.fault
    if answer.fault is not None:
        assert str(answer.fault) == f"y: {primitive.name} has no symbolic form here; use another method"
        return
    np.testing.assert_allclose(answer.value, np.sum(seed * run.value("y")), rtol=1e-12, atol=1e-13)
    for name, gradient in answer.gradients.items():
        np.testing.assert_allclose(gradient, run.gradient(name), rtol=1e-12, atol=1e-13)


@pytest.mark.some(30)
@pytest.mark.parametrize("name", [name for name in REGISTRY if REGISTRY[name].elementwise and name not in NO_FORM])
def test_elementwise_forms_hold_at_random_points_near_the_examples(name):
    primitive, random = REGISTRY[name], np.random.default_rng(1)
    columns = [
        np.concatenate([np.ravel(item[slot]) for item in primitive.examples]) for slot in range(len(primitive.slots))
    ]
    points = [random.choice(column, 8) * random.uniform(0.99, 1.01, 8) for column in columns]
    run = compile(
        example_graph(primitive, (*points, primitive.examples[-1][-1]) if has_settings(primitive) else tuple(points))
    )
    made = run.run()
    for leaf, gradient in symbolic(made).gradients.items():
        np.testing.assert_allclose(gradient, made.gradient(leaf), rtol=1e-11, atol=1e-13)


def has_settings(primitive: Primitive) -> bool:
    return isinstance(primitive.examples[-1][-1], dict)


def test_an_operation_read_from_its_rule_needs_no_entry_of_its_own():
    import sympy

    a = sympy.Symbol("a", real=True)
    gelu = form(REGISTRY["gelu"], {"approximate": "none"})
    assert gelu is not None
    assert abs(float(gelu(a).subs(a, 0.5).evalf()) - 0.3457312306) < 1e-9


def test_the_expression_of_each_node_is_at_hand():
    made = Expressions(compile(graph(x=2.0, k=("constant", 3.0), p=("multiply", "k", "x"), y=("sin", "p"))).run())
    assert [str(made.of[number].item()) for number in range(4)] == ["x", "3", "3*x", "sin(3*x)"]
    assert str(made.output.diff(made.symbols["x"].item())) == "3*cos(3*x)"


def test_elements_have_the_names_that_numpy_gives_them():
    made = Expressions(compile(graph(W=[[1.0, 2.0]], s=("sum", "W"))).run())
    assert str(made.output) == "W[0, 0] + W[0, 1]"


def test_names_of_functions_are_no_trouble_as_names_of_nodes():
    run = compile(graph(exp=0.5, pi=2.0, sin=("multiply", "exp", "pi"), y=("exp", "sin"))).run()
    np.testing.assert_allclose(symbolic(run).gradients["exp"], run.gradient("exp"), rtol=1e-14)


# --- growth


def test_lesson_12_the_expression_grows_and_the_graph_does_not():
    nodes = {"x": 0.3}
    for i in range(5):
        nodes |= {f"k{i}": ("constant", 1.0 + i), f"z{i}": ("multiply", f"k{i}", "x"), f"s{i}": ("sigmoid", f"z{i}")}
    for i in range(4):
        nodes[f"p{i}"] = ("multiply", f"p{i - 1}" if i else "s0", f"s{i + 1}")
    sizes = [size for size in growth(compile(graph("p3", **nodes)).run(), "x") if size.node.startswith("p")]
    assert [size.graph for size in sizes] == [10, 16, 22, 28]
    steps = np.diff([size.derivative for size in sizes])
    assert sizes[-1].derivative > 4 * sizes[-1].graph and np.all(np.diff(steps) > 0)


def test_a_shared_subexpression_doubles_the_expression_each_time_and_the_limit_is_told():
    nodes = {}
    for i in range(20):
        before = f"a{i - 1}" if i else "x"
        nodes |= {f"s{i}": ("sin", before), f"a{i}": ("multiply", f"s{i}", before)}
    answer = symbolic(compile(graph(x=0.5, **nodes)).run())
    assert answer.gradients == {} and answer.fault is not None
    assert "its expression has grown to" in str(answer.fault) and "where the graph has" in str(answer.fault)
    assert int(str(answer.fault).split(" operations")[0].split()[-1]) < 3 * MAX_OPERATIONS


def test_a_deep_graph_ends_with_a_sentence_not_with_pythons_stack():
    answer = symbolic(compile(chain(5000)).run())
    assert str(answer.fault) == (
        "n60: its expression has grown to 61 operations inside one another; choose an earlier output, or another method"
    )


def test_large_arrays_are_not_for_symbols():
    answer = symbolic(compile(graph(x=np.ones(1000), s=("sum", "x"))).run())
    assert (
        str(answer.fault) == "x has 1000 elements, and symbols are computed for arrays of up to 100; use another method"
    )


def test_constants_are_worked_out_in_numbers_so_that_no_power_of_them_explodes():
    k = {f"k{i}": ("constant", 99.0) for i in range(2)}
    document = graph(
        x=2.0, **k, a=("power", "k0", "k1"), b=("power", "a", "a"), y=("multiply", "x", "a"), z=("add", "y", "x")
    )
    run = compile(document).run()
    assert symbolic(run).gradients["x"] == run.gradient("x")


def test_numbers_beside_symbols_in_an_array_are_worked_out_as_numbers_too():
    document = graph(
        x=[7.0, 1.5], pick=("constant", [0.0, 1.0]), c=("constant", [7.0, 0.0]), k=("constant", [9e15, 2.0]),
        p=("multiply", "x", "pick"), s=("add", "p", "c"), y=("power", "s", "k"), L=("sum", "y"),
    )  # fmt: skip
    answer = symbolic(compile(document).run())  # 7 to the power 9e15 has more digits than there is memory
    assert str(answer.fault) == "y is inf, which has no place in an expression; change its value"


@pytest.mark.some(4)
@pytest.mark.parametrize(("made", "place"), GROWING.values(), ids=GROWING)
def test_where_an_expression_grows_too_large_symbols_end_with_a_sentence_that_names_the_node(made, place):
    answer = symbolic(compile(made()).run())
    if place is None:
        assert answer.fault is None and answer.gradients
    else:
        assert answer.gradients == {} and str(answer.fault).startswith((f"{place}: ", f"{place} has "))
        assert str(answer.fault).endswith(("another method", "earlier output, or another method"))


@pytest.mark.some(8)
@pytest.mark.parametrize("seed", range(20))
def test_a_derivative_part_by_part_is_the_one_that_sympy_gives(seed):
    import sympy

    document = wide(24, leaves=4, seed=seed)
    made = Expressions(compile(document).run())
    for array in made.symbols.values():
        symbol = array.item()
        ours, theirs = differentiated(made.output, symbol), made.output.diff(symbol)
        assert ours == theirs or sympy.simplify(ours - theirs) == 0
        assert made.slope(ours) == pytest.approx(made.slope(theirs), rel=1e-14)


@pytest.mark.some(5)
@in_turn("primitive, example", some(CASES))
def test_a_derivative_by_our_chain_rule_is_the_one_that_sympy_gives(primitive, example):
    try:
        made = Expressions(compile(example_graph(primitive, example)).run())
    except NoForm:
        pytest.skip("it has no expression")
    for symbol in [symbol for array in made.symbols.values() for symbol in array.flat][:3]:
        assert differentiated(made.output, symbol) == made.output.diff(symbol)


def test_an_infinite_constant_has_no_place_in_an_expression():
    answer = symbolic(compile(graph(x=2.0, k=("constant", np.inf), y=("multiply", "x", "k"))).run())
    assert str(answer.fault) == "k is inf, which has no place in an expression; change its value"


# --- points


def test_thirty_digits_hold_where_float32_overflows():
    document = graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e"))
    answer = symbolic(compile(document).run(dtype="float32"))
    np.testing.assert_allclose(answer.gradients["x"], -np.exp(-100.0), rtol=1e-14)


def test_where_there_is_no_real_value_the_answer_is_nan():
    for op, x in (("log", -1.0), ("sqrt", 0.0), ("arccosh", 0.5), ("sign", 0.0), ("relu", 0.0), ("abs", 0.0)):
        if op == "log":
            assert np.isnan(symbolic(compile(graph(x=x, y=(op, "x"))).run()).value)
        else:
            assert np.isnan(symbolic(compile(graph(x=x, y=(op, "x"))).run()).gradients["x"])


@pytest.mark.parametrize("count", [4, 12, 50])
def test_numbers_beyond_every_type_are_inf_and_their_reciprocals_0(count):
    nodes = chain(count, "exp").nodes
    answer = symbolic(compile(Document(nodes, output=f"n{count - 1}")).run({"x": 5.0}))
    assert answer.value == np.inf and answer.gradients["x"] == np.inf
    small = {**nodes, **graph(m=("negative", f"n{count - 1}"), y=("exp", "m")).nodes}
    assert symbolic(compile(Document(small, output="y")).run({"x": 5.0})).value == 0.0


def test_a_leaf_that_is_nan_gives_nan():
    assert np.isnan(symbolic(compile(graph(x=np.nan, y=("sin", "x"))).run()).gradients["x"])


def test_equal_numbers_that_are_compared_make_the_derivative_uncertain_and_that_is_said():
    answer = symbolic(compile(graph(x=[1.0, 2.0, 2.0], y=("max", "x"))).run())
    assert np.all(np.isinf(answer.errors["x"]))
    assert "y compares equal numbers, so its expression may change at this very point" in answer.notes


def test_a_function_of_the_document_is_gone_through():
    body = {"e": Node("e", "exp", ("a",)), "r": Node("r", "multiply", ("e", "a"))}
    nodes = {"x": Node("x", "parameter", value=0.5), "y": Node("y", "swell", ("x",))}
    run = compile(Document(nodes, output="y", functions={"swell": Function(("a",), body, "r")})).run()
    np.testing.assert_allclose(symbolic(run).gradients["x"], 1.5 * np.exp(0.5), rtol=1e-14)


def test_lesson_5_by_symbols():
    run = compile(open_lesson("5")).run()
    answer = symbolic(run)
    np.testing.assert_allclose(answer.gradients["W"], run.gradient("W"), rtol=1e-13)
    assert "the graph has 4" in answer.notes[0]


def test_no_output_is_refused():
    with pytest.raises(Refused, match="the graph has no output"):
        symbolic(compile(Document({"x": Node("x", "parameter", value=1.0)})).run())


def test_sympy_is_not_loaded_before_it_is_needed():
    code = "import cadena.core.methods, sys; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_error_function_of_the_largest_number_has_no_number_by_symbols():
    """SymPy raises OverflowError, mpmath's own."""
    document = graph(x=np.finfo(float).max, y=("erfc", "x"))
    answer = symbolic(compile(document).run())
    assert np.isnan(answer.value) and np.shape(answer.gradients["x"]) == ()


def test_a_class_that_is_inf_and_a_parameter_raised_an_index_error():
    run = compile(graph(x=[0.0], t=np.inf, y=("cross_entropy", "x", "t"))).run()
    assert str(symbolic(run).fault) == "y: cross_entropy has no symbolic form here; use another method"
