"""Matrices of which LAPACK makes nothing: nan, no exception, and not a word on standard output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.ops import lapack
from tests.core.graphs import graph
from tests.core.test_primitives import CASES
from tests.thorough import some

BAD = (np.inf, -np.inf, np.nan)
OPERATIONS = ("inv", "solve", "det", "slogdet", "cholesky", "eigh", "svd", "pinv")
MATRICES = [case for case in CASES if case.values[0].primitive.name in OPERATIONS]


@pytest.mark.some(8)
@pytest.mark.parametrize("number", BAD)
@pytest.mark.parametrize("case", some(MATRICES))
def test_a_matrix_with_inf_or_nan_raises_nothing_and_lapack_prints_nothing(case, number, capfd):
    for everywhere in (True, False):
        spoiled = [operand.copy() for operand in case.operands]
        spoiled[0].reshape(-1)[: None if everywhere else 1] = number
        leaves = {f"v{slot}": operand for slot, operand in enumerate(spoiled)}
        document = graph(**leaves, made=(case.primitive.name, *leaves, case.attributes), L=("sum", "made"))
        for dtype in ("float64", "float32", "float16"):
            run = cadena.compile(document).run(dtype=dtype)
            is_harmless = np.isinf(number) or np.isfinite(run.value("L"))  # an inf is no fault by itself
            assert is_harmless or {fault.node for fault in run.faults} >= {"v0"}
            assert all(run.gradient(name).shape == run.value(name).shape for name in leaves)
            for fault in [*run.faults, *hints(run, digits=True)]:
                fixes(document, run, fault)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("number", BAD)
@pytest.mark.parametrize("op", ["cholesky", "eigh", "svd", "pinv"])
def test_a_matrix_with_inf_or_nan_cannot_be_taken_apart_and_the_others_of_its_batch_can(op, number):
    matrix = np.array([[4.0, 1.0], [1.0, 3.0]])
    spoiled = np.array([[number, 1.0], [1.0, 3.0]])
    batch, alone = (cadena.compile(graph(x=x, y=(op, "x"))).run().value("y") for x in ([matrix, spoiled], matrix))
    assert np.isnan(batch[1]).all()
    np.testing.assert_allclose(batch[0], alone)


def test_the_doctor_names_the_inf_and_no_eigenvalue_that_is_none():
    run = cadena.compile(graph(x=[[-np.inf, 0.0], [0.0, 1.0]], y=("cholesky", "x"))).run()
    assert [fault.message for fault in run.faults if fault.node == "y"] == [
        "y = cholesky(x) is nan in float64 for x = [[−inf, 0], [0, 1]] at [0, 0] (4 of 4 places): cholesky of inf, as "
        "x is −inf; find out why x is −inf"
    ]


def test_the_symmetric_part_of_a_huge_matrix_does_not_overflow():
    huge = 1e308 * np.eye(2)
    run = cadena.compile(graph(x=huge, y=("cholesky", "x"))).run()
    np.testing.assert_allclose(run.value("y"), 1e154 * np.eye(2))
    assert not run.faults


def test_the_rank_of_a_huge_matrix_is_not_lost_in_an_overflow():
    assert lapack.rank(np.full((3, 3), 1e308)) == 1
    assert lapack.rank(np.full((3, 3), 5e-324)) == 1
    assert lapack.rank(1e308 * np.eye(3)) == 3


def test_numpy_linalg_is_called_in_one_place():
    """Elsewhere only in what is `shown`, which gets symbols."""
    folder = Path(lapack.__file__).parent
    calls = [
        f"{file.name}: {line.strip()}"
        for file in folder.glob("*.py")
        for line in file.read_text().splitlines()
        if "np.linalg" in line and "shown=" not in line and file.name != "lapack.py"
    ]
    assert not calls
