"""The inputs that the settings of a training name, under the key "training" of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEY, COLUMNS = "training", "columns"


def with_inputs_renamed(extra: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """The other keys of a document, in which the data goes to the inputs by their new names."""
    settings = extra.get(KEY)
    columns = settings.get(COLUMNS) if isinstance(settings, dict) else None
    if not isinstance(columns, dict) or not columns.keys() & names.keys():
        return extra
    renamed = {names.get(name, name): item for name, item in columns.items()}
    return {**extra, KEY: {**settings, COLUMNS: renamed}}  # type: ignore[dict-item]
