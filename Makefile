# Targets are listed by `make help`. Everything that is fetched or built stays in this folder.
SHELL := /bin/sh
export DENO_DIR := $(CURDIR)/.deno
export DENO_NO_UPDATE_CHECK := 1
DENO := toolchain/bin/deno

.PHONY: setup
setup: .deno/ready

$(DENO): toolchain/package-lock.json toolchain/link.mjs
	cd toolchain && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && node link.mjs

.deno/ready: $(DENO) deno.json deno.lock
	$(DENO) install --frozen --quiet
	touch $@
