# Needs only Node 20.19 or later, with its npm, and make.

.PHONY: demo test check install build clean node
.DEFAULT_GOAL := test

SOURCES := $(shell find src ui tsconfig.base.json tsconfig.build.json -type f 2>/dev/null)
# npm's own note of what is installed: older than the lock file means that the modules are stale.
INSTALLED := node_modules/.package-lock.json

demo: build
	@node scripts/demo.mjs

test: install
	@node scripts/test.mjs

check: install
	@node scripts/check.mjs

install: $(INSTALLED)

build: dist/.built

$(INSTALLED): package-lock.json package.json | node
	@npm ci --no-audit --no-fund
	@touch $@

dist/.built: $(SOURCES) | $(INSTALLED)
	@npm run --silent build

node:
	@command -v node > /dev/null || { echo 'Schemalign needs Node 20.19 or later: https://nodejs.org/' >&2; exit 1; }
	@node scripts/require-node.cjs

clean:
	rm -rf dist build coverage .demo
