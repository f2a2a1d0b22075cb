"""Faults are data, sentences are made at the end: held by reading the source, as tests/test_house_rules.py does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.sources import PRODUCT, label, sources

ERRORS = ("Refused", "NoStep", "NoForm", "TooNew", "ShapeError", "AttributeFault", "FunctionFault", "Fault", "Clause")
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
        owner = ast.unparse(node.value).rpartition(".")[2]
        return node.attr in ("message", "rule", "kind", "what", "remedy", "cause") and owner in PROBLEMS
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in SAYING:
        owners = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        return any(ast.unparse(owner).rpartition(".")[2] in PROBLEMS for owner in owners)
    return False


def taken_apart(code: str) -> Iterator[str]:
    """Where the code reads a sentence that the program has made, or makes one that is no template."""
    for node in ast.walk(ast.parse(code)):
        looked_at: list[ast.AST] = []
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in TAKING_APART:
            looked_at = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant | ast.Attribute):
            texts = isinstance(node.left, ast.Attribute) and isinstance(node.ops[0], ast.In | ast.NotIn)
            looked_at = [] if texts else node.comparators
        elif isinstance(node, ast.Subscript):
            looked_at = [node.value]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ERRORS:
            looked_at = [GLUED for part in node.args if isinstance(part, ast.JoinedStr)]
        if any(part is GLUED or is_sentence(part) for part in looked_at):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_sentence_is_taken_apart_or_glued():
    """What a program is to know of a fault or a refusal is a field of it; `core.text.wording` makes the sentence."""
    found = [f"{label(path)}: {found}" for path in sources(*PRODUCT) for found in taken_apart(path.read_text("utf-8"))]
    assert not found


def test_a_front_end_words_remedies_in_its_own_terms():
    """Python's words, `fault.message` and `str(refusal)`, are for neither the window nor the command line."""
    found = [
        f"{label(path)}:{node.lineno} {ast.unparse(node)}"
        for path in sources("gui", "core/verbs", "main.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr == "message" and is_sentence(node))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "str" and is_sentence(node))
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
    ],
)
def test_the_reader_of_sentences_sees_every_form(code):
    assert list(taken_apart(code))
