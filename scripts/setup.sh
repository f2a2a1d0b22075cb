#!/bin/sh
# Finds a Python that Cadena runs on and hands over to prepare.py, which does the rest.
set -eu
cd -- "$(dirname -- "$0")/.."

for python in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
        exec "$python" scripts/prepare.py "$@"
    fi
done
echo "setup: Cadena needs Python 3.11 to 3.14 and none is on PATH; install one" \
    "(Debian 12 and 13: apt-get install python3 python3-venv)." >&2
exit 1
