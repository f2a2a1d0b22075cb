from __future__ import annotations

import pytest

import cadena.core.ops  # noqa: F401  (fills the table)
from cadena.core.languages.pattern import own_defaults, signature, template
from cadena.core.ops.primitive import REQUIRED

VAR = "torch.var(a, dim=axis, correction=ddof | 1, keepdim=keepdims)"
ATTRIBUTES = frozenset(("axis", "ddof", "keepdims"))


def test_a_pattern_is_a_template_for_writing():
    whole = template(VAR, ATTRIBUTES, frozenset())
    assert whole == "torch.var({a}, dim={axis}, correction={ddof}, keepdim={keepdims})"
    assert template(VAR, ATTRIBUTES, frozenset(("axis", "keepdims"))) == "torch.var({a}, correction={ddof})"


def test_operands_keep_their_parentheses_and_braces_stay_braces():
    assert template("(a + b) * 2.0", frozenset(), frozenset()) == "({a} + {b}) * 2.0"
    assert template("f(a, {1: 2})", frozenset(), frozenset()) == "f({a}, {{1: 2}})"


def test_a_list_of_all_operands_has_no_brackets_of_its_own():
    assert template("np.stack([*parts], axis=axis)", ATTRIBUTES, frozenset()) == "np.stack([{parts}], axis={axis})"
    assert template("np.einsum(subscripts, *parts)", frozenset(("subscripts",)), frozenset()) == (
        "np.einsum({subscripts}, {parts})"
    )


def test_the_languages_own_default_stands_behind_a_bar():
    assert own_defaults(VAR) == {"ddof": 1}
    assert own_defaults("f(a, dim=axis | ...)") == {"axis": REQUIRED}


def test_a_pattern_is_a_signature_for_reading():
    read = signature("var", VAR)
    assert read is not None
    assert read.name == "torch.var"
    assert read.bind(["x"], {}) == (["x"], {"axis": None, "ddof": 1, "keepdims": False})
    assert read.bind(["x", 0], {"keepdim": True}) == (["x"], {"axis": 0, "ddof": 1, "keepdims": True})


@pytest.mark.parametrize(("pattern", "name"), [("a * b", "*"), ("-a", "-"), ("a @ b", "@")])
def test_an_operator_is_read_by_its_sign(pattern, name):
    read = signature("multiply", pattern)
    assert read is not None
    assert read.name == name
    assert len(read.parameters) == pattern.count("a") + pattern.count("b")


def test_a_method_is_read_with_its_owner_as_the_first_operand():
    read = signature("reshape", "a.view(shape)")
    assert read is not None
    assert read.name == ".view"
    assert read.bind(["x", (2, 3)], {}) == (["x"], {"shape": (2, 3)})


@pytest.mark.parametrize("pattern", ["a + b * a", "np.mean((a - b) ** 2)", "torch.sort(a, dim=axis).values", "f(a, 2)"])
def test_what_is_more_than_one_call_is_never_read_back(pattern):
    assert signature("sort", pattern) is None


@pytest.mark.parametrize(
    ("arguments", "keywords", "sentence"),
    [
        (["x", 0, 1, True, 5], {}, "known here with 4 arguments, not 5"),
        (["x"], {"unbiased": False}, "not known here with unbiased=; leave it away"),
        (["x", 0], {"dim": 0}, "got dim= twice"),
        ([], {}, "needs a"),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments, keywords, sentence):
    read = signature("var", VAR)
    assert read is not None
    with pytest.raises(TypeError, match=sentence):
        read.bind(arguments, keywords)
