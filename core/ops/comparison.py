"""Comparisons and logic: conditions as numbers, 1 where they hold and 0 where they do not.

They have no gradient. `where`, products and sums read them, so that a choice follows new numbers. In tracing and in
scripts numpy's functions of the same names record them (`core.tracing.ufuncs`); whoever records calls elsewhere applies
them as any operation, such as `apply("greater", [x, 0.0])`. A condition that Python itself asks for (`if`, `while`,
`bool()`, `int()`) is such a node with a guard: see `core.graph.guards`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.ops.expression import CHOICE, COMPARE, SUM, Notation, Symbol
from cadena.core.ops.primitive import Family, Primitive, Slot
from cadena.core.ops.traits import REAL_ONLY, Trait

FAMILY = Family("Conditions")
NUMBERS = ((1.3,), (-2.7,), ([[0.4, 0.0], [-1.2, 4.9]],))
PAIRS = ((7.5, 2.0), ([5.3, -3.1, 2.0], 2.0), ([[1.2], [2.3]], [0.7, 4.1, 1.2]))
TRUTHS = ((1.0, 0.0), ([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]), ([[1.0], [0.0]], [0.5, 0.0, 0.0]))


def as_numbers(condition: Callable[..., Any]) -> Callable[..., Any]:
    """A rule for truth values as one for 1 and 0, in the operands' number type."""

    def value(*operands: Any) -> Any:
        truth = condition(*operands)
        if isinstance(truth, Symbol):
            return np.where(truth, 1.0, 0.0)  # type: ignore[call-overload]
        floats = [operand for operand in operands if np.result_type(operand).kind == "f"]
        return truth.astype(np.result_type(*floats) if floats else np.float64)

    return value


def _comparison(name: str, condition: Callable[..., Any], sign: str, latex: str, python: str, words: str) -> Primitive:
    return FAMILY.elementwise(
        name,
        as_numbers(condition),
        Slot("left", differentiable=False),
        Slot("right", differentiable=False),
        notation=Notation(
            f"{{0}} {sign} {{1}}", f"{{0}} {latex} {{1}}", COMPARE, (SUM, SUM), f"({{0}} {python} {{1}})"
        ),
        title=words,
        symbol=sign,
        synonyms=(python,) if python != sign else (),
        keywords="compare condition mask",
        phrase=f"1 where {{0}} is {words} {{1}}, else 0",
        doc=f"1 where the first operand is {words} the second, else 0. It jumps or stays: it has no gradient.",
        edges=f"A comparison with nan is {'1' if name == 'not_equal' else '0'}, as everywhere.",
        only_real=REAL_ONLY,
        traits=Trait.ZERO_OF_ZEROS,
        examples=PAIRS,
    )


greater = _comparison("greater", lambda a, b: a > b, ">", ">", ">", "greater than")
greater_equal = _comparison("greater_equal", lambda a, b: a >= b, "≥", r"\geq", ">=", "at least")
less = _comparison("less", lambda a, b: a < b, "<", "<", "<", "less than")
less_equal = _comparison("less_equal", lambda a, b: a <= b, "≤", r"\leq", "<=", "at most")
equal = _comparison("equal", lambda a, b: a == b, "=", "=", "==", "equal to")
not_equal = _comparison("not_equal", lambda a, b: a != b, "≠", r"\neq", "!=", "different from")


def _connective(name: str, condition: Callable[..., Any], word: str, latex: str, python: str, doc: str) -> Primitive:
    binding = CHOICE if name != "logical_xor" else COMPARE
    return FAMILY.elementwise(
        name,
        as_numbers(condition),
        Slot("a", differentiable=False),
        Slot("b", differentiable=False),
        notation=Notation(f"{{0}} {word} {{1}}", f"{{0}} {latex} {{1}}", binding, (COMPARE + 1,) * 2, python),
        title=f"logical {word}",
        symbol=word,
        keywords="condition mask",
        phrase=f"1 where {doc.format(a='{0}', b='{1}')}, else 0",
        doc=f"1 where {doc.format(a='the first operand', b='the second')}, else 0. It has no gradient.",
        edges="A nan counts as not 0.",
        only_real=REAL_ONLY,
        traits=Trait.ZERO_OF_ZEROS,
        examples=TRUTHS,
    )


logical_and = _connective(
    "logical_and", lambda a, b: (a != 0.0) & (b != 0.0), "and", r"\wedge", "({0} and {1})",
    "neither {a} nor {b} is 0",
)  # fmt: skip
logical_or = _connective(
    "logical_or", lambda a, b: (a != 0.0) | (b != 0.0), "or", r"\vee", "({0} or {1})", "{a} or {b} is not 0"
)
logical_xor = _connective(
    "logical_xor", lambda a, b: (a != 0.0) != (b != 0.0), "xor", r"\oplus", "(({0} != 0.0) != ({1} != 0.0))",
    "exactly one of {a} and {b} is not 0",
)  # fmt: skip


def _test(
    name: str, condition: Callable[..., Any], notation: Notation, title: str, symbol: str, edges: str
) -> Primitive:
    return FAMILY.elementwise(
        name,
        as_numbers(condition),
        Slot("x", differentiable=False),
        notation=notation,
        title=title,
        symbol=symbol,
        keywords="condition mask",
        phrase=f"1 where {{0}} is {title}, else 0",
        doc=f"1 where the operand is {title}, else 0. It has no gradient.",
        edges=edges,
        only_real=REAL_ONLY,
        traits=Trait.ZERO_OF_ZEROS,
        examples=NUMBERS,
    )


logical_not = _test(
    "logical_not", lambda x: x == 0.0, Notation("not {0}", r"\neg {0}", COMPARE, (COMPARE + 1,), "(not {0})"),
    "0", "not", "A nan counts as not 0.",
)  # fmt: skip
isnan = _test(
    "isnan", lambda x: x != x, Notation("{0} is nan", r"{0} = \mathrm{{nan}}", COMPARE, (SUM,), "({0} != {0})"),
    "nan", "isnan", "inf is not nan.",
)  # fmt: skip
isinf = _test(
    "isinf", lambda x: np.abs(x) == np.inf, Notation("{0} is inf", r"{0} = \infty", COMPARE, (SUM,)),
    "inf or −inf", "isinf", "nan is not inf.",
)  # fmt: skip
isfinite = _test(
    "isfinite", np.isfinite, Notation("{0} is finite", r"{0} \neq \infty", COMPARE, (SUM,), "isfinite({0})"),
    "finite", "isfinite", "Neither inf nor nan is finite.",
)  # fmt: skip
