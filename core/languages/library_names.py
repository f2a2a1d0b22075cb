"""What the libraries call the operations, read from the tables that programs are written with: reduce_sum is sum."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cadena.core.languages.record import LANGUAGES


def operations_called(name: str) -> tuple[str, ...]:
    """The operations that a library has under this name, with or without its module: "torch.mm", "reduce_sum"."""
    return _by_name().get(name.rpartition(".")[2].casefold(), ())


@cache
def _by_name() -> Mapping[str, tuple[str, ...]]:
    """The operations by the last part of the names of functions, in small letters."""
    table: dict[str, dict[str, None]] = {}
    for language in filter(None, (record.table for record in LANGUAGES.values())):
        for name, signatures in language.signatures.items():
            module, _, last = name.rpartition(".")
            if module and last != "apply":  # without a module it is a helper of the program, or a sign
                table.setdefault(last.casefold(), {}).update((one.op, None) for one in signatures)
    return {name: tuple(ops) for name, ops in table.items()}
