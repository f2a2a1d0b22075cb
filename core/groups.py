"""What a document remembers of nodes that stand expanded: a record for each, under the key "atoms" of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

KEY = "atoms"


class Group(msgspec.Struct, frozen=True):
    """The node that a group stands for, and the names of the group's nodes in order; the last has the node's name."""

    op: str
    inputs: tuple[str, ...]
    attributes: dict[str, Any]
    nodes: tuple[str, ...]
    shift: float = 0.0  # how far what stood to the right made room, in canvas units

    @property
    def name(self) -> str:
        return self.nodes[-1]


def groups(extra: Mapping[str, Any]) -> dict[str, Group]:
    """The groups of a document by the name of their last node. Records that nobody can read are left out."""
    stored = extra.get(KEY)
    found = {}
    for name, record in stored.items() if isinstance(stored, dict) else ():
        try:
            group = msgspec.convert(record, Group)
        except msgspec.ValidationError:
            continue
        if group.nodes and group.name == name:
            found[name] = group
    return found


def with_group(extra: Mapping[str, Any], group: Group) -> dict[str, Any]:
    """`extra` with one group more."""
    stored = extra.get(KEY)
    return {**extra, KEY: {**(stored if isinstance(stored, dict) else {}), group.name: _stored(group)}}


def without_groups(extra: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """`extra` without these groups, and without the key when none is left."""
    gone = set(names)
    left = {name: record for name, record in dict(extra.get(KEY, {})).items() if name not in gone}
    rest = {key: item for key, item in extra.items() if key != KEY}
    return {key: left if key == KEY else rest[key] for key in extra if key != KEY or left}


def with_new_names(extra: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """`extra` after nodes were renamed, old names to new ones."""
    stored = dict(extra.get(KEY) or {}) if groups(extra) else {}
    renamed = {}
    for name, group in groups(extra).items():
        inputs, nodes = (tuple(names.get(one, one) for one in listed) for listed in (group.inputs, group.nodes))
        renamed[name] = msgspec.structs.replace(group, inputs=inputs, nodes=nodes)
    if renamed == groups(extra):
        return extra
    known = {names.get(name, name): _stored(renamed[name]) if name in renamed else stored[name] for name in stored}
    return {**extra, KEY: known}


def _stored(group: Group) -> dict[str, Any]:
    """The record as plain lists and objects, as it comes from a file."""
    return msgspec.to_builtins(group)  # type: ignore[no-any-return]
