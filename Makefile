# make test    lint, types, and the fast tests: a sample of everything, in about five minutes on two processors
# make slow    what takes longer: all golden programs in all ways, many random ones
# make peers   install the verifiers that the peer tests compare with (Debian, needs root)
# make docs    refresh docs/options.md from the program's own help
# make format  rewrite the sources in the project's format

PYTEST_JOBS ?= 2
BIN := .venv/bin

unexport PYTHONDONTWRITEBYTECODE # else every process that a test starts compiles all modules anew

.PHONY: test lint types pytest slow peers docs format venv clean

test: lint types pytest

venv:
	@scripts/make-venv dev

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: venv
	$(BIN)/mypy $(wildcard src tests benchmarks)

pytest: venv
	$(BIN)/pytest -q -n $(PYTEST_JOBS) --dist worksteal -m "not slow"

slow: venv
	$(BIN)/pytest -q -n $(PYTEST_JOBS) --dist worksteal -m slow

peers:
	scripts/install-peers

docs: venv
	$(BIN)/python -m remuda.cli.reference > docs/options.md

format: venv
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
