# make demo · make test · make check · make image · make faults · make wall · make bench · make lock · make messages; each sets itself up. ARGS="…" is handed on to the demo or to pytest.
USABLE = import sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$each" -c '$(USABLE)' 2>/dev/null && echo "$$each" && break; done)
BIN = .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
UV = uv==0.13.8
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock; edit the .in file instead" $(ARGS)
PRODUCTION = env -i PATH="$$PATH" HOME="$$HOME" WALLBOARD_ENV_FILE= PUBLIC_URL=https://wallboard.example.com TRUSTED_PROXIES=1 \
	SECRET_KEY=for-the-check-only-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEF \
	TOKEN_KEYS=$$($(BIN)/python manage.py newkey) REDIS_URL=redis://127.0.0.1:6379/0

.PHONY: setup demo test check image faults wall bench lock messages

setup: .venv/ready

.venv/ready: requirements.txt requirements-dev.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it."; exit 1; }
	@test -x $(BIN)/pip || { rm -rf .venv && $(PYTHON) -m venv .venv; } || \
		{ echo "No virtual environment could be made. On Debian: apt-get install python3-venv."; exit 1; }
	@echo "Installing what requirements-dev.txt names into .venv; the first time this takes a minute …"
	@$(INSTALL) -r requirements-dev.txt
	@touch $@

demo: setup
	@$(BIN)/python manage.py demo $(ARGS)

test: setup
	@$(BIN)/python -m tests.harness.run $(ARGS)

# Builds the container image without a registry of images and runs it closed off: ten minutes, as root on Debian.
image: setup
	@$(BIN)/python -m tests.harness.image $(ARGS)

# Kills, freezes and cuts for an hour, then the same with many machines (as root, for their network namespaces) for two hours, and
# says which promise held.
faults: setup
	@WALLBOARD_FAULTS=all WALLBOARD_NO_SKIPS=1 $(BIN)/python -m pytest tests/faults tests/machines $(ARGS)

# Draws the wall in every state, size, theme and font, and says where a text is cut, too small or lies on another: half an hour on two idle cores in two halves, about an hour in one.
wall: setup
	@WALLBOARD_WALL=all WALLBOARD_NO_SKIPS=1 $(BIN)/python -m pytest tests/boards/test_wall_matrix.py $(ARGS)

# Measures for half an hour on a machine with nothing else to do; ARGS=--quick just tries everything out.
bench: .venv/bench
	@$(BIN)/python -m bench $(ARGS)

.venv/bench: .venv/ready bench/requirements.txt
	@$(INSTALL) -r bench/requirements.txt
	@touch $@

# After a change of a .in file: writes the .txt files with every version below it and the hashes of all their files.
# ARGS=--upgrade takes the newest of what no .in file pins.
lock: setup
	@$(BIN)/python -m pip install --quiet $(UV)
	@$(LOCK) requirements.in -o requirements.txt
	@$(LOCK) requirements-dev.in -c requirements.txt -o requirements-dev.txt
	@$(LOCK) bench/requirements.in -c requirements-dev.txt -o bench/requirements.txt
	@$(BIN)/python -m tests.harness.sbom
	-@$(BIN)/python -m tests.harness.hole_list || $(BIN)/python -m tests.harness.hole_list --notes
	@touch .venv/ready && $(INSTALL) -r requirements-dev.txt

# After a change of texts: collects them (with gettext's tools), merges them into every catalogue and compiles these.
messages: setup
	@$(BIN)/python -m tests.harness.messages $(ARGS)

# All of them, two at a time, whatever one of them finds; the longest first.
check: setup
	@$(MAKE) --no-print-directory --keep-going --jobs=2 $(IN_PIECES) $(CHECKS)

CHECKS = check-types check-scripts check-migrations check-lint check-deployment check-packages
IN_PIECES = $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
.PHONY: $(CHECKS)

check-types:
	$(BIN)/mypy .

check-scripts:
	$(BIN)/python -m tests.harness.node
	$(BIN)/python -m pytest --quiet tests/test_tv_scripts.py

check-migrations:
	$(PRODUCTION) $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python -m tests.harness.migrations

check-lint:
	$(BIN)/ruff check
	$(BIN)/ruff format --check

check-deployment:
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

check-packages:
	$(BIN)/python -m tests.harness.sbom --check
	$(BIN)/python -m tests.harness.holes
