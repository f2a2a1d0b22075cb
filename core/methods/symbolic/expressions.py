"""A graph as SymPy expressions in its leaves, built node by node, with a watch on how large they grow."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, element_name, never, stop_if, wanted_leaves
from cadena.core.methods.counting import Counter, Size
from cadena.core.methods.symbolic.forms import form, number
from cadena.core.methods.symbolic.term import Term, as_term
from cadena.core.ops.walk import Instruction
from cadena.core.run.program import Run

MAX_OPERATIONS = 300  # of one expression; SymPy takes seconds for the derivative of a few hundred
MAX_DEPTH = 60  # of one expression inside another; SymPy recurses, and Python ends at some hundred
MAX_ELEMENTS = 100  # of one array
MAX_EXPRESSIONS = 2000  # of all nodes together, which take a second
DIGITS = 350  # so that not even the smallest float64, 5e-324, is lost beside 1
MAX_BITS = 2**14  # of an exponent: numbers from 1e-4932 to 1e4932


class NoForm(Refused):
    """A graph, or a part of one, that has no symbolic form; the message names the node."""


class Expressions:
    """The expression of each element of each node that the output needs. Leaves become symbols, `W[0, 1]` for elements.

    Constants, and what is computed from constants alone, stand in as numbers. Raises NoForm where an operation has no
    symbolic form or an expression has grown too large.
    """

    def __init__(self, run: Run, cancelled: Cancel = never) -> None:
        self.run, self.document = run, run.program.document
        self.point: dict[Any, float] = {}  # the value of each symbol
        self.symbols: dict[str, np.ndarray] = {}  # of each leaf
        self.of: list[Any] = [None] * len(run.plan.names)  # arrays of expressions by node number
        self.ties: list[str] = []  # nodes whose expression may change at this very point
        self._counter, self._own_sizes = Counter(), dict[int, int]()
        self._wanted_leaves, self._count = wanted_leaves(run), 0
        values, needed = run.arrays, _needed(run)
        for item in run.plan.instructions:
            if needed[item.out]:
                stop_if(cancelled)
                for operand in item.operands:
                    self._read_leaf(operand, values)
                self._check_count(run.plan.names[item.out], values[item.out])
                self.of[item.out] = self._node(item, values)
        if run.plan.output is not None:
            self._read_leaf(run.plan.output, values)

    def _check_count(self, name: str, value: np.ndarray) -> None:
        _few_enough(name, value)
        self._count += value.size
        if self._count > MAX_EXPRESSIONS:
            raise NoForm(
                "{name}: up to here the graph computes {count} numbers, and symbols are computed for up to "
                "{most_expressions}",
                "choose an earlier output, or another method",
                name=name,
                count=self._count,
                most_expressions=MAX_EXPRESSIONS,
            )

    def _read_leaf(self, number: int, values: list[Any]) -> None:
        """Make the symbols of a node that has none yet, which is a leaf: not before something reads it."""
        if self.of[number] is None:
            self.of[number] = self._leaf(self.run.plan.names[number], values[number])

    def _leaf(self, name: str, value: np.ndarray) -> np.ndarray:
        import sympy

        _few_enough(name, value)
        array = np.empty(value.shape, dtype=object)
        is_number = self.document.nodes[name].op == "constant" and name not in self._wanted_leaves
        for index, entry in enumerate(value.ravel().tolist()):
            if is_number:
                array.flat[index] = _finite(name, entry)
                continue
            symbol = sympy.Symbol(element_name(name, index, value.shape), real=True)
            array.flat[index], self.point[symbol] = symbol, entry
        if not is_number:
            self.symbols[name] = array
        return array

    def _node(self, item: Instruction, values: list[Any]) -> np.ndarray:
        name, operands = self.run.plan.names[item.out], [self.of[operand] for operand in item.operands]
        _few_enough(name, values[item.out])
        if not any(entry.free_symbols for operand in operands for entry in operand.ravel()):
            value = values[item.out]
            return _filled([_finite(name, entry) for entry in value.ravel().tolist()], value.shape)
        result, ties = _node_expressions(name, item, operands, values)
        if ties:
            self.ties.append(name)
        for entry in result.ravel():
            self._check_size(name, entry)
        return result

    def _check_size(self, name: str, entry: Any) -> None:
        size, depth = self.size(entry)
        if size > MAX_OPERATIONS or depth > MAX_DEPTH:
            place = self.run.plan.index[name]
            what = "{name}: its expression has grown to {depth} operations inside one another"
            if size > MAX_OPERATIONS:
                what = "{name}: its expression has grown to {size} operations, where the graph has {graph}"
            remedy, graph = "choose an earlier output, or another method", self.graph_size(place)
            raise NoForm(what, remedy, name=name, size=size, depth=depth, graph=graph)

    def size(self, expression: Any) -> Size:
        """How many operations an expression has when written out, and how deep they are nested."""
        return self._counter.size(expression)

    def graph_size(self, number: int) -> int:
        """How many operations of the graph a node needs, itself included, counted as in expressions: a sigmoid is four
        of them, here as there."""
        needed = _needed(self.run, number)
        return sum(self._own_size(item) for item in self.run.plan.instructions if needed[item.out])

    def _own_size(self, item: Instruction) -> int:
        """How many operations one node is: those of its expression in its operands."""
        if item.out not in self._own_sizes:
            operands = [_letters(self.of[operand], slot) for slot, operand in enumerate(item.operands)]
            count = 0
            if any(entry.free_symbols for operand in operands for entry in operand.ravel()):
                result, _ = _node_expressions(self.run.plan.names[item.out], item, operands, self.run.arrays)
                count = sum(self.size(entry).operations for entry in result.ravel())
            self._own_sizes[item.out] = count
        return self._own_sizes[item.out]

    @cached_property
    def output(self) -> Any:
        """The expression of the output; of an array the sum of its elements times the run's seed."""
        result, seed = self.of[self.run.plan.output or 0], self.run.seed
        if not result.shape:
            return result.item() if float(seed) == 1.0 else number(float(seed)) * result.item()
        weighted = (number(float(weight)) * entry for weight, entry in zip(seed.ravel(), result.ravel(), strict=True))
        return sum(weighted, start=number(0.0))

    def derivative(self, leaf: str, index: int = 0) -> Any:
        """The derivative of the output's expression by one element of a leaf. Raises NoForm where there is none."""
        return self.slope_of(str(self.run.program.output), self.output, self.symbols[leaf].flat[index])

    def slope_of(self, name: str, expression: Any, symbol: Any) -> Any:
        """The derivative of the expression of node `name` by a symbol. Raises NoForm where SymPy finds none."""
        try:
            return differentiated(expression, symbol)
        except (TypeError, ValueError):  # SymPy refuses to compare what is not real, such as log(-1)
            raise NoForm(
                "{name}: its expression compares what is not real, such as the logarithm of a negative number, so that "
                "symbols give no derivative",
                "use another method",
                name=name,
            ) from None

    def value(self, expression: Any) -> float:
        """An expression at the run's point, computed with DIGITS digits; nan where it has no real value."""
        return self._evaluate(expression, False)

    def slope(self, derivative: Any) -> float:
        """The same for a derivative: nan also where the expression switches from one branch to another at the point."""
        return self._evaluate(derivative, True)

    @cached_property
    def _known(self) -> dict[bool, dict[Any, Any]]:
        """What numbers expressions are, as they become known: as values, and as slopes."""
        import sympy

        leaves = {symbol: sympy.Float(value, DIGITS) for symbol, value in self.point.items() if np.isfinite(value)}
        return {False: leaves, True: dict(leaves)}

    def _evaluate(self, expression: Any, is_slope: bool) -> float:
        import sympy

        switches = {sympy.Heaviside, sympy.sign, sympy.DiracDelta} if is_slope else set()
        try:
            result = _number(expression, self._known[is_slope], switches)
        # SymPy refuses to compare what is not real, such as log(-1), and to work out erfc(1e308).
        except (TypeError, ValueError, OverflowError):
            return float("nan")
        if result in (sympy.oo, -sympy.oo):
            return float(result)
        return float(result) if result.is_Float or result.is_Rational else float("nan")


@lru_cache(maxsize=1000)  # parts that an expression has in several places
def differentiated(expression: Any, symbol: Any) -> Any:
    """Differentiate with respect to a symbol, as SymPy does, but only the parts with the symbol.

    SymPy's own takes time by the square of the number of factors, and four times as long for functions of functions.
    """
    import sympy

    if expression == symbol:
        return sympy.Integer(1)
    parts = expression.args
    at = [place for place, part in enumerate(parts) if symbol in part.free_symbols]
    if not at:
        return sympy.Integer(0)
    if expression.is_Add:
        return sympy.Add(*(differentiated(parts[place], symbol) for place in at))
    if expression.is_Mul:
        own = ((place, differentiated(parts[place], symbol)) for place in at)
        return sympy.Add(*(sympy.Mul(*parts[:place], slope, *parts[place + 1 :]) for place, slope in own))
    if expression.is_Pow and at == [0]:
        base, exponent = parts
        return expression * (differentiated(base, symbol) * exponent / base)
    if type(expression)._eval_derivative is sympy.Function._eval_derivative:  # the chain rule, nothing of its own
        return _chained(expression, at, symbol)
    return expression.diff(symbol)


def _chained(function: Any, at: list[int], symbol: Any) -> Any:
    """The derivative of a function whose arguments `at` these places depend on the symbol."""
    import sympy

    inner = [(place, differentiated(function.args[place], symbol)) for place in at]
    try:
        return sympy.Add(*(function.fdiff(place + 1) * slope for place, slope in inner if slope != 0))
    except sympy.core.function.ArgumentIndexError:  # SymPy leaves this one open
        return function.diff(symbol)


def _number(expression: Any, known: dict[Any, Any], switches: set[Any]) -> Any:
    """The number that an expression is: from the inside out, each part once; `known` is added to."""
    import sympy

    if expression in known:
        return known[expression]
    parts = [_number(part, known, switches) for part in expression.args]
    result = expression.func(*parts) if parts else expression
    if expression.func in switches and parts[0].is_zero:
        result = sympy.nan
    elif getattr(result, "is_number", False) and not result.is_Float and not result.is_Integer:
        result = result.evalf(DIGITS)
    known[expression] = result = _within_range(result) if result.is_Float else result
    return result


def _within_range(number: Any) -> Any:
    """A number beyond those of extended precision is inf or 0: its exponential would not end."""
    import sympy

    _, mantissa, exponent, bits = number._mpf_
    if not mantissa or abs(exponent + bits) <= MAX_BITS:
        return number
    return sympy.Float(0, DIGITS) if exponent + bits < 0 else sympy.oo if number > 0 else -sympy.oo


def _needed(run: Run, number: int | None = None) -> list[bool]:
    """For each node number whether the node `number` (default: the output) is computed from it."""
    needed = [False] * len(run.plan.names)
    target = run.plan.output if number is None else number
    assert target is not None
    needed[target] = True
    for item in reversed(run.plan.instructions):
        if needed[item.out]:
            for operand in item.operands:
                needed[operand] = True
    return needed


def _few_enough(name: str, value: np.ndarray) -> None:
    if value.size > MAX_ELEMENTS:
        raise NoForm(
            "{name} has {size} elements, and symbols are computed for arrays of up to {most_elements}",
            "use another method",
            name=name,
            size=value.size,
            most_elements=MAX_ELEMENTS,
        )


def _finite(name: str, entry: float) -> Any:
    if not np.isfinite(entry):
        raise NoForm(
            "{name} is {entry:g}, which has no place in an expression", "change its value", name=name, entry=entry
        )
    return number(entry)


def _node_expressions(
    name: str, item: Instruction, operands: list[Any], values: list[Any]
) -> tuple[np.ndarray, list[Any]]:
    """The expressions of a node's elements from those of its operands, and which numbers were found equal for them."""
    ties: list[Any] = []
    if item.primitive.elementwise:
        return _elementwise(name, item, operands, values[item.out]), ties
    return _mixed(name, item, operands, values, ties), ties


def _letters(operand: np.ndarray, slot: int) -> np.ndarray:
    """A symbol for each element of an operand that depends on leaves."""
    import sympy

    entries = (
        sympy.Symbol(f"{slot}.{index}", real=True) if entry.free_symbols else entry
        for index, entry in enumerate(operand.ravel())
    )
    return _filled(list(entries), operand.shape)


def _mixed(name: str, item: Instruction, operands: list[Any], values: list[Any], ties: list[Any]) -> np.ndarray:
    """Sums, products and rearrangements: their rules run as they are on arrays of terms, or else their definitions."""
    arguments = [
        _terms(operand, values[number], ties) if item.primitive.slot(slot).differentiable else values[number]
        for slot, (operand, number) in enumerate(zip(operands, item.operands, strict=True))
    ]
    compared = len(ties)
    for rule in filter(None, (item.primitive.value, item.primitive.definition)):
        del ties[compared:]
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(rule(*arguments, **item.attributes), dtype=object)
            break
        except (TypeError, AttributeError, ValueError, IndexError, np.linalg.LinAlgError):  # asks too much of terms
            continue
    else:
        raise _no_form(name, item)
    return _filled([as_term(entry, ties).expression for entry in result.ravel()], result.shape)


def _elementwise(name: str, item: Instruction, operands: list[Any], value: np.ndarray) -> np.ndarray:
    """The expression of each element; the number of an element that depends on no leaf."""
    function = form(item.primitive, item.attributes)
    if function is None:
        raise _no_form(name, item)
    arrays = np.broadcast_arrays(*operands)
    rows = zip(np.ravel(value).tolist(), *(array.ravel() for array in arrays), strict=True)
    entries = [function(*parts) if any(part.free_symbols for part in parts) else _finite(name, x) for x, *parts in rows]
    return _filled(entries, arrays[0].shape)


def _terms(expressions: np.ndarray, values: np.ndarray, ties: list[Any]) -> np.ndarray:
    numbers = values.astype(np.float64).ravel().tolist()
    return _filled(
        [Term(one, value, ties) for one, value in zip(expressions.ravel(), numbers, strict=True)], values.shape
    )


def _filled(entries: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def _no_form(name: str, item: Instruction) -> NoForm:
    return NoForm("{name}: {op} has no symbolic form here", "use another method", name=name, op=item.primitive.name)
