"""Scripts that choose by computed numbers: each makes `loss` of the six numbers `w`, for PyTorch, JAX, TensorFlow and
numpy. They are run at POINT and their graphs at OTHERS, where most choose otherwise."""

from __future__ import annotations

POINT = [0.5, -2.0, 3.0, 0.1, -0.7, 1.2]
OTHERS = ([1.5, 2.0, -3.0, 0.4, -0.1, 0.2], [-0.3, 0.9, 0.8, -1.4, 2.6, -0.05], [0.51, -2.1, 3.1, 0.11, -0.71, 1.21])

TORCH_BODIES = {
    "relu by hand": "loss = (w * (w > 0)).sum()",
    "relu by where": "loss = torch.where(w > 0, w, torch.zeros_like(w)).pow(2).sum()",
    "mask as numbers": "m = (w > 0).float()\nloss = (w * m).sum() / m.sum()",
    "hinge": "s = w.view(2, 3)\nm = 1 - s\nloss = m[m > 0].sum()",
    "huber": "loss = torch.where(w.abs() < 1, 0.5 * w ** 2, w.abs() - 0.5).sum()",
    "clamp by mask": "y = w * 1\ny[y > 1] = 1.0\ny[y < -1] = -1.0\nloss = (y * torch.arange(6.0)).sum()",
    "masked_fill": "loss = w.masked_fill(w < 0, 0.25).prod()",
    "argmax": "loss = w[w.argmax()] * w[0]",
    "argmin of rows": "s = w.view(2, 3)\nloss = s[torch.arange(2), s.argmin(1)].sum()",
    "argmax loss": "s = w.view(2, 3)\nt = s.argmax(dim=1)\nloss = torch.nn.functional.cross_entropy(s, t)",
    "max along an axis": "v, i = w.view(2, 3).max(dim=1)\nloss = (v * v).sum() + (i.float() * v).sum()",
    "min with kept axis": "v = w.view(2, 3).min(dim=1, keepdim=True).values\nloss = ((w.view(2, 3) - v) ** 2).sum()",
    "top-k routing": "v, i = w.topk(2)\np = torch.softmax(v, 0)\nloss = (p * torch.arange(6.0)[i]).sum()",
    "top-k gate": "t = w.topk(3).values[-1]\nloss = (w * (w >= t)).sum()",
    "sort": "s, i = torch.sort(w)\nloss = (s * torch.arange(6.0)).sum() + (i.float() * s).sum()",
    "sort down": "s = w.sort(descending=True).values\nloss = (s * torch.arange(6.0)).sum()",
    "argsort": "loss = (w[w.argsort()] * torch.arange(6.0)).sum()",
    "ranks": "r = w.argsort().argsort().float()\nloss = (r * w).sum()",
    "median by sorting": "loss = w.sort().values[2:4].mean() * w[0]",
    "max pool by hand": "loss = w.view(3, 2).max(1).values.pow(2).sum()",
    "one-hot": "h = torch.nn.functional.one_hot(w.argmax(), 6).float()\nloss = (h * w ** 2).sum()",
    "gather": "s = w.view(2, 3)\nloss = s.gather(1, s.argsort(1)[:, :1]).sum() * w[1]",
    "any": "loss = torch.where((w > 2).any(), w.sum(), w.prod())",
    "all": "loss = w.sum() if (w > -5).all() else w.prod()",
    "count": "loss = (w > 0).sum() * w.sum()",
    "logical": "m = (w > 0) & (w < 1) | ~(w > -1)\nloss = torch.where(m, w, w * 3).sum()",
    "isclose": "loss = torch.where(torch.isclose(w, torch.tensor(0.1)), w * 2, w).sum()",
    "focal mask": "p = torch.sigmoid(w)\ny = (p > 0.5).float()\nq = p * y + (1 - p) * (1 - y)\n"
    "loss = (-(1 - q) ** 2 * torch.log(q)).mean()",
    "nonzero": "i = torch.where(w > 0)[0]\nloss = w[i].sum()",
    "index of rows by a list": "s = w.view(3, 2)\ni = s[:, 0].topk(2).indices\nloss = s[i].sum()",
    "put": "y = w * 1\ny[w.argmax()] = 0\nloss = (y * w).sum()",
    "detached": "loss = (w * w.detach()).sum()",
    "detached norm": "loss = (w / w.detach().norm()).sum()",
    "no_grad": "with torch.no_grad():\n    s = w.abs().max()\nloss = (w / s).pow(2).sum()",
    "straight through": "q = w + (torch.round(w) - w).detach()\nloss = (q ** 2).sum()",
    "item as a factor": "s = w.abs().max().item()\nloss = (w / s).sum()",
    "item in arithmetic": "s = 1 / (1 + w.norm().item())\nloss = (w * s).sum()",
    "a tensor of an item": "s = torch.tensor(w.max().item())\nt = torch.tensor([w[0].item(), 2.0])\n"
    "loss = (w * s).sum() + (t * w[:2]).sum()",
    "if": "loss = w.sum() ** 2 if w.sum() > 1 else torch.exp(w.sum())",
    "if on an item": "loss = w.sum()\nif loss.item() > 1:\n    loss = loss * 2",
    "gradient clipping": "n = w.norm()\nif n > 2:\n    w2 = w * (2 / n)\nelse:\n    w2 = w * 1\nloss = (w2 ** 3).sum()",
    "line search": "t = 1.0\nf = (w ** 2).sum()\nwhile ((w - t * 3 * w) ** 2).sum() > f:\n    t = t / 2\n"
    "loss = ((w - t * 3 * w) ** 2).sum()",
    "Newton": "x = w[2].abs() + 1\nwhile (x * x - 2).abs() > 1e-3:\n    x = x - (x * x - 2) / (2 * x)\n"
    "loss = x * w.sum()",
    "a number of turns": "y = w[0]\nfor _ in range(int(w.abs().max())):\n    y = y * w[1]\nloss = y",
    "allclose": "loss = w.sum() if torch.allclose(w, w.abs()) else w.prod()",
    "equal": "loss = w.sum() if torch.equal(w, w.relu()) else (w ** 2).sum()",
    "assert": "assert w.max() > 0\nloss = (w ** 2).sum()",
    "python's max": "loss = max(w[0], w[1]) * 3 + min(w[2], w[3])",
    "python's sorted": "loss = sorted([w[0], w[1], w[2]])[0] * 2",
    "not": "loss = w.sum() if not w[0] > 0 else w.prod()",
    "clamp": "loss = (w.clamp(-1, 1) * w).sum()",
    "masked view": "s = w.view(2, 3)\nm = (s > 0).view(-1)\nloss = (w * m).sum()",
    "mask with a write": "m = w > 0\nm[0] = True\nloss = torch.where(m, w, -w).sum()",
    "searched": "d = (w[:, None] - torch.tensor([-1.0, 0.0, 1.0])).abs()\nloss = (w - torch.tensor([-1.0, 0.0, 1.0])"
    "[d.argmin(1)]).pow(2).sum()",
}
TORCH = {
    name: f"import torch\nw = torch.tensor(NUMBERS, requires_grad=True)\n{body}\nloss.backward()\n"
    for name, body in TORCH_BODIES.items()
}

JAX_BODIES = {
    "relu by hand": "return jnp.sum(w * (w > 0))",
    "where": "return jnp.sum(jnp.where(w > 0, w ** 2, -w))",
    "huber": "return jnp.sum(jnp.where(jnp.abs(w) < 1, 0.5 * w ** 2, jnp.abs(w) - 0.5))",
    "argmax": "return w[jnp.argmax(w)] * w[0]",
    "rows": "s = w.reshape(2, 3)\n    return jnp.sum(s[jnp.arange(2), jnp.argmax(s, axis=1)])",
    "argsort": "return jnp.sum(w[jnp.argsort(w)] * jnp.arange(6.0))",
    "take_along_axis": "s = w.reshape(2, 3)\n    i = jnp.argsort(s, axis=1)[:, :1]\n"
    "    return jnp.sum(jnp.take_along_axis(s, i, axis=1))",
    "sort": "return jnp.sum(jnp.sort(w) * jnp.arange(6.0))",
    "median": "return jnp.median(w) * w[1]",
    "one-hot": "return jnp.sum(jax.nn.one_hot(jnp.argmax(w), 6) * w ** 2)",
    "at set": "return jnp.sum(w.at[jnp.argmax(w)].set(0.0) * jnp.arange(6.0))",
    "at add": "return jnp.sum(w.at[jnp.argmin(w)].add(2.0) * w)",
    "any": "return jnp.where(jnp.any(w > 2), jnp.sum(w), jnp.prod(w))",
    "logic": "return jnp.sum(jnp.where((w > 0) & ~(w > 1), w, 3 * w))",
    "stop_gradient": "return jnp.sum(w * jax.lax.stop_gradient(w))",
    "if": "s = jnp.sum(w)\n    if s > 1:\n        return s ** 2\n    return jnp.exp(s)",
    "while": "y = jnp.sum(w ** 2)\n    while y > 1:\n        y = y / 2\n    return y",
    "cond": "return jax.lax.cond(w[0] > 0, lambda x: jnp.sum(x), lambda x: jnp.prod(x), w)",
}
JAX = {
    name: "import jax\nimport jax.numpy as jnp\n\ndef f(w):\n    BODY\n\nw = jnp.array(NUMBERS)\nloss, g = "
    "jax.value_and_grad(f)(w)\n".replace("BODY", body)
    for name, body in JAX_BODIES.items()
}

TENSORFLOW_BODIES = {
    "relu by hand": "loss = tf.reduce_sum(w * tf.cast(w > 0, tf.float32))",
    "where": "loss = tf.reduce_sum(tf.where(w > 0, w ** 2, -w))",
    "gather": "loss = tf.gather(w, tf.argmax(w)) * w[0]",
    "argsort": "loss = tf.reduce_sum(tf.gather(w, tf.argsort(w)) * tf.range(6.0))",
    "sort": "loss = tf.reduce_sum(tf.sort(w) * tf.range(6.0))",
    "one-hot": "loss = tf.reduce_sum(tf.one_hot(tf.argmax(w), 6) * w ** 2)",
    "boolean_mask": "loss = tf.reduce_sum(tf.boolean_mask(w, w > 0) ** 2)",
    "reduce_any": "loss = tf.where(tf.reduce_any(w > 2), tf.reduce_sum(w), tf.reduce_prod(w))",
    "stop_gradient": "loss = tf.reduce_sum(w * tf.stop_gradient(w))",
    "if": "loss = tf.reduce_sum(w)\n    if loss > 1:\n        loss = loss * 2",
    "while": "loss = tf.reduce_sum(w ** 2)\n    while loss > 1:\n        loss = loss / 2",
}
TENSORFLOW = {
    name: "import tensorflow as tf\nw = tf.Variable(NUMBERS)\nwith tf.GradientTape() as tape:\n    BODY\n"
    "g = tape.gradient(loss, w)\n".replace("BODY", body)
    for name, body in TENSORFLOW_BODIES.items()
}

NUMPY_BODIES = {
    "relu by hand": "loss = np.sum(w * (w > 0))",
    "where": "loss = np.sum(np.where(w > 0, w ** 2, -w))",
    "mask": "m = w > 0\nloss = w[m].sum()",
    "argmax": "loss = w[np.argmax(w)] * w[0]",
    "argsort": "loss = np.sum(w[np.argsort(w)] * np.arange(6.0))",
    "clamp by mask": "y = w * 1\ny[y > 1] = 1.0\nloss = np.sum(y * np.arange(6.0))",
    "median": "loss = np.median(w) * w[1]",
    "quantile": "loss = np.quantile(w, 0.3) * w[1]",
    "if": "loss = np.sum(w)\nif loss > 1:\n    loss = loss * 2",
    "while": "loss = np.sum(w ** 2)\nwhile loss > 1:\n    loss = loss / 2",
    "any": "loss = np.sum(w) if np.any(w > 2) else np.prod(w)",
    "int": "y = w[0]\nfor _ in range(int(np.max(np.abs(w)))):\n    y = y * w[1]\nloss = y * 1",
    "searchsorted": "loss = np.sum(np.searchsorted(np.array([-1.0, 0.0, 1.0]), w) * w)",
}
NUMPY = {name: f"import numpy as np\nw = np.array(NUMBERS)\n{body}\n" for name, body in NUMPY_BODIES.items()}
# Scripts that choose by the six numbers `x`, which are data, for the parameters `v`.
V = "[0.3, 1.1, -0.8, 0.6, 1.4, -0.5]"
TORCH_DATA_BODIES = {
    "mask": "m = x > 0\nloss = (v * x * m).sum()",
    "mask as numbers": "m = (x > 0).float()\nloss = (v * m).sum() / (1 + m.sum())",
    "mask alone": "loss = (v * (x > 0)).sum()",
    "where": "loss = torch.where(x > 0, v, 2 * v).pow(2).sum()",
    "masked_fill": "loss = v.masked_fill(x < 0, 0.25).prod()",
    "elements": "loss = v[x > 0].sum()",
    "conversion": "n = x.long()\nloss = (v * n).sum() + (v * x).sum()",
    "int and back": "loss = (v * x.int().float()).sum()",
    "to": "loss = (v * x.to(torch.int64).to(torch.float32)).sum()",
    "rounding": "loss = (v * torch.round(x) + v * x.floor()).sum()",
    "one-hot": "h = torch.nn.functional.one_hot((x > 0).long(), 2).float()\nloss = (h * v[:, None]).pow(2)[:, 1].sum()",
    "classes": "t = (x[:2].abs()).long().clamp(0, 2)\nloss = torch.nn.functional.cross_entropy(v.view(2, 3), t)",
    "argmax": "loss = v[x.argmax()] * v[0]",
    "argsort": "loss = (v[x.argsort()] * torch.arange(6.0)).sum()",
    "ranks": "r = x.argsort().argsort()\nloss = (r * v).sum()",
    "sorted": "s = x.sort().values\nloss = (s * v).sum()",
    "top-k": "t = x.topk(3)\nloss = (v[t.indices] * t.values).sum()",
    "scaled": "z = (x - x.mean()) / x.std()\nloss = (v * z * (x > 0.2)).sum()",
    "an own name": "x = (x - x.mean()) / x.std()\nloss = (v * x).sum()",
    "written over": "m = x > 0\nx[m] = 1.0\nx[~m] *= 2\nloss = (v * x).sum()",
    "written at places": "t = torch.zeros(3)\nt.index_add_(0, (x > 0).long(), x)\nloss = (v[:3] * t).sum()",
    "item": "s = x.abs().max().item()\nloss = (v / s).sum() * x.sum()",
    "if": "loss = v.sum() if x.sum() > 1 else v.prod()",
    "a number of turns": "y = v[0]\nfor _ in range(int(x.abs().max())):\n    y = y * v[1]\nloss = y * x[0]",
    "batches": "for i in range(0, 6, 3):\n    b = x[i : i + 3]\n    loss = (v[:3] * b * (b > 0)).sum() * x[0]",
    "rows": "loss = 0\nfor one in x:\n    loss = loss + (v * one).sum() * (one > 0)",
    "equal": "loss = (v * (x == x.max())).sum()",
    "any": "loss = torch.where((x > 2).any(), v.sum(), v.prod())",
    "nonzero": "i = torch.where(x > 0)[0]\nloss = v[i].sum()",
    "masked view": "m = (x.view(2, 3) > 0).view(-1)\nloss = (v * m).sum()",
    "meshgrid": "a, b = torch.meshgrid(x[:3], x[3:], indexing='ij')\nloss = (a * b * v[:3]).sum() + x[0] * v[0]",
    "like": "z = torch.zeros_like(x)\nz[x > 0] = 1\nloss = (z * v).sum()",
    "full": "loss = (torch.full((6,), x.max().item()) * v).sum()",
    "a tensor of numbers": "t = torch.tensor([x[0].item(), 2.0])\nloss = (t * v[:2]).sum() + (x * v).sum()",
    "repeat": "r = x[:3].repeat_interleave(2)\nloss = (r * v).sum() + x[0] * v[0]",
    "clamped": "c = x.clamp(0, 1)\nloss = (c * v).sum() + (x * v).sum()",
    "stacked": "t = torch.stack([x[:3], x[3:]])\nloss = (t.max(1).values * v[:2]).sum() + x[0] * v[0]",
    "function": "def f(a):\n    m = a > 0\n    return a * m\nloss = (f(x) * v).sum()",
    "bce": "t = (x > 0).float()\nloss = torch.nn.functional.binary_cross_entropy_with_logits(v * x, t)",
    "accuracy": "p = v * x\na = (p.detach() > 0).eq(x > 0).float().mean()\nloss = p.sum() * a",
}
TORCH_DATA = {
    name: f"import torch\nx = torch.tensor(NUMBERS)\nv = torch.tensor({V}).requires_grad_()\n{body}\nloss.backward()\n"
    for name, body in TORCH_DATA_BODIES.items()
}
JAX_DATA_BODIES = {
    "mask": "m = x > 0\n    return jnp.sum(v * x * m)",
    "mask alone": "return jnp.sum(v * (x > 0))",
    "where": "return jnp.sum(jnp.where(x > 0, v, 2 * v) ** 2)",
    "conversion": "n = x.astype(int)\n    return jnp.sum(v * n) + jnp.sum(v * x)",
    "argsort": "return jnp.sum(v[jnp.argsort(x)] * jnp.arange(6.0))",
    "one-hot": "return jnp.sum(jax.nn.one_hot((x > 0).astype(int), 2)[:, 1] * v)",
    "scaled": "z = (x - x.mean()) / x.std()\n    return jnp.sum(v * z * (x > 0.2))",
    "if": "if x.sum() > 1:\n        return jnp.sum(v)\n    return jnp.prod(v)",
}
JAX_DATA = {
    name: f"import jax\nimport jax.numpy as jnp\nx = jnp.array(NUMBERS)\n\ndef f(v):\n    BODY\n\n"
    f"v = jnp.array({V})\nloss, g = jax.value_and_grad(f)(v)\n".replace("BODY", body)
    for name, body in JAX_DATA_BODIES.items()
}
TENSORFLOW_DATA_BODIES = {
    "mask": "m = tf.cast(x > 0, tf.float32)\n    loss = tf.reduce_sum(v * x * m)",
    "where": "loss = tf.reduce_sum(tf.where(x > 0, v, 2 * v))",
    "conversion": "loss = tf.reduce_sum(v * tf.cast(tf.cast(x, tf.int32), tf.float32)) + tf.reduce_sum(v * x)",
    "argsort": "loss = tf.reduce_sum(tf.gather(v, tf.argsort(x)) * tf.range(6.0))",
    "scaled": "z = (x - tf.reduce_mean(x)) / 2\n    loss = tf.reduce_sum(v * z * x)",
    "if": "loss = tf.reduce_sum(v * x) if tf.reduce_sum(x) > 1 else tf.reduce_prod(v)",
}
TENSORFLOW_DATA = {
    name: f"import tensorflow as tf\nx = tf.constant(NUMBERS)\n"
    f"v = tf.Variable({V})\nwith tf.GradientTape() as tape:\n    BODY\ng = tape.gradient(loss, v)\n".replace(
        "BODY", body
    )
    for name, body in TENSORFLOW_DATA_BODIES.items()
}
NUMPY_DATA = {
    name: f"import numpy as np\nx = np.array(NUMBERS)\nv = np.array({V})\n{body}\n"
    for name, body in {
        "mask": "loss = np.sum(v * x * (x > 0))",
        "conversion": "loss = np.sum(v * x.astype(int)) + np.sum(v * x)",
        "if": "loss = np.sum(v * x)\nif x.sum() > 1:\n    loss = loss * 2",
    }.items()
}
DATA = {
    f"{library}: {name}": text
    for library, texts in (
        ("torch", TORCH_DATA), ("jax", JAX_DATA), ("tensorflow", TENSORFLOW_DATA), ("numpy", NUMPY_DATA)
    )
    for name, text in texts.items()
}  # fmt: skip
SCRIPTS = {
    f"{library}: {name}": text
    for library, texts in (("torch", TORCH), ("jax", JAX), ("tensorflow", TENSORFLOW), ("numpy", NUMPY))
    for name, text in texts.items()
}


def at(text: str, point: list[float]) -> str:
    """A script with these numbers."""
    return text.replace("NUMBERS", repr(point))
