"""Numbers put together from their digits look as if they had been set as a whole."""

from __future__ import annotations

import re
from itertools import product

import pytest

from cadena.gui.formulas import numerals, typesetter
from cadena.gui.formulas.typesetter import setting

PLACE = re.compile(r'translate\((-?[\d.]+) 0\)"><path d="M (-?[\d.]+)')
WHOLE = re.compile(r'<path d="M (-?[\d.]+)')
PAIRS = ["".join(pair) for pair in product("0123456789", repeat=2)]  # any kerning would show between two of them
NUMBERS = [f"{pair}.{pair[::-1]}" for pair in PAIRS[::7]] + PAIRS[::3]


@pytest.mark.parametrize("shape", ["{}", "-{}", r"\left({}\right)", r"\left(-{}\right)"])
def test_numbers_of_digits_look_as_ziamath_sets_them(qapp, shape):
    for latex in map(shape.format, NUMBERS):
        numerals.learn(latex, typesetter._set_by_ziamath)
        made, whole = numerals.put_together(latex), typesetter._set_by_ziamath(latex)
        assert made is not None and made.latex == latex
        for length in ("left", "width", "ascent", "descent"):
            assert getattr(made, length) == pytest.approx(getattr(whole, length), abs=1e-6), (latex, length)
        begins = [float(shift) + float(x) for shift, x in PLACE.findall(str(made.svg))]
        assert begins == pytest.approx(list(map(float, WHOLE.findall(str(whole.svg)))), abs=2e-3), latex  # both round


def test_a_drag_set_each_new_number_anew(qapp, monkeypatch):
    """Ten numbers of three milliseconds each, and seventeen for one in parentheses, at every move."""
    setting(r"\left(-1234567890.5\right)")  # by now all signs are known
    monkeypatch.setattr(typesetter, "_set_by_ziamath", lambda latex: pytest.fail(f"{latex} was set"))
    assert setting("0.8675").svg and setting(r"\left(-30.9\right)").svg
    blue = typesetter.cached(r"\textcolor{#0060a8}{-0.8675}")
    assert blue is not None and "#0060a8" in str(blue.svg)


@pytest.mark.parametrize("latex", ["x", "1 + 2", r"1.5 \cdot 10^{-5}", "1.", ".5", r"\left(1", "1e5", "9" * 50, ""])
def test_what_is_no_number_in_digits_is_left_to_ziamath(latex):
    assert not numerals.is_number(latex) and numerals.put_together(latex) is None
