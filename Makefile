# Everything a contributor runs. `make help` lists the targets.
SHELL := /bin/bash
GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
LDFLAGS ?= -s -w

.DEFAULT_GOAL := help
.PHONY: help build worker test team-test lint bench conformance cheats soak fuzz fmt pictures man

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

build: ## build ./ralph, stripped and static
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o ralph ./cmd/ralph

worker: ## build ./ralph-worker, ralph with the engine of a team (docs/team.md)
	CGO_ENABLED=0 $(GO) build -C temporal -trimpath -ldflags '$(LDFLAGS)' -o ../ralph-worker ./cmd/ralph-worker

test: ## run the tests: 5 minutes on 2 idle cores; the last lines name what this machine lacks
	$(GO) run ./internal/testing/suite

team-test: ## run the tests of deploy/ and of the module temporal against a Temporal server in the same process (compiles it: minutes, 2 GB of build cache)
	$(GO) -C temporal vet ./...
	$(GO) -C temporal test -vet=off -tags server ./... # vet would analyse every package of the server
	$(GO) -C deploy/temporal test ./...

lint: ## format, linters, prose, vulnerabilities, and a build for all six platforms
	$(GO) mod tidy -diff
	$(GO) -C temporal mod tidy -diff
	@test -z "$$($(TOOL) gofumpt -l . | tee /dev/stderr)"
	$(TOOL) golangci-lint run ./...
	$(TOOL) vale *.md docs plugin
	$(TOOL) govulncheck ./... || echo "govulncheck could not reach its database"
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
	  echo "build $$os/$$arch"; GOOS=$$os GOARCH=$$arch CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/ralph || exit 1; done; \
	  echo "vet $$os"; GOOS=$$os $(GO) vet ./... || exit 1; done

fmt: ## format the sources
	$(TOOL) gofumpt -w .

bench: ## benchmarks, each beside its floor, as tables in docs/benchmarks.md
	$(GO) run ./internal/testing/bench -date "$$(date -u +%F)" -write docs/benchmarks.md

conformance: ## play the real agents against a scripted model, as a table in docs/agents.md (npm, Linux; 30 minutes)
	$(GO) run ./internal/testing/conformance -write docs/agents.md

cheats: ## attack ralph with agents that cheat, as a table in docs/cheats.md (Linux; an hour)
	$(GO) run ./internal/testing/cheats -write docs/cheats.md -summary README.md

soak: ## the long tests, step by step: races, kills, stress, fuzzing, all real agents → soak.md; run it again to continue
	$(GO) run ./internal/testing/suite -soak $(SOAK)

FUZZTIME ?= 20s
fuzz: ## fuzz every parser for FUZZTIME each
	@for pkg in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; done; done

pictures: ## draw the pictures of ralph web in docs/pictures (Chromium; two minutes)
	$(GO) run ./internal/testing/pictures -out docs/pictures

man: ## write the man pages to man/
	$(GO) run -buildvcs=true ./internal/testing/manpages man
