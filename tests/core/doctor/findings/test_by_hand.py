"""The numbers in the sentences of the doctor: products come out, and numbers that differ are shown to differ."""

from __future__ import annotations

import re
from functools import cache

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.graph import edits
from cadena.core.methods.judging import Evidence, judge
from cadena.core.teaching.lessons import open_lesson
from tests.core.doctor.findings.cases import CASES
from tests.core.graphs import chain, graph
from tests.core.notation.by_hand import Unreadable, disagreement, from_plain
from tests.thorough import in_turn

PRODUCT = re.compile(r"as (\S+ · \S+) (=|≈) (\S+?)[:;,]")
INSTEAD = re.compile(r"it is (\S+), and should be (\S+?),")
DOCUMENTS = {name: case.document for name, case in CASES.items()}
DOCUMENTS |= {f"lesson 7 at {x}": edits.set_value(open_lesson("7"), "x", x) for x in (44.0, 45.0, 50.0, 51.9, 60.0)}
DOCUMENTS |= {
    "a chain": chain(60),
    "small": graph(x=1e-25, w=3.3e-25, y=("multiply", "x", "w"), z=("multiply", "y", "x")),
}


@cache
def _messages(name: str) -> list[str]:
    document, found = DOCUMENTS[name], []
    for dtype in ("float16", "float32", "float64"):
        run = cadena.compile(document).run(dtype=dtype)
        found += [fault.message for fault in (*run.faults, *hints(run, digits=True))]
    return found


@in_turn("name", DOCUMENTS, kind=lambda _: "documents")
def test_products_in_messages_come_out_by_hand(name: str) -> None:
    for message in _messages(name):
        for product, relation, result in PRODUCT.findall(message):
            try:
                assert relation == "≈" or not disagreement(from_plain(product), from_plain(result)), message
            except Unreadable:
                assert "…" in product


@in_turn("name", DOCUMENTS, kind=lambda _: "documents")
def test_a_number_never_should_be_what_it_is(name: str) -> None:
    for message in _messages(name):
        assert all(given != wanted for given, wanted in INSTEAD.findall(message)), message


def test_the_doctor_says_both_kinds_of_sentence_at_all() -> None:
    told = [message for name in DOCUMENTS for message in _messages(name)]
    assert any(PRODUCT.search(message) for message in told) and any(INSTEAD.search(message) for message in told)


def test_methods_that_differ_in_their_sixth_digit_were_told_to_give_the_same_number() -> None:
    numbers = {"reverse": 1.0, "central difference": 1.00001, "symbolic": 1.0}
    told = judge(Evidence("x", numbers, {}, 1.0, 1e-9), None, "float64", None)
    assert told.sentence.startswith("x: reverse and symbolic 1, central difference 1.00001: believe symbolic")
