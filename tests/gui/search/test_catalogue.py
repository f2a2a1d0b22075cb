"""The one search: what is found by names, signs, synonyms, words and with typing errors, and in which order."""

from __future__ import annotations

import pytest

from cadena.core.graph.document import Function, as_value
from cadena.core.ops.primitive import REGISTRY, SYNONYMS
from cadena.gui.search.catalogue import Entry, leaves_of, nothing, operations, search
from tests.thorough import in_turn

OPERATIONS = operations()


def named(*names: str) -> list[Entry]:
    return [Entry(name) for name in names]


def found(query: str, entries: list[Entry] | tuple[Entry, ...] = OPERATIONS) -> list[str]:
    return [entry.name for entry in search(query, entries)]


# --- what there is


def test_the_catalogue_holds_every_operation_once_in_the_order_of_the_families():
    names = [entry.name for entry in operations() if not entry.is_leaf]
    assert sorted(names) == sorted(REGISTRY)
    algebra = [entry.name for entry in operations() if entry.category == "Linear algebra"]
    assert algebra[:2] == ["matmul", "transpose"]


def test_functions_of_the_document_come_before_operations_and_are_found():
    function = Function(("x", "y"), {}, "x")
    entries = operations({"attention": function}, leaves=False)
    assert entries[0].name == "attention" and entries[0].detail == "function of x, y"
    assert found("atten", entries)[0] == "attention"


def test_a_number_means_a_leaf_of_that_value():
    leaves = [("constant", 2.5), ("input", 2.5), ("parameter", 2.5)]
    assert [(entry.name, entry.value) for entry in leaves_of("2.5")] == leaves
    assert leaves_of("[1, 2]")[0].value == as_value([1, 2])
    assert leaves_of("x2") == leaves_of("inf") == []


# --- what is found first


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("sin", "sin"),
        ("mul", "multiply"),
        ("times", "multiply"),
        ("×", "multiply"),
        ("*", "multiply"),
        ("-", "subtract"),
        ("/", "divide"),
        ("@", "matmul"),
        ("**", "power"),
        ("^", "power"),
        ("+", "add"),
        ("sum", "sum"),
        ("max", "max"),
        ("MATMUL", "matmul"),
        ("para", "parameter"),
        ("data", "input"),
        ("weight", "parameter"),
        (" relu ", "relu"),
        ("average", "mean"),
        ("aver", "mean"),
        ("x2", "square"),
        ("x²", "square"),
        ("bias", "add"),
        ("hadamard", "multiply"),
        ("elementwise prod", "multiply"),
        ("cross ent", "cross_entropy"),
        ("cross-e", "cross_entropy"),
        ("cross_entropy_", "cross_entropy"),
        ("softmax cross", "cross_entropy"),
        ("hyperbolic tang", "tanh"),
        ("matrix prod", "matmul"),
        ("matrix multiplication", "matmul"),
        ("ln", "log"),
        ("LOG", "log"),
        ("asin", "arcsin"),
        ("swish", "silu"),
        ("square root", "sqrt"),
        ("mean sq", "mse_loss"),
        ("loss mean", "mse_loss"),
    ],
)
def test_an_operation_is_found_by_name_sign_synonym_and_words(query, first):
    assert found(query)[0] == first


@in_turn("synonym", SYNONYMS, kind=lambda _: "synonyms")
def test_every_synonym_finds_its_operation_first(synonym):
    assert found(synonym)[0] == SYNONYMS[synonym].name


@in_turn("name", REGISTRY)
def test_every_name_finds_its_operation_first(name):
    assert found(name)[0] == found(name.replace("_", " "))[0] == name


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("sigmiod", "sigmoid"),
        ("mutliply", "multiply"),
        ("matrx multiplication", "matmul"),
        ("matrx mult", "matmul"),
        ("biass", "add"),
        ("tranpose", "transpose"),
        ("sni", "sin"),
        ("tahn", "tanh"),
        ("mena", "mean"),
        ("avarage", "mean"),
        ("softmx", "softmax"),
        ("crss entropy", "cross_entropy"),
        ("cross entorpy", "cross_entropy"),
        ("paramter", "parameter"),
    ],
)
def test_a_typing_error_finds_what_was_meant(query, first):
    assert found(query)[0] == first


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("torch.matmul", "matmul"),
        ("torch.mm(a, b)", "matmul"),
        ("np.dot", "dot"),
        ("jnp.exp", "exp"),
        ("exp(x)", "exp"),
        ("reduce_sum", "sum"),
        ("tf.reduce_mean", "mean"),
        ("torch.clamp", "clip"),
        ("torch.nn.functional.relu", "relu"),
        ("nn.MSELoss", "mse_loss"),
        ("nn.BCEWithLogitsLoss()", "binary_cross_entropy_with_logits"),
        ("special.expit", "sigmoid"),
    ],
)
def test_an_operation_is_found_by_what_a_library_calls_it(query, first):
    assert found(query)[0] == first


def test_a_name_that_no_library_has_finds_nothing():
    assert found("foo.bar") == found("torch.") == found("np.(") == found("1.5.2") == []


@pytest.mark.parametrize(("sign", "first"), [("Σ", "sum"), ("∑", "sum"), ("σ", "sigmoid"), ("∏", "prod"), ("⋅", "dot")])
def test_the_sign_of_a_sum_found_the_sigmoid(sign, first):
    assert found(sign)[0] == first


def test_what_is_spelled_right_finds_nothing_that_is_only_alike():
    assert "cosh" in found("cos") and "cross" not in found("cosh")


def test_the_help_text_is_searched_too_but_not_for_single_letters():
    assert "exp" in found("overflows")
    assert not found("zz")


def test_all_words_must_be_found():
    said = [f"{entry.title} {entry.doc}".casefold() for entry in search("square root", operations())]
    assert said and all("square" in text and "root" in text for text in said)
    assert found("square elephant") == []


def test_an_empty_query_finds_all_in_order_and_nonsense_nothing():
    assert found("  ", named("b", "a")) == ["b", "a"]
    assert found("qwerty") == found("qqqq") == found("???") == []
    assert nothing(" qqqq ") == "Nothing matches “qqqq”; try another name or word."


def test_letters_must_come_in_order():
    assert found("zf", named("Zoom to Fit", "Fizz")) == ["Zoom to Fit"]


def test_case_and_spaces_do_not_matter():
    assert found(" ZOOM  fit ", named("Zoom to Fit")) == ["Zoom to Fit"]


def test_the_nearest_comes_first():
    cosine = Entry("cos", keywords="sin of the other angle")
    entries = [*named("Raising"), cosine, *named("The sine", "sinh", "sin")]
    assert found("sin", entries) == ["sin", "sinh", "The sine", "cos", "Raising"]


def test_lesson_1_was_found_after_shorter_titles_of_lessons_10_to_19():
    lessons = named("Lesson 17: curvature", "Lesson 1: first chain rule", "Lesson 1")
    assert found("lesson 1", lessons) == ["Lesson 1", "Lesson 1: first chain rule", "Lesson 17: curvature"]


def test_letters_that_stand_together_come_before_scattered_ones():
    assert found("ave", named("Arrange vertices", "Leave")) == ["Leave", "Arrange vertices"]


def test_signs_of_regular_expressions_are_plain_letters():
    assert found("(.*", named("abc", "f(.*)")) == ["f(.*)"]
