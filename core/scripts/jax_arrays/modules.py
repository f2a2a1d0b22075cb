"""The modules `jax`, `jax.numpy` and so on, by the names under which scripts import them."""

from __future__ import annotations

from typing import Any

from cadena.core.scripts.jax_arrays import transforms, trees
from cadena.core.scripts.jax_arrays.array import Array
from cadena.core.scripts.jax_arrays.custom_rules import custom_jvp, custom_vjp
from cadena.core.scripts.jax_arrays.functions import LAX, NN, RANDOM, SPECIAL
from cadena.core.scripts.jax_arrays.numpy_functions import JNP, LINALG
from cadena.core.scripts.jax_arrays.state import STATE
from cadena.core.scripts.library import Library
from cadena.core.scripts.missing import missing


class Config:
    """jax.config."""

    def update(self, name: str, value: Any) -> None:
        if name == "jax_enable_x64":
            STATE.wide = bool(value)
        elif not name.startswith("jax_"):
            raise missing("jax.config", name, ["jax_enable_x64"])

    jax_enable_x64 = property(lambda self: STATE.wide)


TREES = {
    "tree_map": trees.tree_map, "tree_leaves": trees.leaves, "tree_flatten": trees.tree_flatten,
    "tree_unflatten": trees.tree_unflatten, "tree_structure": trees.TreeDef, "tree_reduce": trees.tree_reduce,
}  # fmt: skip
TREE = Library("jax.tree", {name.removeprefix("tree_"): call for name, call in TREES.items()})
TREE_UTIL = Library("jax.tree_util", TREES)
NN_MODULE, LAX_MODULE = Library("jax.nn", NN), Library("jax.lax", LAX)
SPECIAL_MODULE = Library("jax.scipy.special", SPECIAL)
SCIPY = Library("jax.scipy", {"special": SPECIAL_MODULE})
CONFIG = Config()


class OneDevice:
    """A mesh, or what says how arrays lie on it: there is one device, on which all of each array is."""

    def __init__(self, *parts: Any, **options: Any) -> None:
        pass


SHARDING = Library("jax.sharding", dict.fromkeys(("Mesh", "NamedSharding", "PartitionSpec"), OneDevice))
DEBUG = Library("jax.debug", {"print": lambda text, *values, **named: print(text.format(*values, **named))})
JAX = Library(
    "jax",
    {
        **{name: getattr(transforms, name) for name in (
            "grad", "value_and_grad", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "jit", "vmap"
        )},
        "jacobian": transforms.jacrev, "checkpoint": transforms.jit, "remat": transforms.jit,
        "custom_vjp": custom_vjp, "custom_jvp": custom_jvp, "Array": Array, "config": CONFIG,
        "sharding": SHARDING, "devices": lambda: ["cpu:0"], "device_put": lambda value, *where: value,
        "block_until_ready": lambda value: value, "device_count": lambda: 1,
        "default_backend": lambda: "cpu", "debug": DEBUG, "numpy": JNP,
        "nn": NN_MODULE, "lax": LAX_MODULE,
        "random": RANDOM, "scipy": SCIPY, "tree": TREE, "tree_util": TREE_UTIL, "__version__": "0.4",
    },
)  # fmt: skip
FOUND = (JAX, JNP, LINALG, NN_MODULE, LAX_MODULE, RANDOM, SCIPY, SPECIAL_MODULE, TREE, TREE_UTIL, SHARDING, DEBUG)
MODULES = {item.__name__: item for item in FOUND}
PASSES = STATE.passes
