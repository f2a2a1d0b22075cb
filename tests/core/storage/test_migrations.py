from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.graph.memos import memos
from cadena.core.graph.reroutes import reroutes
from cadena.core.layout.arrange import card_sizes
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import read
from cadena.core.storage.migrations import CURRENT, MIGRATIONS, migrate, version_of

FROZEN = Path(__file__).with_name("frozen")
VERSIONS = range(1, CURRENT + 1)
# Older files hold small float32 and float16 arrays as base64; we read those and save them as lists.
SMALL_AS_BASE64 = b'{"shape": [2], "dtype": "float32", "base64": "AADAPwAAEMA="}'
SMALL_AS_LISTS = b'[1.5, -2.25], "dtype": "float32"'


def test_every_version_there_ever_was_has_a_frozen_example():
    assert {path.stem.partition("_")[0] for path in FROZEN.iterdir()} == {f"v{version}" for version in VERSIONS}
    assert len(MIGRATIONS) == CURRENT - 1


@pytest.mark.parametrize("version", VERSIONS)
def test_the_frozen_example_of_every_version_is_read(version):
    path = FROZEN / f"v{version}.cadena"
    assert json.loads(path.read_bytes())["version"] == version
    assert len(read(path).nodes) > 10


@pytest.mark.parametrize("path", sorted(FROZEN.glob(f"v{CURRENT}*.cadena")), ids=lambda path: path.stem)
def test_the_frozen_examples_of_the_present_version_keep_every_byte(path):
    data = path.read_bytes().replace(SMALL_AS_BASE64, SMALL_AS_LISTS)
    assert encode(decode(data)) == data
    assert decode(path.read_bytes()) == decode(data)


OLD_NUMBER, OLD_ARRAY = (120, 72), (192, 156)  # the cards of version 1
ARRAYS = [1.0, [1.0, 2.0, 3.0, 4.0], [[1.0, 2.0]], [[1.0], [2.0], [3.0], [4.0], [5.0]], [[[1.0], [2.0]]]]


@pytest.mark.parametrize("value", ARRAYS, ids=str)
@pytest.mark.parametrize("op", ["exp", "outer", "sum"])
def test_cards_of_a_file_from_before_they_grew_cover_nothing_that_they_did_not_cover(value, op):
    """Cards that touch each other in version 1: in a row, then one below the other."""
    wide, high = OLD_NUMBER if value == 1.0 else OLD_ARRAY
    nodes = [{"name": name, "op": "parameter", "value": value} for name in "abc"]
    nodes += [{"name": "y", "op": op, "inputs": ["a", "b"][: 1 + (op == "outer")]}]
    places = {"a": [-7.5, 3.5], "b": [wide - 7.5, 3.5], "c": [-7.5, high + 3.5], "y": [wide - 7.5, high + 3.5]}
    document = decode(json.dumps({"format": "cadena", "version": 1, "nodes": nodes, "layout": places}).encode())
    sizes = card_sizes(document)
    boxes = [(x, y, x + sizes[name][0], y + sizes[name][1]) for name, (x, y) in document.layout.items()]
    for (left, top, right, bottom), (x1, y1, x2, y2) in combinations(boxes, 2):
        assert x1 >= right or x2 <= left or y1 >= bottom or y2 <= top


def test_what_lies_beside_the_cards_of_an_older_file_keeps_its_place_among_them():
    stored = {
        "format": "cadena", "version": 1, "layout": {"x": [0, 72], "y": [240, 0]},
        "notes": [{"text": "n", "at": [120, -72]}],
        "nodes": [{"name": "x", "op": "input"},
                  {"name": "y", "op": "f", "inputs": ["x"], "reroutes": {"0": [[-60, 36]]}}],
        "functions": {"f": {"inputs": ["a"], "nodes": [{"name": "s", "op": "sin", "inputs": ["a"]}], "output": "s",
                            "layout": {"s": [600, 7200]}}},
    }  # fmt: skip
    document = decode(json.dumps(stored).encode())
    assert document.layout == {"x": (0.0, 88.0), "y": (272.0, 0.0)}
    assert memos(document)[0].at == (136.0, -88.0) and reroutes(document, "y") == {0: ((204.0, 44.0),)}
    assert document.functions["f"].layout == {"s": (680.0, 8800.0)}


@pytest.mark.parametrize("place", [7, [1], ["a", 0], None])
def test_a_place_of_an_older_file_that_cannot_be_read_is_named(place):
    stored = {"format": "cadena", "version": 1, "nodes": [{"name": "x", "op": "input"}], "layout": {"x": place}}
    with pytest.raises(Refused, match="layout"):
        decode(json.dumps(stored).encode())


def nodes_were_called_cells(stored):
    cells = stored.pop("cells")
    return stored | {"nodes": cells}


def titles_were_lists(stored):
    return stored | {"title": " ".join(stored["title"])}


OLD = {"format": "cadena", "version": 1, "title": ["two", "words"], "cells": [], "note": "kept"}


def test_migrations_run_in_order_from_the_version_of_the_file():
    migrations = (nodes_were_called_cells, titles_were_lists)
    new = {"format": "cadena", "version": 3, "title": "two words", "nodes": [], "note": "kept"}
    assert migrate(dict(OLD), migrations) == new
    assert migrate({"version": 2, "title": ["a", "b"]}, migrations) == {"version": 3, "title": "a b"}
    assert migrate(dict(new), migrations) == new


def test_an_older_file_is_migrated_while_it_is_read(monkeypatch):
    monkeypatch.setattr("cadena.core.storage.decoding.CURRENT", 3)
    migrations = (nodes_were_called_cells, titles_were_lists)
    monkeypatch.setattr("cadena.core.storage.decoding.version_of", lambda number: version_of(number, 3))
    monkeypatch.setattr("cadena.core.storage.decoding.migrate", lambda stored: migrate(stored, migrations))
    document = decode(json.dumps(OLD).encode())
    assert document.title == "two words"
    assert document.extra == {"note": "kept"}


@pytest.mark.parametrize("damage", [{"cells": []}, {"cells": [], "title": 7}, {"cells": [], "title": [None]}])
def test_an_older_file_that_is_not_in_order_is_refused_in_one_sentence(damage):
    stored = {"version": 1} | damage
    with pytest.raises(Refused, match="the file is not in order for format version 2; restore a copy of it"):
        migrate(stored, (nodes_were_called_cells, titles_were_lists))


@pytest.mark.parametrize("number", [None, "1", 1.0, True, 0, -3, [1]])
def test_a_version_is_a_whole_number_from_1(number):
    with pytest.raises(Refused, match="version must be a whole number from 1; correct it"):
        version_of(number)


def test_a_newer_version_is_refused_in_plain_words():
    with pytest.raises(Refused) as refused:
        migrate({"version": 7})
    newer = "the file was made by a newer Cadena (format version 7; this one reads up to 2); update Cadena"
    assert str(refused.value) == newer
