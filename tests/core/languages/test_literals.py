"""Numbers and elements without a name stand where they are used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph.document import Function, Node
from cadena.core.languages.export import export
from tests.core.graphs import graph
from tests.core.languages.programs import PROGRAMS, differences, expected, run


def code(document, language="numpy"):
    return export(document, language).text


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_number_without_a_name_stands_where_it_is_used(language):
    text = code(graph(x=3.0, k0=("constant", 2.0), y=("power", "x", "k0")), language)
    assert "y = x ** 2\n" in text
    assert "k0" not in text


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_number_with_a_name_keeps_it(language):
    assert "y = x ** two\n" in code(graph(x=3.0, two=("constant", 2.0), y=("power", "x", "two")), language)


def test_the_exponent_of_a_reverse_pass_was_a_name():
    """subtract1 = k0 - 1.0 and x ** subtract1 had lines of their own."""
    document = graph(x=3.0, k0=("constant", 3.0), y=("power", "x", "k0"))
    text = code(document)
    assert "x ** 2\n" in text
    assert "subtract" not in text
    assert not list(differences(run(text), expected(document), 1e-15))


@pytest.mark.parametrize("language", PROGRAMS)
def test_an_element_without_a_name_stands_where_it_is_used(language):
    elements = {"getitem1": ("getitem", "w", {"index": "0"}), "getitem2": ("getitem", "w", {"index": "1"})}
    text = code(graph(w=[2.0, 5.0], **elements, y=("multiply", "getitem1", "getitem2")), language)
    assert "y = w[0] * w[1]\n" in text


def test_what_is_used_twice_or_has_a_name_or_is_no_element_has_a_line():
    twice = graph(w=[2.0, 5.0], getitem1=("getitem", "w", {"index": "0"}), y=("multiply", "getitem1", "getitem1"))
    named = graph(w=[2.0, 5.0], first=("getitem", "w", {"index": "0"}), y=("exp", "first"))
    part = graph(w=[2.0, 5.0], getitem1=("getitem", "w", {"index": "1:"}), y=("exp", "getitem1"))
    output = graph(w=[2.0, 5.0], getitem1=("getitem", "w", {"index": "0"}))
    for document, line in (
        (twice, "getitem1 = w[0]\n"), (named, "first = w[0]\n"), (part, "getitem1 = w[1:]\n"),
        (output, "getitem1 = w[0]\n"),
    ):  # fmt: skip
        assert line in code(document)


def test_a_number_that_is_used_twice_has_a_line():
    """Written twice it would be read as two."""
    document = graph(x=3.0, k0=("constant", 2.0), a=("multiply", "x", "k0"), y=("add", "a", "k0"))
    assert "k0 = torch.tensor(2.0)" in code(document, "torch")


def test_an_element_that_a_script_named_stands_where_it_is_used():
    elements = {"w_0": ("getitem", "w", {"index": "0"}), "w_0_again1": ("getitem", "w", {"index": "0"})}
    assert "y = w[0] * w[0]\n" in code(graph(w=[2.0, 5.0], **elements, y=("multiply", "w_0", "w_0_again1")))


def test_a_number_that_an_array_is_made_of_is_one():
    text = code(graph(x=[3.0, 4.0], k0=("constant", 2.0), e=("exp", "k0"), y=("multiply", "x", "e")), "torch")
    assert "k0 = torch.tensor(2.0)" in text


@pytest.mark.parametrize(
    ("number", "text"), [(2.0, "2"), (0.5, "0.5"), (-1.5, "(-1.5)"), (-2.0, "(-2)"), (1e300, "1e+300"), (1e-7, "1e-07")]
)
def test_numbers_are_written_as_short_as_they_are_exact(number, text):
    document = graph(x=1.5, k0=("constant", number), y=("multiply", "x", "k0"))
    assert f"y = x * {text}\n" in code(document)
    assert not list(differences(run(code(document)), expected(document), 1e-15))


def test_the_base_of_a_power_keeps_its_sign():
    document = graph(x=2.0, k0=("constant", -3.0), y=("power", "k0", "x"), z=("multiply", "y", "x"))
    assert "y = (-3) ** x" in code(document, "torch")
    assert run(code(document))["z"] == 18.0  # log(k0) keeps it an array in numpy


def test_numbers_keep_the_number_type_of_the_arrays():
    document = replace(graph(x=[3.0, 4.0], k0=("constant", 0.1), y=("multiply", "x", "k0")), dtype="float32")
    assert "y = x * 0.1\n" in code(document)
    assert not list(differences(run(code(document)), expected(document), 1e-7))
    mixed = graph(x=3.0, h=("astype", "x", {"dtype": "float16"}), k0=("constant", 0.1), y=("multiply", "h", "k0"))
    assert "k0 = np.array(0.1)" in code(mixed)


def test_numbers_in_a_function():
    inside = {"k0": Node("k0", "constant", value=2.0), "y": Node("y", "power", inputs=("a", "k0"))}
    own = Function(("a",), inside, "y")
    document = replace(graph(x=3.0, m=("own", "x")), functions={"own": own})
    assert "    y = a ** 2\n" in code(document, "torch")


def test_a_number_that_is_the_output_or_whose_gradient_is_wanted_has_a_line():
    document = graph(x=3.0, k0=("constant", 2.0), y=("power", "x", "k0"))
    assert export(document, "torch", wrt=["k0"]).text.count("k0") > 2
    assert run(export(document, "numpy", output="k0").text) == {"k0": 2.0}


def test_numbers_that_follow_from_numbers_alone():
    document = graph(x=3.0, k0=("constant", 2.0), k1=("constant", 3.0), m=("multiply", "k0", "k1"), y=("add", "x", "m"))
    assert "y = x + 6\n" in code(document, "jax")


def test_a_number_in_cpp():
    text = code(graph(x=3.0, k0=("constant", 2.0), y=("multiply", "x", "k0")), "eigen")
    assert "const T y = x * number(2.0);" in text


def test_random_numbers_in_every_place():
    for op in ("add", "subtract", "multiply", "divide", "power", "maximum"):
        for operands in (("x", "k0"), ("k0", "x")):
            document = graph(x=np.array([1.5, 2.0]), k0=("constant", 2.0), y=(op, *operands), L=("sum", "y"))
            assert not list(differences(run(code(document)), expected(document), 1e-15))


def test_a_number_of_float16_warned_of_an_overflow():
    document = graph(x=3.0, k0=("constant", 2.0), y=("power", "x", "k0"))
    assert "y = x ** 2\n" in code(replace(document, dtype="float16"))
