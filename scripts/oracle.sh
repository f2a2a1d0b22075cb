#!/bin/sh
# Runs the tests marked oracle in .venv-oracle, which has PyTorch, JAX, TensorFlow and onnx beside what
# Cadena needs.
# With PEERS=optional it is no error that these cannot be installed; a comparison that fails always is one.
set -eu
cd -- "$(dirname -- "$0")/.."

peers="torch==2.13.0 torchvision==0.28.0 onnx==1.23.2 jax==0.10.2 tensorflow-cpu==2.21.0 expecttest==0.3.0"
venv=.venv-oracle
wanted="$(cat requirements.lock) $peers"
if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
    .venv/bin/python -m venv --clear "$venv"
    # Byte code of 3 GB is half of the installation, and most of it is never run.
    "$venv/bin/pip" install --quiet --no-compile -r requirements.lock $peers >"$venv/log" 2>&1 || {
        echo "oracle: $peers cannot be installed here, so nothing is compared with them:" \
            "$(grep ERROR "$venv/log" | tail -n 1)" >&2
        [ "${PEERS:-}" = optional ] && exit 0
        exit 1
    }
    printf '%s' "$wanted" >"$venv/wanted"  # last, so that a half-made environment has none
fi
if ! command -v g++ >/dev/null || [ ! -d /usr/include/eigen3 ]; then
    echo "oracle: g++ or Eigen is missing, so no exported C++ is compiled; apt-get install g++ libeigen3-dev" >&2
fi
exec "$venv/bin/python" -m pytest -n auto --dist worksteal -m oracle --thorough tests/core tests/fuzz "$@"
