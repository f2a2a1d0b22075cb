from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from cadena.core.storage.records import StoredDocument
from cadena.core.storage.schema import SCHEMA_FILE, schema, schema_text

ROOT = Path(__file__).parents[3]
FROZEN = Path(__file__).with_name("frozen")
EXAMPLES = [*(ROOT / "resources" / "lessons").glob("*.cadena"), *FROZEN.glob("*.cadena")]


def test_the_schema_in_resources_is_up_to_date():
    assert SCHEMA_FILE.read_text("utf-8") == schema_text(), "make schema"


def test_the_schema_is_written_by_its_module():
    before = SCHEMA_FILE.read_bytes()
    command = [sys.executable, "-W", "error", "-m", "cadena.core.storage.schema"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert SCHEMA_FILE.read_bytes() == before


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_files_that_come_with_cadena_are_what_the_schema_says(path):
    stored = json.loads(path.read_bytes())
    made = msgspec.convert(stored, StoredDocument)
    assert [node.name for node in made.nodes] == [node["name"] for node in stored["nodes"]]


def test_the_schema_names_every_key_of_the_contract():
    records = schema()["$defs"]
    document, node = records["StoredDocument"], records["StoredNode"]
    keys = ["format", "version", "nodes", "title", "dtype", "output", "layout", "functions"]
    assert list(document["properties"]) == keys
    assert document["required"] == ["format", "version", "nodes"]
    assert list(node["properties"]) == [
        *("name", "op", "inputs", "value", "dtype", "attributes", "gradient", "guard", "line", "unconnected")
    ]
    assert node["required"] == ["name", "op"]
    function, backward = records["StoredFunction"], records["StoredBackward"]
    assert function["required"] == ["inputs", "nodes", "output"]
    assert backward["required"] == ["inputs", "nodes", "outputs"]
    assert all(
        "description" in key for record in (document, node, function, backward) for key in record["properties"].values()
    )
