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
SCRIPTS = {
    f"{library}: {name}": text
    for library, texts in (("torch", TORCH), ("jax", JAX), ("tensorflow", TENSORFLOW), ("numpy", NUMPY))
    for name, text in texts.items()
}


def at(text: str, point: list[float]) -> str:
    """A script with these numbers."""
    return text.replace("NUMBERS", repr(point))
