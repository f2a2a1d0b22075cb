"""Calls that are no operation of ours are captured by their parts, with PyTorch's value and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
pytestmark = pytest.mark.oracle
WHOLE, IMAGE = (4, 3), (2, 2, 6, 7)
EDGES = torch.tensor([[0, 1, 2, 2, 3], [1, 2, 0, 1, 3]])
CHOICES = torch.tensor([0, 1, 2, 1])
SIGNS = torch.tensor([1.0, -1.0, 1.0, 1.0], dtype=torch.float64)


def _symmetric(x: Any) -> Any:
    return x.T @ x + torch.eye(3, dtype=x.dtype)


CALLS = {
    # layers
    "a transposed convolution": (IMAGE, lambda x: F.conv_transpose2d(x, x[:, :, :3, :2], None, 2, 1, 1, 1, 1)),
    "a transposed convolution of groups": (
        (1, 4, 5),
        lambda x: F.conv_transpose1d(x, x.transpose(0, 1)[:, :, :3], stride=3, groups=2),
    ),
    "a convolution of three axes": ((2, 1, 5, 6, 5), lambda x: F.conv3d(x, x[:, :, :2, :3, :2], stride=(1, 2, 1))),
    "bilinear upsampling": (IMAGE, lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")),
    "upsampling to a size": (IMAGE, lambda x: F.interpolate(x, size=(9, 5), mode="bilinear", align_corners=True)),
    "nearest upsampling": (IMAGE, lambda x: F.interpolate(x, scale_factor=2) * F.interpolate(x, size=(12, 14))),
    "an average pool in ceil mode": (IMAGE, lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True)),
    "one that does not count its padding": (IMAGE, lambda x: F.avg_pool2d(x, (3, 2), 2, (1, 0), True, False)),
    "a pool with its places": (IMAGE, lambda x: F.max_pool2d(x, 2, return_indices=True)[0]),
    "a pool undone": ((1, 2, 6, 6), lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2)),
    "pools of one axis": (IMAGE, lambda x: F.max_pool1d(x[0], 2)[:, :3] + F.avg_pool1d(x[0], 2)[:, :3]),
    "pools of three axes": ((1, 1, 4, 4, 4), lambda x: F.max_pool3d(x, 2) + F.avg_pool3d(x, 2)),
    "adaptive pools": (IMAGE, lambda x: F.adaptive_max_pool2d(x, 2) * F.adaptive_avg_pool1d(x[0], 2).mean()),
    "instance norm": (IMAGE, lambda x: F.instance_norm(x) ** 3),
    "weight norm": (WHOLE, lambda x: torch._weight_norm(x, x.norm(dim=1, keepdim=True).detach() + x[:, :1], 0)),
    "rms norm": (WHOLE, lambda x: F.rms_norm(x, (3,))),
    "local response norm": (IMAGE, lambda x: F.local_response_norm(x, 2)),
    "a shuffle of pixels": ((1, 4, 2, 2), lambda x: F.pixel_shuffle(x, 2) * torch.arange(4.0)),
    "windows of an image": (IMAGE, lambda x: F.fold(F.unfold(x, 2) ** 2, (6, 7), 2) * x.unfold(2, 1, 1)[..., 0]),
    "samples of a grid": (
        (1, 2, 5, 5),
        lambda x: F.grid_sample(x, F.affine_grid(x[:, :, 0, :3], [1, 2, 4, 4], False), align_corners=False),
    ),
    "a bilinear layer": (WHOLE, lambda x: F.bilinear(x, x**2, x[None, :3, :3] * torch.ones(2, 1, 1))),
    "bags of an embedding": (WHOLE, lambda x: F.embedding_bag(torch.tensor([[0, 1], [3, 3]]), x)),
    "activations": (
        WHOLE,
        lambda x: (
            F.celu(x) + F.softshrink(x, 0.1) + F.hardshrink(x) + F.threshold(x, 0.1, 0.2) + F.prelu(x, x[0, 0].detach())
        ),
    ),
    "a gated linear unit": ((4, 6), lambda x: F.glu(x, -1)),
    # losses
    "a triplet loss": (WHOLE, lambda x: F.triplet_margin_loss(x, x.roll(1, 0), x.flip(0))),
    "a loss of cosines": (WHOLE, lambda x: F.cosine_embedding_loss(x, x.flip(0).roll(1, 1), SIGNS)),
    "distances": (WHOLE, lambda x: torch.cdist(x, x + 3) + F.pairwise_distance(x, x.flip(1))),
    "a smooth loss": (WHOLE, lambda x: F.smooth_l1_loss(x, x.detach().flip(0), beta=0.7)),
    "a divergence": (WHOLE, lambda x: F.kl_div(x.log_softmax(-1), x.detach().softmax(0), reduction="batchmean")),
    "a margin of several classes": (WHOLE, lambda x: F.multi_margin_loss(x, CHOICES)),
    "weighted positives": (
        WHOLE,
        lambda x: F.binary_cross_entropy_with_logits(x, (x > 0).double(), pos_weight=SIGNS[:3] + 2),
    ),
    # places
    "messages along edges": (
        WHOLE,
        lambda x: torch.zeros(4, 3, dtype=x.dtype).index_add_(0, EDGES[1], x[EDGES[0]]) * x.index_select(0, CHOICES),
    ),
    "scattered sums": (WHOLE, lambda x: torch.zeros_like(x).scatter_add(0, CHOICES[:, None].expand(-1, 3), x) ** 2),
    "scattered values": (WHOLE, lambda x: x.scatter(1, CHOICES[:, None], 5.0) * x),
    "the largest ones": (WHOLE, lambda x: torch.topk(x, 2).values * x.sort(0, descending=True)[0][:, :2]),
    "a diagonal": (WHOLE, lambda x: x.diagonal() * _symmetric(x).trace()),
    # matrices
    "triangles": (
        WHOLE,
        lambda x: torch.linalg.solve_triangular(torch.linalg.cholesky(_symmetric(x)), x.T, upper=False),
    ),
    "a solution by its factor": (WHOLE, lambda x: torch.cholesky_solve(x.T, torch.linalg.cholesky(_symmetric(x)))),
    "values of matrices": (
        WHOLE,
        lambda x: torch.logdet(_symmetric(x)) + torch.linalg.eigvalsh(_symmetric(x)).log() + torch.linalg.svdvals(x),
    ),
    # transforms
    "vmap": (WHOLE, lambda x: torch.func.vmap(lambda row: F.softmax(row * row[0], -1))(x)),
    "grad": (WHOLE, lambda x: torch.func.grad(lambda y: (y**3).sum())(x)),
    "jvp": (WHOLE, lambda x: torch.func.jvp(torch.tanh, (x,), (torch.ones_like(x),))[1]),
    "vmap of grad": (WHOLE, lambda x: torch.func.vmap(torch.func.grad(lambda row: (row.sin() * row).sum()))(x)),
    "a Hessian": ((3,), lambda x: torch.func.hessian(lambda y: y.sin().prod())(x)),
    # what is changed in place within a call
    "rows that are padded": (
        WHOLE,
        lambda x: nn.utils.rnn.pad_sequence([x[0, :2], x[1], x[2, :1]], batch_first=True) ** 2,
    ),
}


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # of torch.func itself
@pytest.mark.parametrize("name", CALLS)
def test_this_call_was_an_opaque_node_or_a_traceback(name):
    shape, fn = CALLS[name]
    torch.manual_seed(3)
    weights = torch.Generator().manual_seed(4)
    x = torch.randn(shape, dtype=torch.float64, requires_grad=True)

    def loss(x: Any) -> Any:
        y = fn(x)
        return (y * torch.randn(y.shape, dtype=y.dtype, generator=weights)).sum()

    captured = cadena.capture(loss, x)
    assert captured.notes == (), captured.notes
    assert captured.check().ok, captured.check()
    assert np.any(captured.gradients["x"])


def test_an_index_of_several_numbers_was_read_as_a_list():
    captured = cadena.capture(lambda x: x[0, 1] * x[[0, 1]].sum() + x[-1][0], torch.rand(2, 2, requires_grad=True))
    assert captured.notes == () and captured.check().ok


def test_a_recurrent_network_with_dropout_was_an_opaque_node():
    torch.manual_seed(1)
    model = nn.LSTM(3, 4, num_layers=2, dropout=0.5, proj_size=2)
    captured = cadena.capture(lambda x: model(x)[0].square().sum(), torch.randn(5, 2, 3), model=model)
    assert captured.notes == () and captured.check().ok
    assert list(captured.document.functions) == ["lstm"]


def test_sequences_of_several_lengths_were_opaque_nodes():
    model = nn.GRU(3, 4, batch_first=True)

    def loss(x: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([2, 4, 1]), batch_first=True, enforce_sorted=False)
        output, last = model(packed)
        return nn.utils.rnn.pad_packed_sequence(output, batch_first=True)[0].square().sum() + last.sum()

    captured = cadena.capture(loss, torch.randn(3, 4, 3), model=model)
    assert captured.notes == () and captured.check().ok


def test_a_part_that_cannot_be_expressed_makes_the_whole_call_opaque():
    captured = cadena.capture(lambda w: torch.matrix_exp(w).sum() + w.sum(), torch.ones(2, 2, requires_grad=True))
    (note,) = captured.notes
    assert note.startswith("matrix_exp: holds the recorded value")
    assert captured.check().differing == ("w",)


def test_the_settings_of_pytorch_are_as_before():
    before = torch.backends.mkldnn.is_available(), torch._C._get_mkldnn_enabled()
    cadena.capture(lambda x: F.rms_norm(x, (3,)).sum(), torch.randn(2, 3, requires_grad=True))
    assert (torch.backends.mkldnn.is_available(), torch._C._get_mkldnn_enabled()) == before


def test_half_precision_in_a_single_model_was_computed_in_another_type_silently():
    model = nn.Linear(3, 1)

    def loss(x: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            return model(x).float().sum()

    with pytest.raises(cadena.Refused, match=r"linear has the number type torch.bfloat16.*autocast"):
        cadena.capture(loss, torch.ones(2, 3), model=model)
