"""A captured torch.autograd.Function keeps the user's own gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.methods.checking import check_grads

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        return (x > 0).to(x.dtype) * 2

    @staticmethod
    def backward(context: Any, upstream: Any) -> Any:
        return upstream


class WrongExp(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        context.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(context: Any, upstream: Any) -> Any:
        (x,) = context.saved_tensors
        return x * upstream


class Gate(torch.autograd.Function):
    """Of several operands, which saves its result, a number and a mask; a number type is no operand."""

    @staticmethod
    def forward(context: Any, x: Any, w: Any, b: Any, scale: float, dtype: Any) -> Any:
        y = torch.sigmoid(x @ w.t() + b) * scale
        context.save_for_backward(x, w, y)
        context.scale, context.high = scale, y > 1
        return y

    @staticmethod
    def backward(context: Any, upstream: Any) -> Any:
        x, w, y = context.saved_tensors
        inner = upstream * y / context.scale * (1 - y / context.scale) * context.scale * context.high
        return inner @ w, inner.t() @ x, inner.sum(0), None, None


class Both(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        return x * 1, x * 2

    @staticmethod
    def backward(context: Any, first: Any, second: Any) -> Any:
        return first + 2 * second


class Parts(torch.autograd.Function):
    """Results of several shapes, of which one is whole and one passes no gradient."""

    @staticmethod
    def forward(context: Any, x: Any, scale: float) -> Any:
        context.save_for_backward(x)
        context.scale, free = scale, x.sum(0)
        context.mark_non_differentiable(free)
        return x * scale, x.sum(), free, x.argmax()

    @staticmethod
    def backward(context: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
        (x,) = context.saved_tensors
        return first * context.scale + second * x, None


class Same(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        context.mark_dirty(x)
        return x.mul_(2), x * 3

    @staticmethod
    def backward(context: Any, first: Any, second: Any) -> Any:
        return first * 2 + second * 6


def test_a_function_with_a_gradient_of_its_own_was_an_opaque_node():
    before = torch.autograd.Function.__dict__["apply"]
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    captured = cadena.capture(lambda w: (Straight.apply(w * 3) * Straight.apply(w)).sum(), w)
    assert captured.notes == () and captured.check().ok
    assert list(captured.document.functions) == ["Straight"]
    assert captured.document.functions["Straight"].gradient is not None
    assert torch.autograd.Function.__dict__["apply"] is before


def test_a_gradient_that_is_not_the_derivative_agrees_with_pytorch_and_not_with_differences():
    captured = cadena.capture(lambda w: WrongExp.apply(w).sum(), torch.tensor([0.5, 2.0], requires_grad=True))
    assert captured.check().ok
    with pytest.raises(AssertionError):
        check_grads(cadena.as_function(captured.document), (np.array([0.5, 2.0]),))


def test_what_a_function_saves_for_its_gradient_is_computed_in_it():
    torch.manual_seed(0)
    x, w, b = (torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in ((2, 3), (4, 3), (4,)))
    captured = cadena.capture(lambda x, w, b: (Gate.apply(x, w, b, 3.0, x.dtype) ** 2).sum(), x, w, b)
    assert captured.notes == () and captured.check().ok and captured.check().gradients == 3


def test_a_function_of_several_results_was_an_opaque_node():
    def loss(x: Any) -> Any:
        first, second = Both.apply(x)
        parts = Parts.apply(x, 2.0)
        return (first * x).sum() + second.pow(2).sum() + (parts[0] * x).sum() + parts[1] * parts[3] + parts[2].sum()

    x = torch.tensor([[1.0, 2.0], [3.0, -4.0]], requires_grad=True)
    captured = cadena.capture(loss, x)
    assert captured.notes == () and captured.check().ok
    assert set(captured.document.functions) == {"Both", "Parts"}
    moved = torch.tensor([[0.5, 1.5], [2.5, -3.5]], requires_grad=True)
    loss(moved).backward()
    run = cadena.compile(captured.document).run({"x": moved.detach().numpy()})
    np.testing.assert_allclose(run.gradient("x"), moved.grad, rtol=1e-6)


def test_a_function_that_returns_its_operand_is_opaque_and_says_why():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    captured = cadena.capture(lambda w: (Same.apply(w * 1)[0] * w).sum(), w)
    (note,) = captured.notes
    assert note.startswith("Same: ") and "its gradient is Python code of its own" in note
    assert captured.check().differing == ("w",)
    assert hints(cadena.compile(captured.document).run())[0].kind == "recorded-value"


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # of torch.compile itself
def test_a_compiled_function_is_captured_as_it_is_written():
    """PyTorch compiled the recorder too, which took most of a minute."""
    captured = cadena.capture(torch.compile(lambda w: (w**2).sum()), torch.tensor([1.0, 2.0], requires_grad=True))
    assert captured.notes == () and captured.check().ok
    assert {node.op for node in captured.document.nodes.values()} == {"parameter", "constant", "power", "sum"}
