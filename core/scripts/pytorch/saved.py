"""What PyTorch keeps of an operation for its backward pass: operands, the result, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

RESULT = -1  # in the place of an operand's number
NOTHING = frozenset(
    "add subtract negative positive sum mean reshape transpose getitem index_put concatenate stack broadcast_to "
    "squeeze expand_dims swapaxes moveaxis flip roll tile repeat ravel take astype diagonal diag trace "
    "hstack vstack dstack split array_split hsplit vsplit cumsum sign floor ceil trunc round tril triu pad "
    "floor_divide diff l1_loss".split()
)
OF_RESULT = frozenset(
    "exp exp2 expm1 sqrt tan tanh sigmoid softmax log_softmax relu reciprocal rsqrt inv cholesky eigh erfinv".split()
)
WITH_RESULT = frozenset("max min prod norm std logsumexp cumprod pinv hypot det".split())
# Products: each operand is kept for the gradient of the other.
PRODUCTS = frozenset("multiply matmul dot outer inner einsum vdot tensordot kron cross linear conv1d conv2d".split())
# Of these some operands are kept: of take_along_axis both, as PyTorch's gather does.
SOME = {"solve": [0, RESULT], "cross_entropy": [1], "where": [0], "embedding": [0]}


def saved(op: str, needs: Sequence[bool | None]) -> list[int]:
    """The numbers of the operands that are kept, and RESULT.

    `needs` says which operands require a gradient; None stands for a number of Python.
    """
    if op in NOTHING:
        return []
    if op in OF_RESULT:
        return [RESULT]
    if op in PRODUCTS:
        return [slot for slot in range(len(needs)) if any(needs[:slot]) or any(needs[slot + 1 :])]
    if op == "divide":  # of a number by a tensor PyTorch keeps the reciprocal
        return [] if needs[0] is None else [1, *([0] if needs[1] else [])]
    if op == "power":
        return [0, 1, *([RESULT] if needs[1] else [])]
    if op in SOME:
        return SOME[op]
    kept = [*range(len(needs))]
    return [*kept, RESULT] if op in WITH_RESULT else kept
