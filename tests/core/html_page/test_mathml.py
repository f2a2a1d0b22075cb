"""Formulas as MathML: set, in the colours of roles, and nothing but formulas."""

from __future__ import annotations

from xml.etree import ElementTree

from cadena.core.html_page.mathml import MAX_SOURCE, TAGS, mathml, painted


def test_a_painted_part_names_its_role():
    root = ElementTree.fromstring(mathml(painted("gradient", r"\frac{\partial L}{\partial w_{0}}")))
    assert [item.attrib["mathcolor"] for item in root.iter("mstyle")] == ["gradient"]
    assert "".join(root.itertext()) == "∂L∂w0"


def test_a_minus_sign_after_a_bracket_is_no_difference():
    signs = [item.get("form") for item in ElementTree.fromstring(mathml("(-7) - (-2)")).iter("mo") if item.text == "−"]
    assert signs == ["prefix", None, "prefix"]


def test_what_cannot_be_set_is_shown_as_its_source():
    for latex in (r"\frac", "<img src=x onerror=alert(1)>^", "x" * (MAX_SOURCE + 1)):
        root = ElementTree.fromstring(mathml(latex))
        assert root.tag == "math" and "".join(root.itertext())[:5] == latex[:5]


def test_only_elements_of_formulas_come_out():
    for latex in (
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r"\class{a}{x}",
        r"\unicode{60}",
    ):
        tags = {item.tag for item in ElementTree.fromstring(mathml(latex)).iter()}
        assert tags <= TAGS and "<script" not in mathml(latex)
