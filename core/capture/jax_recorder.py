"""Record a function of JAX from its jaxpr: every equation, in the order in which it is computed.

What depends on no argument of real numbers (indices, masks, random bits) is computed by JAX itself, and is a constant
of the graph. The branch and the number of turns that the values choose are those of the capture, and guarded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.capture.jax_folding import folded
from cadena.core.capture.jax_primitives import OTHER_RULES, places_of, read
from cadena.core.capture.modules import node_name, without_lines
from cadena.core.capture.record import Leaf, Record, Unknown
from cadena.core.functions.calls import operations
from cadena.core.functions.library_gradient import marked
from cadena.core.graph.document import Backward, Function, Node
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.graph.guards import guard
from cadena.core.languages.jax_programs import JAX
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.places import OURS, file_line
from cadena.core.tracing.traced import Traced, apply, plain

DTYPES = ("float16", "float32", "float64")
MAX_CALLS = 1_000_000  # operations of one graph: loops are unrolled
INNER = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # what a primitive calls the jaxpr that it stands for
CALLS = ("jit", "pjit", "closed_call", "core_call", "remat", "remat2", "checkpoint", "custom_lin")
CUSTOM = ("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr")


class JaxRecorder:
    """Computes a jaxpr on values that are traced, or JAX's own where they depend on none that is."""

    def __init__(self, record: Record, custom: int = 2, functions: dict[str, Function] | None = None) -> None:
        self.record = record
        self.custom = custom  # how often a gradient of its own may be differentiated
        self.functions = {} if functions is None else functions  # those with a custom gradient

    def run(self, jaxpr: Any, constants: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        """The results of a jaxpr."""
        values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *arguments]))
        is_own = "/jax/_src/" in _source(jaxpr)  # JAX traces such a function once, for all lines that call it
        for equation in jaxpr.eqns:
            if len(self.record.tape.calls) > MAX_CALLS:
                raise Refused("the loops take more than {most} operations", "capture fewer turns", most=MAX_CALLS)
            operands = [_value(item, values) for item in equation.invars]
            with self.record.at(self.record.line if is_own else _code_line(equation) or self.record.line):
                values.update(zip(equation.outvars, self._equation(equation, operands)))
        return [_value(item, values) for item in jaxpr.outvars]

    def closed(self, closed: Any, arguments: Sequence[Any]) -> list[Any]:
        """The results of a jaxpr that holds its constants, or has none."""
        return self.run(getattr(closed, "jaxpr", closed), getattr(closed, "consts", ()), arguments)

    def _equation(self, equation: Any, operands: list[Any]) -> Sequence[Any]:
        name = equation.primitive.name
        for variable in equation.outvars:
            check(getattr(variable.aval, "dtype", None), f"the result of {name}")
        if not equation.outvars:  # a print
            return ()
        if not any(isinstance(item, Traced) for item in operands):
            return _computed(equation, operands)
        if name in CALLS:
            return self._call(equation, operands)
        if name in CUSTOM:
            return self._custom(equation, operands)
        if name in SO_FAR:
            return self._so_far(name, equation, operands)
        if name in LOOPS:
            return LOOPS[name](self, operands, equation)
        return self._one(equation, operands)

    def _one(self, equation: Any, operands: list[Any]) -> Sequence[Any]:
        """An equation that is an operation, or several; else its result as recorded."""
        name, kinds = equation.primitive.name, [item.aval.dtype for item in equation.outvars]
        operand_kinds = "".join(getattr(item.aval.dtype, "kind", "?") for item in equation.invars)
        why = ""
        if name == "digamma" and np.any(plain(operands[0]) < 0.0):
            self.record.notes.append(DIGAMMA)
        if self.custom and (name in OTHER_RULES and OTHER_RULES[name](*operands, **equation.params)):
            return self._each_by_rule(name, equation, operands)
        try:
            of_places = range(len(operands))[places_of(name)]
            numbers = [item if at in of_places else self._number(item) for at, item in enumerate(operands)]
            value = folded(name, numbers, self.record.dtype)
            value = read(name, numbers, equation.params, operand_kinds) if value is None else value
            results = list(value) if equation.primitive.multiple_results else [value]
            if all(item.shape == var.aval.shape for item, var in zip(results, equation.outvars)):
                if all(map(_is_real, kinds)) or self._counts_as(equation, operands, results):
                    return results
                why = "its whole numbers would be other ones here"
            else:
                why = f"it would have shape {results[0].shape} here"
        except Unknown as unknown:
            why = str(unknown)
        for item in operands:
            self.guard(item, equation, "value")
        return [self._opaque(item, why, name) for item in _computed(equation, operands)]

    def guard(self, item: Any, equation: Any, kind: Any) -> None:
        """Note that what follows holds for this value of `item` alone."""
        if isinstance(item, Traced):
            condition = guard(plain(item), f"lax.{equation.primitive.name}", _line(equation), kind)
            self.record.tape.guards.setdefault(item.number, condition)

    def _so_far(self, name: str, equation: Any, operands: list[Any]) -> Sequence[Any]:
        """The extremes and sums so far, combined in the order in which JAX's gradient takes them: ties share by it."""
        import jax

        combine = getattr(jax.numpy, SO_FAR[name])
        aval = equation.invars[0].aval
        closed = jax.make_jaxpr(lambda x: jax.lax.associative_scan(combine, x, **equation.params))(
            jax.ShapeDtypeStruct(aval.shape, aval.dtype)
        )
        start = len(self.record.tape.calls)
        return self.record.module(name, start, self.closed(closed, operands))

    def _counts_as(self, equation: Any, operands: list[Any], results: list[Any]) -> bool:
        """Whether whole numbers and truths among the results are those of JAX: real numbers count so far only."""
        theirs = _computed(equation, operands)
        return all(np.array_equal(np.asarray(plain(ours)).astype(np.float64), np.asarray(their).astype(np.float64))
                   for ours, their in zip(results, theirs) if not _is_real(their.dtype))  # fmt: skip

    def _opaque(self, value: Any, why: str, name: str) -> Traced:
        return self.record.leaf(np.asarray(value), self.record.opaque(why, name.replace("-", "_")))

    def _number(self, item: Any) -> Any:
        """A value of JAX's as numpy's in the type of the graph; keys of random numbers as they are."""
        if isinstance(item, Traced) or getattr(getattr(item, "dtype", None), "kind", "O") not in "biufV":
            return item
        number = np.asarray(item).astype(self.record.dtype)
        return number if number.ndim else float(number)

    # --- calls

    def _call(self, equation: Any, operands: list[Any]) -> Sequence[Any]:
        """A call of a jaxpr. One of JAX's own functions that is an operation is that; others are collapsed by name."""
        inner = next(equation.params[key] for key in INNER if key in equation.params)
        name = equation.params.get("name", "")
        own = self._known(name, getattr(inner, "jaxpr", inner), operands)
        if own is not None and own.shape == equation.outvars[0].aval.shape:
            return [own]
        start = len(self.record.tape.calls)
        results = self.closed(inner, operands)
        if name.strip("_").isidentifier():
            places = [place for place, item in enumerate(results) if isinstance(item, Traced)]
            values = self.record.module(name.strip("_"), start, [results[place] for place in places])
            results = [dict(zip(places, values)).get(place, item) for place, item in enumerate(results)]
        return results

    def _known(self, name: str, jaxpr: Any, operands: list[Any]) -> Traced | None:
        """What one of JAX's own functions is as one operation, by the table of the language."""
        source = _source(jaxpr)
        home = next((home for file, home in OWN.items() if file in source), None)
        if home is None:
            return None
        for signature in JAX.signatures.get(home.format(name), ()):
            record, attributes = REGISTRY[signature.op], dict[str, Any]()
            if name in OTHERWISE or len(record.slots) != len(operands) or not all(map(_is_array, operands)):
                continue
            if name in ("softmax", "log_softmax"):
                attributes = {"axis": _axis_of_the_largest(jaxpr)}
            elif record.attributes:
                continue
            value = apply(record, [self._number(item) for item in operands], attributes)
            return value if isinstance(value, Traced) else None
        return None

    def _custom(self, equation: Any, operands: list[Any]) -> Sequence[Any]:
        """A function with a gradient of its own: the user's, or one of JAX's that is no operation here."""
        inner = next(equation.params[key] for key in INNER if key in equation.params)
        jaxpr = inner.jaxpr
        source = _source(jaxpr)
        name = source.split(" ")[0].rpartition(".")[2]
        if name.startswith("_slogdet") and "/numpy/linalg.py" in source:
            return [apply("slogdet", operands, {"part": part}) for part in (0, 1)]
        is_own = "/jax/_src/" in source
        if is_own and (own := self._known(name, jaxpr, operands)) is not None:
            return [own]
        if is_own and name == "logaddexp" and not any(np.isposinf(plain(item)).any() for item in operands):
            return [apply("logaddexp", list(map(self._number, operands)))]  # at inf JAX has other slopes
        if len(equation.outvars) == 1 and all(map(_is_real_array, operands)) and self.custom:
            return [self._by_rule(name, equation, inner, operands)]
        if is_own or not self.custom:
            return self.closed(inner, operands)
        plainly = _computed(equation, operands)
        why = "a custom gradient is known here for operands of real numbers and one result"
        return [self._opaque(item, why, name) if _is_real(item.dtype) else item for item in plainly]

    def _each_by_rule(self, name: str, equation: Any, operands: list[Any]) -> list[Any]:
        import jax

        arrays = [_as_jax(item, variable.aval.dtype) for item, variable in zip(operands, equation.invars)]
        results = []
        for part in range(len(equation.outvars)):
            inner = jax.make_jaxpr(lambda *own, part=part: _bound(equation, own)[part])(*arrays)
            results.append(self._by_rule(name, equation, inner, operands, part))
        return results

    def _by_rule(self, name: str, equation: Any, inner: Any, operands: list[Any], part: int = 0) -> Any:
        """A call of a function that is a result of the equation, and has the gradient that JAX gives to it."""
        function = self._function(equation, inner, operands, part)
        bare = without_lines(function)
        called = next((known for known, item in self.functions.items() if without_lines(item) == bare), None)
        if called is None:
            called = fresh_name({*self.functions, *REGISTRY}, node_name(name.strip("_")))
            self.functions[called] = function
        numbers = [item if isinstance(item, Traced) else np.asarray(item, self.record.dtype)[()] for item in operands]
        return apply(operations(dict(self.functions))[called], numbers)

    def _function(self, equation: Any, inner: Any, operands: list[Any], part: int) -> Function:
        """A function whose custom gradient is what JAX makes of the user's rule: the operands, the result and the
        upstream gradient in, a gradient for each operand out. Inside, gradients of their own are of no use."""
        import jax

        labels = [f"x{index}" for index in range(len(operands))]
        arrays = [_as_jax(item, variable.aval.dtype) for item, variable in zip(operands, equation.invars)]
        upstream = np.ones(equation.outvars[part].aval.shape, equation.outvars[part].aval.dtype)

        def pulled(at: Any, upstream: Any) -> Any:
            return jax.vjp(lambda *own: _bound(equation, own)[part], *at)[1](upstream)

        backward = jax.make_jaxpr(pulled)(arrays, upstream)
        _, result, nodes = self._recorded(inner, arrays, labels, custom=0)
        (value,) = result
        _, gradients, back = self._recorded(backward, [*arrays, upstream], [*labels, "upstream"], self.custom - 1)
        outputs = tuple(gradients)
        unused = fresh_name({*labels, "upstream", *back}, "result")
        function = Function(tuple(labels), nodes, value, Backward((*labels, unused, "upstream"), back, outputs))
        return marked(function, "jax") if equation.primitive.name in OTHER_RULES else function

    def _recorded(
        self, closed: Any, operands: Sequence[Any], labels: Sequence[str], custom: int
    ) -> tuple[Record, list[str], Any]:
        """A jaxpr as nodes that read `labels`; also returns the names of its results."""
        record = Record(self.record.dtype)
        record.line = self.record.line
        leaves = [record.leaf(np.asarray(item), Leaf("input", label)) for item, label in zip(operands, labels)]
        results = JaxRecorder(record, custom, self.functions).closed(closed, leaves)
        values = [item if isinstance(item, Traced) else record.leaf(item, Leaf("constant", "k0")) for item in results]
        values = [apply("positive", [item]) if item.number < len(leaves) else item for item in values]
        nodes, names = record.nodes([*leaves, *values])
        self.record.notes += record.notes
        kept: dict[str, Node] = {name: node for name, node in nodes.items() if name not in labels}
        return record, [names[item.number] for item in values], kept


def _source(jaxpr: Any) -> str:
    """The function that a jaxpr was made of, and where it stands: "norm at /…/jax/_src/numpy/linalg.py:1000"."""
    return str(getattr(jaxpr.debug_info, "func_src_info", "")).replace("\\", "/")


def _users_frame(equation: Any) -> Any:
    from jax._src import source_info_util

    return source_info_util.user_frame(equation.source_info.traceback)


def _line(equation: Any) -> int:
    """The line of the user's code that an equation comes from, 0 where JAX does not tell."""
    frame = _users_frame(equation)
    return 0 if frame is None else int(frame.start_line)


def _code_line(equation: Any) -> str:
    """The same with the file."""
    frame = _users_frame(equation)
    return "" if frame is None or frame.file_name.startswith(OURS) else file_line(frame.file_name, frame.start_line)


def _scan(recorder: JaxRecorder, operands: list[Any], equation: Any) -> list[Any]:
    """A scan, turn by turn."""
    parameters = equation.params
    constants, carried = parameters["num_consts"], parameters["num_carry"]
    fixed, carry = operands[:constants], operands[constants : constants + carried]
    each, turns = operands[constants + carried :], range(parameters["length"])
    shapes = parameters["jaxpr"].out_avals[carried:]
    rows: dict[int, list[Any]] = {}
    for turn in reversed(turns) if parameters["reverse"] else turns:
        results = recorder.closed(parameters["jaxpr"], [*fixed, *carry, *(item[turn] for item in each)])
        carry, rows[turn] = results[:carried], results[carried:]
    return [*carry, *(_stacked(recorder, [rows[turn][place] for turn in turns], shape)
                      for place, shape in enumerate(shapes))]  # fmt: skip


def _stacked(recorder: JaxRecorder, items: list[Any], shape: Any) -> Any:
    import jax.numpy as jnp

    if any(isinstance(item, Traced) for item in items):
        numbers = [item if isinstance(item, Traced) else np.asarray(item, recorder.record.dtype) for item in items]
        return apply("stack", numbers, {"axis": 0})
    return jnp.stack(items) if items else jnp.zeros((0, *shape.shape), shape.dtype)


def _while(recorder: JaxRecorder, operands: list[Any], equation: Any) -> list[Any]:
    """A loop, as often as its condition holds; each condition that values decide is guarded."""
    parameters = equation.params
    first, second = parameters["cond_nconsts"], parameters["body_nconsts"]
    asked, fixed, carry = operands[:first], operands[first : first + second], operands[first + second :]
    while True:
        (goes_on,) = recorder.closed(parameters["cond_jaxpr"], [*asked, *carry])
        recorder.guard(goes_on, equation, "branch")
        if not np.all(np.asarray(plain(goes_on))):
            return carry
        carry = recorder.closed(parameters["body_jaxpr"], [*fixed, *carry])


def _cond(recorder: JaxRecorder, operands: list[Any], equation: Any) -> list[Any]:
    """The branch that the values choose; the choice is guarded."""
    branches = equation.params["branches"]
    recorder.guard(operands[0], equation, "number")
    chosen = int(np.clip(int(plain(operands[0])), 0, len(branches) - 1))
    return recorder.closed(branches[chosen], operands[1:])


LOOPS: Mapping[str, Callable[[JaxRecorder, list[Any], Any], list[Any]]] = {
    "scan": _scan, "while": _while, "cond": _cond,
}  # fmt: skip
DIGAMMA = (
    "digamma: below 0 JAX's own gradient is wrong, in float64 too (at -9.85 by 25 orders of magnitude); the graph has "
    "the right one"
)
SO_FAR = {"cummax": "maximum", "cummin": "minimum", "cumlogsumexp": "logaddexp"}
# JAX's own functions whose slopes are others at some points than those of our operations.
OTHERWISE = ("hard_tanh", "selu", "soft_sign")
# Where JAX's own functions stand -> what the table of the language calls them.
OWN = {"jax/_src/nn/functions.py": "jax.nn.{}", "jax/_src/numpy/linalg.py": "jnp.linalg.{}"}


def _value(item: Any, values: Mapping[Any, Any]) -> Any:
    return item.val if hasattr(item, "val") else values[item]


def _is_real(dtype: Any) -> bool:
    """Whether a type is of real numbers; the small ones (bfloat16) are no floating types to numpy."""
    import jax.numpy as jnp

    return bool(jnp.issubdtype(dtype, jnp.floating))


def _is_array(item: Any) -> bool:
    return isinstance(item, Traced) or hasattr(item, "shape")


def _is_real_array(item: Any) -> bool:
    return isinstance(item, Traced) or _is_real(np.result_type(item))


def _as_jax(item: Any, dtype: Any) -> Any:
    """What JAX computes with in place of a value."""
    import jax.numpy as jnp

    return jnp.asarray(plain(item), dtype) if isinstance(item, Traced) else item


def _computed(equation: Any, operands: Sequence[Any]) -> list[Any]:
    """The results of an equation as JAX computes them."""
    return _bound(equation, [_as_jax(item, variable.aval.dtype) for item, variable in zip(operands, equation.invars)])


def _bound(equation: Any, operands: Sequence[Any]) -> list[Any]:
    parameters = equation.primitive.get_bind_params(equation.params)
    functions, parameters = parameters if isinstance(parameters, tuple) else ([], parameters)
    results = equation.primitive.bind(*functions, *operands, **parameters)
    return list(results) if equation.primitive.multiple_results else [results]


def _axis_of_the_largest(jaxpr: Any) -> Any:
    """The axis of a softmax: the one along which it looks for the largest element."""
    (axes,) = [item.params["axes"] for item in jaxpr.eqns if item.primitive.name == "reduce_max"]
    return int(axes[0])


def check(dtype: Any, name: str) -> None:
    """Raise Refused for a number type that no document has."""
    kind = getattr(dtype, "name", "")
    if (kind.startswith(("bfloat", "float", "complex"))) and kind not in DTYPES:
        what = "{name} has the number type {dtype}, which no document has"
        raise Refused(what, "convert it with .astype(jnp.float32)", name=name, dtype=kind)
