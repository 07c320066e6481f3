# Everything happens in .venv; its stamp file is newer than pyproject.toml once the dependencies are installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check bench fuzz clean

run: $(VENV)/.installed
	@$(BIN)/errata run

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --editable '.[dev,bench]'
	$(BIN)/python -m tests.benchmarks.scale $(BENCH)

fuzz: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --editable '.[dev,fuzz]'
	$(BIN)/python -m tests.fuzzing --minutes 10

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable '.[dev,ocr]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
