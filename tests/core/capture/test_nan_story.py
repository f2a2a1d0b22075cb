"""The whole way of a loss that becomes nan: captured, the operation found, mended, exported and run by PyTorch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import cadena
from cadena.core.capture.captured import Captured
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph.document import Document
from cadena.core.verbs.export import write_program

torch = pytest.importorskip("torch")
nn = torch.nn
pytestmark = pytest.mark.oracle


def _first_bad_step(model: nn.Module, x: torch.Tensor, truth: torch.Tensor) -> tuple[Captured, int]:
    """Train with too large steps and a cross-entropy written by hand, until a gradient is nan."""
    optimizer = torch.optim.SGD(model.parameters(), lr=2000.0)
    for step in range(100):
        optimizer.zero_grad()
        with cadena.capturing(model) as captured:
            powers = torch.exp(model(x))
            loss = -(truth * torch.log(powers / powers.sum(1, keepdim=True))).sum(1).mean()
            loss.backward()
        if not all(item.grad.isfinite().all() for item in model.parameters()):  # the next loss would be nan
            return captured, step
        optimizer.step()
    raise AssertionError("the gradients stayed finite")


def _mended(document: Document) -> tuple[Document, list[str]]:
    """The document with the first fix of its first fault, until there is none; and their titles."""
    titles = list[str]()
    while faults := cadena.compile(document).run().faults:
        fix = fixes(document, cadena.compile(document).run(), faults[0])[0]
        document = fix.apply(document)
        titles.append(fix.title)
        assert len(titles) < 5, titles
    return document, titles


def test_the_operation_that_makes_a_loss_nan_is_found_mended_and_the_export_runs_in_pytorch(tmp_path):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3))
    x, truth = torch.randn(6, 2), torch.eye(3)[torch.tensor([0, 1, 2, 0, 1, 2])]
    captured, step = _first_bad_step(model, x, truth)
    assert step > 0 and captured.check().ok
    run = cadena.compile(captured.document).run()
    first = run.faults[0]
    assert (first.node, first.kind) == ("exp1", "inf-value") and "exp overflows above 88.72" in first.message

    document, titles = _mended(captured.document)
    assert titles == ["Use log_softmax for the logarithm of softmax"]
    mended = cadena.compile(document).run()
    program = tmp_path / "mended.py"
    write_program(document, "torch", program)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, cwd=tmp_path)
    printed = dict(line.split(" = ") for line in done.stdout.splitlines())
    assert float(printed["loss"]) == pytest.approx(float(mended.value("loss")), rel=1e-5)

    model.zero_grad()
    truly = torch.nn.functional.cross_entropy(model(x), truth)  # what the formula by hand meant
    truly.backward()
    assert float(printed["loss"]) == pytest.approx(truly.item(), rel=1e-4)
    for name, item in model.named_parameters():
        node = cadena.core.capture.modules.node_name(name)
        theirs = np.array(eval(printed[f"dloss/d{node}"]))
        np.testing.assert_allclose(theirs, mended.gradient(node), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(theirs, item.grad.numpy(), rtol=1e-3, atol=1e-5)
