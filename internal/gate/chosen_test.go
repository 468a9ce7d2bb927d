package gate

import (
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{"test": "jest --ci", "node": "node --test", "files": "node --test test/", "mocha": "mocha"}
	script := func(_, name string) string { return scripts[name] }
	ids := []string{
		"example.test/shop/cart:TestSum/two", "example.test/shop/cart:TestTax", "example.test/shop/broken", "example.test/shop:Example",
		"tests/test_cart.py::TestCart::test_total[1-2]", "tests/test_broken.py", "test_a.T.test_a (a sentence)", "test/a.test.js: rejects (expired)", "suite > in", "suite › nested › it's", "tests::bad",
	}
	const goOnly, cargo = "'^(Example|TestSum|TestTax)$'", "-- tests::bad"
	for _, c := range []struct {
		line, want, goflags string
		ids                 []string
	}{
		{line: "go test -json ./...", want: "go test -run " + goOnly + " -json ./..."},
		{line: "cd a && go vet ./... && go test ./...", want: "cd a && go vet ./... && go test -run " + goOnly + " ./..."},
		{line: "go test -run TestTax ./...", want: "go test -run TestTax ./...", goflags: "-run=^(Example|TestSum|TestTax)$"},
		{line: "make test", want: "make test", goflags: "-run=^(Example|TestSum|TestTax)$"},
		{line: "go test ./... | tee log", want: "go test ./... | tee log", goflags: "-run=^(Example|TestSum|TestTax)$"},
		{line: "python3 -m unittest -v", want: "python3 -m unittest -k test_a.T.test_a -v", ids: ids[6:7]},
		{line: "python3 -m unittest discover -v -s tests", want: "python3 -m unittest discover -k test_a.T.test_a -v -s tests", ids: ids[6:7]},
		{line: "python3 -m unittest -k one", want: "python3 -m unittest -k one", ids: ids[6:7]},
		{line: "node --test test/", want: "node --test-name-pattern '(in|rejects \\(expired\\))$' --test test/", ids: ids[7:10]},
		{line: "npm run node", want: "npm run node -- --test-name-pattern '(in|rejects \\(expired\\))$'", ids: ids[7:10]},
		{line: "npm run files", want: "npm run files", ids: ids[7:10]},
		{line: "npm test -- --verbose", want: "npm test -- --verbose -t '(in)$'", ids: ids[8:9]},
		{line: "yarn run mocha", want: "yarn run mocha -g '(in)$'", ids: ids[8:9]},
		{line: "npx jest --verbose --ci", want: "npx jest -t '(in)$' --verbose --ci", ids: ids[8:9]},
		{line: "jest -t one", want: "jest -t one", ids: ids[8:9]},
		{line: "vitest run --reporter=verbose", want: "vitest run --reporter=verbose -t '(in)$'", ids: ids[8:9]},
		{line: "cargo test --no-fail-fast", want: "cargo test --no-fail-fast " + cargo, ids: ids[10:]},
		{line: "cargo test -- --test-threads 1", want: "cargo test -- --test-threads 1", ids: ids[10:]},
		{line: "jest", want: "jest", ids: ids[9:10]},
		{line: "./check.sh", want: "./check.sh", ids: ids[10:]},
	} {
		of := c.ids
		if of == nil {
			of = ids[:4]
		}
		line, env := choose(c.line, []string{"GOFLAGS="}, of, script)
		if line != c.want || lookup(env, "GOFLAGS") != c.goflags {
			t.Errorf("%q: %q, GOFLAGS %q; want %q, %q", c.line, line, lookup(env, "GOFLAGS"), c.want, c.goflags)
		}
	}
	if _, env := choose("pytest -q", []string{"PYTEST_ADDOPTS=-rap"}, ids, script); lookup(env, "PYTEST_ADDOPTS") != `-rap -k "test_total"` {
		t.Error(env)
	}
	if line, env := choose("node --test", nil, []string{"a\x00b", "x'; rm -rf '", strings.Repeat("n", longestChoice-30)}, script); len(env) > 0 || !strings.HasPrefix(line, "node --test-name-pattern '(nnn") || strings.Contains(line, "rm") {
		t.Errorf("%.60q %q", line, env)
	}
	if line, env := choose("node --test", nil, []string{"a", strings.Repeat("n", longestChoice)}, script); line != "node --test" || len(env) > 0 {
		t.Errorf("%.60q %q", line, env)
	}
	if _, env := choose("make test", []string{"GOFLAGS=-v -run=X"}, ids, script); lookup(env, "GOFLAGS") != "-v -run=X" {
		t.Error(env)
	}
}
