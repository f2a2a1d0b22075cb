"""What is well is not accused: lessons, random networks and attention, in every number type; what is ill in them is."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.layers import by_layer
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import chain, graph

CONSTANT = "constant"
DTYPES = ("float16", "float32", "float64")
ABOUT_BAD_NUMBERS = ("07", "08", "09", "14")  # lessons


def classifier(
    activation: str = "relu", sizes: tuple[int, ...] = (20, 32, 32, 5), scale: float | None = None, seed: int = 0
) -> Document:
    """A network with cross-entropy on random data; `scale` of the weights, by default He's."""
    random = np.random.default_rng(seed)
    nodes: dict[str, Any] = {"x": ("input", random.standard_normal((16, sizes[0])))}
    last = "x"
    for layer, (wide_in, wide_out) in enumerate(pairwise(sizes)):
        nodes[f"W{layer}"] = random.standard_normal((wide_in, wide_out)) * (scale or (2.0 / wide_in) ** 0.5)
        nodes[f"b{layer}"] = np.zeros(wide_out)
        nodes[f"z{layer}"] = ("matmul", last, f"W{layer}")
        nodes[f"a{layer}"] = ("add", f"z{layer}", f"b{layer}")
        last = f"a{layer}"
        if layer < len(sizes) - 2:
            nodes[f"h{layer}"] = (activation, last)
            last = f"h{layer}"
    nodes["t"] = ("input", random.integers(0, sizes[-1], 16).astype(float))
    return graph(**nodes, L=("cross_entropy", last, "t"))


def attention(seed: int) -> Document:
    """One head, causally masked by -inf, with layer norm."""
    random, size = np.random.default_rng(seed), 6
    nodes: dict[str, Any] = {"x": ("input", random.standard_normal((size, 8)))}
    for name in "QKV":
        nodes |= {f"W{name}": random.standard_normal((8, 8)) / 8**0.5, name: ("matmul", "x", f"W{name}")}
    return graph(
        **nodes, Kt=("transpose", "K"), s=("matmul", "Q", "Kt"), c=(CONSTANT, 8**-0.5), sc=("multiply", "s", "c"),
        m=(CONSTANT, np.triu(np.full((size, size), -np.inf), 1)), ms=("add", "sc", "m"), p=("softmax", "ms"),
        o=("matmul", "p", "V"), n=("layer_norm", "o"), g=("gelu", "n"), q=("square", "g"), L=("mean", "q"),
    )  # fmt: skip


def told(document: Document, dtype: str) -> list[tuple[str, str]]:
    run = cadena.compile(document).run(dtype=dtype)
    return [(one.node, one.kind) for one in (*run.faults, *hints(run, digits=True))]


@pytest.mark.parametrize(
    "number", [str(one.number) for one in lessons() if f"{one.number:02}" not in ABOUT_BAD_NUMBERS]
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_lessons_on_other_things_have_no_problem(number, dtype):
    assert told(open_lesson(number), dtype) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "gelu", "silu", "softplus", "elu", "leaky_relu"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_network_with_good_weights_has_no_problem(activation, dtype, seed):
    assert told(classifier(activation, seed=seed), dtype) == []


HEALTHY_MASKS = {
    "causal attention": attention(0),
    "max pooling with a border of -inf": graph(
        x=[1.0, 2.0], p=("pad", "x", {"pad_width": [[1, 1]], "constant_values": -np.inf}), y=("max", "p")
    ),
    "the logarithm of a mask": graph(
        s=[1.0, 2.0, 3.0], m=(CONSTANT, [1.0, 0.0, 1.0]), l=("log", "m"), a=("add", "s", "l"), y=("logsumexp", "a")
    ),
    "log_softmax": graph(
        s=[1.0, 2.0, 3.0], m=(CONSTANT, [0.0, -np.inf, 0.0]), a=("add", "s", "m"), l=("log_softmax", "a"),
        p=("getitem", "l", {"index": "0"}), y=("negative", "p"),
    ),
    "where": graph(
        s=[1.0, 2.0, 3.0], c=(CONSTANT, [1.0, 0.0, 1.0]), m=(CONSTANT, -np.inf), w=("where", "c", "s", "m"),
        p=("softmax", "w"), q=("square", "p"), y=("sum", "q"),
    ),
    "a minimum that starts at inf": graph(x=2.0, m=(CONSTANT, np.inf), y=("minimum", "m", "x")),
    "bounds of inf": graph(x=[2.0, -1.0], c=("clip", "x", {"min": -np.inf, "max": np.inf}), y=("sum", "c")),
    "an empty row of a recursion": graph(
        x=1.0, m=(CONSTANT, [-np.inf, -np.inf]), l=("logsumexp", "m"), y=("logaddexp", "l", "x")
    ),
    "a nan in a branch that is not chosen": graph(
        x=[2.0, 1.0], c=(CONSTANT, [0.0, 0.0]), m=(CONSTANT, np.nan), w=("where", "c", "m", "x"), y=("sum", "w")
    ),
    "a mask that is an input": graph(
        s=[1.0, 2.0], m=("input", [0.0, -np.inf]), a=("add", "s", "m"), e=("exp", "a"), y=("sum", "e")
    ),
}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_healthy_mask_of_minus_infinity_was_a_problem(dtype):
    for name, document in HEALTHY_MASKS.items():
        assert (name, told(document, dtype)) == (name, [])


def test_a_mask_beside_a_number_that_goes_bad_was_listed_with_it():
    document = graph(x=[0.5, -1.0], m=(CONSTANT, [1.0, 0.0]), l=("log", "m"), a=("add", "x", "l"), p=("softmax", "a"),
                     s=("sqrt", "x"), q=("multiply", "p", "s"), y=("sum", "q"))  # fmt: skip
    assert told(document, "float64") == [("s", "nan-value")]


def test_the_row_that_a_mask_left_empty_is_named_and_not_the_mask():
    low = -np.inf
    m = [[0.0, 0.0, low], [low, low, low], [0.0, low, low]]
    for axis, row in ((1, "row 1"), (0, "column 2"), ([0, 1], None)):
        nodes = {"m": (CONSTANT, m if row else np.full((3, 3), low)), "a": ("add", "s", "m")}
        document = graph(s=np.eye(3), **nodes, p=("softmax", "a", {"axis": axis}), y=("sum", "p"))
        (fault,) = cadena.compile(document).run().faults
        assert (fault.node, fault.rule) == ("p", "softmax of nothing but −inf")
        assert f": {row or 'a'} has nothing but −inf; " in fault.message
    document = graph(s=np.ones((2, 3, 3)), m=(CONSTANT, m), a=("add", "s", "m"), p=("softmax", "a"), y=("sum", "p"))
    assert ": row [0, 1] has nothing but −inf" in cadena.compile(document).run().faults[0].message


def test_an_overflow_stays_a_fault_though_the_output_is_finite():
    """A norm of 0 where -1.2 is true: finite numbers behind an overflow are not to be trusted."""
    document = graph(x=[300.0, -300.0], q=("square", "x"), s=("sum", "q"), y=("reciprocal", "s"))
    faults = cadena.compile(document).run(dtype="float16").faults
    assert [(one.node, one.severity) for one in faults if one.kind == "inf-value"] == [("q", "fault")]


def test_the_minimum_of_silu_is_not_saturated():
    document = graph(x=-1.2784645, y=("silu", "x"))
    assert ("y", "vanished-gradient") not in told(document, "float16")
    assert ("y", "vanished-gradient") in told(replace(document, nodes=graph(x=-20.0, y=("silu", "x")).nodes), "float16")


def test_most_saturated_units_are_told_and_a_few_are_not():
    assert ("h1", "vanished-gradient") in told(classifier("tanh", scale=8.0), "float32")
    assert told(classifier("tanh", seed=3), "float16") == []  # 1 of 512 is


def test_one_dead_unit_is_one_and_several_are_several():
    x = ("input", [[1.0, 2.0], [3.0, 4.0]])
    for signs, words in ((-1.0, 1.0, 1.0), "1 of 3 units is off for every example (unit 0)"), (
        (-1.0, 1.0, -1.0), "2 of 3 units are off for every example (units 0, 2)",
    ):  # fmt: skip
        document = graph(x=x, W=np.outer([1.0, 1.0], signs), z=("matmul", "x", "W"), h=("relu", "z"), y=("sum", "h"))
        (hint,) = hints(cadena.compile(document).run())
        assert hint.kind == "dead-relu" and words in hint.message


@pytest.mark.parametrize(
    ("activation", "scale", "kind"),
    [("sigmoid", 0.1, "vanishing-by-layer"), ("relu", 1.5, "exploding-by-layer"), ("leaky_relu", None, None)],
)
def test_bad_weights_vanish_or_explode_layer_by_layer(activation, scale, kind):
    """The gradients of the weights stand beside the way back, and are large with the values of their layer."""
    run = cadena.compile(classifier(activation, (20, *[16] * 10, 5), scale)).run()
    assert [one.kind for one in hints(run) if one.kind.endswith("layer")] == ([kind] if kind else [])
    assert len(by_layer(run)) == 34


def test_ten_sigmoids_and_ten_relus_by_the_numbers_of_the_plot():
    sigmoids, relus = (by_layer(cadena.compile(chain(10, op)).run()) for op in ("sigmoid", "relu"))
    assert [layer.norm for layer in relus] == [1.0] * 11
    x, product = 0.5, 1.0
    slopes = []
    for _ in range(10):
        x = 1.0 / (1.0 + np.exp(-x))
        slopes.append(x * (1.0 - x))
    for layer, slope in zip(sigmoids[1:], reversed(slopes), strict=True):
        product *= slope
        assert layer.norm == pytest.approx(product, rel=1e-12) and layer.largest == layer.norm


@pytest.mark.parametrize("low", [-np.inf, -1e9, -60_000.0])
def test_a_row_of_which_one_score_is_left_by_the_mask_is_not_saturated(low):
    document = graph(s=[[1.0, 2.0]], m=(CONSTANT, [[0.0, low]]), a=("add", "s", "m"), p=("softmax", "a"),
                     w=(CONSTANT, [[1.0, 2.0]]), o=("multiply", "p", "w"), y=("sum", "o"))  # fmt: skip
    run = cadena.compile(document).run(dtype="float32")
    assert [one.rule for one in hints(run)] == []
