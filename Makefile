# Two commands for a new user: `make demo` and `make test`. Each creates .venv if there is none.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin

.PHONY: demo test coverage slow lint rigid-kernels elastic-kernels clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("fecontact needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(BIN)/fecontact run jehle/elastic_disc --out out/elastic_disc

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests that compile most of the kernels, in one process each: the workers of `test` then read them
# from the cache and do not compile them one beside the other.
RIGID   = tests/contact/test_fused.py::test_shapes tests/simulate/test_explicit_rolling.py \
          tests/simulate/test_explicit.py::test_lanes_give_the_same_motion
ELASTIC = tests/contact/test_elastic_fused.py::test_tangents

# fixed seeds; one BLAS thread per test process: several pools on few cores only spin
PYTEST = CI=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m pytest

rigid-kernels: $(VENV)/.dev
	@$(PYTEST) --quiet --no-header --numprocesses=0 $(RIGID)

elastic-kernels: $(VENV)/.dev
	@$(PYTEST) --quiet --no-header --numprocesses=0 $(ELASTIC)

test: $(VENV)/.dev
	@$(MAKE) --no-print-directory --jobs=2 rigid-kernels elastic-kernels lint
	$(PYTEST) --numprocesses=auto --dist=worksteal --durations=15

coverage: $(VENV)/.dev
	$(PYTEST) --numprocesses=auto --dist=worksteal --cov --cov-report=term

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

clean:
	rm -rf $(VENV) out build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
