"""Selections, and whatever only moves elements, against PyTorch: value and gradients on random operands and at ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.oracle.comparing import Case, assert_agreement, case, normal, whole

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
X, Z, GRID = normal(2, 3, 4), normal(2, 3, 4), normal(3, 4)


def put(a: Any, v: Any) -> Any:
    changed = a.clone()
    changed[[0, 2], :2] = v
    return changed


def smallest(a: Any) -> Any:
    """Partly sorted: PyTorch has no such function, but gathers what numpy's order says."""
    return torch.gather(a, 1, torch.tensor(np.argpartition(a.detach().numpy(), 2, axis=1)))


SELECTION: list[Case] = [
    case("where", [whole(2, 4), GRID, 0.5], lambda c, a, b: torch.where(c != 0, a, b)),
    case("where", [[0.0, 1.0], [np.nan, 1.0], [2.0, np.inf]], lambda c, a, b: torch.where(c != 0, a, b)),
    case("sort", [whole(3, 3, 9)], lambda a: torch.sort(a, dim=0, stable=True).values, axis=0),
    case("sort", [GRID], lambda a: torch.sort(a, stable=True).values),
    case("sort", [[2.0, np.nan, -np.inf, 1.0]], lambda a: torch.sort(a, stable=True).values),
    case("partition", [normal(3, 6)], smallest, kth=2, axis=1),
    case("take", [GRID], lambda a: a[:, [0, 3, 3, 1]], indices=[0, 3, 3, 1], axis=1),
    case("take", [GRID], lambda a: a.ravel()[[5, 5, 1]], indices=[5, 5, 1]),
    case("take_along_axis", [GRID, whole(4, 3, 2)], lambda a, i: torch.take_along_dim(a, i.long(), 1), axis=1),
    case("index_put", [GRID, normal(2, 2)], put, index="[0, 2], :2"),
    case("getitem", [X], lambda a: a[:, [0, 0, 2]], index=":, [0, 0, 2]"),
    case("getitem", [X], lambda a: a[..., None, 1:3], index="..., None, 1:3"),
    case("getitem", [X], lambda a: a[:, :, [3, 1]], index=":, :, [3, 1]"),
    case("getitem", [X], lambda a: a[1, -1], index="1, -1"),
    case("repeat", [GRID], lambda a: a[[0, 0, 2, 2, 2]], repeats=[2, 0, 3], axis=0),
]


def parts(name: str, pieces: Any, axis: int = 0) -> list[Case]:
    """Each part of an array that is split."""
    split = getattr(torch, {"split": "tensor_split", "array_split": "tensor_split"}.get(name, name))
    along = {"axis": axis} if name in ("split", "array_split") else {}
    dim = {"dim": axis} if along else {}
    count = len(split(torch.tensor(X), pieces, **dim))
    return [
        case(
            name,
            [X],
            lambda a, part=part: split(a, pieces, **dim)[part],
            indices_or_sections=pieces,
            part=part,
            **along,
        )
        for part in range(count)
    ]


MOVING: list[Case] = [
    case("reshape", [X], lambda a: a.reshape(4, 6), shape=[4, 6]),
    case("ravel", [X], torch.ravel),
    case("squeeze", [normal(2, 1, 3, 1)], torch.squeeze),
    case("squeeze", [normal(2, 1, 3, 1)], lambda a: torch.squeeze(a, 1), axis=1),
    case("expand_dims", [X], lambda a: torch.unsqueeze(a, 1), axis=1),
    case("flip", [X], lambda a: torch.flip(a, (0, 1, 2))),
    case("flip", [X], lambda a: torch.flip(a, (1,)), axis=1),
    case("concatenate", [X, Z, X], lambda *pieces: torch.cat(pieces, -1), axis=-1),
    case("stack", [X, Z], lambda *pieces: torch.stack(pieces, 1), axis=1),
    case("hstack", [X, Z], lambda *pieces: torch.hstack(pieces)),
    case("vstack", [X[0, 0], Z[0, 1]], lambda *pieces: torch.vstack(pieces)),
    case("dstack", [X[0, 0], Z[0, 1]], lambda *pieces: torch.dstack(pieces)),
    *parts("split", 3, axis=1),
    *parts("split", [1, 3], axis=2),
    *parts("array_split", 3, axis=2),
    *parts("hsplit", 3),
    *parts("vsplit", 2),
    case("tile", [X], lambda a: torch.tile(a, (2, 1, 1, 3)), reps=[2, 1, 1, 3]),
    case("roll", [X], lambda a: torch.roll(a, (1, -2), (0, 2)), shift=[1, -2], axis=[0, 2]),
    case("rot90", [X], lambda a: torch.rot90(a, -1, (1, 2)), k=-1, axes=[1, 2]),
    case("diff", [X], lambda a: torch.diff(a, n=2), n=2),
    case("broadcast_to", [X[:, :1]], lambda a: torch.broadcast_to(a, (5, 2, 3, 4)), shape=[5, 2, 3, 4]),
    *(
        case(
            "gradient",
            [normal(3, 4, 5)],
            lambda a, part=part, order=order: torch.gradient(a, spacing=0.3, dim=part, edge_order=order)[0],
            spacing=0.3,
            edge_order=order,
            part=part,
        )
        for part in (0, 2)
        for order in (1, 2)
    ),
    *(
        case(
            "pad",
            [X],
            lambda a, peer=peer: torch.nn.functional.pad(a, (3, 2), mode=peer),
            pad_width=[[0, 0], [0, 0], [3, 2]],
            mode=mode,
        )
        for mode, peer in {
            "constant": "constant",
            "reflect": "reflect",
            "edge": "replicate",
            "wrap": "circular",
        }.items()
    ),
]
CASES = [*SELECTION, *MOVING]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_value_and_gradient(given: Case) -> None:
    assert_agreement(given)


@pytest.mark.parametrize("given", CASES, ids=str)
def test_float32_stays_float32(given: Case) -> None:
    assert_agreement(given, np.float32)
