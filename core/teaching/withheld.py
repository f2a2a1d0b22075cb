"""What a learner is to find in a formula, and what is left of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from cadena.core.notation.parts import RELATIONS, FormulaPart


class Withheld(NamedTuple):
    """The numbers of a product, and its result, as far as they are left to be found."""

    factors: bool = False
    result: bool = False

    def parts(self, parts: tuple[FormulaPart, ...]) -> list[FormulaPart]:
        """What is left of a formula: symbols, numbers after the first relation, the result after the last."""
        relations = list(accumulate(part.mark in RELATIONS for part in parts))
        hidden = [number > 0 and (self.result if number == relations[-1] else self.factors) for number in relations]
        return [part for part, is_hidden in zip(parts, hidden, strict=True) if not is_hidden]

    def words(self, words: str) -> str:
        """The same formula in words."""
        symbols, *rest = re.split(r" ([=≈]) ", words)
        pairs = list(zip(rest[::2], rest[1::2], strict=True))
        hidden = [self.factors] * (len(pairs) - 1) + [self.result]
        left = [f" {sign} {part}" for (sign, part), is_hidden in zip(pairs, hidden, strict=True) if not is_hidden]
        return "".join((symbols, *left))


def in_symbols(parts: Sequence[FormulaPart]) -> tuple[FormulaPart, ...]:
    """The parts up to the second relation, from which on there are numbers; all of them are there at once."""
    relations = accumulate(part.mark in RELATIONS for part in parts)
    return tuple(part._replace(appears=0.0) for part, before in zip(parts, relations, strict=True) if before < 2)
