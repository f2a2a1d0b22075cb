"""Choices in captured code follow new numbers; where the graph cannot follow, it says so with the line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
pytestmark = pytest.mark.oracle
FIRST, SECOND = [[1.0, 0.2, 3.0], [4.0, 0.3, 0.7]], [[2.0, 5.0, 0.1], [0.4, 1.5, 0.05]]


def leaf(numbers: Any) -> Any:
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def with_other_numbers(fn: Any) -> tuple[bool, list[str]]:
    """Whether a graph captured at FIRST has PyTorch's value and gradient at SECOND, and the faults of that run."""
    captured = cadena.capture(fn, leaf(FIRST))
    assert captured.notes == () and captured.check().ok, captured.check()
    (name,) = (node.name for node in captured.document.nodes.values() if node.op == "parameter")
    run = cadena.compile(captured.document).run({name: np.array(SECOND)})
    w = leaf(SECOND)
    value = fn(w)
    value.backward()
    same = np.allclose(run.value(captured.document.output), value.detach().numpy())
    is_right = same and np.allclose(run.gradient(name), w.grad.numpy())
    return is_right, [fault.message for fault in run.faults if fault.severity == "fault"]


def _without_gradients(w: Any) -> Any:
    with torch.no_grad():
        target = w * 2 + 1
    return ((w - target) ** 2).sum()


def _changed_without_gradients(w: Any) -> Any:
    y = w * 3
    with torch.no_grad():
        y.mul_(w)
    return (y * w).sum()


def _written_through_detach(w: Any) -> Any:
    y = w * 2
    y.detach()[0].mul_(w[1].detach())
    return (y * w).sum()


def _masked(w: Any) -> Any:
    h = w * 1
    h[h > 1] = 0.5
    return (h**2).sum()


FOLLOWING = {
    "where": lambda w: torch.where(w > 1, w * 2, w**2).sum(),
    "a mask": lambda w: (w * (w > w.mean())).sum() + (w.lt(1) * w).sum(),
    "logic": lambda w: (((w > 0.2) & ~(w > 3.5) | torch.isnan(w)) * w).sum() + (w > 1).sum() * w[0, 0],
    "argmax": lambda w: w.view(-1)[w.argmax()] * 3 + w.view(-1)[w.argmin()],
    "topk": lambda w: (w.topk(2).values * torch.tensor([1.0, 2.0])).sum() + (w.topk(2).indices * w[:, :2]).sum(),
    "sort": lambda w: (w.sort(descending=True).values * torch.arange(3.0)).sum(),
    "a maximum along an axis": lambda w: (w.max(dim=1).values * torch.tensor([1.0, 2.0])).sum(),
    "places of a minimum": lambda w: w[torch.arange(2), w.min(1).indices].sum(),
    "a median": lambda w: w.median(1).values.sum() + w.flatten()[w.median(1).indices].sum(),
    "one-hot": lambda w: (F.one_hot(w.argmax(1), 3) * w).sum(),
    "labels of its own": lambda w: F.cross_entropy(w, w.argmin(1)),
    "gather": lambda w: torch.gather(w, 1, w.argsort(1)[:, :1]).sum(),
    "masked_fill": lambda w: w.masked_fill(w < 0.5, 0.0).clamp(min=0.1).sum(),
    "masked assignment": _masked,
    "counts": lambda w: (w * (w > 0.5).double().cumsum(0)).sum(),
    "detach": lambda w: (w.detach() * w).sum(),
    "no_grad": _without_gradients,
    "a change without gradients": _changed_without_gradients,
    "a write through detach": _written_through_detach,
}


@pytest.mark.parametrize("name", FOLLOWING)
def test_this_choice_was_a_constant(name):
    assert with_other_numbers(FOLLOWING[name]) == (True, [])


def _if(w: Any) -> Any:
    return (w**2).sum() if w[0, 0] < 1.5 else (w**3).sum()


def _while(w: Any) -> Any:
    x, count = w.sum(), 0
    while x > 5:
        x, count = x * 0.5, count + 1
    return x * count


GUARDED = {
    "if": (_if, "took the branch w[0, 0] < 1.5"),
    "while": (lambda w: _while(w * (w > 3)), "the branch x > 5"),
    "int()": (lambda w: (w * int(w[1, 1] * 2)).sum(), "int(w[1, 1] * 2)"),
    "item()": (lambda w: (w / w.abs().max().item()).sum(), "w.abs().max().item()"),
    "a mask that makes a shape": (lambda w: w[w > 1].sum(), "chose elements by w[w > 1]"),
    "nonzero": (lambda w: w.view(-1)[(w.view(-1) > 0.5).nonzero()[:, 0]].prod(), "chose elements by"),
    "a search": (lambda w: w.view(-1)[torch.unique((w * 2).long())[:1]].sum(), "torch.unique"),
}


@pytest.mark.parametrize("name", GUARDED)
def test_code_that_goes_on_with_a_computed_number_was_frozen_silently(name):
    fn, words = GUARDED[name]
    is_right, faults = with_other_numbers(fn)
    assert is_right or any(words in fault for fault in faults), faults


def test_a_number_that_is_only_printed_after_the_loss_guards_nothing():
    model = nn.Linear(2, 1)
    history = []
    with cadena.capturing(model) as captured:
        loss = (model(torch.ones(3, 2)) ** 2).sum()
        loss.backward()
        history.append(loss.item())
    assert captured.check().ok and not captured.document.guarded


def test_a_branch_inside_a_module_is_guarded():
    class Gated(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(3, 3)

        def forward(self, x: Any) -> Any:
            y = self.inner(x)
            return y * 2 if x.sum() > 0 else y**2

    model = nn.Sequential(Gated(), nn.Tanh())
    x = torch.ones(2, 3)
    captured = cadena.capture(lambda x: model(x).sum(), x, model=model)
    assert captured.check().ok
    program = cadena.compile(captured.document)
    assert not program.run().faults
    assert any("the branch" in fault.message for fault in program.run({"x": -np.ones((2, 3))}).faults)


TIED = torch.tensor([[1.0, 1.0, 0.5], [2.0, 0.25, 2.0]], dtype=torch.float64)
CHOOSING = {
    "max": lambda w: w.max(dim=1).values.sum(),
    "sort": lambda w: (torch.sort(w, dim=1, descending=True).values * torch.tensor([1.0, 2.0, 3.0])).sum(),
    "pool": lambda w: F.max_pool1d(w[None], 2, 1).sum(),
    "median": lambda w: w.median(),
    "hardtanh": lambda w: F.hardtanh(w, 0.25, 2.0).sum(),
    "clamp": lambda w: (torch.clamp_min(w, TIED) * 2.0).sum(),
    "xlogy": lambda w: torch.xlogy(w - 2.0, w).sum(),
    "norm": lambda w: torch.linalg.vector_norm(w - 1.0, ord=0.5, dim=1).sum(),
}


@pytest.mark.parametrize("name", CHOOSING)
def test_a_tie_or_a_bound_that_came_later_had_another_gradient(name):
    captured = cadena.capture(CHOOSING[name], leaf(FIRST))
    (parameter,) = (node.name for node in captured.document.nodes.values() if node.op == "parameter")
    run = cadena.compile(captured.document).run({parameter: TIED.numpy()})
    w = leaf(TIED.tolist())
    CHOOSING[name](w).backward()
    assert not run.faults and np.allclose(run.gradient(parameter), w.grad, rtol=1e-12)


def test_an_index_that_occurs_twice_keeps_the_rule_of_pytorch_and_a_note_says_so():
    v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    places, weights = torch.tensor([0, 0, 1]), torch.tensor([1.0, 10.0, 100.0])
    for write in (
        lambda x, v: x.index_put((places,), v),
        lambda x, v: x.index_copy(0, places, v),
        lambda x, v: x.scatter(0, places, v),
    ):
        captured = cadena.capture(lambda x, v, write=write: (write(x, v) * weights).sum(), leaf([0.0] * 3), v)
        assert captured.check().ok
        assert captured.gradients["v"].tolist() == [1.0, 1.0, 10.0]
        assert "an index occurs twice here" in captured.notes[0]
