# The two commands a newcomer needs are `make demo` and `make test`; both make the environment by themselves.
PYTHON ?= python3
# The demo's warehouse: duckdb, postgres, or snowflake (a stand-in).
TARGET ?= duckdb
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
# Where the documentation is built.
SITE ?= target

.PHONY: demo test test-long certify certify-snowflake lint format lock docs clean
.DELETE_ON_ERROR:

demo: $(INSTALLED)
	$(BIN)/python -m demo --target $(TARGET)

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long"

test-long: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist loadfile

# Real nested objects through every engine and back; target/certificate.json says what was proved, and what was not run.
certify: $(INSTALLED)
	$(BIN)/python -m tests.certify

# Runs the shared tests on a real Snowflake account, in a database of their own that is dropped; wants SNOWFLAKE_*.
certify-snowflake: $(INSTALLED)
	$(BIN)/python -m tests.snowflake.certify

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint models tests/dbt

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/sqlfluff fix models tests/dbt

# Pins everything with hashes and names no host.
lock: $(INSTALLED)
	$(BIN)/pip-compile --quiet --generate-hashes --no-strip-extras --no-header --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --no-annotate --allow-unsafe --extra dev --output-file requirements.lock pyproject.toml

# The documentation of every model, as the one file $(SITE)/static_index.html; an empty warehouse is enough for it.
docs: export DBT_PROFILES_DIR := $(SITE)
docs: export DBT_TARGET := duckdb
docs: export DUCKDB_PATH := $(SITE)/warehouse.duckdb
docs: $(INSTALLED)
	mkdir -p $(SITE)
	rm -f $(DUCKDB_PATH)
	cp profiles.example.yml $(SITE)/profiles.yml
	$(BIN)/dbt --quiet build --exclude-resource-type test unit_test --target-path $(SITE)
	$(BIN)/dbt --quiet docs generate --static --target-path $(SITE)
	@echo "$(SITE)/static_index.html"

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	# The lock file is the whole answer; older pips would ask again for a package that is locked with an extra.
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip check --disable-pip-version-check
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf $(VENV) .demo target logs
