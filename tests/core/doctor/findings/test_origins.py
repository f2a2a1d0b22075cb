"""A bad number is reported where it was born and by its arithmetic, not where it ended."""

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.graph.fault import Fault
from tests.core.graphs import graph
from tests.core.notation.graphs import OVERFLOW, TWO_PATHS

CONSTANT = "constant"
# One over e to the power x, the lesson on instability.
DECAY = graph(x=100.0, one=(CONSTANT, 1.0), e=("exp", "x"), y=("divide", "one", "e"))

# graph, dtype, the births: (node, kind, slot, rule)
BIRTHS = {
    "1 / exp(x)": (
        DECAY,
        "float32",
        [("e", "inf-value", None, "overflow of exp"), ("e", "nan-gradient", 0, "0 · inf")],
    ),
    "1 / exp(x) by reciprocal": (
        graph(x=100.0, e=("exp", "x"), y=("reciprocal", "e")),
        "float32",
        [("e", "inf-value", None, "overflow of exp"), ("e", "nan-gradient", 0, "0 · inf")],
    ),
    "log(1 + exp(x))": (
        graph(x=100.0, one=(CONSTANT, 1.0), e=("exp", "x"), s=("add", "one", "e"), y=("log", "s")),
        "float32",
        [("e", "inf-value", None, "overflow of exp"), ("e", "nan-gradient", 0, "0 · inf")],
    ),
    "log of 0": (graph(x=0.0, y=("log", "x")), "float64", [("y", "inf-value", None, "log of 0")]),
    "log of a negative number": (
        graph(x=-1.0, y=("log", "x")), "float64", [("y", "nan-value", None, "log of a negative number")],
    ),
    "log1p below -1": (
        graph(x=-2.0, y=("log1p", "x")), "float64", [("y", "nan-value", None, "log1p of a number below −1")],
    ),
    "x / 0": (graph(x=2.0, z=0.0, y=("divide", "x", "z")), "float64", [("y", "inf-value", None, "division by 0")]),
    "0 / 0": (graph(x=0.0, z=0.0, y=("divide", "x", "z")), "float64", [("y", "nan-value", None, "0 / 0")]),
    "1 / 0": (graph(x=0.0, y=("reciprocal", "x")), "float64", [("y", "inf-value", None, "division by 0")]),
    "0 to the power -1": (
        graph(x=0.0, k=(CONSTANT, -1.0), y=("power", "x", "k")), "float64", [("y", "inf-value", None, "division by 0")],
    ),
    "square root of -2 by power": (
        graph(x=-2.0, k=(CONSTANT, 0.5), y=("power", "x", "k")),
        "float64",
        [("y", "nan-value", None, "power of a negative number")],
    ),
    "the exponent of a negative base": (
        graph(x=-2.0, k=2.0, y=("power", "x", "k")), "float64", [("y", "nan-gradient", 1, "log of a negative number")],
    ),
    "power overflows": (
        graph(x=10.0, k=(CONSTANT, 40.0), y=("power", "x", "k")),
        "float32",
        [("y", "inf-value", None, "overflow of power")],
    ),
    "square overflows": (graph(x=1e20, y=("square", "x")), "float32", [("y", "inf-value", None, "overflow of square")]),
    "multiply overflows": (
        graph(x=1e200, y=("multiply", "x", "x")), "float64", [("y", "inf-value", None, "overflow of multiply")],
    ),
    "sqrt of -1": (graph(x=-1.0, y=("sqrt", "x")), "float64", [("y", "nan-value", None, "sqrt outside its domain")]),
    "arcsin of 2": (graph(x=2.0, y=("arcsin", "x")), "float64",
                    [("y", "nan-value", None, "arcsin outside its domain")]),
    "arcsin at 1": (graph(x=1.0, y=("arcsin", "x")), "float64", [("y", "inf-gradient", 0, "infinite slope of arcsin")]),
    "sqrt at 0": (graph(x=0.0, y=("sqrt", "x")), "float64", [("y", "inf-gradient", 0, "infinite slope of sqrt")]),
    "cbrt at 0": (graph(x=0.0, y=("cbrt", "x")), "float64", [("y", "inf-gradient", 0, "infinite slope of cbrt")]),
    "length of (x, x) at 0": (
        graph(x=0.0, s=("square", "x"), t=("add", "s", "s"), y=("sqrt", "t")),
        "float64",
        [("y", "inf-gradient", 0, "infinite slope of sqrt"), ("s", "nan-gradient", 0, "inf · 0")],
    ),
    "hypot at (0, 0)": (graph(x=0.0, y=("hypot", "x", "x")), "float64", [("y", "nan-gradient", 0, "norm at 0")]),
    "untaken branch": (
        graph(x=0.0, k=(CONSTANT, 0.0), r=("sqrt", "x"), y=("where", "x", "r", "k")),
        "float64",
        [("r", "nan-gradient", 0, "untaken branch of where")],
    ),
    "untaken branch, further back": (
        graph(c=(CONSTANT, 1.0), x=0.0, r=("sqrt", "x"), n=("negative", "r"), y=("where", "c", "x", "n")),
        "float64",
        [("r", "nan-gradient", 0, "untaken branch of where")],
    ),
    "inf - inf": (
        graph(x=1000.0, e=("exp", "x"), y=("subtract", "e", "e")),
        "float64",
        [("e", "inf-value", None, "overflow of exp"), ("y", "nan-value", None, "inf − inf"),
         ("e", "nan-gradient", 0, "0 · inf")],
    ),
    "softmax in pieces": (
        graph(x=[1000.0, 1.0], e=("exp", "x"), s=("sum", "e"), p=("divide", "e", "s"), y=("sum", "p")),
        "float32",
        [("e", "inf-value", None, "overflow of exp"), ("p", "nan-value", None, "inf / inf")],
    ),
    "contributions of inf and -inf": (
        graph(x=0.0, r=("sqrt", "x"), q=("sqrt", "x"), y=("subtract", "r", "q")),
        "float64",
        [("q", "inf-gradient", 0, "infinite slope of sqrt"), ("r", "inf-gradient", 0, "infinite slope of sqrt"),
         ("x", "nan-gradient", None, "inf − inf")],
    ),
    "upstream and slope are too large together": (
        graph(x=1.0, k=(CONSTANT, 1e200), t=(CONSTANT, 1e-300), a=("multiply", "x", "t"), b=("multiply", "a", "k"),
              y=("multiply", "b", "k")),
        "float64",
        [("b", "inf-gradient", 0, "overflow of upstream · local derivative")],
    ),
    "a matrix product of infinities": (
        graph(x=[1000.0, 0.0], e=("exp", "x"), v=(CONSTANT, [0.0, 1.0]), y=("matmul", "e", "v")),
        "float64",
        [("e", "inf-value", None, "overflow of exp"), ("y", "nan-value", None, "0 · inf"),
         ("e", "nan-gradient", 0, "0 · inf")],
    ),
}  # fmt: skip


def births(faults: tuple[Fault, ...]) -> list[tuple[str, str, int | None, str]]:
    return [(fault.node, fault.kind, fault.slot, fault.rule) for fault in faults]


@pytest.mark.parametrize(("document", "dtype", "expected"), BIRTHS.values(), ids=BIRTHS)
def test_a_bad_number_is_named_where_it_was_born_with_its_rule(document, dtype, expected):
    faults = cadena.compile(document).run(dtype=dtype).faults
    assert births(faults) == expected
    for fault in faults:
        assert "; " in fault.message and fault.severity == "fault"  # what is wrong; what to do


def test_a_healthy_graph_has_no_faults():
    assert cadena.compile(TWO_PATHS).run().faults == ()


def test_overflow_and_the_nan_gradient_are_found_at_exp_in_float32():
    faults = cadena.compile(OVERFLOW).run().faults
    assert [(fault.node, fault.kind) for fault in faults] == [("e", "inf-value"), ("e", "nan-gradient")]
    assert " 0 · inf" in faults[1].message


@pytest.mark.parametrize(
    ("dtype", "vanishes", "overflows"),
    [("float32", 51.99, 88.73), ("float64", 372.57, 709.79)],
)
def test_one_over_exp_is_right_then_silently_0_then_nan(dtype, vanishes, overflows):
    program = cadena.compile(DECAY)
    early, silent, late = (program.run({"x": x}, dtype=dtype) for x in (40.0, vanishes, overflows))
    assert early.faults == () and hints(early, digits=True) == ()
    assert early.gradient("x") == pytest.approx(-np.exp(-40.0), rel=1e-6)
    assert silent.faults == () and silent.gradient("x") == 0.0 and np.signbit(silent.gradient("x"))
    assert births(hints(silent, digits=True))[0] == ("y", "vanished-gradient", 1, "underflow in the slope of divide")
    assert silent.value("y") == pytest.approx(np.exp(-vanishes), rel=1e-5)
    assert program.run({"x": vanishes - 0.01}, dtype=dtype).gradient("x") != 0.0
    assert births(late.faults) == BIRTHS["1 / exp(x)"][2]
    assert program.run({"x": overflows - 0.01}, dtype=dtype).faults == ()


def test_the_same_graph_is_healthy_in_float64():
    run = cadena.compile(OVERFLOW).run(dtype="float64")
    assert run.faults == ()
    assert run.gradient("x") == pytest.approx(-3.72e-44, rel=1e-3)


def test_a_nan_is_not_reported_again_by_those_who_inherit_it():
    run = cadena.compile(graph(x=-1.0, y=("log", "x"), z=("sin", "y"))).run()
    assert [(fault.node, fault.kind) for fault in run.faults] == [("y", "nan-value")]


def test_a_leaf_that_was_given_nan_is_named():
    faults = cadena.compile(graph(x=float("nan"), y=("sin", "x"))).run().faults
    assert [(fault.node, fault.kind, fault.rule) for fault in faults] == [("x", "nan-value", "given")]


def test_a_seed_that_is_nan_is_named():
    faults = cadena.compile(graph(x=1.0, y=("sin", "x"))).run(seed=float("nan")).faults
    assert [(fault.node, fault.kind, fault.rule) for fault in faults] == [("y", "nan-gradient", "given")]


def test_in_an_array_the_first_bad_place_is_named_with_how_many_there_are():
    document = graph(x=[[1.0, 0.0], [-1.0, 0.0]], y=("log", "x"), L=("sum", "y"))
    faults = cadena.compile(document).run().faults
    found = [(fault.kind, fault.rule) for fault in faults]
    assert found == [("nan-value", "log of a negative number"), ("inf-value", "log of 0")]
    assert "at [1, 0]" in faults[0].message and "at [0, 1] (2 of 4 places)" in faults[1].message


def test_a_sum_over_broadcast_elements_that_overflows_is_named_where_it_is_summed():
    document = graph(x=1.0, v=("constant", [1e300, 1e300]), p=("multiply", "x", "v"))
    faults = cadena.compile(document).run(seed=[1e8, 1e8]).faults
    assert births(faults) == [("p", "inf-gradient", 0, "overflow of a sum")]


def test_nodes_behind_another_fault_are_left_alone():
    document = graph(x=0.0, y=("log", "x"), a=("add", "x"), L=("sin", "y"))
    faults = cadena.compile(document).run().faults
    assert [(fault.node, fault.kind) for fault in faults] == [
        ("a", "open-slot"),
        ("y", "inf-value"),
        ("L", "nan-value"),
    ]


def test_an_inf_that_was_asked_for_as_a_border_is_no_overflow():
    padded = {"p": ("pad", "x", {"pad_width": [[1, 1]], "constant_values": -np.inf}), "y": ("max", "p")}
    assert cadena.compile(graph(x=[1.0, 2.0], **padded)).run().faults == ()
    (fault,) = cadena.compile(graph(x=[1.0, 2.0], **{**padded, "y": ("sum", "p")})).run().faults
    assert fault.severity == "fault"
    assert fault.message.endswith("its constant_values was given as −inf; give a finite number")


def test_behind_an_astype_the_number_type_is_that_of_the_node():
    document = graph(x=300.0, a=("astype", "x", {"dtype": "float16"}), b=("square", "a"),
                     y=("astype", "b", {"dtype": "float64"}))  # fmt: skip
    (fault,) = (one for one in cadena.compile(document).run().faults if one.kind == "inf-value")
    assert fault.message == (
        "b = a² is inf in float16 for a = 300: the result is beyond 65\u202f504, the largest number of float16; change "
        "its operands, rewrite the formula, or take a wider number type"
    )
