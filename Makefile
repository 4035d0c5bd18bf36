# make demo · make test · make check · make faults · make bench; each sets itself up. ARGS="…" is handed on to the demo or to pytest.
USABLE = import sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$each" -c '$(USABLE)' 2>/dev/null && echo "$$each" && break; done)
BIN = .venv/bin
PRODUCTION = env -i PATH="$$PATH" HOME="$$HOME" WALLBOARD_ENV_FILE= PUBLIC_URL=https://wallboard.example.com \
	SECRET_KEY=for-the-check-only-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEF \
	TOKEN_KEYS=$$($(BIN)/python manage.py newkey) REDIS_URL=redis://127.0.0.1:6379/0

.PHONY: setup demo test check faults bench

setup: .venv/ready

.venv/ready: requirements.txt requirements-dev.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it."; exit 1; }
	@test -x $(BIN)/pip || { rm -rf .venv && $(PYTHON) -m venv .venv; } || \
		{ echo "No virtual environment could be made. On Debian: apt-get install python3-venv."; exit 1; }
	@echo "Installing what requirements-dev.txt names into .venv; the first time this takes a minute …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

demo: setup
	@$(BIN)/python manage.py demo $(ARGS)

test: setup
	@$(BIN)/python -m tests.harness.run $(ARGS)

# Kills, freezes and cuts for an hour, and says which promise held.
faults: setup
	@WALLBOARD_FAULTS=all WALLBOARD_NO_SKIPS=1 $(BIN)/python -m pytest tests/faults $(ARGS)

# Measures for a quarter of an hour on a machine with nothing else to do; ARGS=--quick just tries everything out.
bench: .venv/bench
	@$(BIN)/python -m bench $(ARGS)

.venv/bench: .venv/ready bench/requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@touch $@

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy .
	$(PRODUCTION) $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING
