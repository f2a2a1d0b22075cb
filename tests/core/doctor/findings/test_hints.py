"""Numbers that are finite and wrong: gradients that vanished, dead relus, layers, lost digits. Hints, never faults."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.digits import lost_digits
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.layers import by_layer
from cadena.core.doctor.findings.vanishing import vanished
from cadena.core.graph.document import Document
from cadena.core.ops.primitive import REGISTRY
from cadena.core.ops.traits import Trait
from tests.core.graphs import chain, graph, mlp, wide
from tests.thorough import in_turn

CONSTANT = "constant"
ONE = (CONSTANT, 1.0)


def found(document: Document, dtype: str = "float64", **values: float) -> list[tuple[str, str, str]]:
    run = cadena.compile(document).run(values, dtype=dtype)
    assert run.faults == ()
    told = hints(run, digits=True)
    assert all(hint.severity == "hint" and "; " in hint.message for hint in told)
    return [(hint.node, hint.kind, hint.rule) for hint in told]


# The first whole number at which the slope, as the operation computes it, is exactly 0.
SATURATION = [
    ("sigmoid", "float16", 8.0),
    ("sigmoid", "float32", 17.0),
    ("sigmoid", "float64", 37.0),
    ("tanh", "float16", 5.0),
    ("tanh", "float32", 10.0),
    ("tanh", "float64", 20.0),
]


@pytest.mark.parametrize(("op", "dtype", "flat"), SATURATION)
def test_a_saturated_unit_is_found_exactly_where_its_gradient_becomes_0(op, dtype, flat):
    document = graph(x=flat, y=(op, "x"))
    run = cadena.compile(document).run(dtype=dtype)
    assert run.gradient("x") == 0.0
    assert [(hint.node, hint.rule) for hint in vanished(run)] == [("y", f"saturated {op}")]
    before = cadena.compile(document).run({"x": flat - 1.0}, dtype=dtype)
    assert before.gradient("x") != 0.0
    assert not [hint for hint in vanished(before) if hint.kind == "vanished-gradient"]


@pytest.mark.parametrize(("dtype", "x", "truth"), [("float32", 17.0, "4.14·10⁻⁸"), ("float64", 37.0, "8.533·10⁻¹⁷")])
def test_a_saturated_sigmoid_is_told_with_its_true_slope(dtype, x, truth):
    (hint,) = vanished(cadena.compile(graph(x=x, y=("sigmoid", "x"))).run(dtype=dtype))
    assert f"its slope is 0 in {dtype} although it is {truth};" in hint.message


# graph, dtype, the hints: (node, kind, rule)
HINTS = {
    "1 / exp(x) underflows in its slope": (
        graph(x=60.0, one=ONE, e=("exp", "x"), y=("divide", "one", "e")),
        "float32",
        [("y", "vanished-gradient", "underflow in the slope of divide")],
    ),
    "1 / exp(x) has lost half of its gradient's digits": (
        graph(x=51.98, one=ONE, e=("exp", "x"), y=("divide", "one", "e")),
        "float32",
        [("y", "lost-digits", "underflow in the slope of divide")],
    ),
    "exp underflows": (
        graph(x=-800.0, y=("exp", "x")), "float64", [("y", "vanished-gradient", "underflow in the slope of exp")],
    ),
    "a factor that underflows": (
        graph(x=("input", -800.0), w=2.0, e=("exp", "x"), y=("multiply", "w", "e")),
        "float64",
        [("e", "vanished-gradient", "underflow of exp")],
    ),
    "a product that underflows": (
        graph(x=1.0, k=(CONSTANT, 1e-30), a=("multiply", "x", "k"), b=("multiply", "a", "k")),
        "float32",
        [("a", "vanished-gradient", "underflow"), ("b", "lost-digits", "underflow of multiply")],
    ),
    "a subnormal gradient": (
        graph(x=100.0, n=("negative", "x"), y=("exp", "n")), "float32", [("y", "subnormal-gradient", "subnormal")],
    ),
    "a saturated softmax": (
        graph(x=[0.0, 200.0], w=(CONSTANT, [1.0, 2.0]), s=("softmax", "x"), p=("multiply", "s", "w"), y=("sum", "p")),
        "float32",
        [("s", "vanished-gradient", "saturated softmax")],
    ),
    "1 - cos(x)": (
        graph(x=1e-4, one=ONE, c=("cos", "x"), n=("subtract", "one", "c"), d=("square", "x"), y=("divide", "n", "d")),
        "float32",
        [("n", "lost-digits", "cancellation in subtract")],
    ),
    "exp(x) - 1": (
        graph(x=1e-6, one=ONE, e=("exp", "x"), y=("subtract", "e", "one")),
        "float32",
        [("y", "lost-digits", "cancellation in subtract")],
    ),
    "a sigmoid at 15": (
        graph(x=15.0, y=("sigmoid", "x")), "float32", [("y", "lost-digits", "cancellation in the slope of sigmoid")],
    ),
    "a relu that is off": (graph(x=-2.0, w=3.0, z=("multiply", "x", "w"), y=("relu", "z")), "float64",
                           [("y", "dead-relu", "dead relu")]),
    "one unit of two is dead": (
        graph(x=("input", [[1.0, 2.0], [3.0, 4.0]]), W=[[-1.0, 1.0], [-1.0, 1.0]], z=("matmul", "x", "W"),
              h=("relu", "z"), y=("sum", "h")),
        "float64",
        [("h", "dead-relu", "dead relu")],
    ),
    "a unit that is off for one example only": (
        graph(x=("input", [[1.0], [-3.0]]), W=[[1.0]], z=("matmul", "x", "W"), h=("relu", "z"), y=("sum", "h")),
        "float64",
        [],
    ),
    "inputs that are 0": (graph(x=("input", 0.0), w=2.0, y=("multiply", "x", "w")), "float64", []),
    "the least of a parabola": (graph(x=0.0, y=("square", "x")), "float64", []),
    "a leaf behind a choice": (graph(c=(CONSTANT, 1.0), a=1.0, b=2.0, y=("where", "c", "a", "b")), "float64", []),
}  # fmt: skip


@pytest.mark.parametrize(("document", "dtype", "expected"), HINTS.values(), ids=HINTS)
def test_hints(document, dtype, expected):
    assert found(document, dtype) == expected


@pytest.mark.skipif(np.finfo(np.longdouble).eps == np.finfo(float).eps, reason="no type wider than float64 here")
def test_lost_digits_in_float64_are_found_by_extended_precision():
    document = HINTS["1 - cos(x)"][0]
    assert found(document, "float64", x=1e-8) == [("n", "lost-digits", "cancellation in subtract")]
    assert found(document, "float64", x=0.5) == []


def test_lost_digits_are_looked_for_where_the_output_of_many_numbers_was_deleted():
    document = wide(900)
    assert not list(lost_digits(cadena.compile(replace(document, output=None)).run()))


def test_the_right_number_is_told_beside_the_wrong_one():
    run = cadena.compile(HINTS["1 - cos(x)"][0]).run(dtype="float32")
    (hint,) = lost_digits(run)
    assert "it is 0, and should be 5·10⁻⁹" in hint.message


def test_contributions_that_cancel_are_told_at_the_node_where_they_meet():
    document = graph(x=1.0, k=(CONSTANT, 1e6), p=("multiply", "x", "k"), q=("sin", "x"), r=("subtract", "p", "q"),
                     s=("multiply", "x", "m"), m=(CONSTANT, 999_999.5), y=("subtract", "r", "s"))  # fmt: skip
    run = cadena.compile(document).run(dtype="float32")  # k − cos(x) − m in the gradient of x
    assert ("x", "cancellation of contributions") in [(hint.node, hint.rule) for hint in lost_digits(run)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    "document", [wide(300), chain(6, "sin"), mlp((6, 5, 4), batch=3)], ids=["wide", "chain", "mlp"]
)
def test_healthy_graphs_get_no_hint_of_vanishing(document, dtype):
    run = cadena.compile(document).run(dtype=dtype)
    assert [*vanished(run)] == []


def test_ten_sigmoids_vanish_by_layer_and_ten_relus_do_not():
    (hint,) = hints(cadena.compile(chain(10, "sigmoid")).run(), digits=True)
    assert (hint.node, hint.kind) == ("x", "vanishing-by-layer")
    assert hints(cadena.compile(chain(10, "relu")).run(), digits=True) == ()


def test_a_chain_of_products_explodes_by_layer():
    nodes: dict[str, object] = {"h0": 1.0}
    for layer in range(10):
        nodes |= {f"w{layer}": (CONSTANT, 10.0), f"h{layer + 1}": ("multiply", f"h{layer}", f"w{layer}")}
    (hint,) = hints(cadena.compile(graph("h10", **nodes)).run(), digits=True)
    assert (hint.node, hint.kind, hint.rule) == ("h0", "exploding-by-layer", "a factor of 10 a layer on average")
    assert hint.message == (
        "h0: on its way back from h10 to h0 the gradient grows by a factor of 1·10¹⁰, from 1 to 1·10¹⁰: over 10 layers "
        "on average by 10 a layer; use smaller weights or a bound on the gradient, or other starting weights"
    )


@pytest.mark.parametrize(
    ("factors", "told"),
    [
        ((1, 1, 1000, 1, 1000, 1, 1, 1), "by a factor of 1·10⁶, from 1 to 1·10⁶: over 8 layers on average by 5.6 a "
         "layer (1 to 1\u202f000)"),
        ((0.01, 1, 0.01, 0.1, 1, 0.1), "by a factor of 1·10⁻⁶, from 1 to 1·10⁻⁶: over 6 layers on average by 0.1 a "
         "layer (0.01 to 1)"),
        ((2, 50, 2, 50, 2, 50), "by a factor of 1·10⁶, from 1 to 1·10⁶: over 6 layers on average by 10 a layer "
         "(2 to 50)"),
    ],
)  # fmt: skip
def test_the_mean_between_the_ends_was_told_as_the_growth_of_each_layer(factors, told):
    nodes: dict[str, object] = {"h0": 1.0}
    for layer, factor in enumerate(factors):
        nodes |= {f"w{layer}": (CONSTANT, float(factor)), f"h{layer + 1}": ("multiply", f"h{layer}", f"w{layer}")}
    (hint,) = [hint for hint in hints(cadena.compile(graph(f"h{len(factors)}", **nodes)).run()) if "layer" in hint.kind]
    assert told in hint.message


def test_one_small_factor_is_no_vanishing_by_layer():
    nodes = {**chain(8, "sin").nodes, **graph(k=(CONSTANT, 1e-8), y=("multiply", "n7", "k")).nodes}
    assert hints(cadena.compile(Document(nodes, output="y")).run(), digits=True) == ()


def test_by_layer_counts_from_the_output_and_averages_squares():
    run = cadena.compile(graph(x=[3.0, 4.0], s=("square", "x"), y=("sum", "s"))).run()
    layers = by_layer(run)
    assert [(layer.depth, layer.nodes) for layer in layers] == [(0, ("y",)), (1, ("s",)), (2, ("x",))]
    assert layers[2].norm == pytest.approx(np.sqrt((36.0 + 64.0) / 2.0))
    assert layers[2].largest == 8.0


def test_by_layer_takes_the_longest_way():
    run = cadena.compile(graph(x=1.0, a=("sin", "x"), b=("sin", "a"), y=("add", "b", "x"))).run()
    assert [layer.nodes for layer in by_layer(run)] == [("y",), ("b",), ("a",), ("x",)]


def test_without_an_output_there_are_no_layers_and_no_hints():
    run = cadena.compile(Document(graph(x=1.0, y=("sin", "x")).nodes)).run()
    assert by_layer(run) == () and hints(run, digits=True) == ()


RMS = graph(x=[0.0, 0.0], q=("square", "x"), m=("mean", "q"), e=("constant", 1e-8), a=("add", "m", "e"),
            r=("sqrt", "a"), y=("divide", "x", "r"), w=("input", [1.0, -2.0]), p=("multiply", "y", "w"),
            s=("sum", "p"))  # fmt: skip


def test_a_contribution_that_vanished_beside_a_larger_one_is_no_vanished_gradient():
    """The KL term of a variational autoencoder: lv − exp(lv) has the slope 1 where exp(lv) underflows."""
    nodes = {"e": ("exp", "lv"), "d": ("subtract", "lv", "e"), "y": ("sum", "d")}
    run = cadena.compile(graph(lv=[0.0, -200.0], **nodes)).run(dtype="float32")
    assert run.gradient("lv").tolist() == [0.0, 1.0]
    assert hints(run) == ()
    (hint,) = hints(cadena.compile(graph(lv=[0.0, -200.0], e=("exp", "lv"), y=("sum", "e"))).run(dtype="float32"))
    assert (hint.node, hint.kind) == ("e", "vanished-gradient")


def test_beside_a_bad_number_an_eps_that_became_0_in_the_number_type_is_told():
    (hint,) = hints(cadena.compile(RMS).run(dtype="float16"))
    assert (hint.node, hint.kind, hint.rule) == ("e", "lost-digits", "given")
    assert hint.message == (
        "e was given 1·10⁻⁸ and is 0 in float16, whose least number is 5.96·10⁻⁸; type a larger one, or take a wider "
        "number type"
    )
    assert hints(cadena.compile(RMS).run(dtype="float32")) == ()
    assert hints(cadena.compile(RMS).run({"x": [1.0, 2.0]}, dtype="float16")) == ()  # where it does no harm


def test_a_0_that_was_given_to_the_run_is_meant():
    assert hints(cadena.compile(RMS).run({"e": 0.0}, dtype="float32")) == ()


def test_the_layers_of_ten_sigmoids_fall_by_a_quarter_or_more_each():
    norms = [layer.norm for layer in by_layer(cadena.compile(chain(10, "sigmoid")).run())]
    assert len(norms) == 11
    assert all(after <= before / 4.0 for before, after in pairwise(norms))


@in_turn("name", [name for name, item in REGISTRY.items() if item.elementwise] + ["sum", "mean"])
def test_operations_run_in_extended_precision_or_are_known_not_to(name):
    primitive, example = REGISTRY[name], REGISTRY[name].examples[0]
    wide = [np.asarray(operand, dtype=np.longdouble) for operand in example if not isinstance(operand, dict)]
    attributes = primitive.complete(example[-1] if isinstance(example[-1], dict) else {})
    if Trait.ONLY_FLOAT64 in REGISTRY[name].traits:
        with pytest.raises(TypeError):
            primitive.value(*wide, **attributes)
    else:
        assert np.asarray(primitive.value(*wide, **attributes)).dtype == np.longdouble


@pytest.mark.parametrize("op", ["sigmoid", "tanh"])
@pytest.mark.parametrize("x", [1e308, -1e308])
def test_the_slope_of_a_sigmoid_at_a_huge_number_gives_no_warning(op, x):
    assert [hint.kind for hint in hints(cadena.compile(graph(x=x, y=(op, "x"))).run())] == ["vanished-gradient"]


LESSON_7 = cadena.compile(graph(x=1.0, one=(CONSTANT, 1.0), u=("exp", "x"), y=("divide", "one", "u")))


@pytest.mark.parametrize(("dtype", "lost", "silent"), [("float32", 43.67, 51.99), ("float64", 354.2, 372.6)])
def test_lost_digits_were_told_only_where_they_happened_to_be_many(dtype, lost, silent):
    if dtype == "float64" and np.finfo(np.longdouble).eps == np.finfo(float).eps:
        pytest.skip("no type wider than float64 here")
    zones = [
        {(hint.node, hint.kind.value, hint.rule) for hint in hints(LESSON_7.run({"x": x}, dtype=dtype), digits=True)}
        for x in (*np.linspace(0.9 * lost, lost - 0.05, 20), *np.linspace(lost + 0.05, silent - 0.05, 60), silent + 0.1)
    ]
    assert zones[:20] == [set()] * 20
    assert zones[20:80] == [{("y", "lost-digits", "underflow in the slope of divide")}] * 60
    assert zones[80:] == [{("y", "vanished-gradient", "underflow in the slope of divide")}]


GROWN = {"x": 3.0, "k": (CONSTANT, 1e-30), "l": (CONSTANT, 1.7e-9), "m": (CONSTANT, 1e30), "a": ("multiply", "x", "m"),
         "b": ("multiply", "a", "k"), "c": ("multiply", "b", "l")}  # fmt: skip


@pytest.mark.parametrize(
    ("document", "is_told"),
    [
        (graph(x=1.5, m=(CONSTANT, 1e30), k=(CONSTANT, 1.1e-39), z=("multiply", "x", "m"), y=("multiply", "z", "k")),
         False),
        (graph(**GROWN), True),
        (graph(**GROWN, y=("add", "c", "x")), False),
        (graph(x=3.0, k=(CONSTANT, 1e-30), l=(CONSTANT, 1.7e-9), b=("multiply", "x", "k"), y=("multiply", "b", "l")),
         False),
    ],
    ids=["given as it is", "grown again", "negligible beside another way", "subnormal to the end"],
)  # fmt: skip
def test_a_gradient_that_was_subnormal_is_told_where_a_larger_one_depends_on_it(document, is_told):
    run = cadena.compile(document).run(dtype="float32")
    assert bool([*lost_digits(run)]) == is_told


def test_a_slope_that_is_subnormal_is_told_under_a_large_upstream_gradient():
    run = LESSON_7.run({"x": 45.0}, dtype="float32", seed=1e5)
    (hint,) = lost_digits(run)
    assert "the slope of divide is too small for full digits" in hint.message


def test_full_gradients_were_told_as_too_small_beside_a_huge_one_in_another_element():
    floor = {"tiny": (CONSTANT, 1.1754944e-38), "m": ("maximum", "h", "tiny"), "l": ("log", "m"), "s": ("sum", "l")}
    run = cadena.compile(graph(h=[3.3, 7.1, 0.0], **floor)).run(dtype="float32")
    assert run.gradient("m")[2] > 1e37
    assert not [*lost_digits(run)]
