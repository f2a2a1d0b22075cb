"""An operand or a result that is written over before the backward pass is an error here where it is one in PyTorch."""

from __future__ import annotations

import re

import pytest

from tests.core.oracle.stand_ins import STAND_IN, differing, executed, numbers

# PyTorch does not notice a write over an operand of kron, so that its gradient is of no function: it is an error here.
# Calls of a, b (2 x 2) and c (2), all results of the graph, and m (a mask).
CALLS = """
a + b; a - b; a * b; a * 2.0; a / b; a / 2.0; 2.0 / a; a ** 2; a ** b; a ** 3.0; 2.0 ** a; -a; a @ b; a @ c; a.mul(b)
torch.dot(c, c * 2); torch.outer(c, c + 1); torch.mm(a, b); torch.matmul(a, c); torch.einsum("ij,jk->ik", a, b)
a.exp(); a.log(); a.log1p(); a.log2(); a.log10(); a.expm1(); a.exp2(); a.sqrt(); a.rsqrt(); a.reciprocal(); a.square()
a.sin(); a.cos(); a.tan(); a.asin(); a.acos(); a.atan(); a.sinh(); a.cosh(); a.tanh(); a.asinh(); a.atanh()
a.abs(); a.sign(); a.floor(); a.round(); a.neg(); torch.atan2(a, b); torch.maximum(a, b); torch.minimum(a, b)
torch.sigmoid(a); torch.relu(a); F.gelu(a); F.silu(a); F.elu(a); F.leaky_relu(a); F.softplus(a); F.logsigmoid(a)
F.hardtanh(a); F.selu(a); F.mish(a); F.relu6(a); F.hardswish(a); F.hardsigmoid(a); F.softsign(a); F.tanhshrink(a)
torch.softmax(a, 0); torch.log_softmax(a, 0); a.logsumexp(0); a.logsumexp((0, 1)); a.erf(); a.erfinv(); a.digamma()
torch.lgamma(a); torch.hypot(a, b); a.clamp(0.1, 0.5); a.clamp(min=0.2); torch.lerp(a, b, 0.3)
a.sum(); a.sum(0); a.mean(); a.mean(0); a.prod(); a.prod(0); a.cumsum(0); a.cumprod(0); a.max(); a.min(); a.amax(0)
a.var(); a.std(); a.norm(); torch.linalg.norm(a); a.median(); a.std(0); a.norm(dim=0); torch.trace(a); torch.diag(c)
a.max(0).values; a.min(0).values; a.sort(0).values; a.topk(1).values
a.reshape(4); a.t(); a.unsqueeze(0); a.expand(2, 2, 2); a[0]; a[:, 1]; a[[0, 1]]; a[m]; a.flatten(); a.repeat(2, 1)
a.permute(1, 0); a.transpose(0, 1); a.flip(0); a.roll(1, 0); a.tril(); a.triu(); torch.where(m, a, b); a.diagonal()
torch.cat([a, b]); torch.stack([a, b]); torch.hstack([a, b]); torch.vstack([a, b]); a.masked_fill(m, 0.5); a.clone()
torch.inverse(a @ b); torch.linalg.inv(a); torch.linalg.det(a); torch.linalg.solve(a, b); torch.linalg.cholesky(a @ a.T)
F.mse_loss(a, b); F.l1_loss(a, b); F.smooth_l1_loss(a, b); F.huber_loss(a, b); F.linear(a, b); F.linear(a, b, c)
F.binary_cross_entropy(torch.sigmoid(a), m.float()); F.binary_cross_entropy_with_logits(a, m.float())
F.cross_entropy(a, torch.tensor([0, 1])); F.nll_loss(a, torch.tensor([0, 1])); F.layer_norm(a, (2,)); F.normalize(a)
F.cosine_similarity(a, b); F.softmin(a, 0); F.kl_div(a, b); a.double(); torch.gather(a, 0, m.long())
a.index_select(0, torch.tensor([1])); torch.take_along_dim(a, m.long(), 0)
torch.cross(t, t + 1, dim=0)
"""
# Calls of a mask m and of places i and j, which PyTorch keeps as well.
CHOOSING = """
a[m]; a * m; m * a; torch.where(m, a, b); a.masked_fill(m, 0.5); torch.masked_select(a, m); a[i]; a[i, i]; a[0, i]
a.gather(0, j); F.embedding(i, a); F.cross_entropy(a, i); F.nll_loss(a, i); a.index_select(0, i); a[a.argmax(0)]
a.index_add(0, i, b); a.index_copy(0, i, b); a.index_fill(0, i, 0.5); a.scatter(0, j, b); a.scatter_add(0, j, b)
a.clone().masked_scatter_(m, b); a.clone().index_put_((i,), b); a.clone().index_put_((i,), b, accumulate=True)
"""
START = """import torch
import torch.nn.functional as F
w = torch.tensor([[0.3, 0.6], [0.45, 0.2]], requires_grad=True)
v = torch.tensor([0.35, 0.15], requires_grad=True)
a, b, c, t = w * 1, w.flip(0) + 0.1, v * 1, torch.stack([v[0], v[1], v[0] * 2])
m = torch.tensor([[True, False], [False, True]])
i, j = torch.tensor([1, 0]), torch.tensor([[1, 0], [0, 1]])
"""


def cases() -> list[tuple[str, str]]:
    calls, choosing = (
        [call.strip() for line in listed.strip().splitlines() for call in line.split("; ")]
        for listed in (CALLS, CHOOSING)
    )
    found = [(call, target) for call in calls for target in ("a", "b", "c", "y") if target == "y" or target in call]
    return [*found, *((call, target) for call in choosing for target in [*re.findall(r"\b[abmij]\b", call), "y"])]


def text(call: str, target: str, written: str) -> str:
    return f"{START}y = {call}\n{target}.{written}\ny.sum().backward()\n"


@pytest.mark.oracle
def test_a_write_over_what_an_operation_needs_is_the_error_that_pytorch_raises():
    torch = pytest.importorskip("torch")
    wrong = []
    for call, target in cases():
        for written in ("mul_(0.5)", "add_(1)") if target not in "mij" else ("zero_()",):
            script = text(call, target, written)
            theirs, their_error = executed(script, torch)
            ours, error = executed(script, STAND_IN)
            if "not part of the built-in" in str(error):
                continue
            if (error is None) != (their_error is None) or type(error) is not type(their_error):
                wrong.append(f"{call}, {target}.{written}: {error!r:.150} instead of {their_error!r:.150}")
            elif error is None and differing(numbers(ours), numbers(theirs)):
                wrong.append(f"{call}, {target}.{written}: other numbers")
    assert not wrong, "\n".join(wrong)
