"""Operations as somebody counts them who reads the formula."""

import pytest
import sympy

from cadena.core.front import compile
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.counting import Counter
from cadena.core.methods.names import Method
from cadena.core.methods.symbolic.expressions import Expressions
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph
from tests.core.methods.symbolic.growth import growth

x, a, b = sympy.symbols("x a b", real=True)
COUNTED = [
    (x, 0),
    (-x, 1),
    (a - b, 1),
    (-a - b, 2),
    (a - 2 * b, 2),
    (-2 * a * b, 2),
    (a / b, 1),
    (-a / 2, 2),
    (3 * a / 2, 2),
    (1 / x, 1),
    (1 / x**2, 2),
    (sympy.sqrt(x), 1),
    (3 * x**2, 2),
    (sympy.sin(x) + 1, 2),
    (1 / (1 + sympy.exp(-x)), 4),
    (1 / ((1 + sympy.exp(-2 * x)) * (1 + sympy.exp(-x))), 8),
    (sympy.exp(-x) / (1 + sympy.exp(-x)) ** 2, 7),
]


@pytest.mark.parametrize(("expression", "operations"), COUNTED, ids=str)
def test_a_formula_is_counted_as_it_is_written(expression: sympy.Expr, operations: int) -> None:
    assert Counter().size(expression).operations == operations


def test_lesson_12_counted_a_sigmoid_once_in_the_graph_and_as_four_operations_in_the_expression() -> None:
    run = compile(open_lesson("12")).run()
    made = Expressions(run)
    place = run.plan.index
    assert made.graph_size(place["s1"]) == made.size(made.of[place["s1"]].item()).operations == 4
    assert made.graph_size(place["y"]) == 4 + 5 * 4 + 4  # products by a constant, sigmoids, and their product
    assert made.size(made.output).operations == 1 + 4 + 5 * 2 + 4 + 1  # 1 / (...) of 1 + exp(...), four of -k x, one -x
    steps = timeline_of(run, Method("symbolic"))
    told = [steps.describe(index).title for index in range(len(steps)) if steps[index].node == "s1"]
    assert told == ["Symbols: the expression of s1 has 4 operations, where the graph has 4."]


def test_lesson_12_says_how_the_derivative_grows() -> None:
    sizes = {size.node: size for size in growth(compile(open_lesson("12")).run(), "x")}
    written = [str(sizes[name].derivative) for name in ("s1", "p2", "p3", "p4", "y")]
    text = open_lesson("12").extra["lesson"]["text"]["look"]
    assert f"{', '.join(written[:-1])} and {written[-1]} operations" in text


def test_what_is_computed_from_constants_alone_counts_as_the_number_that_it_is_in_expressions() -> None:
    run = compile(graph(x=2.0, k=("constant", 3.0), s=("sin", "k"), y=("multiply", "x", "s"))).run()
    assert Expressions(run).graph_size(run.plan.index["y"]) == 1


def test_operations_on_arrays_are_counted_for_each_element() -> None:
    run = compile(graph(x=[1.0, 2.0], w=[3.0, 4.0], y=("dot", "x", "w"))).run()
    made = Expressions(run)
    assert made.graph_size(run.plan.index["y"]) == made.size(made.output).operations == 3
