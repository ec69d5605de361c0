# `make run` opens the window; `make run ARGS='ask "…" --json'` runs the command line.
# Everything sets itself up first, and says so on stderr: stdout is the program's own.

MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest

.DEFAULT_GOAL := run
.PHONY: run test check lint bench soak offline lock clean anew

# A virtual environment is as good as none when its interpreter went away, or when this
# folder is not the one it was made in.
STANDS := $(shell test -x $(PYTHON) && grep -qsxF '$(CURDIR)' .venv/installed && echo yes)

.venv/ready: requirements.lock pyproject.toml scripts/bootstrap scripts/bootstrap.py \
		$(if $(STANDS),,anew)
	@scripts/bootstrap

# The window's libraries belong to the system; the command line does without them.
.venv/window: | .venv/ready
	@scripts/bootstrap window

run: .venv/ready $(if $(ARGS),,.venv/window)
	@$(PYTHON) -m desktop_rag $(ARGS)

test: .venv/ready .venv/window
	@QT_QPA_PLATFORM=offscreen $(PYTEST) -m "not xvfb" $(ARGS)
	@if command -v xvfb-run >/dev/null; then \
		QT_QPA_PLATFORM=xcb xvfb-run -a $(PYTEST) -m xvfb; \
	else echo "xvfb is not installed: the tests that need a real window were left out" >&2; fi

# import-linter's cache does not notice a module that comes later: without it.
check: lint
	@$(PYTHON) -m mypy
	@.venv/bin/lint-imports --no-cache

lint: .venv/ready
	@$(PYTHON) -m ruff format --check .
	@$(PYTHON) -m ruff check .

# Ratios measured in one run each; slow, and no part of the tests.
bench: .venv/ready
	@$(PYTHON) -m tests.benchmarks $(ARGS)

# Random histories and kills, for hours.
soak: .venv/ready
	@$(PYTEST) tests/soak --timeout 0 -s $(ARGS)

# That nothing but loopback is spoken to, seen from outside.
offline: .venv/ready
	@$(PYTHON) scripts/offline.py $(ARGS)

lock:
	@scripts/lock $(ARGS)

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
