from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.landscape import Landscape, LeafElement, elements_of, newton
from cadena.core.run.program import compile
from cadena.core.teaching.lessons import open_lesson
from cadena.core.training.batches import with_values
from tests.core.training.networks import network

X, Y = LeafElement("x"), LeafElement("y")


@pytest.fixture
def valley():
    """f = (x − y)² + x⁴ at (1, 2)."""
    return Landscape(open_lesson("17"), [X, Y])


def test_heights_are_those_of_the_formula(valley):
    xs, ys = np.linspace(-1.0, 2.0, 4), np.linspace(0.0, 1.0, 3)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    assert np.allclose(valley.heights(xs, ys), (x - y) ** 2 + x**4)
    assert valley.here == (1.0, 2.0) and valley.height((1.0, 2.0)) == 2.0


def test_gradient_and_hessian_are_those_by_hand(valley):
    for x, y in ((1.0, 2.0), (-0.5, 0.25)):
        assert np.allclose(valley.gradient((x, y)), [2 * (x - y) + 4 * x**3, -2 * (x - y)])
        assert np.allclose(valley.hessian((x, y)), [[2 + 12 * x * x, -2], [-2, 2]])


def test_the_newton_step_of_lesson_17(valley):
    step = newton(valley.gradient((1.0, 2.0)), valley.hessian((1.0, 2.0)))
    assert np.allclose(step.step, [-1 / 3, -4 / 3]) and step.is_bowl and step.words == "the Newton step"
    assert valley.height((2 / 3, 2 / 3)) == pytest.approx(16 / 81)


@pytest.mark.parametrize(
    ("hessian", "has_step", "words"),
    [
        ([[2.0, -2.0], [-2.0, 2.0]], False, "the determinant of the Hessian is 0: there is no Newton step"),
        ([[2.0, 0.0], [0.0, -1.0]], True, "the Newton step, to a saddle or a maximum"),
        ([[np.nan, 0.0], [0.0, 1.0]], False, "the determinant of the Hessian is 0: there is no Newton step"),
    ],
)
def test_a_newton_step_may_lead_elsewhere_or_not_exist(hessian, has_step, words):
    step = newton(np.array([1.0, 1.0]), np.array(hessian))
    assert (step.step is not None) is has_step and not step.is_bowl and step.words == words


def test_a_path_goes_downhill_and_ends_where_it_flies_off(valley):
    path = valley.descent((1.0, 2.0), 0.1)
    heights = [valley.height(place) for place in path]
    assert len(path) == 61 and np.allclose(path[1], [0.8, 1.8]) and (np.diff(heights) < 0.0).all()
    assert len(valley.descent((1.0, 2.0), 10.0)) < 10


def test_elements_of_arrays():
    graph = network()
    run = compile(graph).run()
    known = elements_of(run)
    assert len(known) == 17 and known[5].title(graph) == "W1[1, 1]"
    one = Landscape(graph, [LeafElement("W1", 5), LeafElement("b1", 2)])
    gradient = one.gradient(one.here)
    assert gradient == pytest.approx([run.gradient("W1").flat[5], run.gradient("b1")[2]])
    moved = one.values((9.0, 8.0))
    assert moved["W1"].array[1, 1] == 9.0 and moved["b1"].array[2] == 8.0 and moved["b1"].array[0] == 0.0
    two = Landscape(graph, [LeafElement("W1", 5), LeafElement("W1", 0)])
    difference = (two.gradient((two.here[0] + 1e-6, two.here[1])) - two.gradient(two.here)) / 1e-6
    assert two.hessian(two.here)[:, 0] == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_the_surroundings_of_nan_were_an_empty_array(valley, number):
    document = with_values(valley.document, {"y": number})
    with pytest.raises(Refused, match=r"y is .*, which has no neighbours; set it to a finite number"):
        Landscape(document, valley.elements)


def test_an_output_of_several_numbers_is_refused_and_a_cancelled_one_ends():
    with pytest.raises(Refused, match="O is not a single number; put a sum behind it"):
        Landscape(replace(network(), output="O"), [LeafElement("W1")])
    with pytest.raises(Refused, match="there is no output that runs"):
        Landscape(replace(network(), output=None), [LeafElement("W1")])
    with pytest.raises(Cancelled):
        Landscape(open_lesson("17"), [X, Y], lambda: True).heights(np.arange(3.0), np.arange(3.0))
