from __future__ import annotations

import json
from pathlib import Path

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import read
from cadena.core.storage.migrations import CURRENT, MIGRATIONS, migrate, version_of

FROZEN = Path(__file__).with_name("frozen")
VERSIONS = range(1, CURRENT + 1)
# Small arrays of other number types than float64 were base64 at first; such files are read and written anew as lists.
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
    newer = "the file was made by a newer Cadena (format version 7; this one reads up to 1); update Cadena"
    assert str(refused.value) == newer
