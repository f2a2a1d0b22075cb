"""Formulas that lose digits, and equal ones that keep them; inverse functions that take each other back."""

from __future__ import annotations

import math

from cadena.core.doctor.mends.formulas import EXP, LOST, SIGMOID, Formula
from cadena.core.doctor.mends.patterns import Either, squared

TANH = ("tanh", "x")
ROOT, OTHER_ROOT = ("sqrt", "a"), ("sqrt", "b")
HALF = ("multiply", 0.5, "x")
TWICE, MINUS_TWICE = ("multiply", 2.0, "x"), ("multiply", -2.0, "x")
MINUS_EXPM1 = ("negative", ("expm1", "x"))
BACK = "neither of the two is computed, which are each other's inverse"

DIGITS = (
    Formula("Use expm1 for exp(x) − 1", LOST, ("subtract", EXP, 1.0), ("expm1", "x")),
    Formula("Use log1p for log(1 + x)", "the digits of x are not lost in 1 + x",
            ("log", ("add", 1.0, "x")), ("log1p", "x")),
    Formula("Use log1p of −x for log(1 − x)", "the digits of x are not lost in 1 − x",
            ("log", ("subtract", 1.0, "x")), ("log1p", ("negative", "x"))),
    Formula("Write sigmoid(−x) for 1 − sigmoid(x)", LOST, ("subtract", 1.0, SIGMOID), ("sigmoid", ("negative", "x"))),
    Formula("Write 4 sigmoid(2x) sigmoid(−2x) for 1 − tanh²(x)", LOST, ("subtract", 1.0, squared(TANH)),
            ("multiply", 4.0, ("multiply", ("sigmoid", TWICE), ("sigmoid", MINUS_TWICE)))),
    Formula("Write 2 sin²(x / 2) for 1 − cos(x)", LOST, ("subtract", 1.0, ("cos", "x")),
            ("multiply", 2.0, ("square", ("sin", HALF)))),
    Formula("Write 2 sinh²(x / 2) for cosh(x) − 1", LOST, ("subtract", ("cosh", "x"), 1.0),
            ("multiply", 2.0, ("square", ("sinh", HALF)))),
    Formula("Write c / (√(a + c) + √a) for √(a + c) − √a", LOST, ("subtract", ("sqrt", ("add", "a", "c")), ROOT),
            ("divide", "c", ("add", ("sqrt", ("add", "a", "c")), ROOT))),
    Formula("Write (a − b) / (√a + √b) for √a − √b", LOST, ("subtract", ROOT, OTHER_ROOT),
            ("divide", ("subtract", "a", "b"), ("add", ROOT, OTHER_ROOT))),
    Formula("Write a / (√(1 + a) + 1) for √(1 + a) − 1", LOST, ("subtract", ("sqrt", ("add", 1.0, "a")), 1.0),
            ("divide", "a", ("add", ("sqrt", ("add", 1.0, "a")), 1.0))),
    Formula("Write c / (√(b² + c) + b) for √(b² + c) − b", LOST,
            ("subtract", ("sqrt", ("add", squared("b"), "c")), "b"),
            ("divide", "c", ("add", ("sqrt", ("add", ("square", "b"), "c")), "b"))),
    Formula("Write −c / (√(b² − c) + b) for √(b² − c) − b", LOST,
            ("subtract", ("sqrt", ("subtract", squared("b"), "c")), "b"),
            ("negative", ("divide", "c", ("add", ("sqrt", ("subtract", ("square", "b"), "c")), "b")))),
    Formula("Write (a − b)(a + b) for a² − b²", LOST, ("subtract", squared("a"), squared("b")),
            ("multiply", ("subtract", "a", "b"), ("add", "a", "b"))),
    Formula("Write log1p((a − b) / b) for log(a) − log(b)", LOST, ("subtract", ("log", "a"), ("log", "b")),
            ("log1p", ("divide", ("subtract", "a", "b"), "b"))),
    Formula("Write exp(b) · expm1(a − b) for exp(a) − exp(b)", LOST, ("subtract", ("exp", "a"), ("exp", "b")),
            ("multiply", ("exp", "b"), ("expm1", ("subtract", "a", "b")))),
    Formula("Write b for (a + b) − a", LOST, ("subtract", ("add", "a", "b"), "a"), ("positive", "b")),
    Formula("Write x + log(−expm1(−x)) for log(exp(x) − 1)", "exp(−x) never overflows where exp(x) does",
            Either((("log", ("subtract", EXP, 1.0)), ("log", ("expm1", "x")))),
            ("add", "x", ("log", ("negative", ("expm1", ("negative", "x")))))),
    Formula("Write log(−expm1(x)) for log(1 − exp(x))", LOST, ("log", ("subtract", 1.0, EXP)), ("log", MINUS_EXPM1)),
    Formula("Write a + log(−expm1(b − a)) for log(exp(a) − exp(b))", "only the difference goes into exp",
            ("log", ("subtract", ("exp", "a"), ("exp", "b"))),
            ("add", "a", ("log", ("negative", ("expm1", ("subtract", "b", "a")))))),
    Formula("Write 2 (log 2 − x − softplus(−2x)) for log(1 − tanh²(x))", "it never reaches log 0",
            ("log", ("subtract", 1.0, squared(TANH))),
            ("multiply", 2.0, ("subtract", math.log(2.0), ("add", "x", ("softplus", MINUS_TWICE))))),
    Formula("Write x for log(exp(x))", BACK, ("log", EXP), ("positive", "x")),
    Formula("Write x for exp(log(x))", BACK, ("exp", ("log", "x")), ("positive", "x")),
    Formula("Write x for arctanh(tanh(x))", BACK, ("arctanh", TANH), ("positive", "x")),
    Formula("Write x for the square of √x", BACK, squared(("sqrt", "x")), ("positive", "x")),
)  # fmt: skip
