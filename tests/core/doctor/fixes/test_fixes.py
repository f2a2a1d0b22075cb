"""What is offered against a bad number: it cures it, keeps what was right, and is one edit."""

from dataclasses import replace

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.fixes.fix import Fix
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph import edits
from cadena.core.graph.document import Document, as_value
from cadena.core.graph.fault import Refused
from tests.core.graphs import graph

CONSTANT, ONE = "constant", ("constant", 1.0)
DECAY = graph(x=100.0, one=ONE, e=("exp", "x"), y=("divide", "one", "e"))
SOFTPLUS = graph(x=100.0, one=ONE, e=("exp", "x"), s=("add", "e", "one"), y=("log", "s"))


def offered(document: Document, dtype: str = "float64", **values: float) -> dict[tuple[str, str], tuple[Fix, ...]]:
    run = cadena.compile(document).run(values, dtype=dtype)
    return {(item.node, item.kind): fixes(document, run, item) for item in (*run.faults, *hints(run, digits=True))}


def titles(document: Document, dtype: str = "float64", **values: float) -> dict[tuple[str, str], list[str]]:
    return {key: [fix.title for fix in found] for key, found in offered(document, dtype, **values).items()}


# graph, dtype, the fault or hint, the titles of its fixes
OFFERS = {
    "the odds of a saturated sigmoid, whose 0 is a rounding error": (
        graph(x=40.0, one=ONE, p=("sigmoid", "x"), q=("subtract", "one", "p"), y=("divide", "p", "q")), "float64",
        ("y", "inf-value"), ["Write sigmoid(−x) for 1 − sigmoid(x)"],
    ),
    "log(1 - tanh²(x)) near 0, where the form for large x loses more digits": (
        graph(x=2.3e-3, t=("tanh", "x"), q=("square", "t"), one=ONE, d=("subtract", "one", "q"), y=("log", "d")),
        "float32", ("y", "lost-digits"), ["Use log1p of −x for log(1 − x)"],
    ),
    "1 over a cancelled difference": (
        graph(x=1e-20, e=("exp", "x"), one=ONE, a=("square", "e"), d=("subtract", "a", "e"), y=("reciprocal", "d")),
        "float64", ("y", "inf-value"), [],
    ),
    "equal numbers over their range": (
        graph(x=[2.0, 2.0], a=("max", "x"), b=("min", "x"), d=("subtract", "a", "b"), y=("divide", "b", "d")),
        "float64", ("y", "inf-value"), ["Divide by 1·10⁻⁵ at least"],
    ),
    "numbers over a standard deviation of 0": (
        graph(x=[2.0, 2.0], m=("mean", "x"), n=("subtract", "x", "m"), d=("std", "x"), y=("divide", "n", "d")),
        "float64", ("y", "nan-value"), ["Let y be 0 where d is 0"],
    ),
    "the square of that, whose limit is not 0": (
        graph("L", x=[2.0, 2.0], m=("mean", "x"), n=("subtract", "x", "m"), d=("std", "x"), z=("divide", "n", "d"),
              p=("square", "z"), L=("sum", "p")), "float64",
        ("z", "nan-value"), ["Add 1·10⁻⁵ to the variance of x"],
    ),
    "1 / exp(x)": (
        DECAY, "float32", ("e", "nan-gradient"), ["Write exp(−x) for 1 / exp(x)", "Give y a gradient of its own"],
    ),
    "1 / exp(x), underflowing": (
        edits.set_value(DECAY, "x", 60.0), "float32", ("y", "vanished-gradient"),
        ["Write exp(−x) for 1 / exp(x)", "Give y a gradient of its own"],
    ),
    "2 / exp(x)": (
        graph(x=100.0, two=(CONSTANT, 2.0), e=("exp", "x"), y=("divide", "two", "e")), "float32",
        ("e", "nan-gradient"), ["Write a · exp(−x) for a / exp(x)"],
    ),
    "exp(x) to the power -1": (
        graph(x=100.0, k=(CONSTANT, -1.0), e=("exp", "x"), y=("power", "e", "k")), "float32",
        ("e", "nan-gradient"), ["Write exp(−x) for 1 / exp(x)", "Give y a gradient of its own"],
    ),
    "a sigmoid in pieces": (
        graph(x=-100.0, one=ONE, n=("negative", "x"), e=("exp", "n"), s=("add", "one", "e"), y=("divide", "one", "s")),
        "float32", ("e", "nan-gradient"), ["Use sigmoid"],
    ),
    "log(1 + exp(x))": (SOFTPLUS, "float32", ("e", "nan-gradient"), ["Use softplus for log(1 + exp(x))"]),
    "log(sum(exp(x)))": (
        graph(x=[1000.0, 1.0], e=("exp", "x"), s=("sum", "e"), y=("log", "s")), "float64", ("e", "inf-value"),
        ["Use logsumexp for log(sum(exp(x)))"],
    ),
    "softmax in pieces": (
        graph(x=[1000.0, 1.0], e=("exp", "x"), s=("sum", "e"), p=("divide", "e", "s"), w=(CONSTANT, [1.0, 2.0]),
              q=("multiply", "p", "w"), y=("sum", "q")),
        "float64", ("p", "nan-value"), ["Use softmax for exp(x) / sum(exp(x))"],
    ),
    "cross-entropy in pieces": (
        graph(x=[1000.0, 0.0], t=("input", [0.0, 1.0]), s=("softmax", "x"), l=("log", "s"), m=("multiply", "t", "l"),
              u=("sum", "m"), y=("negative", "u")),
        "float32", ("l", "inf-value"),
        ["Use log_softmax for the logarithm of softmax", "Use cross_entropy for the pieces"],
    ),
    "binary cross-entropy of a sigmoid": (
        graph(x=30.0, t=("input", 0.5), one=ONE, s=("sigmoid", "x"), l=("log", "s"), m=("multiply", "t", "l"),
              c=("subtract", "one", "s"), d=("log", "c"), f=("subtract", "one", "t"), h=("multiply", "f", "d"),
              a=("add", "m", "h"), y=("negative", "a")),
        "float32", ("d", "inf-value"),
        ["Use logsigmoid of −x for log(1 − sigmoid(x))", "Use binary cross-entropy with logits"],
    ),
    "sqrt in an untaken branch": (
        graph(x=0.0, k=(CONSTANT, 0.0), r=("sqrt", "x"), y=("where", "x", "r", "k")), "float64",
        ("r", "nan-gradient"), ["Keep x harmless where y does not choose it", "Give r the gradient 0 where x is 0",
                                 "Give r a gradient of its own"],
    ),
    "a division in an untaken branch": (
        graph(x=0.0, k=(CONSTANT, 0.0), a=2.0, r=("divide", "a", "x"), y=("where", "x", "r", "k")), "float64",
        ("r", "inf-value"), ["Keep x harmless where y does not choose it"],
    ),
    "sqrt at 0": (
        graph(x=0.0, y=("sqrt", "x")), "float64", ("y", "inf-gradient"),
        ["Give y the gradient 0 where x is 0", "Give y a gradient of its own"],
    ),
    "cbrt at 0": (
        graph(x=0.0, y=("cbrt", "x")), "float64", ("y", "inf-gradient"),
        ["Give y the gradient 0 where x is 0", "Give y a gradient of its own"],
    ),
    "the length of (x, x) at 0": (
        graph(x=0.0, s=("square", "x"), t=("add", "s", "s"), y=("sqrt", "t")), "float64", ("s", "nan-gradient"),
        ["Use norm for √(a² + b²)", "Give y the gradient 0 where t is 0", "Give y a gradient of its own"],
    ),
    "the length of a vector at 0": (
        graph(x=[0.0, 0.0], s=("square", "x"), t=("sum", "s"), y=("sqrt", "t")), "float64", ("y", "inf-gradient"),
        ["Use norm for the root of the sum of squares", "Give y the gradient 0 where t is 0",
         "Give y a gradient of its own"],
    ),
    "hypot at (0, 0)": (
        graph(x=0.0, y=("hypot", "x", "x")), "float64", ("y", "nan-gradient"), ["Use norm for √(a² + b²)"],
    ),
    "squares that overflow": (
        graph(a=3e200, b=4e200, s=("square", "a"), t=("square", "b"), u=("add", "s", "t"), y=("sqrt", "u")),
        "float64", ("s", "inf-value"), ["Use hypot for √(a² + b²)"],
    ),
    "x / |x| at 0": (
        graph(x=0.0, a=("abs", "x"), y=("divide", "x", "a")), "float64", ("y", "nan-value"),
        ["Let y be 0 where a is 0"],
    ),
    "log of 0": (graph(x=0.0, y=("log", "x")), "float64", ("y", "inf-value"), ["Keep x above 0"]),
    "exp(x) - 1": (
        graph(x=1e-6, one=ONE, e=("exp", "x"), y=("subtract", "e", "one")), "float32", ("y", "lost-digits"),
        ["Use expm1 for exp(x) − 1"],
    ),
    "log(1 + x)": (
        graph(x=1e-6, one=ONE, s=("add", "one", "x"), y=("log", "s")), "float32", ("y", "lost-digits"),
        ["Use log1p for log(1 + x)"],
    ),
    "1 - cos(x)": (
        graph(x=1e-4, one=ONE, c=("cos", "x"), y=("subtract", "one", "c")), "float32", ("y", "lost-digits"),
        ["Write 2 sin²(x / 2) for 1 − cos(x)"],
    ),
    "a² - b²": (
        graph(a=1.30001, b=1.3, s=("square", "a"), t=("multiply", "b", "b"), y=("subtract", "s", "t")), "float32",
        ("y", "lost-digits"), ["Write (a − b)(a + b) for a² − b²"],
    ),
    "a dead relu": (graph(x=-2.0, y=("relu", "x")), "float64", ("y", "dead-relu"), ["Use leaky_relu"]),
    "nothing helps": (graph(x=-1.0, y=("log", "x")), "float64", ("y", "nan-value"), []),
    "the logarithm's argument is used twice": (
        graph(x=0.0, k=(CONSTANT, 0.0), r=("sqrt", "x"), w=("where", "x", "r", "k"), y=("add", "w", "r")), "float64",
        ("r", "inf-gradient"), ["Give r the gradient 0 where x is 0", "Give r a gradient of its own"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "dtype", "key", "expected"), OFFERS.values(), ids=OFFERS)
def test_what_is_offered(document, dtype, key, expected):
    assert titles(document, dtype).get(key, []) == expected


@pytest.mark.parametrize(("document", "dtype", "key", "expected"), OFFERS.values(), ids=OFFERS)
def test_every_fix_cures_and_keeps_the_finite_values(document, dtype, key, expected):
    program = cadena.compile(document)
    rounded = program.run(dtype=dtype)
    true = program.run({n: rounded.value(n) for n, node in document.nodes.items() if node.is_leaf}, dtype="float64")
    for fix in offered(document, dtype).get(key, ()):
        fixed = fix.apply(document)
        after = cadena.compile(fixed).run(dtype=dtype)
        assert fixed.output == document.output
        assert key not in [(item.node, item.kind) for item in (*after.faults, *hints(after, digits=True))]
        wanted, given = true.value(str(document.output)), after.value(str(document.output))
        other_function = fix.title == "Use leaky_relu" or fix.title.endswith(" above 0")  # and they say so
        if np.isfinite(wanted).all() and not other_function:
            np.testing.assert_allclose(given, wanted, rtol=1e-3, atol=1e-40)
        for name in document.nodes:
            if document.nodes[name].wants_gradient:
                assert np.isfinite(after.gradient(name)).all()


def test_the_lesson_on_instability_is_fixed_to_the_right_gradient():
    fault = cadena.compile(DECAY).run(dtype="float32").faults[1]
    assert (fault.node, fault.rule) == ("e", "0 · inf")
    first, second = offered(DECAY, "float32")["e", "nan-gradient"]
    fixed = cadena.compile(first.apply(DECAY)).run(dtype="float32")
    assert fixed.gradient("x") == np.float32(-3.78e-44) and fixed.faults == ()
    custom = cadena.compile(second.apply(DECAY)).run(dtype="float32")
    assert custom.value("y") == 0.0 and custom.gradient("x") == np.float32(-3.78e-44)


def test_softplus_has_the_gradient_1_far_out():
    (fix,) = offered(SOFTPLUS, "float32")["e", "nan-gradient"]
    run = cadena.compile(fix.apply(SOFTPLUS)).run(dtype="float32")
    assert (run.value("y"), run.gradient("x")) == (100.0, 1.0)


def test_a_wider_number_type_is_offered_where_it_helps():
    document = edits.set_dtype(DECAY, "float32")
    *_, last = offered(document, "float32")["e", "nan-gradient"]
    assert last.title == "Run in float64"
    assert cadena.compile(last.apply(document)).run().gradient("x") == pytest.approx(-3.72e-44, rel=1e-2)
    assert "Run in float64" not in titles(edits.set_value(document, "x", 800.0), "float32")["e", "nan-gradient"]


def test_a_wider_number_type_is_tried_with_what_the_narrow_one_made_0():
    """It was tried with the 0 that float16 makes of 1e-8, and so not offered, but a fix that leaves nan was."""
    document = graph(x=[0.0, 0.0], q=("square", "x"), m=("mean", "q"), e=(CONSTANT, 1e-8), a=("add", "m", "e"),
                     r=("sqrt", "a"), y=("divide", "x", "r"), w=("input", [1.0, -2.0]), p=("multiply", "y", "w"),
                     s=("sum", "p"))  # fmt: skip
    document = edits.set_dtype(document, "float16")
    assert titles(document, "float16") == {
        ("y", "nan-value"): ["Run in float64"], ("e", "lost-digits"): ["Run in float64"],
    }  # fmt: skip
    (fix,) = offered(document, "float16")["y", "nan-value"]
    np.testing.assert_allclose(cadena.compile(fix.apply(document)).run().gradient("x"), [1e4, -2e4])


def test_a_formula_that_keeps_some_digits_and_loses_others_is_not_offered():
    """For a subnormal gradient at 100 it was sigmoid, whose slope at 20 is 0 where that of the pieces is right."""
    pieces = {"n": ("negative", "x"), "e": ("exp", "n"), "s": ("add", "one", "e"), "y": ("divide", "one", "s")}
    document = graph(x=[100.0, 100.0, 20.0], one=ONE, **pieces, L=("sum", "y"))
    found = titles(document, "float32")
    assert [key[1] for key in found] == ["subnormal-gradient"]
    assert found["e", "subnormal-gradient"] == []


def test_values_given_to_the_run_are_those_that_a_fix_is_tried_with():
    healthy = edits.set_value(DECAY, "x", 1.0)
    assert titles(healthy, "float32") == {}
    assert titles(healthy, "float32", x=100.0)["e", "nan-gradient"] == OFFERS["1 / exp(x)"][3]


def test_a_fix_of_a_graph_that_has_changed_is_refused():
    for fix in offered(DECAY, "float32")["e", "nan-gradient"]:
        with pytest.raises(Refused, match="y has changed since"):
            fix.apply(edits.set_operation(DECAY, "y", "multiply"))


def test_faults_that_are_not_about_numbers_have_no_fixes():
    document = graph(x=1.0, y=("add", "x"))
    run = cadena.compile(document).run()
    assert [fixes(document, run, fault) for fault in run.faults] == [()]


def test_a_formula_with_an_attribute_that_nobody_knows_raises_nothing_and_is_not_rewritten():
    """It does not run, so that there is no function that another formula could equal."""
    made = graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), y=("divide", "one", "e", {"unknown": 1}))
    for output in ("y", "e", None):
        document = replace(made, dtype="float32", output=output)
        run = cadena.compile(document).run()
        assert {fault.node for fault in run.faults} == {"e", "y"}
        offered = [fix.title for fault in run.faults for fix in fixes(document, run, fault)]
        assert not [title for title in offered if title.startswith("Write")]


def test_an_inf_in_a_file_that_names_no_output_of_its_own_has_no_fixes_and_was_a_traceback():
    document = graph("gone", x=[1.0, float("inf")], y=("sum", "x"))
    run = cadena.compile(document).run()
    for fault in run.faults:
        assert all(fix.apply(document) for fix in fixes(document, run, fault))
    assert [fault.node for fault in run.faults] == ["gone", "x"]


def test_an_inf_beside_a_number_outside_the_domain_was_an_error_of_the_search_for_fixes():
    document = graph(x=[-1.0, np.inf], r=("sqrt", "x"), y=("sum", "r"))
    assert ("r", "nan-value") in titles(document)


def test_an_infinity_in_an_array_of_a_shorter_type_overflowed_when_it_was_made_finite():
    document = graph("y", m=[np.inf, 1.0], n=("cos", "m"), y=("max", "n"))
    document = edits.set_value(document, "m", as_value(np.array([np.inf, 1.0], dtype=np.float32)))
    (fix,) = offered(document)["n", "nan-value"]
    assert fix.title == "Make m finite"
    run = cadena.compile(fix.apply(document)).run()
    assert run.faults == () and run.value("m").tolist() == [np.finfo(np.float64).max / 4.0, 1.0]
