"""Calls of stand-ins: they take the real library's signature, and refuse an argument that would have no effect here.

A library's `SIGNATURES` has a line for each function, method and class that there is. Its implementation here names the
parameters that it uses; any other argument must have its default. What has no line is not part of the library.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from cadena.core.scripts.missing import NOT_PART, own_library

NONE = inspect.Parameter.empty
# Arguments that change no number: how the library goes about it, or what it calls the result.
WITHOUT_EFFECT = frozenset(
    "name memory_format pin_memory non_blocking use_locking read_value input_signature autograph jit_compile "
    "reduce_retracing static_argnums static_argnames donate_argnums inline keep_unused unroll validate_args "
    "validate_indices foreach fused capturable".split()
)


class Beyond(TypeError):
    """An argument that the built-in library does not have; the sentence says so."""


class CallForm(NamedTuple):
    """One way to call a function, as the library documents it."""

    positional: tuple[str, ...]
    rest: str  # the parameter that takes all further positional arguments
    names: tuple[str, ...]  # all parameters but `rest`
    defaults: Mapping[str, Any]

    def bind(self, arguments: Sequence[Any], keywords: Mapping[str, Any], synonyms: Mapping[str, str]) -> Bound:
        """The arguments by their parameters. Raises TypeError where the library would."""
        count = len(self.positional)
        if len(arguments) > count and not self.rest:
            raise TypeError(f"takes {count} positional arguments but {len(arguments)} were given")
        values = dict(zip(self.positional, arguments, strict=False))
        for key, value in keywords.items():
            name = key if key in self.names or key not in synonyms else synonyms[key]
            if name == self.rest and not arguments[count:]:
                return Bound(values, (value,))
            if name not in self.names:
                raise TypeError(f"got an unexpected keyword argument {key!r}")
            if name in values:
                raise TypeError(f"got multiple values for argument {key!r}")
            values[name] = value
        if missing := [name for name in self.names if name not in values and name not in self.defaults]:
            raise TypeError(f"missing a required argument: {missing[0]!r}")
        return Bound(values, tuple(arguments[count:]))


class Bound(NamedTuple):
    """The arguments of one call."""

    values: dict[str, Any]
    rest: tuple[Any, ...]


def forms_of(signatures: str) -> dict[str, list[CallForm]]:
    """By each name, such as torch.nn.Linear, its forms."""
    table: dict[str, list[CallForm]] = {}
    for line in signatures.strip().splitlines():
        name, _, rest = line.partition("(")
        for one in name.split("|"):
            table.setdefault(one, []).append(_form(rest.removesuffix(")")))
    return table


@functools.lru_cache(maxsize=1024)
def _form(parameters: str) -> CallForm:
    tree = ast.parse(f"def f({parameters}): pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    declared = tree.args
    positional = tuple(item.arg for item in (*declared.posonlyargs, *declared.args))
    further = tuple(item.arg for item in declared.kwonlyargs)
    pairs = [*zip(positional[len(positional) - len(declared.defaults) :], declared.defaults, strict=True)]
    pairs += [(name, item) for name, item in zip(further, declared.kw_defaults, strict=True) if item is not None]
    rest = declared.vararg.arg if declared.vararg else ""
    return CallForm(positional, rest, positional + further, {name: _default(item) for name, item in pairs})


def _default(item: ast.expr) -> Any:
    try:
        return ast.literal_eval(item)
    except ValueError:
        return ast.unparse(item)  # an object of the library, by its name


def checked(
    name: str,
    forms: Sequence[CallForm],
    function: Callable[..., Any],
    synonyms: Mapping[str, str] = {},
    bound: bool = False,
    used: Collection[str] | None = None,
) -> Any:
    """`function` called as the library's function of this name; where it is `bound`, its first parameter is self.

    `used` has the parameters that it uses, where its own do not say so, and "*" where it takes any number of arguments.
    """
    direct, least = 0, bound + sum(name not in forms[0].defaults for name in forms[0].names) if forms else 0
    if used is None:
        used, direct = _used(function, forms, bound)

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if least <= len(arguments) <= direct and not keywords:
            return function(*arguments)
        own, others = arguments[:bound], arguments[bound:]
        return _called(name, forms, others, keywords, synonyms, used, functools.partial(function, *own))

    call.forms, call.used = forms, used  # type: ignore[attr-defined]  # a function may have attributes
    return call


def _called(
    name: str,
    forms: Sequence[CallForm],
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    synonyms: Mapping[str, str],
    used: Collection[str],
    function: Callable[..., Any],
) -> Any:
    for number, form in enumerate(forms):
        try:
            values, rest = form.bind(arguments, keywords, synonyms)
        except TypeError as error:
            if number == len(forms) - 1:
                raise TypeError(f"{name}() {error}") from None
            continue
        for key in [key for key in values if key not in used]:
            refuse(name, key, values.pop(key), form.defaults.get(key, NONE))
        if not rest and "*" not in used:
            return function(**values)
        first = [values.pop(key) for key in takewhile(values.__contains__, form.positional)]
        return function(*first, *rest, **values)
    raise AssertionError


def bound(name: str, form: CallForm, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Bound:
    """The arguments of a call of `name`. Raises TypeError with that name where the library would."""
    try:
        return form.bind(arguments, keywords, {})
    except TypeError as error:
        raise TypeError(f"{name}() {error}") from None


def refuse(name: str, argument: str, value: Any, default: Any) -> None:
    """Raise Beyond for an argument that is not used here, unless it changes nothing."""
    if value is default or (type(value) in (int, float, bool, str, tuple) and value == default):
        return
    if argument in WITHOUT_EFFECT or str(value) == default or (argument == "device" and _is_processor(value)):
        return
    raise Beyond(
        f"the argument {argument}={_shown(value)} of {name}{NOT_PART}{own_library(name).built_in}; leave it out, "
        f"or {own_library(name).advice}"
    )


def _is_processor(value: Any) -> bool:
    return value is None or str(value).lower().lstrip("/").split(":")[0] == "cpu"


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else "..."


def _used(function: Callable[..., Any], forms: Sequence[CallForm], bound: bool) -> tuple[frozenset[str], int]:
    """The parameters that an implementation uses, "*" among them where it takes any number of positional ones, and how
    many positional arguments may be handed over as they are."""
    parameters = [*inspect.signature(function).parameters.values()][bound:]
    used = frozenset(item.name for item in parameters)
    if any(item.kind == item.VAR_KEYWORD for item in parameters):
        raise TypeError(f"{function!r} takes keyword arguments without a name")
    if any(item.kind == item.VAR_POSITIONAL for item in parameters):
        return used.union("*", *(form.positional for form in forms)), 0
    if len(forms) > 1:
        return used, 0
    leading = [item.name for item in parameters if item.kind < item.KEYWORD_ONLY]
    pairs = zip(leading, forms[0].positional, strict=False)
    same = next(
        (at for at, (own, theirs) in enumerate(pairs) if own != theirs), min(len(leading), len(forms[0].positional))
    )
    return used, same + bound


def all_checked(
    module: str, names: Mapping[str, Any], table: Mapping[str, Sequence[CallForm]], synonyms: Mapping[str, str] = {}
) -> dict[str, Any]:
    """The names of a module, of which functions and classes are called as the table has them."""
    members = dict[str, Any]()
    for name, value in names.items():
        forms = table.get(f"{module}.{name}", ())
        if inspect.isclass(value) and forms:
            type.__setattr__(
                value, "__init__", checked(f"{module}.{name}", forms, value.__init__, synonyms, bound=True)
            )
        elif inspect.isfunction(value) and not hasattr(value, "forms"):
            value = checked(f"{module}.{name}", table[f"{module}.{name}"], value, synonyms)
        members[name] = value
    return members
