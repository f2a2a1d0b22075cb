"""Mistakes in expressions: each is a sentence with its place, what is wrong and what to do; nothing is evaluated."""

from __future__ import annotations

import pytest

from cadena.core.expressions.reading import parse
from cadena.core.expressions.syntax import Misread
from cadena.core.graph.document import Document, Node
from tests.core.graphs import graph

ONLY = "only assignments and expressions are read; write one such as L = (w*x + b)**2"
TOO_DEEP = "this is nested more than 60 deep; give a part of it a name of its own"
MISTAKES = [
    # (text, line, column, piece, what is said)
    ("y = sigmiod(x)", 1, 5, "sigmiod", "there is no operation sigmiod; did you mean sigmoid?"),
    ("y = x.smu()", 1, 5, "x.smu", "there is no operation smu; did you mean sum?"),
    ("y = np.xyzzy(x)", 1, 5, "np.xyzzy", "there is no operation xyzzy; choose one of the palette's, or make a function"
     " of this name"),
    ("w = 2; y = w(x + 1)", 1, 12, "w", "there is no operation w; write w*(...) for a product"),
    ("y = (x + 1", 1, 5, "(", "this bracket is never closed; add )"),
    ("y = x[0", 1, 6, "[", "this bracket is never closed; add ]"),
    ("y = x + 1)", 1, 10, ")", "this closes nothing; remove it, or open the bracket before it"),
    ("y = (x + 1]", 1, 11, "]", "this does not close what is open; put ) before it"),
    ("y = 2x", 1, 5, "2x", "a number stands right before a name; write * between them, as in 2*x"),
    ("y = w x", 1, 7, "x", "a sign is missing before it; write an operator, such as *"),
    ("y = x^2", 1, 5, "x^2", "^ is no power in Python; write ** for a power"),
    ("y = x²", 1, 6, "²", "this is no sign of an expression; write **2"),
    ("y = ∞", 1, 5, "∞", "this is no sign of an expression; write inf"),
    ("y = |x|", 1, 5, "|", "this cannot stand here; correct it, or remove it"),
    ("y = ", 1, 5, "", "something is missing at the end; complete it"),
    ("y = w*x +", 1, 10, "", "something is missing at the end; complete it"),
    (" y = w +\n\n", 1, 9, "", "something is missing at the end; complete it"),
    ("y = 'x'", 1, 5, "'x'", "a text is no number, and no operation takes one here; write a number, a name or an "
     "operation"),
    ("y = 'x", 1, 5, "'x", "a text is no part of an expression; remove the quotation mark"),
    ("for i in x: y = i", 1, 1, "for i in x: y = i", ONLY),
    ("import os", 1, 1, "import os", ONLY),
    ("w = 2\nfrom os import path", 2, 1, "from os import path", ONLY),
    ("def f(x): return x", 1, 1, "def f(x): return x", ONLY),
    ("y = lambda x: x", 1, 5, "lambda x: x", ONLY),
    ("y = (x := 3)", 1, 6, "x := 3", ONLY),
    ("y = [i for i in x]", 1, 5, "[i for i in x]", ONLY),
    ("y = {1: 2}", 1, 5, "{1: 2}", ONLY),
    ("y += 1", 1, 1, "y += 1", ONLY),
    ("y = f'{x}'", 1, 5, "f'{x}'", ONLY),
    ("y = sum(*x)", 1, 9, "*x", ONLY),
    ("a, b = 1, 2", 1, 1, "a, b", "this cannot be assigned to; write one name on the left of one ="),
    ("a = b = 2", 1, 1, "a", "this cannot be assigned to; write one name on the left of one ="),
    ("f(x) = 2", 1, 1, "f", "this cannot be assigned to; write one name on the left of =, and == to compare"),
    ("lambda = 3", 1, 1, "lambda", "lambda is a word of Python and no name; choose another, such as lambda_"),
    ("y = class + 1", 1, 5, "class", "class is a word of Python and no name; choose another, such as class_"),
    ("y = 1; y = 2", 1, 8, "y", "y is assigned in line 1 already; choose another name"),
    ("y = x + 1\nx = 2", 1, 5, "x", "x is assigned in line 2 only; move that line up"),
    ("y = y + 1", 1, 5, "y", "y is used before it is assigned; choose another name for one of the two"),
    ("y = norm*2", 1, 5, "norm", "norm is an operation; write norm(...), or give a parameter of that name a value "
     "first"),
    ("y = 3(x + 1)", 1, 5, "3", "this cannot be called; write * for a product, or an operation, such as exp(x)"),
    ("y = x(2)", 1, 5, "x", "there is no operation x; write x*(...) for a product"),
    ("y == 3", 1, 1, "y == 3", "this compares two values, and makes nothing; write one = to assign"),
    ("y = matmul(x)", 1, 5, "matmul(x)", "matmul takes 2 operands (left, right), and 1 is there; add what is missing"),
    ("y = exp()", 1, 5, "exp()", "exp takes an operand (x), and none is there; add what is missing"),
    ("y = exp(x, z)", 1, 12, "z", "exp takes one operand; remove the others"),
    ("y = max(a, b)", 1, 12, "b", "max needs an axis or a list of axes as its axis; write it as a plain value, or "
     "maximum(a, b) for that of two"),
    ("y = sum(x, colour=1)", 1, 12, "colour=1", "sum has no colour=; it knows axis, keepdims"),
    ("y = sum(x, 0, axis=0)", 1, 15, "axis=0", "axis is given twice; write it once"),
    ("y = sum(x, axis=w)", 1, 17, "w", "sum needs an axis or a list of axes as its axis; write it as a plain value"),
    ("y = sum(x, keepdims=1)", 1, 21, "1", "sum needs true or false as its keepdims; write it as a plain value"),
    ("y = reshape(x)", 1, 5, "reshape(x)", "reshape needs its shape; add shape=..."),
    ("y = split(x, 2)", 1, 5, "split(x, 2)", "split gives several arrays; choose one, such as split(...)[0]"),
    ("y = split(x, 2)[0, 1]", 1, 17, "0, 1", "a part is chosen by a whole number; write [0], [1] ..."),
    ("y = x[i]", 1, 7, "i", "this is no plain index; write one as in numpy, such as 0 or 1:3, or take_along_axis(x, "
     "indices) for a computed one"),
    ("y = a < b < c", 1, 5, "a < b < c", "this is no single comparison; write one such as a < b, or a product of two"),
    ("y = a and b", 1, 5, "a and b", "and is no operation on numbers; write a * b of two conditions"),
    ("y = x.grad", 1, 5, "x.grad", "there is no .grad of a node; write .T for a transpose, or call an operation"),
    ("y = 1/0", 1, 5, "1/0", "this divides by 0; write another number, or inf or nan"),
    ("y = 1e400", 1, 5, "1e400", "the number is too large; write one below 1.8e308"),
    ("y = 0777", 1, 5, "0777", "the number begins with 0; write it without that"),
    ("größe = 0777", 1, 9, "0777", "the number begins with 0; write it without that"),
    ("y = 2j", 1, 5, "2j", "this is no number; write a number, a name or an operation"),
    ("y = True", 1, 5, "True", "this is no number; write a number, a name or an operation"),
    ("y = [[1], [2, 3]]", 1, 5, "[[1], [2, 3]]", "its rows differ in length; give each as many numbers as the first"),
    ("y = []", 1, 5, "[]", "this list holds no number; write one such as [1, 2]"),
    ("x = input(w)", 1, 11, "w", "this is no plain number; write numbers here, such as 2 or [1, 2]"),
    ("x = input()", 1, 5, "input()", "input takes one value; write input(2.5), or input([1, 2])"),
    ("a = 1\n  b = 2", 2, 3, "b", "the line is indented; begin it below the first letter of the others"),
    ("", 1, 1, "", "there is no expression; write one such as L = (w*x + b)**2"),
    (" # nothing\n\n", 1, 2, "", "there is no expression; write one such as L = (w*x + b)**2"),
    ("y = \ud800", 1, 5, "\ud800", "this is no letter; remove it"),
    ("y = x\0", 1, 6, "\0", "this is no letter; remove it"),
    ("y = x\u200b + 1", 1, 6, "x", "there is a letter that cannot be seen; remove it"),
    ("y = größe + sigmiod(x)", 1, 13, "sigmiod", "there is no operation sigmiod; did you mean sigmoid?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "piece", "said"), MISTAKES, ids=[item[0] for item in MISTAKES])
def test_a_mistake_is_told_with_its_place(text, line, column, piece, said):
    with pytest.raises(Misread) as caught:
        parse(text)
    refusal = caught.value
    assert (refusal.line, refusal.column, str(refusal.mistake)) == (line, column, said)
    assert refusal.piece.strip("\u200b") == piece


def test_a_name_that_a_node_has_is_not_assigned_anew():
    with pytest.raises(Misread, match="line 1, column 1: w: there is a node w already; choose another name"):
        parse("w = 2", graph(w=1.0))


@pytest.mark.parametrize(
    "text",
    [
        "-" * 10_000 + "x",
        "x" + "**x" * 5_000,
        "x" + "[0]" * 5_000,
        "x" + ".T" * 100_000,
        "x if c else " * 3_000 + "x",
        "sin(" * 70 + "x" + ")" * 70,
        "[" * 150 + "1" + "]" * 150,
        "(" * 5_000 + "x" + ")" * 5_000,
    ],
)
def test_deep_nesting_is_refused_and_no_recursion_error(text):
    with pytest.raises(Misread) as caught:
        parse(f"y = {text}")
    assert str(caught.value.mistake) == TOO_DEEP


@pytest.mark.parametrize("text", ["+".join(["x"] * 5_000), "not " * 3_000 + "x", "x" + ".T" * 900])
def test_what_only_some_pythons_can_parse_is_read_or_refused(text):
    try:
        assert parse(f"y = {text}").output == "y"
    except Misread as refusal:
        told = str(refusal.mistake)
        said = (TOO_DEEP, "not is no operation on numbers; write 1 - x")
    else:
        told, said = "", ("",)
    assert told in said


def test_a_warning_of_pythons_parser_is_nobodys_business():
    assert parse("y = 1if x else 2").nodes["y"].op == "where"


def test_brackets_alone_are_no_nesting():
    assert list(parse("(" * 150 + "x" + ")" * 150).nodes) == ["x"]


def test_a_text_of_many_megabytes_is_refused():
    with pytest.raises(Misread, match="more than 2000000 letters"):
        parse("x + " * 1_000_000)


def test_a_long_piece_is_shortened_in_the_middle():
    with pytest.raises(Misread) as caught:
        parse("y = " + "a" * 100)
    assert len(caught.value.piece) == 40 and "…" in caught.value.piece
    assert str(caught.value.mistake) == "names have at most 64 characters, and this one has 100; choose a shorter one"


def test_a_node_whose_name_has_a_middle_dot_is_no_product():
    document = Document({"col·lega": Node("col·lega", "parameter", value=2.0)})
    assert parse("y = col·lega + 1", document).nodes["y"].inputs[0] == "col·lega"
