PYTHON ?= python3
BIN = .venv/bin
PYTEST = $(BIN)/pytest --numprocesses auto --dist loadgroup

export PYTHONDONTWRITEBYTECODE = # where it is set, as containers like to, hundreds of processes would compile all that they import

.PHONY: image play check test warm pytest test-bare test-fast soak coverage mutants test-open-spiel test-lowest test-newest test-train bench docs

BUILDER = $(shell command -v podman || command -v buildah || command -v docker)

play: .venv/installed
	$(BIN)/ludarium serve --open

check: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/deptry src
	$(BIN)/pyright

test:
	$(MAKE) --no-print-directory --jobs 2 check pytest

warm: .venv/installed-test
	$(BIN)/python -m tests.warm_up

pytest: warm
	$(PYTEST)

# Tests of code that depends on the machine: users, homes, sandboxes, compilers, browsers and services.
test-bare: .venv/installed-test
	$(PYTEST) tests/first_run tests/players/programs tests/arena/test_bot_checks.py tests/games/expendibots/test_class_players.py tests/test_hosting.py \
		tests/cli/test_start.py tests/cli/test_doctor.py tests/cli/test_init_bot.py tests/cli/test_check_bot.py tests/cli/test_match.py tests/cli/test_store.py tests/cli/test_play.py \
		tests/core/test_data_folder.py tests/core/test_jit_cache.py tests/browser/test_first_start.py tests/web/test_root_path.py

test-fast: warm
	$(PYTEST) -m "not slow"

soak: warm
	$(PYTEST) --soak

coverage: warm
	$(PYTEST) --cov --cov-report term:skip-covered --cov-report html:build/coverage

mutants: .venv/installed-test
	$(BIN)/python -m tests.mutants

test-open-spiel: .venv/open-spiel/installed
	.venv/open-spiel/bin/python -m pytest --override-ini addopts= --quiet tests/open_spiel

# The oldest versions that pyproject.toml allows, on the oldest Python that is found; then the newest Python, with the newest versions.
LOWEST = $(shell for p in python3.11 $(HOME)/.pyenv/versions/3.11.*/bin/python $(PYTHON); do $$p -c '' 2> /dev/null && echo $$p && break; done)
NEWEST := $(shell for v in 14 13 12; do for p in python3.$$v $(HOME)/.pyenv/versions/3.$$v.*/bin/python; do $$p -c '' 2> /dev/null && echo $$p && exit; done; done)
VERSIONS_TESTS = --numprocesses 2 --dist loadgroup -p no:cacheprovider
FAST = tests

test-lowest: .venv/lowest/installed
	.venv/lowest/bin/ludarium --help > /dev/null
	rm -f .venv/lowest/mybot.py
	.venv/lowest/bin/ludarium init-bot expendibots .venv/lowest/mybot.py
	.venv/lowest/bin/ludarium match expendibots .venv/lowest/mybot.py random --games 2 --sandbox off
	.venv/lowest/bin/python -m pytest $(VERSIONS_TESTS) tests/core/test_jit_cache.py tests/web/test_root_path.py # with the oldest Numba
	.venv/lowest/bin/python -m pytest $(VERSIONS_TESTS) -m "not slow" $(FAST)

test-newest:
ifeq ($(NEWEST),)
	@echo "skipped: no Python newer than 3.11 here; apt-get install python3.13 python3.13-venv, or pyenv install 3.13"
else
	$(MAKE) .venv/newest/installed
	.venv/newest/bin/python -m pytest $(VERSIONS_TESTS) -m "not slow" $(FAST)
endif

test-train: .venv/train/installed
	.venv/train/bin/python -m pytest --override-ini addopts= --quiet tests/train

bench: .venv/installed-test
	-$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/python -m benchmarks

image:
	@test -n "$(BUILDER)" || { echo "make image needs podman, buildah or docker: apt-get install podman" >&2; exit 2; }
	$(BUILDER) build --file Containerfile --tag ludarium .

docs: .venv/installed-test
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	$(BIN)/mkdocs build --strict

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "Ludarium needs Python 3.11 or newer, which '$(PYTHON)' is not; choose another one: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c "import ensurepip, venv" 2> /dev/null || \
		{ echo "'$(PYTHON)' cannot create virtual environments; install venv: apt-get install python3-venv" >&2; exit 2; }
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	@echo "Installing Ludarium and what it needs into .venv; this happens once and takes about a minute."
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	touch $@

.venv/installed-test: pyproject.toml tests/javascript/package.json examples/liars_dice/pyproject.toml examples/tic_tac_toe/pyproject.toml | .venv/installed
	@echo "Installing what the tests need into .venv; this happens once."
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['test'], sep='\n')" > $@.txt
	$(BIN)/python -m pip install --quiet --no-compile --requirement $@.txt --editable examples/liars_dice --editable examples/tic_tac_toe
	@$(BIN)/python -m tests.javascript.install || echo "npm cannot install TypeScript and axe-core, so tests of the pages' JavaScript will be skipped" >&2
	-$(BIN)/pytest --collect-only --quiet > /dev/null # once, so that not every worker compiles all modules
	touch $@

# An environment with what stands after "call", and with all that .venv has: what is its own comes first.
define environment
	$(PYTHON) -m venv --without-pip $(@D)
	$(BIN)/python -c "import site; print(f'import site; site.addsitedir({site.getsitepackages()[0]!r})')" \
		> "$$($(@D)/bin/python -c "import site; print(site.getsitepackages()[0])")/besides.pth"
	$(BIN)/python -m pip --python $(@D)/bin/python install --quiet --no-compile $(1)
	sed 's|\.venv/bin/python|$(@D)/bin/python|' $(BIN)/ludarium > $(@D)/bin/ludarium
	chmod +x $(@D)/bin/ludarium
	touch $@
endef

.venv/open-spiel/installed: pyproject.toml | .venv/installed-test
	@echo "Installing OpenSpiel into .venv/open-spiel: where its SciPy is, Numba starts slower, so that other tests do without."
	$(call environment,"ludarium[rl]")

.venv/train/installed: pyproject.toml | .venv/installed-test
	@echo "Installing PyTorch into .venv/train, which takes 1.3 GB."
	$(call environment,"ludarium[train]" torch==2.13.0)

# An environment of its own for the Python $(1), with versions by the rule $(2). What only the tests need has no lowest version worth testing.
define versions
	$(BIN)/uv venv --quiet --clear --python "$(1)" $(@D)
	$(BIN)/uv pip install --quiet --python $(@D)/bin/python --resolution $(2) --editable ".[rl,postgres,net,plot]"
	grep -Ev '^(ray|onnxruntime|import-linter|ruff|deptry|uv|schemathesis) ?[[>=]' .venv/installed-test.txt > $(@D)/tests.txt
	$(BIN)/uv pip install --quiet --python $(@D)/bin/python --requirement $(@D)/tests.txt --editable examples/liars_dice --editable examples/tic_tac_toe
	touch $@
endef

.venv/lowest/installed: pyproject.toml | .venv/installed-test
	@echo "Installing the lowest versions that pyproject.toml allows into .venv/lowest."
	$(call versions,$(LOWEST),lowest-direct)

.venv/newest/installed: pyproject.toml | .venv/installed-test
	@echo "Installing into .venv/newest, for $(NEWEST)."
	$(call versions,$(NEWEST),highest)
