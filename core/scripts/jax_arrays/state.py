"""What the modules of the script's jax share: the tape, whether something is being differentiated, the number types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts import rounding
from cadena.core.scripts.library_rules import JAX_FORMULAS, JAX_RULES, LibraryRule, RuledTape
from cadena.core.scripts.rounding import StepTable
from cadena.core.scripts.tape import GradientPass, GradientRule, ScriptTape, line_at, script_place


def _rounded(x: Any, decimals: int = 0) -> Any:
    scale = np.float32(10.0) ** np.float32(abs(decimals))
    inverse = np.float32(1.0) / scale
    up, down = (scale, inverse) if decimals > 0 else (inverse, scale)
    return np.round(x * up) * down if decimals else np.round(x)


def _softplus(x: Any) -> Any:
    rest = np.log1p(np.asarray(rounding.exp(-np.abs(x)), np.float64)).astype(np.float32)
    return np.maximum(x, np.float32(0.0)) + rest


class JaxTape(RuledTape):
    """JAX's functions of float32 are right to the last digit."""

    rules: ClassVar[Mapping[str, LibraryRule]] = JAX_RULES
    formulas: ClassVar[Mapping[str, GradientRule]] = JAX_FORMULAS
    library: ClassVar[str] = "jax"
    gives_zeros: ClassVar[bool] = True
    in_steps: ClassVar[StepTable] = {
        "round": _rounded,
        "sigmoid": rounding.sigmoid,
        "silu": lambda x: x * rounding.sigmoid(x),
        "softmax": rounding.softmax,
        "log_softmax": rounding.log_softmax,
        "softplus": _softplus,
    }
    rounded_once: ClassVar[frozenset[str]] = frozenset(
        "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh "
        "power cbrt logaddexp erf erfc gammaln digamma gelu mish elu selu logsigmoid".split()
    )
    products: ClassVar[frozenset[str]] = frozenset(("maximum", "minimum", "clip"))


class State:
    """There is one, since a process runs one script."""

    def __init__(self) -> None:
        self.tape: JaxTape = JaxTape()
        self.depth = 0  # how many functions are being differentiated, one within another
        self.wide = False  # jax_enable_x64
        self.passes: list[GradientPass] = []

    def note_pass(self, root: int) -> None:
        self.passes.append(GradientPass(self.tape, root, line_at(script_place()), end=len(self.tape.calls)))

    @contextmanager
    def recording(self) -> Iterator[None]:
        """While it is open, operations are recorded."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @contextmanager
    def function(self) -> Iterator[ScriptTape]:
        """A tape of its own for the body of a function with a custom gradient."""
        outer, self.tape = self.tape, JaxTape(0)
        self.depth += 1
        try:
            yield self.tape
        finally:
            self.tape, self.depth = outer, self.depth - 1


STATE = State()
NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32"}


def canonical(dtype: Any) -> np.dtype[Any]:
    """A number type as JAX has it: 32 bits wide unless jax_enable_x64 is set."""
    kind: np.dtype[Any] = np.dtype(getattr(dtype, "dtype", dtype))
    return kind if STATE.wide else np.dtype(NARROW.get(kind.name, kind))


def float_type() -> np.dtype[Any]:
    return np.dtype(np.float64 if STATE.wide else np.float32)


def whole_type() -> np.dtype[Any]:
    return np.dtype(np.int64 if STATE.wide else np.int32)
