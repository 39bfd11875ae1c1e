# Everything that is fetched or built stays in this folder. `make help` lists the targets.
SHELL := /bin/sh

# auto, bun or deno.
COMPILER ?= auto
# A Rust triple, or host.
TARGET ?= host

export DENO_DIR := $(CURDIR)/.deno
export DENO_NO_UPDATE_CHECK := 1
# As npm does: what the system trusts counts, too, such as a company's own authority.
DENO_TLS_CA_STORE ?= mozilla,system
export DENO_TLS_CA_STORE
npm_config_cache ?= $(CURDIR)/.cache/npm
npm_config_update_notifier := false
export npm_config_cache npm_config_update_notifier

DENO := toolchain/bin/deno
# The settings are named since toolchain/package.json would hide them from the scripts beside it.
CONFIG := --config deno.json
ALLOW := --no-prompt --allow-read --allow-write --allow-env --allow-run --allow-sys
RUN := $(DENO) run $(CONFIG) --frozen --quiet $(ALLOW)

NPM_READY := toolchain/node_modules/.package-lock.json
CLIENT_READY := tests/client/node_modules/.package-lock.json
FRAMEWORKS_READY := tests/frameworks/node_modules/.package-lock.json
READY := .deno/ready
# There is one, named after the compiler that was last asked for: another one builds anew.
CHOSEN := .cache/compiler-$(COMPILER)
# Folders too, lest a file that was removed go unseen; and git's log, since BUILD.json names the commit.
SOURCES := $(shell find hooks gates lib \( -type d -o -name '*.ts' -o -name '*.json' \) 2>/dev/null) nonzero.ts \
	$(wildcard commands/*.md toolchain/*.ts .git/logs/HEAD) deno.json

.PHONY: all
all: dist/host/BUILD.json ## set up, and build for this machine: dist/host

dist/host/BUILD.json: $(READY) $(SOURCES) $(CHOSEN)
	$(RUN) toolchain/build.ts --compiler $(COMPILER)

$(CHOSEN):
	mkdir -p .cache && rm -f .cache/compiler-* && touch $@

.PHONY: setup
setup: $(READY) ## install the pinned tools and fetch what the lock files name

$(NPM_READY): toolchain/package-lock.json
	cd toolchain && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
	touch $@

$(READY): $(NPM_READY) toolchain/link.mjs deno.json deno.lock
	node toolchain/link.mjs
	$(DENO) install --frozen --quiet
	touch $@

.PHONY: dist
dist: $(READY) $(CHOSEN) ## build for TARGET=<rust triple>: dist/<triple>
	$(RUN) toolchain/build.ts --target $(TARGET) --compiler $(COMPILER)

.PHONY: dist-all
dist-all: $(READY) $(CHOSEN) ## build for every target; with COMPILER=deno, prove the compile step where no denort is at hand
	$(RUN) toolchain/build.ts --target all --compiler $(COMPILER)

.PHONY: runtimes
runtimes: $(READY) ## fetch the runtimes of all targets, to build them offline later
	$(RUN) toolchain/runtime.ts

.PHONY: release
release: $(READY) ## make what is published as VERSION=x.y.z: dist/release; XZ=1 adds .tar.xz, COMPILER=deno what its denort is there for
	$(RUN) toolchain/release.ts --version "$(VERSION)" --compiler $(COMPILER) \
		$(if $(filter 1,$(XZ)),--xz) $(if $(filter 1,$(ALLOW_DIRTY)),--allow-dirty)

.PHONY: sign
sign: $(READY) ## sign dist/release/SHA256SUMS with KEY=<an OpenSSH Ed25519 private key without a passphrase>
	$(RUN) toolchain/sign.ts --key "$(KEY)"

.PHONY: check
check: $(READY) ## check format, lint rules, types, and that what is exported is documented
	$(DENO) fmt $(CONFIG) --check
	$(DENO) lint $(CONFIG)
	$(DENO) check $(CONFIG) --frozen .
	$(DENO) test $(CONFIG) --frozen --no-check --quiet --allow-read tests/conventions.test.ts

.PHONY: test
test: all check ## build, check, and run every test that needs nothing but this machine
	$(DENO) test $(CONFIG) --frozen --no-check --parallel --allow-all --ignore=tests/client,tests/frameworks tests

.PHONY: smoke
smoke: $(READY) ## try out EXECUTABLE=<path>, otherwise what was built for this machine
	$(RUN) toolchain/smoke.ts $(EXECUTABLE)

.PHONY: packages
packages: $(READY) ## make packages for npm and a container image of dist/release: dist/packages
	$(RUN) toolchain/packages.ts $(if $(REPOSITORY),--repository '$(REPOSITORY)')

.PHONY: bench
bench: all ## measure the built hooks and gates beside what no program can do without: bench/*.json
	$(RUN) --allow-ffi toolchain/bench.ts
	$(RUN) --allow-ffi toolchain/bench-hooks.ts
	$(DENO) run $(CONFIG) --frozen --quiet --allow-all toolchain/bench-gates.ts

.PHONY: bench-check
bench-check: all ## measure again, and fail where a ratio to the floor is worse than bench/baseline.json by a quarter
	$(RUN) --allow-ffi toolchain/ratchet.ts

.PHONY: bench-renew
bench-renew: all ## measure and write bench/baseline.json
	$(RUN) --allow-ffi toolchain/ratchet.ts --renew --rounds 200

.PHONY: mutants
mutants: $(READY) ## break the sources in many small ways, each of which a test must notice
	$(RUN) toolchain/mutants.ts

.PHONY: judge
judge: $(READY) ## score MODEL=<name> as the Stop judge, with LIMIT=<n> on some messages; needs an endpoint and its key
	$(RUN) --allow-net toolchain/judge.ts --model="$(MODEL)" $(if $(LIMIT),--limit="$(LIMIT)")

.PHONY: receipt
receipt: all ## send what must be judged, and broken executables, through the build: artifacts/hooks.json
	$(RUN) --allow-ffi toolchain/receipt.ts

$(CLIENT_READY): tests/client/package-lock.json
	cd tests/client && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
	touch $@

.PHONY: test-client
test-client: all $(CLIENT_READY) ## run the guard before the tools of the real Claude Code, whose model is a stand-in
	$(DENO) test $(CONFIG) --frozen --no-check --parallel --allow-all tests/client

$(FRAMEWORKS_READY): tests/frameworks/package-lock.json tests/frameworks/debian.sh
	cd tests/frameworks && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
	test -f .cache/frameworks/pre-commit/ready || tests/frameworks/debian.sh .cache/frameworks/pre-commit
	touch $@

.PHONY: test-frameworks
test-frameworks: all $(FRAMEWORKS_READY) ## commit through pre-commit (of Debian) and lefthook with the documented settings
	$(DENO) test $(CONFIG) --frozen --no-check --allow-all tests/frameworks

.PHONY: test-targets
test-targets: all ## run the suites on every target that this machine can run, by emulation too: TARGETS=, SUITES=, FULL=1
	$(DENO) run $(CONFIG) --frozen --quiet --allow-all toolchain/test-targets.ts

.PHONY: clean
clean: ## remove what was built; what was fetched stays
	rm -rf dist artifacts .cache/build .cache/compiler-*

.PHONY: help
help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 - \2/p' Makefile
	@echo 'COMPILER=auto (the default) takes Deno where its runtime for the target is at hand, else Bun.'
