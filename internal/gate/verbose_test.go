package gate

import (
	"strings"
	"testing"
)

func TestVerbose(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{"test": "jest --ci", "unit": "vitest run", "mocha": "NODE_ENV=test mocha", "both": "eslint . && jest", "node": "node --test"}
	script := func(_, name string) string { return scripts[name] }
	for _, c := range []struct{ line, want, goflags string }{
		{"go test ./...", "go test -json ./...", ""},
		{"go test -v ./... && cd sub && CI=1 go test", "go test -json -v ./... && cd sub && CI=1 go test -json", ""},
		{"go test -json ./...", "go test -json ./...", ""},
		{"go test ./... | tee log", "go test ./... | tee log", "-v"},
		{"go test ./... > log", "go test ./... > log", "-v"},
		{"r=0; for d in a b; do (cd $d && python3 -m unittest) || r=1; done; exit $r", "r=0; for d in a b; do (cd $d && python3 -m unittest -v) || r=1; done; exit $r", ""},
		{"go test ./... || exit 1", "go test -json ./... || exit 1", ""},
		{"make test", "make test", "-v"},
		{"python3 -m unittest", "python3 -m unittest -v", ""},
		{"python -m unittest discover -s tests", "python -m unittest discover -v -s tests", ""},
		{"coverage run -m unittest && coverage report", "coverage run -m unittest -v && coverage report", ""},
		{"python3 -m coverage run --branch -m unittest discover -s tests", "python3 -m coverage run --branch -m unittest discover -v -s tests", ""},
		{"python -m unittest -q", "python -m unittest -q", ""},
		{"python -m pytest -q", "python -m pytest -q", ""},
		{"npx jest --ci", "npx jest --verbose --ci", ""},
		{"vitest run", "vitest run --reporter=verbose", ""},
		{"vitest run --reporter=dot", "vitest run --reporter=dot", ""},
		{"mocha 'test/*.js'", "mocha --reporter spec 'test/*.js'", ""},
		{"npm test", "npm test -- --verbose", "-v"},
		{"npm t -- --ci", "npm t -- --ci --verbose", "-v"},
		{"npm run unit && echo ok", "npm run unit -- --reporter=verbose && echo ok", ""},
		{"yarn test", "yarn test --verbose", "-v"},
		{"npm run mocha", "npm run mocha -- --reporter spec", ""},
		{"npm run test:both", "npm run test:both", "-v"},
		{"npm run node", "npm run node", ""},
		{"cargo test --workspace", "cargo test --no-fail-fast --workspace", ""},
		{"cargo test --offline -q && cargo test -p b --quiet -- --test-threads 1 -q", "cargo test --no-fail-fast --offline && cargo test --no-fail-fast -p b -- --test-threads 1", ""},
		{"cargo test -q --no-fail-fast x", "cargo test --no-fail-fast x", ""},
		{"cargo test '-q'", "cargo test --no-fail-fast '-q'", ""},
		{"node --test", "node --test", ""},
	} {
		line, env := verbose(c.line, []string{"GOFLAGS=-mod=mod"}, false, script)
		want := strings.TrimSpace("-mod=mod " + c.goflags)
		if line != c.want || lookup(env, "GOFLAGS") != want || lookup(env, "PYTEST_ADDOPTS") != "-rap" {
			t.Errorf("%q: %q with %q, want %q with GOFLAGS %q", c.line, line, env, c.want, want)
		}
	}
}

// The names of skipped tests are asked for in the environment alone.
func TestVerboseSkipped(t *testing.T) {
	t.Parallel()
	line, env := verbose("pytest -q", []string{"PYTEST_ADDOPTS=-x"}, true, nil)
	if got := lookup(env, "PYTEST_ADDOPTS"); line != "pytest -q" || got != "-x -rap -vvv" {
		t.Errorf("%q, %q", line, got)
	}
}

// Runners in scripts hear of it through their environment, those in scripts of scripts, too.
func TestBehindScripts(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"test.sh":   "#!/bin/sh\nset -e\nfor p in packages/*/; do\n\t(cd \"$p\" && /usr/bin/pytest -q)\ndone\n",
		"ci/all.sh": "#!/bin/bash\n./ci/go.sh\nbash -e test.sh\n",
		"ci/go.sh":  "go vet ./...\ngo test ./...\n",
		"loop.sh":   "./loop.sh\n",
	}
	for _, c := range []struct{ line, goflags, pytest string }{
		{"./test.sh", "", "-rap -vvv"},
		{"sh -e test.sh", "", "-rap -vvv"},
		{"./ci/all.sh", "-v", "-rap -vvv"},
		{"cd ci && ./go.sh", "-v", ""},
		{"./loop.sh", "", ""},
		{"python3 check.py", "", ""},
		{"go test ./...", "", ""},
	} {
		env := behindScripts(c.line, nil, true, func(file string) string { return files[file] })
		if got := lookup(env, "GOFLAGS"); got != c.goflags {
			t.Errorf("%q: GOFLAGS %q, want %q", c.line, got, c.goflags)
		}
		if got := lookup(env, "PYTEST_ADDOPTS"); got != c.pytest {
			t.Errorf("%q: PYTEST_ADDOPTS %q, want %q", c.line, got, c.pytest)
		}
	}
}
