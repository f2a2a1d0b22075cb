"""What records say of their operations is so: traits, domains and steep points, tried at awkward numbers."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.ops.traits import Trait

POINTS = (-1e3, -2.5, -1.0, -0.5, -1e-300, -0.0, 0.0, 1e-300, 0.3, 1.0, 2.0, 7.0, 1e3)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def having(traits: Trait) -> pytest.MarkDecorator:
    """All elementwise records with one of these traits."""
    found = [item for item in REGISTRY.values() if item.traits & traits and item.elementwise]
    return pytest.mark.parametrize("primitive", found, ids=lambda primitive: primitive.name)


def operands(primitive: Primitive) -> list[np.ndarray]:
    """Every combination of the points, an array for each slot."""
    return [np.array(column) for column in zip(*product(POINTS, repeat=len(primitive.slots)), strict=True)]


def computed(primitive: Primitive) -> np.ndarray:
    return np.asarray(primitive.value(*operands(primitive), **primitive.complete({})))


def slopes(primitive: Primitive, slot: int) -> np.ndarray:
    given, y = operands(primitive), computed(primitive)
    return np.abs(np.broadcast_to(primitive.slot(slot).partial(y, *given, **primitive.complete({})), y.shape))


@having(Trait.COMMUTES)
def test_operands_of_what_commutes_may_change_places(primitive):
    a, b = operands(primitive)
    np.testing.assert_array_equal(primitive.value(a, b), primitive.value(b, a))


@having(Trait.UNIT_SLOPE)
def test_unit_slopes_are_1_or_minus_1(primitive):
    assert all((slopes(primitive, slot) == 1.0).all() for slot in range(len(primitive.slots)))


@having(Trait.NEVER_ZERO)
def test_what_is_never_0_is_not_0_at_common_numbers(primitive):
    common = np.array([x for x in POINTS if abs(x) < 20.0])
    assert (primitive.value(common) != 0.0).all()


@having(Trait.CUT_OFF)
def test_what_is_cut_off_is_0_up_to_0_with_a_slope_of_0(primitive):
    (x,) = operands(primitive)
    assert (computed(primitive)[x <= 0.0] == 0.0).all() and (slopes(primitive, 0)[x <= 0.0] == 0.0).all()
    assert (computed(primitive)[x > 0.0] > 0.0).all()


@having(Trait.EXACT)
def test_what_is_exact_gives_numbers_of_its_operands(primitive):
    known = {*POINTS, 0.0, *(-x for x in POINTS)}
    assert set(computed(primitive).tolist()) <= known


@having(Trait.SLOPED | Trait.SATURATES)
def test_what_is_sloped_has_a_slope_where_it_is_not_flat(primitive):
    for slot in range(len(primitive.slots)):
        given = np.array([x for x in POINTS if 1e-3 < abs(x) < 3.0])
        grid = [np.array(column) for column in zip(*product(given, repeat=len(primitive.slots)), strict=True)]
        y, settings = primitive.value(*grid, **primitive.complete({})), primitive.complete({})
        where = primitive.slot(slot).sloped
        at = np.isfinite(y) if where is None else np.isfinite(y) & where(*grid)
        assert (np.broadcast_to(primitive.slot(slot).partial(y, *grid, **settings), y.shape)[at] != 0.0).all()


@pytest.mark.parametrize(
    "primitive", [item for item in REGISTRY.values() if item.domain.is_bounded], ids=lambda primitive: primitive.name
)
def test_a_domain_has_values_inside_and_none_outside(primitive):
    domain, beside = primitive.domain, np.nextafter(primitive.domain.low, -np.inf)
    assert np.isfinite(primitive.value(np.float64(domain.inside)))
    assert np.isnan(primitive.value(beside)) and np.isfinite(primitive.value(np.float64(domain.low))) != domain.open
    assert np.isinf(domain.high) or np.isnan(primitive.value(np.nextafter(domain.high, np.inf)))


@pytest.mark.parametrize(
    "primitive", [item for item in REGISTRY.values() if item.steep], ids=lambda primitive: primitive.name
)
def test_a_steep_point_has_an_infinite_derivative(primitive):
    for x in primitive.steep:
        given = [np.float64(x), np.float64(0.5)][: len(primitive.slots)]
        assert np.isinf(primitive.slot(0).partial(primitive.value(*given), *given))


@pytest.mark.parametrize(
    "primitive", [item for item in REGISTRY.values() if item.overflows_above], ids=lambda primitive: primitive.name
)
def test_what_overflows_does_so_above_the_operand_that_is_told(primitive):
    limit = primitive.overflows_above(float(np.finfo(np.float64).max))
    assert np.isfinite(primitive.value(limit - 1e-6)) and np.isinf(primitive.value(limit + 1e-6))


@pytest.mark.parametrize(
    "primitive", [item for item in REGISTRY.values() if item.neutral is not None], ids=lambda primitive: primitive.name
)
def test_a_neutral_operand_changes_nothing(primitive):
    x, neutral = np.array(POINTS), np.float64(primitive.neutral)
    np.testing.assert_array_equal(primitive.value(x, neutral), x)
    if Trait.COMMUTES in primitive.traits:
        np.testing.assert_array_equal(primitive.value(neutral, x), x)


@pytest.mark.parametrize("trait", Trait, ids=lambda trait: trait.name)
def test_every_trait_is_read_somewhere(trait):
    core = Path(__file__).resolve().parents[3] / "core"
    readers = [path for path in core.rglob("*.py") if path.parent.name != "ops"]
    assert any(f"Trait.{trait.name}" in path.read_text("utf-8") for path in readers)
    assert any(trait in primitive.traits for primitive in REGISTRY.values())
