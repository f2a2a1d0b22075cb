"""Where the elementary operations of a composite one give something else than the one itself, and why.

That is what taking an operation apart shows: fused operations are written so that nothing overflows, no digits are
lost, and edges get the gradients that PyTorch gives them.
"""

from __future__ import annotations

EXP = "exp overflows beyond 709 (88 in float32)"
SQUARED = "the gradient is silently 0 below -372 (-52 in float32), where exp(x)² vanishes, and nan from -709 (-88) on"
SHARED = "maximum and minimum share the gradient evenly where their operands are equal"
LOST = "near 0 digits are lost, as numbers of almost the same size are subtracted"

# Operation -> a sentence without its full stop; what is not here is the same to rounding at every finite point.
APART: dict[str, str] = {
    "sinh": LOST,
    "arcsinh": f"{LOST}; of large numbers the square overflows, and for negative ones x + √(x² + 1) is 0",
    "arccosh": "of large numbers the square overflows",
    "arctanh": f"{LOST}; at 1 and -1 the gradient is nan (0 · inf) instead of inf",
    "tanh": f"{EXP}, and inf / inf is nan, where tanh is 1 or -1; {LOST}",
    "sinc": "at 0 the quotient is 0 / 0, which is nan, where sinc is 1",
    "expm1": LOST.replace("numbers of almost the same size are subtracted", "1 is subtracted from a number next to it"),
    "log1p": LOST.replace("numbers of almost the same size are subtracted", "a small number is added to 1"),
    "erfc": "from 6 on erf is 1 to the last digit, and the difference 0",
    "floor_divide": "where the divisor is 0 the gradient is nan (0 · inf)",
    "remainder": "where the divisor is 0 the gradient is nan; of a divisor that is small beside x digits are lost",
    "fmod": "where the divisor is 0 the gradient is nan; of a divisor that is small beside x digits are lost",
    "clip": f"at the bounds the gradient is 1/2 instead of 1: {SHARED}",
    "sigmoid": SQUARED,
    "silu": SQUARED,
    "softplus": f"{EXP}, where softplus is x; for very negative x the digits of exp(x) are lost beside 1",
    "logsigmoid": f"{EXP} where -x does, where logsigmoid is x; for large x the digits of exp(-x) are lost beside 1",
    "mish": f"{EXP}, and the gradient becomes nan (0 · inf) where that of mish is 1",
    "elu": "just below 0 digits are lost, as 1 is subtracted from a number next to it",
    "selu": f"just below 0 digits are lost, and at 0 the gradient is a mean of both sides: {SHARED}",
    "leaky_relu": f"at 0 the gradient is a mean of both sides instead of the slope: {SHARED}",
    "hardtanh": f"at the corners the gradient is 1/2 instead of 0: {SHARED}",
    "relu6": f"at the corners the gradient is 1/2 instead of 0: {SHARED}",
    "hypot": "the squares overflow (beyond 1.3e154, or 1.8e19 in float32), where hypot does not",
    "logaddexp": f"{EXP}, where logaddexp is about the larger operand; digits of the smaller exp are lost",
    "logaddexp2": "exp2 overflows beyond 1024 (128 in float32), where logaddexp2 is about the larger operand",
    "std": "where all numbers are equal the gradient is nan (0 · inf, from the root of 0), where that of std is 0",
    "norm": "where all numbers are 0 the gradient is nan (0 · inf, from the root of 0), where that of norm is 0",
    "logsumexp": f"{EXP}, and log(0) is -inf where all are very negative; logsumexp takes the largest out first",
    "softmax": f"{EXP}, and inf / inf and 0 / 0 are nan; softmax subtracts the largest number first",
    "log_softmax": f"{EXP}, and log(0) is -inf where all are very negative; log_softmax subtracts the largest first",
    "cross_entropy": f"{EXP}, and log(0) is -inf where all are very negative; the loss subtracts the largest first",
    "hinge": f"where score times target is 1 the gradient is half of that beyond instead of 0: {SHARED}",
    "hinge_embedding_loss": f"where an unlike pair is at the margin the gradient is -1/2 instead of -1: {SHARED}",
    "binary_cross_entropy": "log(0) is -inf, and 0 · inf nan, where binary_cross_entropy stops at -100",
    "binary_cross_entropy_with_logits": f"{EXP}, where the fused loss is about x (1 - t)",
    "kl_div": "where a target is 0 the product 0 · log(0) is nan, which kl_div takes as 0",
}


def apart(op: str) -> str:
    """A sentence about where `op` and its pieces give different numbers, without full stop; "" where they never do."""
    return f"the pieces of {op} differ from it: {APART[op]}" if op in APART else ""
