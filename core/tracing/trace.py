"""One run of a function on traced values: its value, its VJP and JVP, and its graph as a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import DTYPES, Document, Function, Node, as_value
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.fault import Refused
from cadena.core.graph.subgraphs import used_functions
from cadena.core.tracing.fresh import fresh_arrays
from cadena.core.tracing.naming import names_of_locals
from cadena.core.tracing.nesting import arrays_in, nested_like
from cadena.core.tracing.recording import RecordedCall, Tape
from cadena.core.tracing.traced import GraphLost, Traced, lowered, quietly


class Trace:
    """The result of `fn(*args)` with its record. Values are as below the trace: arrays, or values of an outer trace."""

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.tape = Tape(shares_memory=True)
        self.arguments = [self.tape.leaf(as_argument(arg)) for arg in args]
        with names_of_locals(fn, self.tape), fresh_arrays():
            result = lowered(_called(fn, [Traced(argument.tape, argument.number) for argument in self.arguments]))
        self.result = tuple(result) if isinstance(result, list) else result
        self.outputs = tuple(map(_checked, arrays_in(self.result)))

    @property
    def value(self) -> Any:
        """The function's result: an array, or a tuple of them, which may hold other tuples."""
        return nested_like(self.result, [self.tape.lower(output) for output in self.outputs])

    @quietly
    def vjp(self, cotangent: Any) -> tuple[Any, ...]:
        """The gradient of <cotangent, value> for each argument, of the argument's shape.

        `cotangent` has the shape of the value, or is a tuple of such for a function that returns several.
        """
        self._refuse_corners()
        gradients: dict[int, Any] = {}
        if isinstance(self.result, tuple) and isinstance(cotangent, list):
            cotangent = tuple(cotangent)
        cotangents = arrays_in(cotangent) if isinstance(self.result, tuple) else [cotangent]
        if len(cotangents) != len(self.outputs):
            raise TypeError(f"vjp needs {len(self.outputs)} cotangents, one for each value, not {len(cotangents)}")
        for output, part in zip(self.outputs, cotangents, strict=True):
            if isinstance(output, Traced) and output.tape is self.tape:
                _add(gradients, output.number, _like(part, self.tape.values[output.number]))
        for number in range(len(self.tape.calls) - 1, -1, -1):
            call = self.tape.calls[number]
            if call is not None and number in gradients:
                self._push_back(call, gradients.pop(number), gradients)
        zeros = (_zeros(self.tape.values[argument.number]) for argument in self.arguments)
        return tuple(
            as_number(gradients.get(argument.number, zero))
            for argument, zero in zip(self.arguments, zeros, strict=True)
        )

    def _push_back(self, call: RecordedCall, upstream: Any, gradients: dict[int, Any]) -> None:
        self._note_corner(call)
        below = self._below(call)
        for slot, operand in enumerate(call.operands):
            if isinstance(operand, Traced) and operand.tape is self.tape and call.primitive.slot(slot).differentiable:
                part = call.primitive.vjp(slot, upstream, call.value, below, call.attributes)
                _add(gradients, operand.number, part)

    def _refuse_corners(self) -> None:
        """Raises Refused where a derivative to be differentiated is 0 by convention: it has no derivative there."""
        if self.tape.corners:
            raise Refused(
                "a second derivative through {op} at 0, where it has no derivative and 0 stands for the first",
                "choose another point, or a formula without it, such as the sum of squares for the square of a norm",
                op=min(self.tape.corners),
            )

    def _note_corner(self, call: RecordedCall) -> None:
        """Note on the tape below, if there is one, that the derivative of a call is a convention."""
        if isinstance(call.value, Traced) and call.primitive.corner is not None:
            below = [_plain(item) for item in call.operands]
            if np.any(call.primitive.corner(_plain(call.value), *below)):
                call.value.tape.corners.add(call.primitive.name)  # type: ignore[attr-defined]

    def _below(self, call: RecordedCall) -> list[Any]:
        """The operands as rules need them: those not traced as numpy's numbers, in the dtype of the value."""
        return [
            item.value
            if isinstance(item, Traced) and item.tape is self.tape
            else item
            if isinstance(item, Traced) or not call.primitive.slot(slot).differentiable
            else np.asarray(item, call.value.dtype)[()]
            for slot, item in enumerate(call.operands)
        ]

    @quietly
    def jvp(self, *tangents: Any) -> Any:
        """The tangent of the value when the arguments move along `tangents`, each of its argument's shape."""
        self._refuse_corners()
        if len(tangents) != len(self.arguments):
            raise TypeError(f"jvp needs {len(self.arguments)} tangents, one for each argument, not {len(tangents)}")
        moved = {
            argument.number: _like(tangent, self.tape.values[argument.number])
            for argument, tangent in zip(self.arguments, tangents, strict=True)
        }
        for number, call in enumerate(self.tape.calls):
            if call is not None:
                self._push_forward(number, call, moved)
        return nested_like(self.result, [self._tangent_of(output, moved) for output in self.outputs])

    def _push_forward(self, number: int, call: RecordedCall, moved: dict[int, Any]) -> None:
        self._note_corner(call)
        below = self._below(call)
        for slot, operand in enumerate(call.operands):
            traced = isinstance(operand, Traced) and operand.tape is self.tape
            if traced and operand.number in moved and call.primitive.slot(slot).differentiable:
                part = call.primitive.jvp(slot, moved[operand.number], call.value, below, call.attributes)
                _add(moved, number, part)

    def _tangent_of(self, output: Any, moved: dict[int, Any]) -> Any:
        if isinstance(output, Traced) and output.tape is self.tape:
            return as_number(moved.get(output.number, _zeros(self.tape.values[output.number])))
        return np.zeros(np.shape(output))[()]

    @property
    def document(self) -> Document:
        """The graph, to save or show: arguments become parameters, other numbers constants.

        Its number type is that of arguments and results; float64 where they have several, or none of a document's.
        """
        nodes: dict[str, Node] = {}
        names, free = dict[int, str](), FreeNames(())
        for number, call in enumerate(self.tape.calls):
            like = self.tape.names.get(number, _default_name(call))
            if call is None:
                name = free.fresh(like)
                kind = "constant" if number in self.tape.constants else "parameter"
                value = as_value(_plain(self.tape.values[number]))
                nodes[name] = Node(name, kind, value=value, guard=self.tape.guards.get(number))
            else:
                inputs = tuple(self._input(operand, nodes, names, free) for operand in call.operands)
                guard = self.tape.guards.get(number)
                name = free.fresh(like)
                nodes[name] = Node(
                    name, call.primitive.name, inputs=inputs, attributes=_explicit_attributes(call), guard=guard
                )
            names[number] = name
        last = self.outputs[0]
        output = names.get(last.number) if isinstance(last, Traced) and last.tape is self.tape else None
        return Document(nodes, output=output, dtype=self._dtype(), functions=self._functions())

    def _dtype(self) -> str:
        dtypes = {item.dtype.name for item in (*self.arguments, *self.outputs) if isinstance(item, Traced)}
        return dtypes.pop() if len(dtypes) == 1 and dtypes <= {*DTYPES} else "float64"

    def _functions(self) -> dict[str, Function]:
        """The functions that are called. Raises Refused for two of one name, from different documents."""
        functions: dict[str, Function] = {}
        for record in {id(call.primitive): call.primitive for call in self.tape.calls if call is not None}.values():
            if isinstance(record, FunctionCall):
                for name, function in used_functions([Node("", record.name)], record.functions).items():
                    if functions.setdefault(name, function) != function:
                        raise Refused("two functions are called {name}", "rename one of them", name=name)
        return functions

    def _input(self, operand: Any, nodes: dict[str, Node], names: dict[int, str], free: FreeNames) -> str:
        if isinstance(operand, Traced) and operand.tape is self.tape:
            return names[operand.number]
        name = free.fresh("k0")
        value = np.asarray(_plain(operand))
        is_truth = value.dtype.kind == "b"  # of a comparison; files hold numbers only, and `where` takes them as well
        nodes[name] = Node(name, "constant", value=as_value(value.astype(np.float64) if is_truth else value))
        return name


def _called(fn: Callable[..., Any], arguments: list[Traced]) -> Any:
    """Call `fn`. Raises our TypeError where numpy hides it behind "setting an array element with a sequence"."""
    try:
        return fn(*arguments)
    except ValueError as error:
        if not isinstance(error.__cause__, GraphLost):
            raise
        raise TypeError(
            "an element of a plain array cannot hold a traced value; make a list of the elements and join them with "
            "np.stack, or assign to an array that np.zeros and its like make within the traced function"
        ) from error


def _checked(output: Any) -> Any:
    """A result of the function, which must be traced or plain numbers. Raises TypeError, rather than lose a graph."""
    if isinstance(output, Traced):
        return output
    if output is None:
        raise TypeError("the function returned nothing; let it return its value")
    if np.asarray(output).dtype.kind not in "biuf":  # GraphLost for a list of traced values
        raise TypeError(
            f"the function returned {str(output)[:40]}; return traced values, or a tuple of them, and join the "
            f"elements of lists and arrays with np.stack"
        )
    return output


def trace(fn: Callable[..., Any], *args: Any) -> Trace:
    """Run `fn`, plain numpy code, on `args` (floats or arrays), and record how the result is computed.

    Raises TypeError where the graph would be lost, saying what to write instead.
    """
    return Trace(fn, args)


def as_argument(arg: Any) -> Any:
    """Convert an argument of a traced function to floats. Raises Refused for anything but an array of numbers."""
    if isinstance(arg, Traced):
        return arg
    try:
        array = np.asarray(arg)
    except ValueError:
        raise Refused("an argument has rows of several lengths", "give all rows the same length") from None
    if array.dtype.kind in "iub":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        kind = array.dtype if isinstance(arg, np.ndarray) else type(arg).__name__
        what = "an argument must be a number or an array of numbers, not {kind}"
        raise Refused(what, "give each array as an argument of its own", kind=kind)
    return as_number(array)


def as_number(array: Any) -> Any:
    """Convert an array without axes to numpy's number, as values are; anything else stays as it is."""
    return array[()] if isinstance(array, np.ndarray) else array


def _like(part: Any, value: Any) -> Any:
    """A cotangent or tangent in the shape of `value`, and in its dtype if it is plain."""
    array, shape = part if isinstance(part, Traced) else _numbers(part, value), np.shape(value)
    if array.shape != shape:
        if array.ndim:
            raise ValueError(f"shape {array.shape} where the value has shape {shape}; give one of equal shape")
        array = np.broadcast_to(array, shape)
    return as_number(array)


def _numbers(part: Any, value: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(part)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{part!r:.40} is not an array of numbers; give one of shape {np.shape(value)}")
    return array.astype(value.dtype)


def _zeros(value: Any) -> Any:
    return np.zeros(np.shape(value), dtype=value.dtype)[()]


def _add(sums: dict[int, Any], number: int, part: Any) -> None:
    sums[number] = sums[number] + part if number in sums else part


def _plain(value: Any) -> Any:
    while isinstance(value, Traced):
        value = value.value
    return value


def _default_name(call: RecordedCall | None) -> str:
    return "x0" if call is None else f"{call.primitive.name}1"


def _explicit_attributes(call: RecordedCall) -> dict[str, Any]:
    """The attributes that differ from their defaults, as a file holds them."""
    defaults = {attribute.name: attribute.default for attribute in call.primitive.attributes}
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in call.attributes.items()
        if key not in defaults or defaults[key] is not value
    }
