"""A whole script of PyTorch: its passes, the default one, what is kept, and a graph with PyTorch's own gradients."""

from __future__ import annotations

import linecache
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def recorded(text: str, chosen: int | None = None) -> Any:
    """The recorder of a script that has ended."""
    from cadena.core.capture.torch_script import ScriptRecorder, recording_script

    text = "import torch\nfrom torch import nn\n" + dedent(text)
    linecache.cache["script.py"] = (len(text), None, text.splitlines(keepends=True), "script.py")
    script = ModuleType("__main__")
    recorder = ScriptRecorder(chosen, script.__dict__)
    with recording_script(recorder):
        exec(compile(text, "script.py", "exec"), script.__dict__)
    return recorder


def captured(text: str, chosen: int | None = None) -> Any:
    """The captured graph of a pass, which agrees with PyTorch."""
    from cadena.core.capture.torch_replay import replayed

    result = replayed(recorded(text, chosen).kept, 1 << 28)
    assert result.check().ok, result.check()
    return result


LOOP = """
    x, y = torch.linspace(-1, 1, 20), torch.linspace(0, 2, 20)
    a, b = torch.tensor(0.5, requires_grad=True), torch.tensor(0.1, requires_grad=True)
    for step in range(30):
        prediction = a + b * x
        loss = (prediction - y).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            for p in (a, b):
                p -= 0.01 * p.grad
                p.grad = None
"""


def test_a_loop_gives_its_last_step_with_the_names_of_variables():
    result = captured(LOOP)
    nodes = result.document.nodes
    assert {"a", "b", "x", "y", "prediction", "loss"} <= nodes.keys()
    assert {name for name, node in nodes.items() if node.op == "parameter"} == {"a", "b"}
    assert nodes["x"].op == "input" and nodes["loss"].line == "script.py:8" and result.notes == ()
    assert nodes["a"].value != 0.5  # as it is before the last step


def test_each_pass_is_told_of_and_can_be_chosen():
    recorder = recorded(LOOP)
    told = recorder.passes
    assert recorder.count == 30 and [item.number for item in told] == [*range(10), *range(20, 30)]
    assert {(item.line, item.output, item.shape, item.operations) for item in told} == {("script.py:9", "loss", (), 5)}
    first = captured(LOOP, 0)
    assert first.value == pytest.approx(told[0].value) and first.document.nodes["a"].value == 0.5


def test_the_default_is_the_loss_of_the_last_training_step():
    text = """
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.randn(4, 3)
    for step in range(3):
        optimizer.zero_grad()
        loss = model(data).pow(2).mean()
        loss.backward()
        optimizer.step()
    probe = torch.ones(3, requires_grad=True)
    (slope,) = torch.autograd.grad(model(probe).sum(), probe)
    """
    result = captured(text)
    assert result.document.output == "loss" and {"weight", "bias"} <= result.gradients.keys()
    chosen = captured(text, 3)
    assert [*chosen.gradients] == ["probe"]  # of the weights the script asked for none


def test_fake_images_keep_their_generator_for_the_second_pass():
    result = captured("""
    torch.manual_seed(0)
    G = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2))
    D = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Dropout(0.5), nn.Linear(4, 1), nn.Sigmoid())
    criterion = nn.BCELoss()
    optimizers = [torch.optim.Adam(one.parameters()) for one in (D, G)]
    for step in range(3):
        D.zero_grad()
        fake = G(torch.randn(6, 2))
        criterion(D(torch.randn(6, 2) + 3), torch.ones(6, 1)).backward()
        criterion(D(fake.detach()), torch.zeros(6, 1)).backward()
        optimizers[0].step()
        G.zero_grad()
        loss = criterion(D(fake), torch.ones(6, 1))
        loss.backward()
        optimizers[1].step()
    """)
    assert {"G_0_weight", "G_3_bias", "D_0_weight"} <= result.gradients.keys() and result.notes == ()
    assert {"G_0", "G_1", "D_3"} <= result.document.functions.keys()


def test_attention_trained_by_adadelta():
    result = captured("""
    model = nn.MultiheadAttention(8, 2, batch_first=True, dropout=0.1)
    optimizer = torch.optim.Adadelta(model.parameters())
    x = torch.randn(2, 5, 8)
    for step in range(2):
        optimizer.zero_grad()
        model(x, x, x)[0].pow(2).mean().backward()
        optimizer.step()
    """)
    assert {"in_proj_weight", "out_proj_weight"} <= result.gradients.keys()


def test_weights_written_through_data_are_new_leaves():
    result = captured("""
    C, W = (torch.randn(5, 3).requires_grad_() for _ in range(2))
    for step in range(4):
        rows = C[torch.randint(0, 5, (7,))]
        loss = torch.tanh(rows @ W.T).pow(2).mean()
        for p in (C, W):
            p.grad = None
        loss.backward()
        for p in (C, W):
            p.data += -0.1 * p.grad
    """)
    assert [*result.gradients] == ["C", "W"] and len(result.document.nodes) < 12


def test_gradients_of_gradients_are_one_graph():
    text = """
    net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters())
    t = torch.linspace(0, 1, 7)[:, None].requires_grad_()
    for step in range(2):
        optimizer.zero_grad()
        u = net(t)
        (du,) = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)
        loss = (du + u).pow(2).mean()
        loss.backward()
        optimizer.step()
    """
    assert captured(text).notes == ()
    assert [item.output for item in recorded(text).passes] == ["u", "loss"] * 2


def test_writes_through_views_reach_the_whole():
    result = captured("""
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    z = torch.zeros(2, 3)
    row = z[0]
    row += w[0]
    z[1] = w[1] * 2
    h = w.exp()
    with torch.no_grad():
        h.mul_(0.5)
    loss = (z * z).sum() + (z.detach() * 2).sum() + w[w > 2].sum() + h.detach().sum()
    if loss > 3:
        loss = loss * 2
    loss.backward()
    """)
    guards = [node.guard for node in result.document.nodes.values() if node.guard]
    assert "loss > 3" in [guard.condition for guard in guards if guard]


def test_a_function_with_a_gradient_of_its_own():
    result = captured("""
    class Clipped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(-1, 1) * 2
        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * x
    x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
    loss = (Clipped.apply(x) * torch.arange(3.0)).sum()
    loss.backward()
    """)
    assert "Clipped" in result.document.functions and result.notes == ()


def test_a_hidden_state_that_is_detached_starts_anew():
    result = captured("""
    cell, read = nn.RNNCell(2, 3), nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *read.parameters()], lr=0.1)
    hidden = torch.zeros(4, 3)
    for piece in range(6):
        hidden = hidden.detach()
        optimizer.zero_grad()
        for step in range(2):
            hidden = cell(torch.randn(4, 2), hidden)
        loss = read(hidden).pow(2).mean()
        loss.backward()
        optimizer.step()
    """)
    assert sum(node.op.startswith("cell") for node in result.document.nodes.values()) == 2


@pytest.mark.parametrize(
    "line",
    ["total += loss", "model(x)", "losses.append(loss.item())", "kept = (loss, out)", "history.append(out.detach())"],
)
def test_a_long_loop_stays_small(line):
    recorder = recorded(f"""
    model = nn.Linear(2, 1)
    x, total, losses, history = torch.randn(3, 2), 0.0, [], []
    for step in range(1500):
        out = model(x)
        loss = out.pow(2).mean()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.01 * p.grad
        for evaluation in range(3):
            {line}
    """)
    assert recorder.count == 1500 and len(recorder.tape) < 6_000 and len(recorder.leaves) < 6_000


def test_what_other_threads_compute_is_not_recorded():
    recorder = recorded("""
    import threading
    w = torch.ones(2, requires_grad=True)
    thread = threading.Thread(target=lambda: (w * 5).sum().backward())
    thread.start()
    thread.join()
    loss = (w * 2).sum()
    loss.backward()
    """)
    assert recorder.count == 1 and recorder.kept.summary.operations == 2


def test_numbers_that_cancel_are_rounding_and_others_are_not():
    from cadena.core.capture.torch_replay import beside_float64, replayed

    text = """
    torch.manual_seed(0)
    x, y = torch.randn(16, 100), torch.randn(16, 5)
    model = nn.Sequential(nn.Linear(100, 40), nn.ReLU(), nn.Linear(40, 5))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(600):
        loss = (model(x) - y).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    """
    result = replayed(recorded(text).kept, 1 << 28)
    agreement = result.check()
    assert not agreement.ok and beside_float64(result, agreement)[0]
    result.gradients["layer_0_weight"] = result.gradients["layer_0_weight"] + 1.0
    agreement = result.check()
    assert not agreement.ok and beside_float64(result, agreement)[0] is False


def test_where_no_gradient_was_compared_nothing_agrees():
    from cadena.core.capture.torch_replay import beside_float64, replayed

    text = """
    w = torch.ones(3, requires_grad=True)
    rows = torch.func.vmap(lambda row: (row * w).sum().tanh())(torch.randn(5, 3))
    loss = rows.pow(2).sum()
    loss.backward()
    """
    result = replayed(recorded(text).kept, 1 << 28)
    agreement = result.check()
    assert not agreement.ok and beside_float64(result, agreement)[0] is False
    assert "its origin, TanhBackward0, was not recorded" in result.notes[0]


def test_gradients_that_update_weights_are_gradients_of_gradients():
    result = captured("""
    torch.manual_seed(0)
    F = nn.functional
    params = [torch.empty(size).uniform_(-0.5, 0.5).requires_grad_() for size in ((8, 1), (8,), (1, 8), (1,))]
    net = lambda x, p: F.linear(F.relu(F.linear(x, p[0], p[1])), p[2], p[3])
    meta = torch.optim.Adam(params)
    for step in range(3):
        meta.zero_grad()
        fast, (x, y, v, t) = params, torch.randn(4, 6, 1)
        for inner in range(2):
            gradients = torch.autograd.grad(F.mse_loss(net(x, fast), y), fast, create_graph=True)
            fast = [p - 0.1 * g for p, g in zip(fast, gradients)]
        loss = F.mse_loss(net(v, fast), t)
        loss.backward()
        meta.step()
    """)
    assert [*result.gradients] == ["params_0", "params_1", "params_2", "params_3"]


def test_a_gradient_penalty_is_a_pass_of_its_own_graph():
    result = captured("""
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    optimizer = torch.optim.RMSprop(critic.parameters())
    for step in range(3):
        mixed = torch.randn(4, 2).requires_grad_()
        score = critic(mixed)
        (slope,) = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
        loss = ((slope.norm(2, dim=1) - 1) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for p in critic.parameters():
            p.data.clamp_(-1, 1)
    """)
    assert {"0.weight", "2.weight", "mixed"} <= set(result.gradients.own)


def test_writes_into_tensors_that_are_gone_are_kept():
    result = captured("""
    def edged(x):
        steps = torch.cumsum(torch.softmax(x, 0), 0)
        steps[0] = 0.5
        steps[-1] += 0.25
        into = torch.zeros_like(x)
        into[x > 0] = (steps * 2)[x > 0]
        return into

    x = torch.tensor([0.5, -1.0, 2.0, 1.0], requires_grad=True)
    loss = edged(x).pow(2).sum()
    loss.backward()
    """)
    assert result.notes == ()
