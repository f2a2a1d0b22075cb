"""Settings as they are typed: what can be meant is read, what cannot is refused with what to type."""

from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import KINDS, REGISTRY, REQUIRED, Attribute
from cadena.gui.panels.inspector.attribute_text import example, read_attribute, write_attribute

TYPED = [
    ("integer", 0, "2", 2),
    ("integer", 0, "−3", -3),
    ("integer", 4, "", 4),
    ("number", 0.5, "0.25", 0.25),
    ("number", 0.5, "1e-3", 1e-3),
    ("number", 0.5, "−1/2", -0.5),
    ("number", 0.5, "2", 2),
    ("number", 0.5, "", 0.5),
    ("number", None, "", None),
    ("integers", REQUIRED, "3", 3),
    ("integers", REQUIRED, "1, 2", [1, 2]),
    ("integers", REQUIRED, "1 × 2", [1, 2]),
    ("integers", REQUIRED, "[5]", [5]),
    ("integers", REQUIRED, "[]", []),
    ("integers", REQUIRED, "[[0, 1], [1, 0]]", [[0, 1], [1, 0]]),
    ("integers", REQUIRED, "(0, 1), (1, 0)", [[0, 1], [1, 0]]),
    ("text", REQUIRED, " ij,jk->ik ", "ij,jk->ik"),
    ("axis", None, "", None),
    ("axis", None, "1", 1),
    ("shape", REQUIRED, "2 × 3", [2, 3]),
]


@pytest.mark.parametrize(("kind", "default", "typed", "meant"), TYPED)
def test_what_is_typed_is_read_as_what_it_means(kind, default, typed, meant):
    read = read_attribute(Attribute("a", default, kind, ""), typed)
    assert read == meant and type(read) is type(meant)


@pytest.mark.parametrize(("kind", "default", "typed", "meant"), [item for item in TYPED if item[3] is not None])
def test_what_is_written_is_read_as_the_same(kind, default, typed, meant):
    attribute = Attribute("a", default, kind, "")
    assert read_attribute(attribute, write_attribute(attribute, meant)) == meant


@pytest.mark.parametrize("typed", ["x", "1.5", "1;2", "[1", "[1, x]", "", "{}", "true", "[" * 5000])
@pytest.mark.parametrize("kind", ["integer", "integers"])
def test_what_cannot_be_meant_is_refused_with_an_example(kind, typed):
    with pytest.raises(Refused, match="cannot be the a; type "):
        read_attribute(Attribute("a", REQUIRED, kind, ""), typed)


@pytest.mark.parametrize("typed", ["x", "[1, 2]", "1/0"])
def test_what_is_no_number_is_refused(typed):
    with pytest.raises(Refused):
        read_attribute(Attribute("a", 1.0, "number", ""), typed)


def test_a_word_is_taken_where_it_is_a_choice_beside_numbers():
    padding = Attribute("padding", 0, "integers", "", ("same", "valid"))
    assert read_attribute(padding, "same") == "same"
    with pytest.raises(Refused, match="same or valid"):
        read_attribute(padding, "full")


def test_a_number_outside_its_limits_is_refused_with_the_limits():
    places = Attribute("decimals", 0, "integer", "", within=(-308, 308))
    assert read_attribute(places, "-308") == -308
    with pytest.raises(Refused, match="type 2, from -308 to 308"):
        read_attribute(places, "309")


def test_every_kind_that_is_typed_has_an_example():
    typed = [attribute for record in REGISTRY.values() for attribute in record.attributes]
    assert all(example(attribute) for attribute in typed if attribute.kind not in ("flag", "choice"))
    assert {attribute.kind for attribute in typed} == set(KINDS)
