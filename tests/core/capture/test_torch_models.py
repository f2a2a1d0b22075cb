"""Captured models of PyTorch run again: the same loss and every gradient."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cadena
from tests.core.capture.models import MODELS, mlp

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
pytestmark = pytest.mark.oracle
RELATIVE = {"float32": 1e-4, "float64": 1e-8}


@pytest.fixture(autouse=True)
def _as_before():
    torch.manual_seed(1)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("made", MODELS, ids=lambda made: made.__name__)
def test_a_captured_model_has_the_loss_and_every_gradient_of_pytorch(made, dtype):
    torch.set_default_dtype(getattr(torch, dtype))
    model, fn, args = made()
    captured = cadena.capture(fn, *args, model=model)
    assert captured.document.dtype == dtype
    assert captured.notes == ()
    names = [name.replace(".", "_") for name, _ in model.named_parameters()]
    assert len(captured.gradients) == len(names)
    run = cadena.compile(captured.document).run()
    _assert_close(run.value(captured.document.output), captured.value, RELATIVE[dtype])
    largest = max(np.max(np.abs(gradient)) for gradient in captured.gradients.values())
    for name, theirs in captured.gradients.items():
        assert captured.document.nodes[name].op == "parameter"
        _assert_close(run.gradient(name), theirs, RELATIVE[dtype], 1e-2 * RELATIVE[dtype] * largest)
    assert captured.check().ok


def _assert_close(ours: Any, theirs: Any, relative: float, least: float = 0.0) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=max(relative * np.max(np.abs(theirs)), least))


@pytest.mark.parametrize("made", MODELS, ids=lambda made: made.__name__)
def test_the_gradients_of_a_capture_are_those_of_backward(made):
    torch.set_default_dtype(torch.float64)
    model, fn, args = made()
    state = torch.get_rng_state()
    captured = cadena.capture(fn, *args, model=model)
    torch.set_rng_state(state)
    assert all(item.grad is None for item in model.parameters())  # a capture leaves them as they were
    loss = fn(*args)
    loss.backward()
    assert loss.item() == pytest.approx(float(captured.value), rel=1e-12) or made.__name__ == "convnet"
    for name, item in model.named_parameters():
        np.testing.assert_allclose(captured.gradients[name], item.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["hardswish", "hardsigmoid"])
def test_a_hard_activation_agrees_as_far_as_pytorch_is_exact(name):
    """PyTorch's own gradient divides by 6 in float32 here, also of numbers in float64."""
    x = torch.linspace(-4, 4, 30, dtype=torch.float64, requires_grad=True)
    captured = cadena.capture(lambda x: getattr(F, name)(x).pow(2).sum(), x)
    run = cadena.compile(captured.document).run()
    assert run.value("loss") == pytest.approx(captured.value, rel=1e-14)
    np.testing.assert_allclose(run.gradient("x"), captured.gradients["x"], rtol=5e-8, atol=1e-12)
    assert captured.notes == ()


@pytest.mark.parametrize("settings", [(3, 2), (3, 2, 1), (2, 3), ((2, 3), (2, 2), (1, 0)), (2, 3, 0, 2)])
@pytest.mark.parametrize("size", [(7, 8), (6, 9)])
def test_a_pool_in_ceil_mode_is_that_of_pytorch(size, settings):
    x = torch.randn(2, 3, *size, requires_grad=True)
    captured = cadena.capture(lambda x: F.max_pool2d(x, *settings, ceil_mode=True).pow(2).sum(), x)
    assert captured.notes == () and captured.check().ok


def test_attention_to_nothing_was_nan_where_pytorch_has_0():
    x = torch.randn(1, 1, 3, 2, requires_grad=True)
    mask = torch.tensor([[True, False, False], [False, False, False], [True, True, True]])
    captured = cadena.capture(lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=mask).sum(), x)
    assert captured.notes == () and captured.check().ok


def test_modules_are_functions_and_parameters_keep_their_names():
    model = nn.ModuleDict({"body": nn.Sequential(nn.Linear(3, 4), nn.ReLU()), "head": nn.Linear(4, 1)})
    captured = cadena.capture(lambda x: model["head"](model["body"](x)).sum(), torch.randn(2, 3), model=model)
    assert {"body_0_weight", "body_0_bias", "head_weight", "head_bias", "x"} <= captured.document.nodes.keys()
    assert {"head"} <= captured.document.functions.keys()
    assert captured.document.nodes["head"].op == "head"
    assert np.array_equal(captured.gradients["body.0.weight"], captured.gradients["body_0_weight"])


class _Recurrent(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self, kind: str, reads: str) -> None:
        super().__init__()
        self.words, self.reads = nn.Embedding(7, 3, padding_idx=0), reads
        self.rnn, self.head = getattr(nn, kind)(3, 4, batch_first=True), nn.Linear(4, 2)

    def forward(self, words: Any) -> Any:
        output, last = self.rnn(self.words(words))
        last = last[0] if isinstance(last, tuple) else last
        read = {"output": output, "h_n": last, "both": output + last.transpose(0, 1)}[self.reads]
        return self.head(read).square().sum()


@pytest.mark.parametrize("reads", ["output", "h_n", "both"])
@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_a_recurrent_module_of_which_two_results_are_read_was_no_function(kind, reads):
    torch.set_default_dtype(torch.float64)
    model = _Recurrent(kind, reads)
    captured = cadena.capture(model, torch.tensor([[1, 2, 0], [3, 3, 6]]), model=model)
    assert captured.notes == () and captured.check().ok
    document = captured.document
    assert {"rnn", "head"} <= document.functions.keys()
    assert {"words", "words_weight", "rnn", "rnn_weight_ih_l0", "head"} <= document.nodes.keys()
    assert {"rnn_output", "rnn_h_n"} <= document.nodes.keys() or reads != "both"
    assert len(document.nodes) < 30
    assert {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0"} <= set(document.functions["rnn"].inputs)


@pytest.mark.parametrize("kind", ["RNNCell", "LSTMCell", "GRUCell"])
def test_the_calls_of_a_cell_are_one_function(kind):
    torch.set_default_dtype(torch.float64)
    model = nn.ModuleDict({"cell": getattr(nn, kind)(3, 4)})

    def loss(x: Any, state: Any) -> Any:
        state = (state, 2 * state) if kind == "LSTMCell" else state
        for step in x:
            state = model["cell"](step, state)
        return sum(part.square().sum() for part in (state if isinstance(state, tuple) else (state,)))

    captured = cadena.capture(loss, torch.randn(6, 2, 3), torch.randn(2, 4), model=model)
    assert captured.notes == () and captured.check().ok
    assert list(captured.document.functions) == ["cell"]
    assert sum(node.op == "cell" for node in captured.document.nodes.values()) == 6


def test_a_layer_of_pytorch_alone_is_a_function_of_its_class():
    captured = cadena.capture(lambda x: model(x)[0].sum(), torch.randn(5, 2, 3), model=(model := nn.GRU(3, 4)))
    assert list(captured.document.functions) == ["gru"] and captured.document.nodes["gru"].op == "gru"
    assert captured.document.nodes["weight_ih_l0"].op == "parameter"


def test_padding_of_an_embedding_has_no_gradient():
    model = nn.Embedding(4, 2, padding_idx=1)
    captured = cadena.capture(lambda i: model(i).exp().sum(), torch.tensor([[1, 2, 2], [0, 1, 3]]), model=model)
    assert captured.notes == () and captured.check().ok
    assert not cadena.compile(captured.document).run().gradient("weight")[1].any()


def test_a_sparse_tensor_was_a_traceback():
    adjacency, model = torch.eye(3).to_sparse(), nn.Linear(3, 1)
    with pytest.raises(cadena.Refused, match=r"adjacency is sparse.*\.to_dense\(\)"):
        cadena.capture(lambda x: torch.sparse.mm(adjacency, model(x)).sum(), torch.ones(3, 3), model=model)


def test_a_saved_capture_is_loaded_as_the_same_document(tmp_path):
    model, fn, args = mlp()
    captured = cadena.capture(fn, *args, model=model)
    captured.save(tmp_path / "x.cadena")
    loaded = cadena.load(tmp_path / "x.cadena")
    assert loaded.nodes == captured.document.nodes and loaded.output == captured.document.output


def test_a_training_step_is_captured_with_its_last_loss():
    model, fn, args = mlp()
    optimizer = torch.optim.Adam(model.parameters())
    with cadena.capturing(model) as captured:
        for _ in range(3):
            optimizer.zero_grad()
            loss = fn(*args)
            loss.backward()
            optimizer.step()
    assert captured.check().ok
    assert captured.value == loss.item()
    np.testing.assert_array_equal(captured.gradients["0.weight"], model[0].weight.grad.numpy())


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_operation_that_makes_a_captured_loss_nan_is_found(dtype):
    w = torch.tensor([200.0], dtype=getattr(torch, dtype), requires_grad=True)
    captured = cadena.capture(lambda w: torch.log(torch.exp(w) / (1 + torch.exp(w))).sum(), w)
    assert math.isnan(captured.value)
    run = cadena.compile(captured.document).run()
    assert next(fault.node for fault in run.faults if fault.kind in ("nan-value", "inf-value")).startswith("exp")
    assert captured.check().ok


CLASSES, CLASS_WEIGHTS = torch.tensor([2, 0, -100, 1]), torch.tensor([0.2, 3.0, 1.0], dtype=torch.float64)
CALLS = {
    "class weights": ((4, 3), lambda x: F.cross_entropy(x, CLASSES, CLASS_WEIGHTS)),
    "class weights, summed": ((4, 3), lambda x: F.cross_entropy(x, CLASSES, CLASS_WEIGHTS, reduction="sum")),
    "class weights, each": (
        (4, 3),
        lambda x: F.cross_entropy(x, CLASSES, CLASS_WEIGHTS, reduction="none").square().sum(),
    ),
    "a pool with a divisor": ((1, 2, 5, 6), lambda x: F.avg_pool2d(x, (2, 3), divisor_override=4).square().sum()),
    "grouped queries": (
        (1, 4, 3, 2),
        lambda x: F.scaled_dot_product_attention(x, x[:, :2], x[:, 2:], enable_gqa=True).square().sum(),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_with_this_setting_was_an_opaque_node(name):
    shape, fn = CALLS[name]
    torch.set_default_dtype(torch.float64)
    captured = cadena.capture(fn, torch.randn(shape, dtype=torch.float64, requires_grad=True))
    assert captured.notes == () and captured.check().ok


def test_what_cannot_be_expressed_holds_its_value_and_says_so():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    captured = cadena.capture(lambda w: torch.special.i0(w).sum() + (w * w).sum(), w)
    (note,) = captured.notes
    assert "i0" in note and "no gradient goes through it" in note
    (node,) = (node for node in captured.document.nodes.values() if node.extra)
    assert node.op == "constant" and node.extra["recorded"] == note
    agreement = captured.check()
    assert agreement.differing == ("w",) and note in str(agreement)


def test_a_loss_whose_origin_was_not_seen_is_not_taken_for_a_constant():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    captured = cadena.capture(lambda w: torch.fft.fft(w).abs().sum(), w)
    assert captured.notes
    assert not captured.check()


def test_larger_tensors_than_the_limit_are_kept_as_a_summary():
    w = torch.ones(3, 4, requires_grad=True)
    captured = cadena.capture(lambda w: (w * w).sum(), w, limit=10)
    node = captured.document.nodes["w"]
    assert node.value is None
    assert node.extra["summary"]["shape"] == [3, 4] and node.extra["summary"]["mean"] == 1.0
    with pytest.raises(cadena.Refused, match="w"):
        captured.check()


def test_a_tensor_changed_by_way_of_its_parts_was_an_opaque_node():
    """As Swin V2 sets the bias of its keys to 0."""

    def loss(w: Any) -> Any:
        x = w.clone()
        x[:2].mul_(3)
        x[1:][1:3].zero_()
        return (x * w).sum() + x.clamp_min(0.5).sum() + x.clamp(max=2.0).sum()

    captured = cadena.capture(loss, torch.tensor([1.0, 0.2, 3.0, 4.0, 0.3], requires_grad=True))
    assert captured.notes == () and captured.check().ok


def test_a_clipped_activation_at_its_ends_had_the_gradient_of_clip():
    x = torch.tensor([-1.0, 0.0, 0.5, 1.0, 6.0], requires_grad=True)
    captured = cadena.capture(lambda x: (F.hardtanh(x, 0.0, 6.0) + 2 * F.hardtanh(x) + 3 * F.relu6(x)).sum(), x)
    assert captured.check().ok


def test_a_tensor_changed_through_a_view_was_a_recorded_constant():
    w = torch.ones(3, requires_grad=True)

    def loss(w: Any) -> Any:
        x = w * 2
        x.view(3, 1).mul_(3)
        return x.sum()

    captured = cadena.capture(loss, w)
    assert captured.notes == () and captured.check().ok and captured.value == 18.0


@pytest.mark.parametrize(
    ("fn", "sentence"),
    [
        (lambda w: 3.0, "the function returned no tensor but float; let it return its loss"),
        (lambda w: w.detach().sum(), "depends on nothing that requires a gradient"),
        (lambda w: w.argmax(), "whole numbers"),
        (lambda w: (w.bfloat16() * 2).sum(), "bfloat16"),
    ],
)
def test_what_cannot_be_captured_is_refused_with_a_sentence(fn, sentence):
    with pytest.raises(cadena.Refused, match=sentence):
        cadena.capture(fn, torch.ones(2, requires_grad=True))


def test_a_model_elsewhere_is_refused_with_the_name_of_its_parameter():
    with pytest.raises(cadena.Refused, match=r"0\.weight is on the device meta.*\.cpu\(\)"):
        cadena.capture(nn.Sequential(nn.Linear(1, 1, device="meta")), torch.ones(1, 1))
    with pytest.raises(cadena.Refused, match=r"weight has the number type torch.bfloat16.*\.float\(\)"):
        cadena.capture(nn.Linear(1, 1).bfloat16(), torch.ones(1, 1))


def test_a_reentrant_checkpoint_was_a_traceback():
    from torch.utils.checkpoint import CheckpointFunction, checkpoint

    model, x = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), torch.randn(5, 3, requires_grad=True)
    captured = cadena.capture(lambda x: checkpoint(model, x, use_reentrant=True).square().sum(), x, model=model)
    assert captured.notes == () and captured.check().ok and len(captured.gradients) == 5
    assert "apply" not in vars(CheckpointFunction)


def test_checkpoints_parts_without_gradients_and_other_strides_are_captured(capsys):
    from torch.utils.checkpoint import checkpoint

    model, x = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)), torch.randn(5, 3)

    def loss(x: Any) -> Any:
        print("in a cell")
        with torch.no_grad():
            target = model(x)
        part = checkpoint(model, x.T.contiguous().t()[::2], use_reentrant=False)
        return (part**2).sum() + (model(x) - target - 1).square().mean() + (x.t() @ x).sum()

    captured = cadena.capture(loss, x, model=model)
    assert capsys.readouterr().out == "in a cell\n"
    assert captured.check().ok and len(captured.gradients) == 4
    assert captured.notes == ()


def test_a_training_step_in_another_type_or_elsewhere_is_refused():
    for model, sentence in ((nn.Linear(2, 1).bfloat16(), "bfloat16"), (nn.Linear(2, 1, device="meta"), "device meta")):
        with pytest.raises(cadena.Refused, match=sentence), cadena.capturing(model):
            pass


def test_the_captures_of_the_documentation_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("jax")
    page = (Path(__file__).parents[3] / "docs" / "scripts-and-models.md").read_text("utf-8")
    blocks = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {"cadena": cadena}
    for block in blocks:
        exec(block, names)
        assert names["captured"].check().ok
    assert len(blocks) == 2 and (tmp_path / "model.cadena").exists()


GATES: dict[str, Any] = {
    "relu": F.relu,
    "relu6": F.relu6,
    "leaky_relu": F.leaky_relu,
    "hardtanh": F.hardtanh,
    "clamp": lambda h: h.clamp(-0.3, 0.3),
    "maximum": lambda h: torch.maximum(h, torch.zeros_like(h)),
    "where": lambda h: torch.where(h > 0, h, torch.zeros_like(h)),
    "masked_fill": lambda h: h.masked_fill(h < 0, 0.0),
    "mask": lambda h: h * (h > 0),
    "round": torch.round,
}


@pytest.mark.parametrize("factor", [math.nan, math.inf])
@pytest.mark.parametrize("name", GATES)
def test_a_unit_that_is_off_got_a_gradient_of_nan_where_pytorch_has_0(name, factor):
    model, x = nn.Linear(3, 4), torch.randn(5, 3)
    captured = cadena.capture(lambda x: (GATES[name](model(x)) * torch.tensor(factor)).sum(), x, model=model)
    agreement = captured.check()
    assert agreement.ok, agreement
