"""Random scripts with views and writes in place give PyTorch's numbers, its errors or a refusal."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, as_array
from cadena.core.graph.fault import Kind
from cadena.core.scripts.graph import drawn
from cadena.core.scripts.pytorch.state import STATE
from tests import thorough
from tests.core.oracle.stand_ins import STAND_IN, differing, executed, numbers
from tests.fuzz.view_scripts import script

# What PyTorch refuses for the way its numbers lie in memory; here they are computed, or refused elsewhere.
# For PyTorch a view is a leaf while it was not used since its base got a graph; here a comparison of it is a use.
OF_MEMORY = re.compile(
    "unsupported operation|view size is not compatible|refer to a single memory location|"
    "^a leaf Variable that requires grad is being used in an in-place operation"
)
LEAF = re.compile(r"import|[wck]\d+ = torch.tensor")
REFUSED = re.compile(
    r"^line \d+ |unsupported operation|refer to a single memory location|which is not followed|reads what it writes|"
    "has no gradient; give both|its places take"
)


def outcome(seed: int, torch: object) -> str:
    """How a script ended in both; raises AssertionError where one shows other numbers without a word."""
    text = script(seed)
    theirs, their_error = executed(text, torch)
    ours, error = executed(text, STAND_IN)
    what = f"seed {seed}:\n{text}\nPyTorch: {their_error}\nhere: {error}"
    if error is not None and their_error is not None:
        assert type(error) is type(their_error) or REFUSED.search(str(error)), what
        return "both raise"
    if error is not None:
        assert isinstance(error, RuntimeError) and REFUSED.search(str(error)), what
        return "refused"
    if their_error is not None:
        assert OF_MEMORY.search(str(their_error)), what
        return "memory"
    assert not (names := differing(numbers(ours), numbers(theirs))), f"{names} differ\n{what}"
    if not np.isfinite(theirs["loss"].item()):
        return "overflow"
    document = drawn(STATE.tape, ours["loss"].handle().number).document
    run = compile(document).run()
    assert np.allclose(run.value(document.output), theirs["loss"].item(), rtol=2e-4, atol=2e-5, equal_nan=True), what
    for name in ("w0", "w1"):
        if name in theirs and name in document.nodes and theirs[name].grad is not None:
            slope = theirs[name].grad.numpy()
            assert np.allclose(run.gradient(name), slope, rtol=2e-4, atol=2e-5, equal_nan=True), f"{name}: {what}"
    return changed_outcome(seed, torch, document, theirs)


def changed_outcome(seed: int, torch: object, document: Document, before: dict[str, Any]) -> str:
    """How the graph goes with other numbers, against the script that has them."""
    first, _ = executed("\n".join(line for line in script(seed).splitlines() if LEAF.match(line)), torch)
    leaves = {
        name: node
        for name, node in document.nodes.items()
        if name in first
        and node.value is not None
        and np.array_equal(as_array(node.value), first[name].detach().numpy())
    }
    text = script(seed, leaves)
    theirs, their_error = executed(text, torch)
    if their_error is not None or not np.isfinite(theirs["loss"].item()):
        return "raises with other numbers"
    numbers, _ = executed("\n".join(line for line in text.splitlines() if LEAF.match(line)), torch)
    run = compile(document).run({name: numbers[name].detach().numpy() for name in leaves})
    if any(fault.kind is Kind.VIOLATED_GUARD for fault in run.faults):
        return "guarded"
    what = f"seed {seed}, {[*leaves]} changed:\n{text}\n"
    loss = theirs["loss"].item()
    assert np.allclose(run.value(document.output), loss, rtol=2e-4, atol=2e-5, equal_nan=True), (
        f"{what}{run.value(document.output)} is not {loss}"
    )
    for name in leaves:
        if name.startswith("w") and theirs[name].grad is not None:
            slope = theirs[name].grad.numpy()
            assert np.allclose(run.gradient(name), slope, rtol=2e-4, atol=2e-5, equal_nan=True), f"{what}{name}"
    return "same"


@pytest.mark.oracle
def test_scripts_with_views_give_the_numbers_of_pytorch(rounds, report):
    torch = pytest.importorskip("torch")
    tries = 2000 if thorough.everything else rounds(300, 2000)
    counts = Counter(outcome(seed, torch) for seed in range(tries))
    assert counts["same"] > tries / 2
    report("scripts with views", ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
