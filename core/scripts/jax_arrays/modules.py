"""The modules `jax`, `jax.numpy` and so on, by the names under which scripts import them."""

from __future__ import annotations

from typing import Any

from cadena.core.scripts.calls import all_checked
from cadena.core.scripts.jax_arrays import transforms, trees
from cadena.core.scripts.jax_arrays.array import Array
from cadena.core.scripts.jax_arrays.array import operate as operate
from cadena.core.scripts.jax_arrays.custom_rules import custom_jvp, custom_vjp
from cadena.core.scripts.jax_arrays.functions import LAX, NN, SPECIAL
from cadena.core.scripts.jax_arrays.numpy_functions import FORMS, JNP, LINALG, known
from cadena.core.scripts.jax_arrays.state import STATE
from cadena.core.scripts.library import Library, extend
from cadena.core.scripts.missing import missing
from cadena.core.scripts.skipped import switches


class Config:
    """jax.config."""

    def update(self, name: str, val: Any) -> None:
        if name == "jax_enable_x64":
            STATE.wide = bool(val)
        elif name != "jax_platform_name":
            raise missing("jax.config", name, ["jax_enable_x64"])

    jax_enable_x64 = property(lambda self: STATE.wide)


def _print(fmt: str, *args: Any, **named: Any) -> None:
    print(fmt.format(*args, **named))


class OneDevice:
    """A mesh, or what says how arrays lie on it, as exported programs make them: all of each array is on one device."""

    def __init__(self, *parts: Any) -> None:
        pass


SHARDING = Library("jax.sharding", dict.fromkeys(("Mesh", "NamedSharding", "PartitionSpec"), OneDevice))


def _module(name: str, names: dict[str, Any]) -> Library:
    return Library(name, all_checked(name, names, FORMS), listed=lambda: known(name))


TREE = _module("jax.tree", {"map": trees.tree_map, "leaves": trees.leaves})
TREE_UTIL = _module("jax.tree_util", {"tree_map": trees.tree_map, "tree_leaves": trees.leaves})
NN_MODULE, LAX_MODULE = _module("jax.nn", NN), _module("jax.lax", LAX)
SPECIAL_MODULE = _module("jax.scipy.special", SPECIAL)
SCIPY = Library("jax.scipy", {"special": SPECIAL_MODULE})
JAX = _module("jax", {
    **{name: getattr(transforms, name) for name in (
        "grad", "value_and_grad", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "jit", "vmap"
    )},
    "jacobian": transforms.jacrev, "custom_vjp": custom_vjp, "custom_jvp": custom_jvp, "Array": Array,
    "config": Config(), "numpy": JNP, "nn": NN_MODULE, "lax": LAX_MODULE, "scipy": SCIPY, "tree": TREE,
    "tree_util": TREE_UTIL, "debug": Library("jax.debug", {"print": _print}), "sharding": SHARDING,
    "devices": lambda: ["cpu:0"],
    "device_count": lambda: 1, "device_put": lambda x, device=None: x, "__version__": "0.4",
})  # fmt: skip
extend(JAX, switches("jax", "print_environment_info"))
FOUND = (JAX, JNP, LINALG, NN_MODULE, LAX_MODULE, SCIPY, SPECIAL_MODULE, TREE, TREE_UTIL, SHARDING)
MODULES = {item.__name__: item for item in FOUND}
PASSES = STATE.passes
