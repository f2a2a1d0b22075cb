"""The doctor on the graphs on which people got bad numbers: the node, the rule, the sentence, and fixes that are right.

What is right is computed in 120 digits by `exact`, without the engine's derivatives.
"""

import re

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.front import Run
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from tests.core.doctor.findings import exact
from tests.core.doctor.findings.case import Case
from tests.core.doctor.findings.cases import CASES
from tests.thorough import in_turn

ATOL = {"float16": 1e-4, "float32": 1e-6, "float64": 1e-12}
RTOL = {"float16": 2e-2, "float32": 1e-2, "float64": 1e-7}  # what 1000.02 leaves of a variance of 7e-5 in float32
each_case = in_turn("case", [pytest.param(case, id=name) for name, case in CASES.items()], kind=lambda _: "cases")


def problems(run: Run) -> list[Fault]:
    return [*run.faults, *hints(run, digits=True)]


def given(run: Run) -> dict[str, np.ndarray]:
    plan = run.plan
    return {plan.names[leaf]: np.asarray(run.values[leaf], dtype=float) for leaf in plan.leaves}


def test_there_are_enough_cases_and_most_were_reported_by_somebody():
    assert len(CASES) >= 90
    assert sum(bool(case.source) for case in CASES.values()) >= 45


@each_case
def test_the_node_the_rule_and_the_fixes(case: Case):
    run = cadena.compile(case.document).run()
    told = {
        (one.node, one.kind): (one.rule, tuple(fix.title for fix in fixes(case.document, run, one)))
        for one in problems(run)
    }
    assert told == case.problems


@each_case
def test_the_sentence_names_the_node_its_numbers_and_what_to_do(case: Case):
    for one in problems(cadena.compile(case.document).run()):
        what, _, advice = one.message.rpartition("; ")
        assert what and advice and one.node in what
        assert re.search(r"\d|inf|nan", what)
        assert not re.search(r"(?<![\w)\]])-(\d|inf)|  |\bNone\b|\b1 elements|[.]$", one.message)


@each_case
def test_every_fix_gives_what_is_true(case: Case):
    """The fixed output and gradients are the exact ones wherever these exist, and else finite."""
    document, run = case.document, cadena.compile(case.document).run()
    if not exact.knows(document):
        return
    numbers = given(run)
    value = exact.value(document, numbers)
    wanted = [name for name, node in document.nodes.items() if node.wants_gradient]
    gradients = {name: exact.gradient(document, numbers, name) for name in wanted}
    for fix in {fix.title: fix for one in problems(run) for fix in fixes(document, run, one)}.values():
        after = cadena.compile(fix.apply(document)).run()
        output = np.sum(np.asarray(after.value(str(document.output)), dtype=float))
        if value is not None and np.isfinite(value) and np.isfinite(output):
            np.testing.assert_allclose(output, value, rtol=RTOL[case.dtype], atol=ATOL[case.dtype], err_msg=fix.title)
        for name in wanted:
            _check_gradient(case, fix.title, after.gradient(name), gradients[name])


def _check_gradient(case: Case, what: str, made: np.ndarray | None, true: np.ndarray) -> None:
    if made is None:  # a constant now
        return
    known = np.isfinite(true) & np.isfinite(made)  # of several bad numbers a fix may cure one
    atol = RTOL[case.dtype] * float(np.max(np.abs(true), initial=0.0, where=known)) + ATOL[case.dtype]
    np.testing.assert_allclose(made[known], true[known], rtol=RTOL[case.dtype], atol=atol, err_msg=what)


def fixed(document: Document, most: int = 14) -> Document:
    """The document with the first fix of the first fault that has one, again and again."""
    for _ in range(most):
        run = cadena.compile(document).run()
        faults = [one for one in run.faults if one.severity == "fault"]
        offered = (fix for one in faults for fix in fixes(document, run, one)[:1])
        if (fix := next(offered, None)) is None:
            return document
        document = fix.apply(document)
    raise AssertionError("fixing never ends")


@each_case
def test_fixes_one_after_the_other_bring_the_graph_in_order(case: Case):
    document = fixed(case.document)
    run = cadena.compile(document).run()
    left = [one for one in run.faults if one.severity == "fault"]
    assert (left == []) == case.clean
    if document == case.document or not exact.knows(case.document):
        return
    numbers = given(cadena.compile(case.document).run())
    for name, node in case.document.nodes.items():
        if node.wants_gradient and name in document.nodes:
            true = exact.gradient(case.document, numbers, name)
            _check_gradient(case, "all", run.gradient(name), true)
