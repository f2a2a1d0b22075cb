"""The table of operations: families are imported when one of their operations is looked up, in whatever order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cadena.core.ops import FAMILIES
from cadena.core.ops.primitive import REGISTRY

ROOT = Path(__file__).parents[3]
SECONDS = 60


def printed(code: str) -> str:
    """What a new process prints, in which no family is imported yet."""
    imports = "import sys; from cadena.core.ops import primitive, FAMILIES; REGISTRY = primitive.REGISTRY; "
    command = [sys.executable, "-c", imports + code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True).stdout.strip()


def test_a_look_up_imports_no_family_behind_the_one_that_has_the_operation():
    assert printed("print(*set(FAMILIES) & sys.modules.keys())") == ""
    assert printed("REGISTRY['add']; print(*set(FAMILIES) & sys.modules.keys())") == FAMILIES[0]


@pytest.mark.some(1)
@pytest.mark.parametrize("first", ["add", "zeta", "conv2d", "no operation"])
def test_the_order_of_operations_depended_on_what_was_looked_up_first(first):
    assert printed(f"REGISTRY.get({first!r}); print(*REGISTRY)").split() == list(REGISTRY)
    assert list(dict.fromkeys(record.category for record in REGISTRY.values())) == list(REGISTRY.categories)


def test_an_operation_is_found_by_several_threads_at_once():
    code = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as threads:
    print(*[record.name for record in threads.map(REGISTRY.__getitem__, ["zeta", "sum", "relu", "add"] * 8)])
"""
    assert printed("\n" + code).split() == ["zeta", "sum", "relu", "add"] * 8


def test_a_rule_lost_the_notation_of_an_operation_whose_family_was_not_imported():
    """The partial of a power by its exponent has a logarithm."""
    code = """
from cadena.core.ops.expression import Symbol, show
partial = REGISTRY["power"].slots[1].partial(*map(Symbol, "yxe"))
print("log" in REGISTRY.loaded, show(partial, {}, latex=True))
"""
    was_loaded, shown = printed("\n" + code).split(" ", 1)
    assert was_loaded == "False" and shown.startswith(r"y \cdot \log\left(")


def test_a_record_that_a_test_adds_is_found_and_taken_out_again(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(REGISTRY, "own", REGISTRY["add"])
        assert REGISTRY["own"] is REGISTRY["add"] and "own" in [*REGISTRY]
    assert "own" not in REGISTRY and REGISTRY.get("own") is None and len(REGISTRY) == len([*REGISTRY])


def test_every_look_up_of_a_name_that_no_operation_has_imported_all_families_again(monkeypatch):
    assert "no_such_operation" not in REGISTRY
    asked: list[str] = []
    monkeypatch.setattr("cadena.core.ops.primitive.import_module", asked.append)
    assert "nor_this_one" not in REGISTRY and not asked
