"""Captured writes into tensors that share memory: the graph has what PyTorch computes, or a sentence says why not."""

from __future__ import annotations

from typing import Any

import pytest

import cadena

torch = pytest.importorskip("torch")
F = torch.nn.functional
pytestmark = pytest.mark.oracle


def _each(line: str) -> Any:
    """The function (h, w) of some statements."""
    names: dict[str, Any] = {"torch": torch, "F": F}
    exec("def change(h, w):\n    " + "\n    ".join(line.split("; ")), names)
    return names["change"]


WRITES = (
    "row = h[0]; row += 1",
    "h[1:].mul_(3)",
    "h.view(-1)[3].zero_()",
    "r = h[1:]; r *= 3; r.add_(w[:1])",
    "v = h.view(3, 2); h.mul_(2); return v.T.contiguous()",
    "h.t().copy_(w.view(3, 2)); h.transpose_(0, 1)",
    "h.unsqueeze(0).expand(1, 2, 3).squeeze(0).narrow(1, 1, 2).copy_(w[:, :2])",
    "h[:, 1::2] += 1; h[1].sub_(h[0].clone()); h[..., -1] = 0",
    "h[0] = h[1]",
    "e = h[0].clone(); h[0] = h[1]; h[1] = e",
    "h.flatten()[1:4].fill_(2.0); h.diagonal().mul_(2)",
    "h.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), w[0, :2])",
    "h[h > 1] = 7.0",
    "h.masked_fill_(h < 1, 3.0)",
    "h.clamp_(0, 3.5); h.exp_()",
    "F.relu(h, inplace=True)",
    "h.scatter_(1, torch.tensor([[1], [2]]), w[:, :1] * 2)",
    "z = torch.zeros_like(w); z[0] = w[1]; z[1] = w[0] * 2; return z",
    "z = torch.zeros(2, 3, dtype=w.dtype); row = z[0]; row += w[0]; return z",
    "a = h.split(1)[0]; h.mul_(2); return h",
    "d = h.detach(); h.mul_(2); return h * d",
    "h.normal_(generator=torch.Generator().manual_seed(1)); return h * w",
    "n = torch.zeros_like(w); n.data.add_(2); return n * w",
)


@pytest.mark.parametrize("line", WRITES)
def test_a_write_through_this_view_is_what_pytorch_computes(line):
    w = torch.tensor([[1.0, 0.2, 3.0], [4.0, 0.3, 0.7]], dtype=torch.float64, requires_grad=True)

    def loss(w: Any) -> Any:
        h = w * 1
        changed = _each(line)(h, w)
        h = h if changed is None else changed
        return (h * torch.arange(6.0, dtype=h.dtype).view(h.shape)).sum() + (h.clone() ** 2).sum()

    captured = cadena.capture(loss, w)
    assert captured.notes == () and captured.check().ok, captured.check()


def test_two_parts_that_update_each_other_are_parts_of_one_state():
    def loss(state: Any) -> Any:
        s = state.clone()
        position, velocity = s[0], s[1]
        for _ in range(3):
            velocity -= 0.1 * position
            position += 0.1 * velocity
        return s.pow(2).sum()

    captured = cadena.capture(loss, torch.tensor([0.0, 1.0], requires_grad=True))
    assert captured.notes == () and captured.check().ok
    assert captured.value == pytest.approx(1.0287, abs=1e-4)


def test_a_write_through_data_was_not_seen():
    def zeroed(a: Any) -> Any:
        out = a.sigmoid()
        out.data.zero_()
        return out.sum()

    def replaced(a: Any) -> Any:
        out = a * 2
        out.data = torch.zeros(3)
        return out.sum()

    for loss in (zeroed, replaced):
        with pytest.raises(cadena.Refused, match=r"through \.data"):
            cadena.capture(loss, torch.tensor([1.0, 2.0, 3.0], requires_grad=True))


def test_a_parameter_written_through_data_has_its_new_numbers():
    w = torch.tensor([1.0, 2.0], requires_grad=True)

    def loss() -> Any:
        w.data.mul_(3)
        return (w**2).sum()

    captured = cadena.capture(loss)
    assert captured.value == 45.0 and captured.check().ok


def test_an_error_of_pytorch_in_the_backward_pass_is_a_sentence():
    def loss(w: Any) -> Any:
        h = w.exp()
        h.mul_(2)
        return h.sum()

    with pytest.raises(cadena.Refused, match="modified by an inplace operation"):
        cadena.capture(loss, torch.ones(2, requires_grad=True))
