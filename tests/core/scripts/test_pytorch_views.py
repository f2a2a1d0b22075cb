"""Tensors of scripts share memory as PyTorch's do: views, writes in place, detach, .data, and what PyTorch refuses.

The numbers and sentences are PyTorch's; tests/fuzz/test_view_scripts.py compares random scripts with it.
"""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.scripts.running import run

pytestmark = pytest.mark.usefixtures("forked_scripts")

START = "import torch\nw = torch.tensor([1., 2., 3.], requires_grad=True)\nh = w * 2\n"
END = "(h * torch.tensor([1., 10., 100.])).sum().backward()\nprint(h.tolist(), w.grad.tolist())\n"


def printed(*lines: str) -> str:
    """What each part prints on its way to a gradient, run one after the other."""
    result = run("\n".join(lines))
    assert result.fault is None, (result.fault, lines)
    return result.printed.strip()


WRITES = {
    "row = h[0]; row += 1": "[3.0, 4.0, 6.0] [2.0, 20.0, 200.0]",
    "h[1:].mul_(3)": "[2.0, 12.0, 18.0] [2.0, 60.0, 600.0]",
    "h.view(-1)[2].zero_()": "[2.0, 4.0, 0.0] [2.0, 20.0, 0.0]",
    "r = h[1:]; r *= 3": "[2.0, 12.0, 18.0] [2.0, 60.0, 600.0]",
    "r = h.unsqueeze(0).squeeze(0); r[0] = 7": "[7.0, 4.0, 6.0] [0.0, 20.0, 200.0]",
    "h.reshape(3, 1).t()[0, 1].fill_(5)": "[2.0, 5.0, 6.0] [2.0, 0.0, 200.0]",
    "h.narrow(0, 1, 2).copy_(w[:2])": "[2.0, 1.0, 2.0] [12.0, 100.0, 0.0]",
    "h.select(0, 2).sub_(w[0])": "[2.0, 4.0, 5.0] [-98.0, 20.0, 200.0]",
    "h.expand(1, 3)[0, 0].neg_()": "[-2.0, 4.0, 6.0] [-2.0, 20.0, 200.0]",
    "d = torch.diag(h * 1); d.diagonal()[0] = 9; h = d.diagonal()": "[9.0, 4.0, 6.0] [0.0, 20.0, 200.0]",
    "r = h[::2]; h[0] = 9; r[1] = r[0].clone() * w[1]": "[9.0, 4.0, 18.0] [0.0, 920.0, 0.0]",
    "h[h > 3] = 0": "[2.0, 0.0, 0.0] [2.0, 0.0, 0.0]",
    "h[1:].masked_fill_(h[1:] > 5, 1)": "[2.0, 4.0, 1.0] [2.0, 20.0, 0.0]",
    "h[[0, 1]] = h[[1, 0]]": "[4.0, 2.0, 6.0] [20.0, 2.0, 200.0]",
    "h[0], h[1] = h[1], h[0]": "[4.0, 4.0, 6.0] [0.0, 22.0, 200.0]",
    "p, q = h[:2], h[1:]; p += 1; q *= 2": "[3.0, 10.0, 12.0] [2.0, 40.0, 400.0]",
    "h = torch.zeros(3); r = h[1:]; h[0] = w[0]; r[0] = w[1]": "[1.0, 2.0, 0.0] [1.0, 10.0, 0.0]",
    "h.clone()[0] = 5; h.contiguous()[1:].mul_(1)": "[2.0, 4.0, 6.0] [2.0, 20.0, 200.0]",
    "h.zero_()": "[0.0, 0.0, 0.0] [0.0, 0.0, 0.0]",
    "i = torch.tensor([0, 2, 0]); h.index_add_(0, i, w * w, alpha=2)": "[22.0, 4.0, 14.0] [6.0, 820.0, 212.0]",
    "h.index_fill_(0, torch.tensor([0, 2]), 0.5)": "[0.5, 4.0, 0.5] [0.0, 20.0, 0.0]",
    "h.index_copy_(0, torch.tensor([2, 0]), w[:2])": "[2.0, 4.0, 1.0] [100.0, 21.0, 0.0]",
    "h.index_put_((torch.tensor([2, 0]),), w[:2])": "[2.0, 4.0, 1.0] [100.0, 21.0, 0.0]",
    "h.index_put_([torch.tensor([0, 2, 0])], w, accumulate=True)": "[6.0, 4.0, 8.0] [3.0, 120.0, 201.0]",
    "h.scatter_(0, torch.tensor([2, 0]), 4.)": "[4.0, 4.0, 4.0] [0.0, 20.0, 0.0]",
    "h.scatter_(0, torch.tensor([2, 0]), w[:2])": "[2.0, 4.0, 1.0] [100.0, 21.0, 0.0]",
    "h[:].scatter_add_(0, torch.tensor([0, 2, 0]), w)": "[6.0, 4.0, 8.0] [3.0, 120.0, 201.0]",
    "h.masked_scatter_(torch.tensor([True, False, True]), w)": "[1.0, 4.0, 2.0] [1.0, 120.0, 0.0]",
    "h = torch.cat([h.masked_select(h > 3), w[:1]])": "[4.0, 6.0, 1.0] [100.0, 2.0, 20.0]",
    "h = h.index_select(0, torch.tensor([0, 2, 0]))": "[2.0, 6.0, 2.0] [202.0, 0.0, 20.0]",
    "h.flatten().add_(1); h.view(3, 1)[:, 0].clamp_(max=5)": "[3.0, 5.0, 5.0] [2.0, 20.0, 0.0]",
}


def test_writing_through_a_view_of_a_tensor_changes_the_tensor_and_its_gradient():
    parts = [f"{START}{change}\n{END}" for change in WRITES]
    assert printed(*parts).splitlines() == [*WRITES.values()]


def test_the_graph_of_writes_through_views_has_the_value_and_the_gradient_of_pytorch():
    text = (
        "import torch\nstate = torch.tensor([0.0, 1.0], requires_grad=True)\ns = state.clone()\npos, vel = s[0], s[1]\n"
        "for t in range(3):\n    vel -= 0.1 * pos\n    pos += 0.1 * vel\nloss = s.pow(2).sum()\nloss.backward()\n"
        "print(s.tolist(), state.grad.tolist())\n"
    )
    result = run(text)
    assert result.fault is None and result.document is not None
    again = compile(result.document).run()
    assert f"{float(again.value('loss')):.4f}" == "1.0287"
    np.testing.assert_allclose(again.gradient("state"), [-0.0099, 1.9403], atol=3e-1)
    shown = result.printed.split("] [")[1].rstrip("]\n")
    np.testing.assert_allclose(again.gradient("state"), [float(item) for item in shown.split(",")], rtol=1e-5)


PLAIN = {
    "a = torch.zeros(2, 3); a[1][2] = 5; a.T[0] = 1; print(a.tolist())": "[[1.0, 0.0, 0.0], [1.0, 0.0, 5.0]]",
    "a = torch.arange(4); b = a.view(2, 2); a += 1; print(b.tolist(), b[1].tolist())": "[[1, 2], [3, 4]] [3, 4]",
    "a = torch.zeros(2, 2).t().reshape(-1); print(a.is_contiguous())": "True",
    "a = torch.ones(2, 2); b = a.t().contiguous(); b[0] = 5; print(a.sum().item())": "4.0",
    "a = torch.ones(3); b = a[[0, 1]]; b += 1; print(a.tolist())": "[1.0, 1.0, 1.0]",
    "a = torch.ones(3); n = a.numpy(); n[0] = 7; a[1] = 8; print(a.tolist(), n.tolist())": "[7.0, 8.0, 1.0] "
    "[7.0, 8.0, 1.0]",
    "import numpy as np; n = np.zeros(2); a = torch.from_numpy(n); a[0] = 1; n[1] = 2; print(a.tolist())": "[1.0, 2.0]",
    "a = torch.ones(3); d = a.detach(); d[0] = 4; a.data[1] = 5; print(a.tolist())": "[4.0, 5.0, 1.0]",
    "import copy; a = torch.ones(2); b = copy.deepcopy(a); b[0] = 3; print(a.tolist(), b.tolist())": "[1.0, 1.0] "
    "[3.0, 1.0]",
    "a = torch.zeros(2, 2)\nfor row in a: row += 1\nprint(a.tolist())": "[[1.0, 1.0], [1.0, 1.0]]",
    "a = torch.zeros(3)\nfor part in a.split(2): part.fill_(2)\nprint(a.tolist())": "[2.0, 2.0, 2.0]",
    "a = torch.zeros(2); b = torch.ones(2); torch.add(b, b, out=a); print(a.tolist())": "[2.0, 2.0]",
    "a = torch.zeros(4); torch.mul(a[:2] + 1, 3, out=a[2:]); print(a.tolist())": "[0.0, 0.0, 3.0, 3.0]",
}


def test_tensors_without_a_gradient_share_memory_in_both_directions():
    result = run("import torch\n" + "\n".join(PLAIN))
    assert result.printed.splitlines() == [*PLAIN.values()], result.fault


VIEW = "is a view and is being modified inplace"
ERRORS = {
    "w[0] += 1": "a view of a leaf Variable that requires grad is being used in an in-place operation",
    "w += 1": "a leaf Variable that requires grad is being used in an in-place operation",
    "h.expand(2, 3).add_(1)": "more than one element of the written-to tensor refers to a single memory location",
    "p, q, r = h.unbind(); p += 1": f"Output 0 of Unbind {VIEW}",
    "p, q = h.split(2); q += 1": f"Output 1 of Split {VIEW}",
    "for row in h: row.mul_(2)": f"Output 0 of Unbind {VIEW}",
    "with torch.no_grad(): v = h[1:]\nv.mul_(2)": "A view was created in no_grad mode and is being modified inplace",
    "h[1:] += h[:2]": "some elements of the input tensor and the written-to tensor refer to a single memory location",
    "h += torch.ones(2, 3)": "output with shape [3] doesn't match the broadcast shape [2, 3]",
    "i = torch.arange(3); i += 0.5": "result type Float can't be cast to the desired output type Long",
    "h.view(3, 1).expand(3, 2).t().view(-1)": "view size is not compatible with input tensor's size and stride",
    "torch.add(h, 1, out=torch.zeros(3))": "don't support automatic differentiation",
    "import copy; copy.deepcopy(h)": "Only Tensors created explicitly by the user",
    "h.resize_(6)": "Tensor.resize_ is not part of",
    "h.set_(w)": "Tensor.set_ is not part of",
    "h.unsqueeze_(0)": "unsqueeze_",
    "h.scatter_(0, torch.tensor([2]), w)": "scatter of values of shape [3] at an index of shape [1] has no gradient",
    "h.scatter_reduce_(0, torch.tensor([2]), w, 'sum')": "Tensor.scatter_reduce_ is not part of",
}


@pytest.mark.parametrize("change", ERRORS)
def test_what_pytorch_refuses_to_change_in_place_is_refused_with_its_sentence(change):
    result = run(START + change)
    assert result.fault is not None and ERRORS[change] in result.fault.sentence
    assert result.fault.line == 4 + change.count("\n")


OVERWRITTEN = {
    "y = h.sigmoid(); y.mul_(2)": 4,
    "y = h * w; h += 1": 4,
    "y = h.sin(); h.zero_()": 4,
    "y = h ** 2; h[0] = 1": 4,
    "y = h.exp(); r = y[1:]; r += 1": 4,
    "y = h.max(); h.detach().add_(1)": 4,
    "m = h > 3; y = torch.where(m, h, 0.); m[0] = True": 4,
    "m = h > 3; y = h * m; m.fill_(False)": 4,
    "i = torch.tensor([2, 0]); y = h[i]; i[0] = 1": 4,
    "i = torch.tensor([2, 0]); y = h.index_fill(0, i, 1); i.zero_()": 4,
}


def test_an_operand_overwritten_before_the_backward_pass_names_both_lines():
    for change in OVERWRITTEN:
        first, second = change.rsplit("; ", 1)
        fault = run(f"{START}{first}\n{second}\ny.sum().backward()\n").fault
        assert fault is not None and fault.line == 6
        assert "one of the variables needed for gradient computation has been modified by an inplace" in fault.sentence
        assert fault.sentence.endswith("line 4 needs it, line 5 overwrote it.")


def test_an_operation_that_keeps_nothing_lets_its_operands_be_overwritten():
    parts = [
        "y = h + w; h.zero_()",
        "y = h.sum(); h += 1",
        "y = h[1:]; z = y * 3; y += 1; y = z",
        "y = h.exp(); h *= 2",
    ]
    for part in parts:
        assert run(f"{START}{part}\ny.sum().backward()\n").fault is None, part


def test_a_write_through_data_into_a_result_is_refused_with_its_line_where_the_result_is_used():
    for write in (
        "h.data.zero_()",
        "h.detach()[0] = 1",
        "with torch.no_grad(): h.mul_(2)",
        "h.detach().numpy()[0] = 5",
    ):
        fault = run(f"{START}{write}\nloss = h.sum()\nloss.backward()\n").fault
        assert fault is not None and "line 4 wrote into a result of the graph" in fault.sentence, (write, fault)


def test_a_write_through_data_over_what_the_backward_pass_needs_is_refused():
    fault = run(f"{START}y = (w * w).sum()\nw.data.zero_()\ny.backward()\n").fault
    assert fault is not None and "line 4 needs it, and line 5 overwrote it unnoticed by PyTorch" in fault.sentence


def test_a_training_step_through_data_or_no_grad_is_no_write_into_the_graph():
    text = (
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nfor _ in range(2):\n    loss = (w * w).sum()\n"
        "    loss.backward()\n    w.data -= 0.1 * w.grad\n    w.grad.zero_()\n    with torch.no_grad():\n"
        "        w[0] = 1\n"
        "print(w.tolist())\n"
    )
    assert printed(text) == "[1.0, 1.2799999713897705]"


def test_the_gradient_of_a_leaf_that_was_changed_counts_its_earlier_value_too():
    text = (
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\ny = (w * w.detach().clone()).sum()\n"
        "with torch.no_grad():\n    w += 1\nz = y + (w * 3).sum()\nprint(torch.autograd.grad(z, w)[0].tolist())\n"
    )
    assert printed(text) == "[4.0, 5.0]"


def test_a_write_through_a_detached_view_of_data_is_followed():
    text = (
        "import torch\nw = torch.tensor([1., 2., 3.], requires_grad=True)\nx = torch.tensor([1., 2., 3.])\n"
        "x[1:].detach().mul_(w.detach()[1:])\nwith torch.no_grad():\n    x[:1].copy_(w[:1])\nloss = (w * x).sum()\n"
        "loss.backward()\n"
    )
    result = run(text)
    assert result.fault is None and result.document is not None
    again = compile(result.document).run({"w": [2.0, 1.0, 1.0]})
    assert float(again.value("loss")) == 2.0 * 2.0 + 1.0 * 2.0 + 1.0 * 3.0
    np.testing.assert_array_equal(again.gradient("w"), [2.0, 2.0, 3.0])
