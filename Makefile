# Each target does all set-up that it needs. `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help book serve test lock clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

book: $(READY) ## run what is stale and render the site into _build/html
	$(BIN)/python -m forcebench_lib build

serve: book ## render the site and show it at http://localhost:8000
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html 8000

test: $(READY) ## lint, check types and run all tests, those of the rendered book included
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m forcebench_lib notebooks --check
	$(BIN)/python -m pytest

lock: $(READY) ## resolve the pins anew, with hashes
	$(BIN)/uv pip compile --quiet --upgrade pyproject.toml --extra test --universal --fork-strategy fewest \
		--python-version 3.11.7 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --output-file requirements.txt

clean: ## remove the environment, the executed notebooks and the site
	rm -rf $(VENV) executed _build

$(READY): requirements.txt pyproject.toml .ci/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
		{ echo "This project needs Python 3.11 to 3.13, found $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 book"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@
