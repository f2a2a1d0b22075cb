from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.languages.export import export
from tests.core.graphs import graph
from tests.core.languages.programs import run


def code(document, language="numpy", **options):
    return export(document, language, **options).text


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        (
            {"x": 1.0, "y": ("exp", None)},
            "y has no value, so that there is no program to write: y waits for its operand",
        ),
        ({"x": 1.0, "y": ("teleport", "x")}, "y: this version does not know the operation teleport"),
        ({"p": ("exp", "q"), "q": ("exp", "p")}, "depends on itself"),
        ({"x": 1.0, "m": ("exp", "z"), "y": ("sin", "m")}, "m reads z, which is not in the graph"),
        ({"x": [1.0, 2.0], "z": [1.0, 2.0, 3.0], "y": ("add", "x", "z")}, "add cannot pair shapes"),
    ],
)
def test_a_graph_that_cannot_run_is_refused_with_the_node_named(nodes, sentence):
    with pytest.raises(Refused, match=sentence):
        code(graph(**nodes))


def test_a_fault_that_the_output_does_not_need_is_no_matter():
    assert "teleport" not in code(graph("y", x=1.0, y=("exp", "x"), z=("teleport", "x")))


def test_without_an_output_there_is_nothing_to_compute():
    from dataclasses import replace

    with pytest.raises(Refused, match="the graph has no output"):
        code(replace(graph(x=1.0), output=None))


def test_a_language_that_is_none_is_refused_with_those_that_are():
    with pytest.raises(Refused, match="cannot export to cobol; choose numpy, torch"):
        code(graph(x=1.0), "cobol")


def test_the_users_names_stand_in_the_program():
    text = code(graph(w=2.0, wert=("multiply", "w", "w")))
    assert "wert = w * w" in text
    assert 'print("wert =", wert.tolist())' in text


def test_names_that_mean_something_else_are_renamed_with_a_remark():
    document = graph(np=2.0, print=3.0, L=("multiply", "np", "print"))
    text = code(document)
    assert "np_ = np.array(2.0)  # np in the graph" in text
    assert "print_ = np.array(3.0)  # print in the graph" in text
    assert run(text) == {"L": 6.0, "dL/dnp": 3.0, "dL/dprint": 2.0}


def test_names_that_python_takes_for_one_stay_two():
    """Python reads the ligature \N{LATIN SMALL LIGATURE FI} as the two letters."""
    document = graph(
        **{"fi": 2.0, "\N{LATIN SMALL LIGATURE FI}": 3.0, "L": ("subtract", "fi", "\N{LATIN SMALL LIGATURE FI}")}
    )
    assert run(code(document))["L"] == -1.0


def test_a_parameter_that_does_nothing_is_told_of():
    text = code(graph("L", w=2.0, v=3.0, L=("exp", "w")))
    assert "# dL/dv: there is none, L does not depend on v" in text
    assert set(run(text)) == {"L", "dL/dw"}


def test_gradients_are_those_that_are_wanted():
    assert set(run(code(graph("L", w=2.0, x=("input", 3.0), L=("multiply", "w", "x")), wrt=["x"]))) == {"L", "dL/dx"}


def test_a_node_that_is_no_leaf_has_no_gradient_line():
    with pytest.raises(Refused, match="m is computed from its operands"):
        code(graph("L", w=2.0, m=("exp", "w"), L=("exp", "m")), wrt=["m"])


def test_an_output_that_is_an_array_has_the_gradients_of_its_sum():
    assert run(code(graph(x=[1.0, 2.0], y=("square", "x"))))["dy/dx"].tolist() == [2.0, 4.0]


def test_a_title_with_quotes_and_line_breaks_stays_in_the_docstring():
    from dataclasses import replace

    document = replace(graph(x=1.0, y=("exp", "x")), title='a """ b \\\n c\\')
    assert run(code(document))["dy/dx"] == pytest.approx(2.718281828459045)


@pytest.mark.parametrize("language", ["numpy", "torch", "jax", "tensorflow"])
def test_a_method_named_like_a_helper_brought_the_helper_along(language):
    """TensorFlow's tape.gradient put a definition for numpy.gradient at the top of every program."""
    assert "def gradient" not in code(graph("y", x=1.0, y=("exp", "x")), language)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0, 3)])
def test_an_empty_array_lost_its_shape_in_nested_lists(shape):
    document = graph("y", x=np.zeros(shape), y=("negative", "x"))
    assert f"np.zeros({shape})" in code(document)
    assert run(code(document))["dy/dx"].size == 0


@pytest.mark.parametrize("language", ["jax", "tensorflow"])
def test_the_gradients_of_many_parameters_made_a_line_as_long_as_their_number(language):
    nodes = {f"weight{number}": float(number) for number in range(30)}
    sums = {"s0": ("add", "weight0", "weight1")}
    sums |= {f"s{number}": ("multiply", f"s{number - 1}", f"weight{number + 1}") for number in range(1, 29)}
    text = code(graph("s28", **nodes, **sums), language)
    assert max(map(len, text.splitlines())) <= 110
    assert "\n    " in text[text.index("ds28_dweight0") :]
    compile(text, "program", "exec")
