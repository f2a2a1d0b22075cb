"""Tensors as PyTorch prints them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

PRECISION = 4
WIDTH = 80  # characters of a line
THRESHOLD = 1000  # elements from which on an array is shortened
EDGE = 3  # elements that are shown at each end of a shortened axis
ALWAYS = ("float32", "int64", "bool")  # types that are not said


class _Format:
    """How the numbers of one tensor are written: all to the same width, and all with an exponent or none."""

    def __init__(self, numbers: np.ndarray[Any, Any]) -> None:
        self.is_float, self.exponent, self.whole, self.width = numbers.dtype.kind == "f", False, True, 1
        if not self.is_float:
            self.width = max((len(str(item)) for item in numbers.ravel().tolist()), default=1)
            return
        finite = numbers[np.isfinite(numbers) & (numbers != 0)].astype(np.float64)
        if finite.size:
            largest, least = float(np.abs(finite).max()), float(np.abs(finite).min())
            self.whole = bool(np.all(finite == np.ceil(finite)))
            wide = largest / least > 1000.0
            self.exponent = largest > 1e8 or wide or (not self.whole and least < 1e-4)
        self.width = max((len(self._text(item)) for item in finite.tolist()), default=1)

    def _text(self, number: float) -> str:
        if self.exponent:
            return f"{number:.{PRECISION}e}"
        if self.whole:
            return f"{number:.0f}."
        return f"{number:.{PRECISION}f}"

    def __call__(self, number: Any) -> str:
        if not self.is_float:
            return str(number).rjust(self.width)
        text = self._text(number) if math.isfinite(number) else str(number)
        return text.rjust(self.width)


def tensor_text(array: Any, suffixes: list[str], prefix: str = "tensor(") -> str:
    """`array` as PyTorch shows a tensor, with what follows the numbers, such as its grad_fn."""
    numbers, indent = np.asarray(array), len(prefix)
    if numbers.dtype.name not in ALWAYS and (numbers.dtype.kind != "f" or numbers.size):
        suffixes = [f"dtype=torch.{numbers.dtype.name}", *suffixes]
    if numbers.size == 0:
        empty = [f"size={numbers.shape}"] if numbers.ndim != 1 else []
        text = "[]"
        suffixes = [*empty, *suffixes]
    else:
        shortened = numbers.size > THRESHOLD
        shown = _edges(numbers) if shortened else numbers
        text = _lines(numbers, indent, shortened, _Format(shown))
    return _with_suffixes(prefix + text, suffixes, indent)


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    last = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last + len(suffix) + 2 > WIDTH:
            text += f",\n{' ' * indent}{suffix}"
            last = indent + len(suffix)
        else:
            text += f", {suffix}"
            last += len(suffix) + 2
    return text + ")"


def _lines(numbers: np.ndarray[Any, Any], indent: int, shortened: bool, form: _Format) -> str:
    if numbers.ndim == 0:
        return form(numbers.item())
    cut = shortened and len(numbers) > 2 * EDGE
    if numbers.ndim == 1:
        return _row(numbers, indent, cut, form)
    parts = [*numbers[:EDGE], None, *numbers[-EDGE:]] if cut else [*numbers]
    texts = ["..." if part is None else _lines(part, indent + 1, shortened, form) for part in parts]
    return "[" + f",{chr(10) * (numbers.ndim - 1)}{' ' * (indent + 1)}".join(texts) + "]"


def _row(numbers: np.ndarray[Any, Any], indent: int, cut: bool, form: _Format) -> str:
    per_line = max(1, (WIDTH - indent) // (form.width + 2))
    ends = [*numbers[:EDGE].tolist(), None, *numbers[-EDGE:].tolist()] if cut else numbers.tolist()
    texts = [" ..." if item is None else form(item) for item in ends]
    lines = [", ".join(texts[start : start + per_line]) for start in range(0, len(texts), per_line)]
    return "[" + f",\n{' ' * (indent + 1)}".join(lines) + "]"


def _edges(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements of a long array that are shown."""
    for axis, size in enumerate(numbers.shape):
        if size > 2 * EDGE:
            numbers = np.take(numbers, [*range(EDGE), *range(size - EDGE, size)], axis)
    return numbers


# The name of a result's grad_fn, where it is not the operation's own name.
GRAD_FN = {
    "add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "negative": "Neg", "power": "Pow",
    "matmul": "Mm", "dot": "Dot", "getitem": "Select", "reshape": "View", "transpose": "T", "concatenate": "Cat",
    "arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
    "expand_dims": "Unsqueeze", "clip": "Clamp", "norm": "LinalgVectorNorm", "square": "Pow", "swapaxes": "Transpose",
    "mse_loss": "MseLoss", "binary_cross_entropy": "BinaryCrossEntropy", "logsumexp": "Logsumexp",
    "cross_entropy": "NllLoss", "nll_loss": "NllLoss", "log_softmax": "LogSoftmax", "astype": "ToCopy",
    "binary_cross_entropy_with_logits": "BinaryCrossEntropyWithLogits", "huber_loss": "HuberLoss",
    "leaky_relu": "LeakyRelu", "index_put": "CopySlices", "conv2d": "Convolution", "conv1d": "Convolution",
    "einsum": "View", "broadcast_to": "Expand", "outer": "Mul", "logsigmoid": "LogSigmoid", "l1_loss": "Mean",
    "max_pool2d": "MaxPool2DWithIndices", "avg_pool2d": "AvgPool2D", "layer_norm": "NativeLayerNorm",
    "batch_norm": "NativeBatchNorm", "kl_div": "Div", "softsign": "Div", "diag": "DiagonalCopy", "take": "Index",
    "arctan2": "Atan2",
}  # fmt: skip
NUMBERS = {"max": "1", "min": "1", "clip": "1", "logsumexp": "0"}


def grad_fn_name(op: str, shapes: list[tuple[int, ...]], attributes: dict[str, Any]) -> str:
    """What PyTorch calls the step that goes back through an operation on operands of these shapes."""
    along = attributes.get("axis") is not None
    number = "1" if along and op in ("sum", "mean", "prod") else NUMBERS.get(op, "0")
    stem = GRAD_FN.get(op, "".join(part.capitalize() for part in op.split("_")))
    if op == "matmul":
        stem = _product_name(len(shapes[0]), len(shapes[1]))
    if op in ("max", "min") and along:
        stem, number = f"A{op}", "0"
    if op == "getitem":
        stem = _index_name(attributes["index"])
    if op == "transpose" and attributes.get("axes") is not None:
        stem = "Permute"
    return f"{stem}Backward{number}"


def _product_name(left: int, right: int) -> str:
    """The name of a product of tensors with so many axes."""
    if max(left, right) > 2:
        return "UnsafeView" if right == 2 else "Bmm"
    return {(2, 1): "Mv", (1, 1): "Dot", (1, 2): "Squeeze"}.get((left, right), "Mm")


def _index_name(text: str) -> str:
    last = text.rsplit(", ", 1)[-1].rstrip(",")
    if "[" in text:
        return "Index"
    return "Slice" if ":" in last else "Unsqueeze" if last == "None" else "Select"
