"""Models that people have, small, for tests with `pytest.mark.oracle`: each a module, its loss and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
Made = tuple[Any, Callable[..., Any], tuple[Any, ...]]


def mlp() -> Made:
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 4), nn.GELU(), nn.Linear(4, 2))
    return model, lambda x, y: F.cross_entropy(model(x), y), (torch.randn(6, 3), torch.randint(2, (6,)))


def convnet() -> Made:
    model = nn.Sequential(
        *(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2)),
        *(nn.Conv2d(4, 6, 3, stride=2), nn.BatchNorm2d(6), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
        nn.Linear(6, 3),
    )
    return model, lambda x, y: F.cross_entropy(model(x), y), (torch.randn(4, 1, 10, 10), torch.tensor([0, 1, 2, 0]))


def convnet_in_evaluation() -> Made:
    model, fn, args = convnet()
    model(args[0])  # so that the running means are not 0
    return model.eval(), fn, args


def lstm() -> Made:
    model = nn.LSTM(3, 4, batch_first=True)
    return model, lambda x: (model(x)[0] ** 2).mean() + model(x)[1][1].sum(), (torch.randn(2, 10, 3),)


def gru() -> Made:
    model = nn.GRU(3, 4, num_layers=2, bidirectional=True)
    return model, lambda x: (model(x)[0] ** 2).mean(), (torch.randn(10, 2, 3),)


def transformer_block() -> Made:
    model = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
    return model, lambda x: (model(x) ** 2).mean(), (torch.randn(2, 5, 8),)


class _Causal(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    """Attention by hand: one product for query, key and value, a mask of truths, layer norm around it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        q, k, v = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, dim=-1))
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        return x + self.out(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))


def attention() -> Made:
    model = _Causal()
    return model, lambda x: model(x).logsumexp(-1).mean(), (torch.randn(2, 5, 8),)


class _Vae(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = nn.Linear(6, 8), nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 6))

    def forward(self, x: Any) -> Any:
        mean, log_variance = self.encoder(x).chunk(2, dim=-1)
        z = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
        likelihood = F.binary_cross_entropy_with_logits(self.decoder(z), x, reduction="sum")
        return likelihood - 0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())


def vae() -> Made:
    model = _Vae()
    return model, model, (torch.rand(3, 6),)


def physics() -> Made:
    """u'' = -sin(x) with u(0) = 0."""
    model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def loss(x: Any) -> Any:
        x = x.detach().requires_grad_()
        u = model(x)
        (slope,) = torch.autograd.grad(u.sum(), x, create_graph=True)
        (bend,) = torch.autograd.grad(slope, x, torch.ones_like(slope), create_graph=True)
        return ((bend + torch.sin(x)) ** 2).mean() + model(torch.zeros(1, 1)).pow(2).sum()

    return model, loss, (torch.rand(7, 1),)


def recurrence_in_place() -> Made:
    """States written into a tensor, one by one."""
    model = nn.Linear(3, 3)

    def loss(x: Any) -> Any:
        states = torch.zeros(5, 3)
        state = x
        for at in range(5):
            state = torch.tanh(model(state))
            states[at] = state
        return (states * torch.arange(15.0).view(5, 3)).sum()

    return model, loss, (torch.randn(3),)


def clipped_with_a_drawn_path() -> Made:
    """As in MobileNet, and with a branch that is dropped at random, as in Swin."""
    model = nn.Sequential(nn.Linear(3, 6), nn.ReLU6(), nn.Linear(6, 6), nn.Hardtanh(-2.0, 1.0))

    def loss(x: Any) -> Any:
        kept = x.new_empty(8, 1).bernoulli_(0.5).div_(0.5)
        return (model(4 * x) * kept).pow(2).mean()

    return model, loss, (torch.randn(8, 3),)


class _Decoder(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    """As GPT: embeddings of words and places, causal attention, and the table of words once more at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(11, 8), nn.Embedding(6, 8)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", batch_first=True) for _ in "ab")
        self.norm, self.head = nn.LayerNorm(8), nn.Linear(8, 11, bias=False)
        self.head.weight = self.words.weight

    def forward(self, x: Any) -> Any:
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        h = self.words(x) + self.places(torch.arange(x.shape[1]))
        for block in self.blocks:
            h = block(h, mask, is_causal=True)
        return F.cross_entropy(self.head(self.norm(h))[:, :-1].flatten(0, 1), x[:, 1:].flatten())


def decoder() -> Made:
    model = _Decoder()
    return model, model, (torch.randint(11, (2, 6)),)


class _UNet(nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.GroupNorm(3, 3), nn.SiLU())
        self.middle = nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect")
        self.up = nn.ConvTranspose2d(4, 3, 2, stride=2)
        self.last = nn.Conv2d(10, 2, 1)

    def forward(self, x: Any) -> Any:
        skipped = self.down(x)
        below = self.middle(F.max_pool2d(skipped, 2))
        wide = F.interpolate(below, scale_factor=2, mode="bilinear", align_corners=False)
        return self.last(torch.cat([skipped, self.up(below), wide], 1))


def unet() -> Made:
    model, classes = _UNet(), torch.randint(2, (2, 8, 8))
    return model, lambda x: F.cross_entropy(model(x), classes), (torch.randn(2, 1, 8, 8),)


MODELS = (
    decoder, unet,
    mlp, convnet, convnet_in_evaluation, lstm, gru, transformer_block, attention, vae, physics, recurrence_in_place,
    clipped_with_a_drawn_path,
)  # fmt: skip
