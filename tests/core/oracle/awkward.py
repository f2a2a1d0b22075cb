"""Expressions in the words of each library, and operands at which the rules of libraries differ."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

inf, nan = math.inf, math.nan
POINTS = [-6.5, -3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 6.0]
FEW = [-2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0]
ROWS = [[0.0, 0.0, 0.0], [1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [3.0, 0.0, 1.0], [-1.0, 1.0, -1.0]]
ODD = [-inf, -1.0, 0.0, 1.0, inf, nan]
Operands = tuple[list[float] | list[list[float]], list[float] | list[list[float]]]
OPERANDS: dict[str, Operands] = {
    "points": (POINTS, POINTS[::-1]),
    "pairs": ([a for a in FEW for _ in FEW], FEW * len(FEW)),
    "rows": (ROWS, ROWS[::-1]),
    "not finite": ([a for a in ODD for _ in ODD], ODD * len(ODD)),
}


def usual(operands: Operands) -> Operands:
    """Others of these shapes, at which nothing is awkward."""
    x, y = ((0.2 + 0.6 * np.linspace(0.0, 1.0, np.size(item))).reshape(np.shape(item)) for item in operands)
    other: Operands = (x.tolist(), (-y).tolist())
    return other


def suits(text: str, kind: str) -> bool:
    """Whether operands of this kind say something about an expression: pairs only where it is of both."""
    return kind != "pairs" or re.search(r"\by\b", text) is not None


def calls(names: list[str], modules: tuple[str, ...]) -> Iterator[str]:
    """A call of each function of some modules with one operand, and with two; the library says which it has."""
    for name in names:
        module, _, short = name.rpartition(".")
        if module in modules and short[:1].islower() and short not in NO_FUNCTIONS and "rand" not in short:
            yield f"{name}(x)"
            yield f"{name}(x, y)"


NO_FUNCTIONS = (
    "empty empty_like set_printoptions set_default_dtype manual_seed seed normal while_loop function print map_fn "
    "cond from_numpy tensor as_tensor dropout zeros_like ones_like constant cast scan fori_loop linspace gradient"
).split()
POWERS = "x ** 0|x ** 0.0|x ** 1.0|x ** 2|x ** 2.0|x ** 3|x ** -1|x ** 1.5|0.0 ** x|2.0 ** x|(-2.0) ** x|x ** y"
SIGNS = "x / y|x / x|x * y|abs(x)|x % 2.0|x % y|1.0 / x"
EXPRESSIONS = {
    "torch": f"""{POWERS}|{SIGNS}|torch.clamp(x, -1.0, 1.0)|torch.clamp(x, min=0.0)|x.clamp(max=1.0)
F.leaky_relu(x, 0.0)|F.elu(x, 2.0)|F.huber_loss(x, y, reduction="none")|F.l1_loss(x, y, reduction="none")
F.binary_cross_entropy(x.clamp(0.0, 1.0), y.clamp(0.0, 1.0), reduction="none")
F.binary_cross_entropy_with_logits(x, y, reduction="none")|F.normalize(x, dim=-1)|F.cosine_similarity(x, y, dim=-1)
F.layer_norm(x, (3,), eps=0.0)|F.max_pool2d(x[None, None], 2, 1)|F.gelu(x, approximate="tanh")
F.hinge_embedding_loss(x, y.sign(), reduction="none")|F.cross_entropy(x, torch.tensor([0, 1, 2, 0, 1]))
torch.where(x > 0.0, x, 0.0)|torch.where(x > 0.0, torch.log(x), 0.0)|torch.sqrt(x * x)|torch.sqrt(torch.abs(x))
torch.where(torch.isnan(x), 0.0, torch.relu(x))|torch.where(torch.isnan(x), 0.0, torch.abs(x))
torch.where(torch.isnan(x), 0.0, torch.clamp(x, -1.0, 1.0))|torch.where(torch.isnan(x), 0.0, torch.minimum(x, x))
torch.prod(x, dim=1)|torch.amax(x, dim=1)|torch.amin(x, dim=0)|torch.amax(x)|x.max(dim=1).values|x.min(dim=0).values
x.max()|x.min()|torch.sort(x, dim=1).values|torch.sort(x, dim=1, descending=True).values|torch.norm(x, dim=1)
x.norm(p=1, dim=1)|x.norm(p=float("inf"), dim=1)|x.norm(p=3, dim=1)|torch.linalg.vector_norm(x, dim=1)
torch.std(x, dim=1)|torch.std(x, dim=1, unbiased=False)|torch.var(x, dim=1)|torch.logsumexp(x, dim=1)
torch.cumsum(x, dim=1)|x.index_select(0, torch.tensor([0, 0]))|x[[0, 0]]|x.gather(0, torch.tensor([[0, 0, 0]]))
torch.softmax(x, -1)|torch.log_softmax(x, -1)|torch.fmod(x, 2.0)|torch.remainder(x, -2.0)|x.masked_fill(x > 0.0, 1.0)
x.index_put((torch.tensor([0, 0]),), y[:2], accumulate=True)|x.index_add(0, torch.tensor([1, 1]), y[:2])
x.index_put((torch.tensor([0, 0]),), y[:2])|x.index_copy(0, torch.tensor([1, 1]), y[:2])
x.scatter(0, torch.tensor([[1, 1, 1], [1, 1, 1]]), y[:2])|x.scatter_add(0, torch.tensor([[1, 1, 1], [1, 1, 1]]), y[:2])
F.hardtanh(x, -1.0, 2.0)|F.celu(x)|F.hardsigmoid(x)|F.hardswish(x)|F.hardshrink(x)|F.softshrink(x)
F.threshold(x, 1.0, 0.0)
F.smooth_l1_loss(x, y, reduction="none")|F.max_pool1d(x[None], 2, 1)|torch.cummax(x, dim=1).values|torch.median(x)
torch.median(x, dim=1).values|torch.topk(x, 1, dim=1).values|torch.xlogy(x, y)|torch.special.xlog1py(x, y)
torch.special.entr(x)|torch.rsqrt(x)|torch.copysign(x, y)|torch.cdist(x, y)
torch.linalg.vector_norm(x, ord=0.5, dim=1)""",
    "jax": f"""{POWERS}|{SIGNS}|jnp.power(x, 0.0)|jnp.power(x, 1.0)|jnp.power(0.0, x)|jnp.clip(x, -1.0, 1.0)
jnp.clip(x, 0.0)|jax.nn.leaky_relu(x, 0.1)|jax.nn.elu(x, 2.0)|jax.nn.gelu(x, approximate=False)
jnp.where(x > 0.0, x, 0.0)|jnp.where(x > 0.0, jnp.log(x), 0.0)|jnp.maximum(x, 0.0)|jnp.minimum(x, 1.0)|jnp.sqrt(x * x)
jnp.where(jnp.isnan(x), 0.0, jax.nn.relu(x))|jnp.where(jnp.isnan(x), 0.0, jnp.abs(x))
jnp.where(jnp.isnan(x), 0.0, jnp.clip(x, -1.0, 1.0))|jnp.prod(x, axis=1)|jnp.max(x, axis=1)|jnp.min(x, axis=0)|x.max()
jnp.median(x, axis=1)|jnp.sort(x, axis=1)|jnp.linalg.norm(x)|jnp.linalg.norm(x, axis=1)
jnp.linalg.norm(x, ord=1, axis=1)|jnp.linalg.norm(x, ord=jnp.inf, axis=1)|jnp.linalg.norm(x, ord=3, axis=1)
jnp.std(x, axis=1)|jnp.var(x, axis=1)|jax.nn.logsumexp(x, axis=1)|jnp.cumsum(x, axis=1)|jnp.cumprod(x, axis=1)
jnp.sinc(x)|jnp.cbrt(x)|jnp.fmod(x, 2.0)|jnp.remainder(x, -2.0)|x.at[jnp.array([0, 0])].set(y[:2])|x[jnp.array([0, 0])]
lax.clamp(-1.0, x, 1.0)|lax.lgamma(x)|jnp.arctanh(x)|x.at[jnp.array([0, 0])].add(y[:2])|jax.nn.hard_sigmoid(x)
x.at[jnp.array([0, 0])].max(y[:2])|lax.top_k(x, 2)[0]|lax.cummax(x, axis=0)|jax.nn.celu(x)|jax.scipy.special.entr(x)""",
    "tensorflow": f"""{POWERS}|{SIGNS}|tf.pow(x, 2.0)|tf.pow(x, 0.0)|tf.pow(0.0, x)|tf.clip_by_value(x, -1.0, 1.0)
tf.nn.leaky_relu(x, 0.0)|tf.nn.l2_loss(x)|tf.where(x > 0.0, x, 0.0)|tf.maximum(x, 0.0)
tf.maximum(0.0, x)|tf.minimum(x, 1.0)
tf.where(tf.math.is_nan(x), tf.zeros_like(x), tf.nn.relu(x))|tf.where(tf.math.is_nan(x), tf.zeros_like(x), tf.abs(x))
tf.where(tf.math.is_nan(x), tf.zeros_like(x), tf.maximum(x, x))|tf.reduce_prod(x, axis=1)|tf.reduce_max(x, axis=1)
tf.reduce_min(x, axis=0)|tf.reduce_max(x)|tf.reduce_logsumexp(x, axis=1)|tf.math.reduce_std(x, axis=1)|tf.norm(x)
tf.norm(x, axis=1)|tf.norm(x, ord=1, axis=1)|tf.norm(x, ord=float("inf"), axis=1)|tf.norm(x, ord=3, axis=1)
tf.sort(x, axis=1)|tf.sort(x, direction="DESCENDING")|tf.cumsum(x)|tf.math.cumprod(x, axis=1)|tf.math.xlogy(x, y)
tf.math.squared_difference(x, y)|tf.experimental.numpy.sinc(x)|tf.gather(x, [0, 0])|tf.linalg.diag(x)
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1, 2, 0, 1], logits=x)|tf.keras.losses.mse(y, x)""",
}


def listed(library: str) -> list[str]:
    return [one.strip() for line in EXPRESSIONS[library].splitlines() for one in line.split("|") if one.strip()]
