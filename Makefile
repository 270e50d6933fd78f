# Two commands for a new user: `make demo` and `make test`. Each creates .venv if there is none.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin

# Extras of the tests, and the versions they were tested with: `make test EXTRAS=dev` does without
# PARDISO and Gmsh, `make test CONSTRAINTS=` takes the newest versions.
EXTRAS      ?= dev,mesh,fast
CONSTRAINTS ?= constraints.txt
PIP = -m pip install --quiet --disable-pip-version-check
PINNED = $(CONSTRAINTS:%=--constraint %)

.PHONY: demo test coverage slow bench reliability oldest constraints lint rigid-kernels elastic-kernels clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("fecontact needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml $(CONSTRAINTS)
	$(BIN)/python $(PIP) $(PINNED) --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml $(CONSTRAINTS)
	$(BIN)/python $(PIP) $(PINNED) --editable '.[$(EXTRAS)]'
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(BIN)/fecontact run gearbox/clutch_plate --quick --out out/clutch_plate

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests that compile most of the kernels, in one process each: the workers of `test` then read them
# from the cache and do not compile them one beside the other.
RIGID   = tests/contact/test_compiled_rigid.py::test_shapes tests/integrate/test_explicit_rolling.py \
          tests/integrate/test_explicit.py::test_lanes_give_the_same_motion
ELASTIC = tests/contact/test_compiled_facets.py::test_tangents

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

# Benchmarks, against the peers that are installed; says what is missing and how to get it. Writes
# benchmarks/results, and the tables and plots of docs/benchmarks.md. Takes half an hour on a quiet machine.
bench: $(VENV)/.dev
	$(BIN)/python benchmarks/run.py --fresh

# Trials in bulk with fixed seeds; writes the table of docs/reliability.md.
reliability: $(VENV)/.dev
	CI=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python benchmarks/reliability.py

# The oldest versions that pyproject.toml allows, in an environment of their own.
OLD    = $(VENV)-oldest
OLDEST = tests/fem tests/mesh tests/reduction tests/solvers tests/kernels tests/results tests/body \
         tests/joint tests/system tests/view tests/cli tests/robust tests/test_cli.py \
         tests/contact/test_compiled_rigid.py tests/integrate/test_simulate.py tests/analysis/test_maps.py \
         tests/literature/test_jehle_elastic_disc.py

$(OLD)/.ready: pyproject.toml .ci/oldest.py
	$(PYTHON) -m venv --clear $(OLD)
	$(PYTHON) .ci/oldest.py > $(OLD)/constraints.txt
	$(OLD)/bin/python $(PIP) --constraint $(OLD)/constraints.txt --editable '.[test,mesh,fast]'
	@touch $@

oldest: $(OLD)/.ready
	NUMBA_CACHE_DIR=$(OLD)/numba CI=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 \
	$(OLD)/bin/python -m pytest --numprocesses=auto --dist=worksteal $(OLDEST)

# The newest versions that pyproject.toml allows become those of the tests: run `make test` next.
NEW = $(VENV)-new
constraints:
	$(PYTHON) -m venv --clear $(NEW)
	$(NEW)/bin/python $(PIP) --editable '.[$(EXTRAS)]'
	( echo '# Versions of the tests; made by `make constraints`.'; \
	  $(NEW)/bin/python -m pip freeze --exclude-editable | grep '==' ) > constraints.txt

clean:
	rm -rf $(VENV) $(OLD) $(NEW) out build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
