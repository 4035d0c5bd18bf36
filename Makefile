# make demo · make test · make check; each sets itself up.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: setup demo test check

setup: .venv/ready

.venv/ready: requirements.txt requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
