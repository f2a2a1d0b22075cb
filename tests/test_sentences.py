"""Faults are data, sentences are made at the end: held by reading the source, as tests/test_house_rules.py does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.sources import PRODUCT, called, label, last_name, nodes, sources

ERRORS = (
    "Refused",
    "NoStep",
    "NoForm",
    "TooNew",
    "ShapeError",
    "AttributeFault",
    "FunctionFault",
    "Fault",
    "Clause",
    "Fix",
    "Judgement",
)
PROBLEMS = ("fault", "hint", "refusal", "refused", "problem", "cause", "origin")  # what faults and refusals are called
SAYING = ("str", "said", "told", "capital", "worded", "after_node")
TAKING_APART = (
    *("partition", "rpartition", "split", "rsplit", "startswith", "endswith", "replace", "removeprefix"),
    *("removesuffix", "find", "index", "match", "search", "fullmatch", "sub"),
)


GLUED = ast.JoinedStr()


def is_sentence(node: ast.AST) -> bool:
    """Whether an expression is the sentence of a fault or a refusal, its rule or its kind."""
    if isinstance(node, ast.Attribute):
        is_text = node.attr in ("message", "rule", "kind", "what", "remedy", "cause")
        return is_text and last_name(node.value) in PROBLEMS
    if isinstance(node, ast.Call) and called(node) in SAYING:
        owners = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        return any(last_name(owner) in PROBLEMS for owner in owners)
    return False


def taken_apart(code: str) -> Iterator[str]:
    """Where the code reads a sentence that the program has made, or makes one that is no template."""
    for node in nodes(code):
        looked_at: list[ast.AST] = []
        if isinstance(node, ast.Call) and called(node) in TAKING_APART:
            looked_at = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant | ast.Attribute):
            texts = isinstance(node.left, ast.Attribute) and isinstance(node.ops[0], ast.In | ast.NotIn)
            looked_at = [] if texts else node.comparators
        elif isinstance(node, ast.Subscript):
            looked_at = [node.value]
        elif isinstance(node, ast.Call) and called(node) in ERRORS:
            looked_at = [GLUED for part in node.args if isinstance(part, ast.JoinedStr)]
        if any(part is GLUED or is_sentence(part) for part in looked_at):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_sentence_is_taken_apart_or_glued():
    """What a program is to know of a fault or a refusal is a field of it; `core.text.wording` makes the sentence."""
    found = [f"{label(path)}: {found}" for path in sources(*PRODUCT) for found in taken_apart(path.read_text("utf-8"))]
    assert not found


WORDS = re.compile(r"[a-z]{2,}[ ,;:]+[a-z]|^[ ,;:]+[a-z]{2,} |[a-z]{2,}[,;:]? $|^[,;]? [a-z]{2,}$")
JOINED_BY_WORDS = re.compile(r" (and|or|which|as|so|but) ")
CODE = ("core/languages/", "core/scripts/")  # where most text is code of other languages


def is_wordy(node: ast.AST) -> bool:
    """Whether a text, or a choice between texts, has English words in a row; LaTeX has none."""
    if isinstance(node, ast.IfExp):
        return is_wordy(node.body) or is_wordy(node.orelse)
    if isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
    else:
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return WORDS.search(text) is not None and "\\" not in text


def wordy_names(function: ast.FunctionDef) -> set[str]:
    """The local names of texts with words."""
    pairs = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            is_pair = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs += list(zip(target.elts, value.elts)) if is_pair else [(target, value)]  # type: ignore[attr-defined]
    return {target.id for target, value in pairs if isinstance(target, ast.Name) and is_wordy(value)}


def halves(code: str) -> Iterator[str]:
    """Where a sentence is put together from halves: a text with words within another, added, or joined by words."""
    for function in [node for node in nodes(code) if isinstance(node, ast.FunctionDef)]:
        names = wordy_names(function)
        for node in ast.walk(function):
            parts: list[ast.AST] = []
            if isinstance(node, ast.JoinedStr):
                parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
                parts = [part for part in parts if isinstance(part, ast.Name) and part.id in names]
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                parts = [part for part in (node.left, node.right) if is_wordy(part)]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
                link = node.func.value
                text = link.value if isinstance(link, ast.Constant) and isinstance(link.value, str) else ""
                parts = [link] if JOINED_BY_WORDS.fullmatch(text) else []
            if parts:
                yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_sentence_is_put_together_from_halves():
    """The verdict on methods and the titles of fixes were; no translation could put its words into another order."""
    found = [
        f"{label(path)}: {half}"
        for path in sources(*PRODUCT)
        if not label(path).startswith(CODE)
        for half in halves(path.read_text("utf-8"))
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'why = "as every library does"; return f"reverse mode gives {own}, {why}"',
        'said = f"{edge} jumps here" if edge else f"{own} is right"; return f"{name}: {said}"',
        'first = f", first at {bad}" if bad else ""; return f"digits are lost in {dtype}{first}"',
        'place, why = "here", "as it overflows"; return f"{place}: {why}"',
        'return " and ".join(names)',
        'return "Inside the function " + title',
    ],
)
def test_the_reader_of_halves_sees_every_form(line):
    assert list(halves(f"def f():\n    {line}"))


def test_the_reader_of_halves_lets_whole_sentences_pass():
    assert not list(halves('def f():\n    number = short(x)\n    return f"the value of {name} is {number}"'))


def test_a_front_end_words_remedies_in_its_own_terms():
    """Python's words, `fault.message` and `str(refusal)`, are for neither the window nor the command line."""
    found = [
        f"{label(path)}:{node.lineno} {ast.unparse(node)}"
        for path in sources("gui", "core/verbs", "main.py")
        for node in nodes(path.read_text("utf-8"))
        if (isinstance(node, ast.Attribute) and node.attr == "message" and is_sentence(node))
        or (isinstance(node, ast.Call) and called(node) == "str" and is_sentence(node))
    ]
    assert not found


@pytest.mark.parametrize(
    "code",
    [
        'fault.message.rpartition("; ")',
        'fault.rule.startswith("overflow")',
        'found.fault.kind.endswith("-value")',
        'str(refusal).replace("a leaf", "--wrt")',
        '"; " in str(refusal)',
        'said(refusal).partition(" ")',
        're.search("shape", fault.worded(words))',
        "fault.message[0]",
        'Refused(f"there is no node {name}")',
        'Fault(name, Kind.SHAPE, f"{name} is too large")',
        'Fix(f"Inside {function}: {title}", effect, apply)',
    ],
)
def test_the_reader_of_sentences_sees_every_form(code):
    assert list(taken_apart(code))
