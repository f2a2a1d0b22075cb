#!/bin/sh
# Writes requirements.lock: the newest versions that pyproject.toml allows, names and numbers only, no addresses.
# Made with the oldest Python that Cadena runs on, because newer packages tend to drop it first.
set -eu
cd -- "$(dirname -- "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3.11 -m venv "$scratch/venv"
"$scratch/venv/bin/python" - >"$scratch/wanted" <<'PYTHON'
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print(*project["dependencies"], *project["optional-dependencies"]["dev"], sep="\n")
PYTHON
"$scratch/venv/bin/python" -m pip install --quiet -r "$scratch/wanted"
{
    echo "# Exact versions for running and testing on Python 3.11 to 3.14. Written by make lock."
    "$scratch/venv/bin/python" -m pip freeze
} >"$scratch/lock"
mv "$scratch/lock" requirements.lock
