"""Damaged expressions: each is a graph or a refusal with its place, quickly, and never anything else."""

from __future__ import annotations

import random

from cadena.core.expressions.reading import parse
from cadena.core.expressions.syntax import Misread
from cadena.core.expressions.writing import expression_of
from cadena.core.graph.document import Document
from tests.core.expressions.test_syntax import MISTAKES

GOOD = (
    "L = (w*x + b - y)**2; y_hat = sigmoid(w @ x)",
    "w = [[1, 2], [3, 4]]\nz = sum(x @ w, axis=0, keepdims=True)[:, 1:]  # a sum",
    "p = where(a > 0, exp(-a), 1/a); q = split(x, 2)[1].T.reshape(2, -1)",
    "c = concatenate([x, 2*x], axis=1) if k == 1 else einsum('ij,jk->ik', a, b)",
    "x = input([1, -inf], gradient=True); y = np.linalg.inv(x) + torch.relu(x) % 2 // 3",
)
PIECES = (
    *"()[]{},;:=+-*/@%^&|~<>!.'\"\\#\n\t \0_09eE²∞·−é\u200b\ud800ﬁ",
    *(
        "**",
        "//",
        "==",
        "10**10**10",
        "lambda",
        "for",
        "import os",
        "None",
        "(((((",
        "[0]*10**9",
        "x.T",
        "input(",
        "1e999",
    ),
)


def damaged(rng: random.Random) -> str:
    """A text with pieces taken out, put in or moved."""
    text = rng.choice(GOOD if rng.random() < 0.7 else [item[0] for item in MISTAKES])
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randint(0, len(text)), rng.randint(0, 5)
        taken = text[place : place + length]
        put = rng.choice(
            ("", rng.choice(PIECES), taken * rng.randint(2, 60), rng.choice(PIECES) * rng.choice((1, 2, 300)))
        )
        text = text[:place] + put + text[place + length :]
    return text


def check_place(text: str, refusal: Misread) -> None:
    lines = text.replace("\r", "\n").split("\n")
    assert 1 <= refusal.line <= len(lines)
    assert 1 <= refusal.column <= len(lines[refusal.line - 1]) + 1
    assert str(refusal.mistake)


def test_a_damaged_expression_is_read_or_refused(rounds, report):
    rng, read, refused = random.Random(20261122), 0, 0
    for _ in range(rounds(4_000, 400_000)):
        text = damaged(rng)
        try:
            document = parse(text)
        except Misread as refusal:
            refused += 1
            check_place(text, refusal)
        else:
            read += 1
            assert document.output in document.nodes
            assert isinstance(parse(expression_of(document, values=True)), Document)
    report(
        "damaged expressions", f"{read + refused} texts, {read} read and written, {refused} refused with their place"
    )
    assert read > refused / 20
