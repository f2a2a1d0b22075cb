"""Records of the nodes that a document shows expanded, under the key "atoms" of its file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

KEY = "atoms"


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """An expanded node, and the names of the nodes in its place, in order; the last has the node's name.

    Where that last node was expanded once more, its own group is in the place of this one, which is the `outer` of it.
    """

    op: str
    inputs: tuple[str, ...]
    attributes: dict[str, Any]
    nodes: tuple[str, ...]
    shift: float = 0.0  # how far what stood to the right made room, in canvas units
    shapes: tuple[tuple[int, ...], ...] | None = None  # of the operands, when it was expanded
    outer: Group | None = None

    @property
    def name(self) -> str:
        return self.nodes[-1]


def groups(extra: Mapping[str, Any]) -> dict[str, Group]:
    """The groups of a document by the name of their last node, of several the innermost.

    Records that nobody can read are left out.
    """
    stored = extra.get(KEY)
    records = {}
    for name, record in stored.items() if isinstance(stored, dict) else ():
        try:
            group = msgspec.convert(record, Group)
        except (msgspec.ValidationError, RecursionError):
            continue
        if all(one.nodes and one.name == name for one in _outwards(group)):
            records[name] = group
    return records


def all_groups(extra: Mapping[str, Any]) -> list[Group]:
    """All groups; of those that have the same last node the innermost first."""
    return [group for innermost in groups(extra).values() for group in _outwards(innermost)]


def _outwards(group: Group) -> Iterator[Group]:
    """The group, the one around it that ends with the same node, and so on."""
    one: Group | None = group
    while one is not None:
        yield one
        one = one.outer


def with_group(extra: Mapping[str, Any], group: Group) -> dict[str, Any]:
    """Add a group to `extra`, inside one that ends with the same node if there is such."""
    stored = extra.get(KEY)
    inside = replace(group, outer=groups(extra).get(group.name))
    return {**extra, KEY: {**(stored if isinstance(stored, dict) else {}), group.name: _stored(inside)}}


def without_group(extra: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Remove this group from `extra`, of several the innermost; also the key when none is left."""
    outer = groups(extra)[name].outer
    left = {**extra[KEY], name: _stored(outer)} if outer else {k: v for k, v in extra[KEY].items() if k != name}
    return {key: left if key == KEY else item for key, item in extra.items() if key != KEY or left}


def with_new_names(extra: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """Rename nodes in the groups of `extra`, from old names to new ones."""
    known = groups(extra)
    renamed = {name: _renamed(group, names) for name, group in known.items()}
    if renamed == known:
        return extra
    stored = extra[KEY]
    new = {names.get(name, name): _stored(renamed[name]) if name in renamed else stored[name] for name in stored}
    return {**extra, KEY: new}


def of_nodes(extra: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The groups of `extra` all of whose nodes are among `names`, and nothing else."""
    inside = {name: _within(group, set(names)) for name, group in groups(extra).items()}
    stored = {name: _stored(group) for name, group in inside.items() if group is not None}
    return {KEY: stored} if stored else {}


def _within(group: Group, names: set[str]) -> Group | None:
    if not names.issuperset(group.nodes):
        return None
    return replace(group, outer=group.outer and _within(group.outer, names))


def with_groups(extra: Mapping[str, Any], others: Mapping[str, Any]) -> Mapping[str, Any]:
    """Merge the groups of `others` into `extra`; their nodes were pasted, so the nodes of `extra` made no room."""
    if KEY not in others:
        return extra
    stored = extra.get(KEY)
    new = {name: _stored(_without_room(group)) for name, group in groups(others).items()}
    return {**extra, KEY: {**(stored if isinstance(stored, dict) else {}), **new}}


def _without_room(group: Group) -> Group:
    return replace(group, shift=0.0, outer=group.outer and _without_room(group.outer))


def _renamed(group: Group, names: Mapping[str, str]) -> Group:
    inputs, nodes = (tuple(names.get(one, one) for one in listed) for listed in (group.inputs, group.nodes))
    outer = None if group.outer is None else _renamed(group.outer, names)
    return replace(group, inputs=inputs, nodes=nodes, outer=outer)


def _stored(group: Group) -> dict[str, Any]:
    """The record as plain lists and objects, just as it comes from a file."""
    return json.loads(msgspec.json.encode(group))  # type: ignore[no-any-return]
