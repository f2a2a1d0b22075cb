"""The record of an operation, from which values, derivatives, notation, palette, help and tests are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import msgspec
import numpy as np

from cadena.core.ops import FAMILIES, expression, families
from cadena.core.ops.expression import Notation
from cadena.core.ops.safer import SaferForm
from cadena.core.ops.traits import Domain, Trait
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause, Listing, Remedy, WordedError

Shape = tuple[int, ...]
Rule = Callable[..., Any]
REQUIRED = object()
EVERYWHERE = Domain()
MAX_ELEMENTS = 2**28  # of an array; 2 GB of float64


class ShapeError(WordedError, ValueError):
    """Operand shapes or attributes that an operation cannot take; the message is a clause fit for the user.

    Its operand `op`, where it has one, is the operation that it names.
    """

    def names(self, op: str) -> bool:
        """Whether the sentence says itself that it is about the operation `op`."""
        return self.operands.get("op") == op


class AttributeFault(ShapeError):
    """An attribute that is missing or that the operation does not know."""


class AttributeKind(NamedTuple):
    """A kind of attribute value, such as a whole number: its description and its check."""

    expected: str
    takes: Callable[[Any], bool] = lambda value: True  # the shape rule looks closer


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**300)


def _are_whole(value: Any) -> bool:
    return all(map(_are_whole, value)) if isinstance(value, list | tuple) else _is_whole(value)


KINDS = {
    "axis": AttributeKind("an axis or a list of axes"),
    "axes": AttributeKind("a list of axes"),
    "shape": AttributeKind("a list of whole numbers"),
    "index": AttributeKind("an index as in numpy, as text"),
    "integers": AttributeKind("whole numbers (one, or a list)", _are_whole),
    "integer": AttributeKind("a whole number", _is_whole),
    "number": AttributeKind("a number", _is_number),
    "flag": AttributeKind("true or false", lambda value: isinstance(value, bool)),
    "text": AttributeKind("a text", lambda value: isinstance(value, str)),
    "choice": AttributeKind("", lambda value: False),  # nothing but its `choices`
}


class Attribute(msgspec.Struct, frozen=True):
    """A setting of an operation that is no slot, such as the axis of a sum; with REQUIRED as default it must be set."""

    name: str
    default: Any
    kind: str  # one of KINDS
    doc: str
    choices: tuple[str, ...] = ()  # the words that it may be, beside what its kind allows
    within: tuple[int, int] | None = None  # the least and the greatest number that it may be

    def takes(self, value: Any) -> bool:
        """Whether `value` is of the attribute's kind; whether it fits the operands is for the shape rule to say."""
        if (value is None and self.default is None) or value in self.choices:
            return True
        return KINDS[self.kind].takes(value) and (self.within is None or self.within[0] <= value <= self.within[1])

    @property
    def expected(self) -> str:
        """A description of valid values: "true or false", "a number", "mean, sum or none"."""
        limits = f" from {self.within[0]} to {self.within[1]}" if self.within else ""
        words = [KINDS[self.kind].expected + limits, *self.choices]
        return Listing(tuple(filter(None, words)), "or").worded()


class Slot(msgspec.Struct, frozen=True):
    """One operand of an operation and how the result changes with it.

    An elementwise operation gives `partial(y, *operands)`, of the result's shape. Any other gives
    `transpose(upstream, y, *operands, **attributes)`, the upstream gradient carried back to this operand (of the
    operand's shape), and `push(tangent, y, *operands, **attributes)`, a tangent carried forward.
    A slot that is not `differentiable` (a condition, indices) only chooses, and never gets a gradient.
    `shown` is what to print for it where the rule itself would be hard to read: for a partial a function of
    (y, *operands), for a transpose of (upstream, y, *operands) and the attributes that it names, or a plain sentence
    fragment.
    The last slot of a variadic operation stands for all further operands: its transpose and push are told which one
    they are for by the keyword argument `slot`.
    """

    label: str
    partial: Rule | None = None
    transpose: Rule | None = None
    push: Rule | None = None
    shown: Rule | str | None = None
    differentiable: bool = True
    sloped: Rule | None = None  # where an operation that is SLOPED has no slope of 0: a mask, from finite operands
    only_real: str = ""  # why no complex number goes in here, although the rule takes it
    gate: bool = False  # a choice rather than a product: where the partial is 0, not even inf or nan passes
    stable: Rule | None = None  # the partial as a rule of the operands alone, which keeps the digits of small slopes

    def printed(self, attributes: dict[str, Any]) -> Rule | str | None:
        """The form to print for a transpose of an operation with these attributes."""
        if not callable(self.shown):
            return self.shown
        named = inspect.signature(self.shown).parameters
        return partial(self.shown, **{name: value for name, value in attributes.items() if name in named})


class Primitive(msgspec.Struct, frozen=True, eq=False):
    """Everything Cadena knows about one operation; the records are in `cadena.core.ops`."""

    name: str
    value: Rule
    slots: tuple[Slot, ...]
    shape: Callable[..., Shape]
    notation: Notation
    title: str
    symbol: str
    phrase: str
    category: str
    doc: str
    examples: tuple[tuple[Any, ...], ...]
    synonyms: tuple[str, ...] = ()  # other names and signs that mean this operation alone: "average", "@"
    keywords: str = ""  # further words by which people look for it, which may be those of others too
    attributes: tuple[Attribute, ...] = ()
    elementwise: bool = False
    variadic: bool = False  # takes one operand or more; the last slot's rule repeats
    edges: str = ""  # value and gradient where the formula alone leaves them open
    source: str = ""  # where the formula comes from, if not from a textbook
    # (y, *operands, **attributes) -> a clause for the user about invalid operand values, or None
    trouble: Callable[..., Clause | None] | None = None
    definition: Rule | None = None  # (*operands, **attributes): the value in elementary operations, as in textbooks
    differs: str = ""  # where the definition gives something else, and why, as a clause; "" where it never does
    analytic: Rule | None = None  # the value on complex operands, where the rule asks for signs against overflow
    only_real: str = ""  # why the rule is wrong on complex numbers and there is no analytic one, as a clause
    safer: tuple[SaferForm, ...] = ()  # formulas in which it stands, or that it is better for, in safer forms
    traits: Trait = Trait.NONE
    domain: Domain = EVERYWHERE
    steep: tuple[float, ...] = ()  # first operands at which the derivative is infinite, as it truly is
    overflows_above: Callable[[float], float] | None = None  # the largest operand, from a type's largest number
    # (shape of the first operand, **attributes) -> the axes of its rows, in which a -inf is a mask: exp(-inf) is 0
    masked_along: Callable[..., tuple[int, ...]] | None = None
    neutral: float | None = None  # changes nothing as the last of two operands; if it COMMUTES, as either
    nan_of_inf: Cause = Cause.OF_INF  # the arithmetic behind a nan where an operand is inf
    # (y, *operands) -> where it has no derivative, and 0 stands for it by convention, as |x| at 0: a mask
    corner: Rule | None = None
    choosers: frozenset[int] = frozenset()  # the slots that never get a gradient: read from the slots

    def __post_init__(self) -> None:
        choosers = frozenset(index for index, slot in enumerate(self.slots) if not slot.differentiable)
        msgspec.structs.force_setattr(self, "choosers", choosers)

    def __call__(self, *operands: Any, **attributes: Any) -> Any:
        """The result for arrays; a symbol or a traced value among the operands takes the call."""
        takes = next((item.__primitive__ for item in operands if hasattr(item, "__primitive__")), None)
        if takes is not None:
            return takes(self, operands, attributes)
        return self.value(*operands, **self.complete(attributes))

    def slot(self, index: int) -> Slot:
        """The slot that the operand at `index` goes into."""
        return self.slots[min(index, len(self.slots) - 1) if self.variadic else index]

    def takes(self, count: int) -> bool:
        """Whether it can be computed from so many operands."""
        return count > 0 if self.variadic else count == len(self.slots)

    def complete(self, attributes: dict[str, Any]) -> dict[str, Any]:
        """`attributes` with defaults filled in. Raises AttributeFault for a missing or an unknown one."""
        if not attributes and not self.attributes:
            return {}
        known = {attribute.name: attribute.default for attribute in self.attributes}
        if unknown := sorted(set(attributes) - set(known)):
            names = {"op": self.name, "unknown": unknown[0], "known": ", ".join(known) or "none"}
            raise AttributeFault("{op} has no attribute {unknown!r}", "it knows {known}", **names)
        full = known | attributes
        for name, value in full.items():
            if value is REQUIRED:
                raise AttributeFault("{op} needs its attribute {name!r}", Remedy.SET_ATTRIBUTE, op=self.name, name=name)
        for attribute in self.attributes:
            if not attribute.takes(full[attribute.name]):
                setting = f"{attribute.name!r}, not {full[attribute.name]!r:.40}"
                raise AttributeFault(
                    "{op} needs {expected} as its attribute {setting}",
                    "set it so",
                    op=self.name,
                    expected=attribute.expected,
                    setting=setting,
                )
        return full

    def vjp(self, slot: int, upstream: Any, y: Any, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The contribution to the gradient of operand `slot`: upstream gradient times local derivative, its shape."""
        return fit(self.carried(slot, upstream, y, operands, attributes), operands[slot])

    def carried(self, slot: int, upstream: Any, y: Any, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The contribution before it is summed over the axes along which the operand was broadcast."""
        rule = self.slot(slot)
        if rule.partial is not None:
            local = rule.partial(y, *operands, **attributes)
            return gated(upstream, local) if rule.gate else _times(upstream, local)
        assert rule.transpose is not None
        which = {"slot": slot} if self.variadic else {}
        return rule.transpose(upstream, y, *operands, **which, **attributes)

    def vjps(
        self, slots: Iterable[int], upstream: Any, y: Any, operands: Sequence[Any], attributes: dict[str, Any]
    ) -> Iterable[tuple[int, Any]]:
        """The VJP for the operand in each of these slots, with the slot, one after the other."""
        return ((slot, self.vjp(slot, upstream, y, operands, attributes)) for slot in slots)

    def jvps(self, tangents: Mapping[int, Any], y: Any, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The tangent of the result when operands move along `tangents`, by slot: the sum over the operands."""
        parts = [self.jvp(slot, tangent, y, operands, attributes) for slot, tangent in tangents.items()]
        return sum(parts[1:], parts[0])

    def jvp(self, slot: int, tangent: Any, y: Any, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The tangent of the result when only operand `slot` moves along `tangent`; result's shape."""
        rule = self.slot(slot)
        if rule.partial is not None:
            local = rule.partial(y, *operands, **attributes)
            moved = gated(tangent, local) if rule.gate else local * tangent
            return fit(np.broadcast_to(moved, np.shape(y)), y)
        assert rule.push is not None
        which = {"slot": slot} if self.variadic else {}
        return fit(rule.push(tangent, y, *operands, **which, **attributes), y)


def gated(carried: Any, partial: Any) -> Any:
    """The product of a gradient or a tangent with a partial, and 0 where the partial is 0, whatever would be carried.

    So are the derivatives of this rule: where the partial is 0 no inf of theirs comes back through the product.
    Where a nan was chosen the partial is nan, for libraries 0 or 1; of 0 they all carry 0, as behind a mask.
    """
    product = carried * partial
    if isinstance(product, np.ndarray | np.generic):
        return np.where((partial == 0.0) | (np.isnan(partial) & (carried == 0.0)), 0.0, product)[()]
    return np.where(partial, product, 0.0)  # traced: nan counts as true


def _times(upstream: Any, partial: Any) -> Any:
    """The product of both, without touching an array for the partials 1 and -1 of sums and differences."""
    if isinstance(partial, float):
        return upstream if partial == 1.0 else -upstream if partial == -1.0 else upstream * partial
    return upstream * partial


def fit(gradient: Any, operand: Any) -> Any:
    """`gradient` summed over the axes along which `operand` was broadcast, in the operand's dtype."""
    if type(gradient) is type(operand) and isinstance(operand, np.generic):  # numbers of one kind
        return gradient
    shape, actual = operand.shape, gradient.shape
    if actual[len(actual) - len(shape) :] == shape:  # the usual case, as of a bias, in a fifth of the time
        gradient = gradient if actual == shape else np.sum(gradient, axis=tuple(range(len(actual) - len(shape))))
    else:
        gradient = np.broadcast_to(gradient, np.broadcast_shapes(np.shape(gradient), shape))
        lead = gradient.ndim - len(shape)
        stretched = [lead + axis for axis, size in enumerate(shape) if size == 1 and gradient.shape[lead + axis] != 1]
        gradient = np.reshape(np.sum(gradient, axis=(*range(lead), *stretched), keepdims=True), shape)
    if gradient.dtype != operand.dtype:
        gradient = gradient.astype(operand.dtype)
    return gradient


class Registry(MutableMapping[str, Primitive]):
    """The operations by name, family by family in the order of the palette, each family in the order of its file.

    A look-up imports one family after the other until the name is there: a small graph waits for few of them.
    """

    def __init__(self) -> None:
        self.loaded: dict[str, Primitive] = {}
        self._is_complete = False

    def __getitem__(self, name: str) -> Primitive:
        if name not in self.loaded and not self._is_complete:
            for family in FAMILIES:
                import_module(family)
                if name in self.loaded:
                    break
            else:
                self.load()  # so that the next name that none has costs no search
        return self.loaded[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.loaded.get(name) or super().get(name, default)  # the first nearly always, and quicker

    def __setitem__(self, name: str, record: Primitive) -> None:
        self.loaded[name] = record

    def __delitem__(self, name: str) -> None:
        del self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(self.loaded)

    def __len__(self) -> int:
        self.load()
        return len(self.loaded)

    def load(self) -> None:
        """Import all families."""
        if not self._is_complete:
            in_order = [record for family in families() for record in family.FAMILY.records]
            self.loaded = {record.name: record for record in in_order} | self.loaded
            self._is_complete = True

    @property
    def categories(self) -> tuple[str, ...]:
        """The headings of the palette."""
        return tuple(dict.fromkeys(record.category for record in self.values()))


REGISTRY = Registry()
SYNONYMS: dict[str, Primitive] = {}  # without regard to case


def register(primitive: Primitive) -> Primitive:
    """Add a record to the table of operations; a name or a synonym may be taken only once."""
    for name in (primitive.name, *primitive.synonyms):
        if name in REGISTRY.loaded or name.casefold() in SYNONYMS:
            raise ValueError(f"two records for the operation {name}")
    REGISTRY[primitive.name] = primitive
    SYNONYMS.update({name.casefold(): primitive for name in primitive.synonyms})
    expression.NOTATIONS[primitive.name] = primitive.notation
    if isinstance(primitive.value, np.ufunc):  # numpy's own name may differ: np.abs is called "absolute"
        expression.NOTATIONS[primitive.value.__name__] = primitive.notation
    return primitive


def known_as(name: str) -> Primitive | None:
    """The operation of this name, or the one with it as a synonym ("average", "ReLU", "@"); None if there is none."""
    plain = name.casefold()
    return REGISTRY.get(name) or REGISTRY.get(plain) or SYNONYMS.get(plain)


class Family:
    """The operations of one file, in its order, which the palette has under one heading: the category.

    A record without a notation is written as a call of its name, which also stands for its symbol.
    """

    def __init__(self, category: str) -> None:
        self.category, self.records = category, list[Primitive]()

    def elementwise(self, name: str, value: Rule, *slots: Slot, **record: Any) -> Primitive:
        """Register an operation that acts on each element alone: the value and one partial per slot say everything."""
        return self._register(name, value, slots, shape=_broadcast_shape(name), elementwise=True, **record)

    def structural(self, name: str, value: Rule, *slots: Slot, shape: Callable[..., Shape], **record: Any) -> Primitive:
        """Register an operation that mixes or moves elements: it brings its own shape rule, transposes and pushes."""
        return self._register(name, value, slots, shape=shape, **record)

    def _register(self, name: str, value: Rule, slots: tuple[Slot, ...], **record: Any) -> Primitive:
        usual: dict[str, Any] = {
            "notation": expression.called(name, len(slots)),
            "symbol": name,
            "category": self.category,
        }
        primitive = register(Primitive(name=name, value=value, slots=slots, **usual | record))
        self.records.append(primitive)
        return primitive


def _broadcast_shape(name: str) -> Callable[..., Shape]:
    def shape(*shapes: Shape, **attributes: Any) -> Shape:
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            listed = Listing(shapes)
            raise ShapeError(
                "{op} cannot pair shapes {listed}",
                "make them equal, or 1 in the axes where they differ",
                op=name,
                listed=listed,
            ) from None

    return shape


def operand_names(primitive: Primitive, count: int | None = None) -> list[str]:
    """The names that stand for the operands when a rule is read: x0, x1 ...; `count` says how many are wired."""
    return [f"x{index}" for index in range(len(primitive.slots) if count is None else count)]
