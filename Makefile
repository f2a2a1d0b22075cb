# Only python3, python3-venv, make and git need to be there; everything else comes from here.
# ARGS goes to the program or to pytest: make run ARGS="lesson.cadena", make test ARGS="-k storage".

PYTHON := .venv/bin/python
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test oracle lint format bench screenshot schema reference lock clean

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup:  ## make .venv, install the pinned dependencies, and what Qt needs from the system
	@sh scripts/setup.sh

run: setup  ## open the window (ARGS="file.cadena" opens a file)
	@$(PYTHON) main.py $(ARGS)

test: lint  ## lint, then the whole test suite (ARGS="-k name" picks tests)
	@sh scripts/setup.sh xvfb
	$(PYTHON) -m pytest -n auto --dist worksteal $(ARGS)

oracle: setup  ## compare with PyTorch, JAX and TensorFlow, installed into .venv-oracle for it
	@sh scripts/oracle.sh $(ARGS)

lint: setup  ## style, imports, format and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

format: setup  ## fix style and format where it can be done by machine
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

bench: setup  ## time the engine and the canvas (beside PyTorch once make oracle has installed it)
	$(if $(wildcard .venv-oracle/wanted),.venv-oracle/bin/python,$(PYTHON)) -m tests.benchmarks.run $(ARGS)

screenshot: setup  ## take the README's picture anew
	$(PYTHON) -m tests.screenshots.readme

schema: setup  ## write the JSON Schema of the file format from the code
	$(PYTHON) -m cadena.core.storage.schema

reference: setup  ## write docs/operations.md, the reference of all operations, from the code
	$(PYTHON) -m cadena.core.notation.reference

lock:  ## pin the newest fitting versions in requirements.lock (needs python3.11)
	sh scripts/lock.sh

clean:  ## remove .venv, caches and build results
	rm -rf .venv .venv-oracle .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
