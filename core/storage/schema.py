"""The JSON Schema of .cadena files, made from the records that reading uses; run as a module, this writes it anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from cadena.core.storage.records import StoredDocument

SCHEMA_FILE = Path(__file__).parent.parent.parent / "resources" / "cadena.schema.json"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the file format."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Cadena graph (.cadena)"}
    return head | msgspec.json.schema(StoredDocument)


def schema_text() -> str:
    """The JSON Schema as it stands in resources/."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
