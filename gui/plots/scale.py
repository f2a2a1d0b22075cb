"""Numbers of any size on an axis: a place for each power of ten, and levels for 0, inf and nan beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cadena.core.text.numbers import SUPERSCRIPTS, short

GAP = 0.15  # from the powers of ten to the next level, as a share of all of them
PARTS = (tuple(range(1, 10)), (1, 2, 5))  # of a power of ten, where there is room for them between whole ones
MIN_VIEW = 0.4  # powers of ten: at least one tick of the parts 1, 2 and 5 is always seen


def power(exponent: int) -> str:
    """A power of ten: "1", "10⁻³"."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}" if exponent else "1"


def step_text(step: float) -> str:
    """A step: "10⁻⁵", "2·10⁻⁵", "0.01"."""
    return short(step, 2).removeprefix("1·")


def text_at(place: float) -> str:
    """The number at a place, to two digits; it may be no float itself: 10⁻³²⁴ is below the smallest."""
    if -4.0 < place < 6.0:
        return step_text(10.0**place)
    exponent = math.floor(place)
    digits = f"{10.0 ** (place - exponent):.2g}"
    if digits == "10":
        digits, exponent = "1", exponent + 1
    return f"{digits}·{power(exponent)}".removeprefix("1·")


@dataclass(frozen=True)
class LogScale:
    """The powers of ten from `low` to `high`, and levels beyond them for those of 0, inf and nan that occur."""

    low: int = 0
    high: int = 1
    special: frozenset[str] = frozenset()

    @classmethod
    def of(cls, numbers: Iterable[float]) -> LogScale:
        """The scale on which these numbers, none below 0, have places."""
        numbers = list(numbers)
        logs = [math.log10(number) for number in numbers if 0.0 < number < math.inf]
        special = frozenset(_level(number) for number in numbers if not 0.0 < number < math.inf)
        low, high = (math.floor(min(logs)), math.ceil(max(logs))) if logs else (0, 1)
        return cls(low if high > low else low - 1, high, special)

    @property
    def levels(self) -> dict[str, float]:
        """The places of 0, below all powers of ten, of inf, above them, and of nan, above that."""
        gap = GAP * (self.high - self.low)
        places = {"0": self.low - gap, "inf": self.high + gap, "nan": self.high + (1 + ("inf" in self.special)) * gap}
        return {name: place for name, place in places.items() if name in self.special}

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest place."""
        places = (float(self.low), float(self.high), *self.levels.values())
        return min(places), max(places)

    def place(self, number: float) -> float:
        """The place of a number."""
        return math.log10(number) if 0.0 < number < math.inf else self.levels[_level(number)]

    def read(self, place: float) -> str:
        """The number at a place: a level that is near, else a number to two digits."""
        reach = 0.5 * GAP * (self.high - self.low)
        near = [name for name, level in self.levels.items() if abs(place - level) <= reach]
        return near[0] if near else text_at(place)

    def ticks(self, first: float, last: float, most: float) -> list[float]:
        """The places between two that get a text, where about `most` of them have room."""
        room = (last - first) / max(most, 1.0)
        levels = [place for place in self.levels.values() if first <= place <= last]
        low, high = max(first, self.low), min(last, self.high)
        powers = [
            place
            for place in _powers(low, high, room)
            if low - 1e-9 <= place <= high + 1e-9 and all(abs(place - level) > 0.9 * room for level in levels)
        ]
        return [*levels, *powers]

    def tick_texts(self, places: Sequence[float]) -> list[str]:
        """The texts of ticks: powers of ten, or numbers where there are parts of powers among them."""
        names = {level: name for name, level in self.levels.items()}
        is_whole = all(place == round(place) for place in places if place not in names)
        return [names.get(place) or (power(round(place)) if is_whole else text_at(place)) for place in places]


def _level(number: float) -> str:
    return "nan" if math.isnan(number) else "inf" if number == math.inf else "0"


def _powers(low: float, high: float, room: float) -> list[float]:
    """Powers of ten at even distances of `room` or more; parts of them where there is room for these."""
    whole = range(math.floor(low), math.ceil(high) + 1)
    for parts in PARTS:
        if room <= min(math.log10(after / before) for before, after in zip(parts, (*parts[1:], 10))):
            return [exponent + math.log10(part) for exponent in whole for part in parts]
    step = max(math.ceil(room), 1)
    even = [float(exponent) for exponent in whole if exponent % step == 0 and low <= exponent <= high]
    return even if len(even) > 1 else [float(math.ceil(low)), float(math.floor(high))]
