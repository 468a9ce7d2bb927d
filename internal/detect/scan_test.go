package detect

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree makes a file system of names and contents. A name that ends in * is
// executable.
func tree(files map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range files {
		mode := fs.FileMode(0o644)
		if cut, ok := strings.CutSuffix(name, "*"); ok {
			name, mode = cut, 0o755
		}
		all[name] = &fstest.MapFile{Data: []byte(text), Mode: mode}
	}
	return all
}

func installed(string) (string, error) { return "/bin/x", nil }

// lines prints what was found, one line each.
func lines(p Project) []string {
	var all []string
	for _, f := range p.Gates {
		g := f.Gate
		line := fmt.Sprintf("%s %s: %s", g.Level, g.Name, g.Run)
		if g.Baseline {
			line += " ≥ baseline"
		}
		if g.Images != "" {
			line += g.Images
		}
		all = append(all, line+" ("+f.Source+")")
	}
	for _, s := range p.Setup {
		all = append(all, "setup: "+s.Run+" ("+s.Source+")")
	}
	for _, r := range p.Remarks {
		all = append(all, "remark: "+r)
	}
	return all
}

type files = map[string]string

func TestScan(t *testing.T) {
	t.Parallel()
	const goTests, goTypes, goCover = "hard tests: go test ./... (go.mod)", "hard types: go vet ./... (go.mod)",
		"soft coverage: go test -coverprofile=coverage.out ./... ≥ baseline (go.mod)"
	for _, row := range []struct {
		name  string
		files files
		want  []string
	}{
		{"nothing", files{}, nil},
		{"a readme", files{"README.md": "# x"}, nil},
		{"go", files{"go.mod": "module x", "a/b_test.go": "x"}, []string{goTests, goTypes, goCover}},
		{
			"go with lint",
			files{"go.mod": "", "a_test.go": "", ".golangci.yml": ""},
			[]string{goTests, goTypes, "hard lint: golangci-lint run (.golangci.yml)", goCover},
		},
		{"go without tests", files{"go.mod": "", "a.go": ""}, []string{goTypes, "remark: go.mod: there is no _test.go file yet"}},
		{"go without code", files{"go.mod": ""}, []string{"remark: go.mod: there is no Go file yet"}},
		{
			"go with others' tests only",
			files{"go.mod": "", "a.go": "", "vendor/x/x_test.go": "", ".git/x_test.go": ""},
			[]string{goTypes, "remark: go.mod: there is no _test.go file yet"},
		},

		{
			"node",
			files{"package.json": `{"scripts": {"test": "node --test", "lint": "eslint .", "typecheck": "tsc", "coverage": "c8 npm test"}}`, "package-lock.json": "", "tsconfig.json": "{}"},
			[]string{
				"hard tests: npm test (package.json)", "hard types: npm run typecheck (package.json)", "hard lint: npm run lint (package.json)",
				"soft coverage: npm run coverage ≥ baseline (package.json)", "setup: npm ci (package-lock.json)",
			},
		},
		{"node with a BOM", files{"package.json": "\ufeff{\"scripts\": {\"test\": \"x\"}}"}, []string{"hard tests: npm test (package.json)"}},
		{
			"npm's placeholder",
			files{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`},
			[]string{`remark: package.json: script "test" is the placeholder of npm init`},
		},
		{"watch mode", files{"package.json": `{"scripts": {"test": "jest --watch"}}`}, []string{`remark: package.json: script "test" watches files and would not end`}},
		{"strange scripts", files{"package.json": `{"scripts": {"test": 5, "lint": null, "types": [" "]}, "packageManager": {}}`}, nil},
		{"cut off", files{"package.json": "{\n"}, []string{"remark: package.json:1: not valid JSON: unexpected end of JSON input"}},
		{"empty package.json", files{"package.json": ""}, []string{"remark: package.json:1: not valid JSON: unexpected end of JSON input"}},
		{"not JSON", files{"package.json": "{\n  \"scripts\": {},\n  nonsense\n}"}, []string{"remark: package.json:3: not valid JSON: invalid character 'n' looking for beginning of object key string"}},
		{"scripts are a list", files{"package.json": "{\n  \"scripts\": []}"}, []string{"remark: package.json:2: scripts is not an object but of type array"}},
		{"package.json is a list", files{"package.json": "[]"}, []string{"remark: package.json: not a JSON object"}},
		{"a folder called package.json", files{"package.json/x": ""}, nil},
		{"binary files", files{"Makefile": "\x00\xff\xfe", "pyproject.toml": "\x00\xff", "tests.sh": ""}, []string{"hard tests: sh tests.sh (tests.sh)"}},
		{
			"pnpm by lockfile",
			files{"package.json": `{"scripts": {"test": "x"}}`, "pnpm-lock.yaml": "", "tsconfig.json": "{}"},
			[]string{"hard tests: pnpm test (package.json)", "hard types: pnpm exec tsc --noEmit (tsconfig.json)", "setup: pnpm install --frozen-lockfile (pnpm-lock.yaml)"},
		},
		{"yarn classic", files{"package.json": `{"scripts": {"lint": "x"}}`, "yarn.lock": ""}, []string{"hard lint: yarn run lint (package.json)", "setup: yarn install --frozen-lockfile (yarn.lock)"}},
		{"yarn modern", files{"package.json": `{"packageManager": "yarn@4.1.0", "scripts": {"test": "x"}}`, "yarn.lock": ""}, []string{"hard tests: yarn test (package.json)", "setup: yarn install --immutable (yarn.lock)"}},
		{"bun", files{"package.json": `{"scripts": {"test": "x"}}`, "bun.lock": ""}, []string{"hard tests: bun run test (package.json)", "setup: bun install --frozen-lockfile (bun.lock)"}},
		{"manager by word", files{"package.json": `{"packageManager": "pnpm@9", "scripts": {"test": "x"}}`, "package-lock.json": ""}, []string{"hard tests: pnpm test (package.json)"}},
		{"manager unknown", files{"package.json": `{"packageManager": "rm -rf@9", "scripts": {"test": "x"}}`}, []string{"hard tests: npm test (package.json)"}},
		{"no lockfile", files{"package.json": `{"devDependencies": {"a": "1"}}`}, []string{"setup: npm install --no-package-lock (package.json)"}},
		{"typescript", files{"package.json": "{}", "tsconfig.json": "{}"}, []string{"hard types: npx --no-install tsc --noEmit (tsconfig.json)"}},
		{
			"solution tsconfig",
			files{"package.json": "{}", "tsconfig.json": `{"files": [], "references": []}`},
			[]string{`remark: tsconfig.json: it refers to other projects; a script "typecheck" in package.json would become a gate`},
		},

		{"pytest by section", files{"pyproject.toml": "[tool.pytest.ini_options]\n"}, []string{"hard tests: python3 -m pytest (pyproject.toml)"}},
		{"pytest by import", files{"tests/test_a.py": "import os, pytest\n"}, []string{"hard tests: python3 -m pytest (tests/test_a.py)"}},
		{"pytest by function", files{"test_a.py": "import x\ndef test_a(): pass\n"}, []string{"hard tests: python3 -m pytest (test_a.py)"}},
		{"unittest", files{"test_a.py": "import unittest\n"}, []string{"hard tests: python3 -m unittest (test_a.py)"}},
		{"unittest in a package", files{"tests/test_a.py": "from unittest import TestCase\n", "tests/__init__.py": ""}, []string{"hard tests: python3 -m unittest (tests/test_a.py)"}},
		{"unittest in a folder", files{"tests/test_a.py": "from unittest.mock import x\n"}, []string{"hard tests: python3 -m unittest discover -s tests (tests/test_a.py)"}},
		{
			"python, all of it",
			files{"uv.lock": "", "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\nfiles = 'src'\n"},
			[]string{"hard tests: uv run python -m pytest (pyproject.toml)", "hard types: uv run python -m mypy (pyproject.toml)", "hard lint: uv run python -m ruff check . (pyproject.toml)", "setup: uv sync --frozen (uv.lock)"},
		},
		{
			"python, older",
			files{"setup.cfg": "[tool:pytest]\n[flake8]\n[mypy]\n", "poetry.lock": ""},
			[]string{"hard tests: poetry run python -m pytest (setup.cfg)", "hard types: poetry run python -m mypy . (setup.cfg)", "hard lint: poetry run python -m flake8 (setup.cfg)", "setup: poetry install --no-interaction (poetry.lock)"},
		},
		{"python without tests", files{"pyproject.toml": "[project]\n", "a.py": "", "requirements.txt": "x"}, nil},

		{"rust", files{"Cargo.toml": "[package]\n"}, []string{"hard tests: cargo test (Cargo.toml)", "hard lint: cargo clippy --all-targets -- -D warnings (Cargo.toml)"}},
		{"rust workspace", files{"Cargo.toml": "[workspace]\n", "a/Cargo.toml": ""}, []string{"hard tests: cargo test --workspace (Cargo.toml)", "hard lint: cargo clippy --workspace --all-targets -- -D warnings (Cargo.toml)"}},
		{"maven", files{"pom.xml": ""}, []string{"hard tests: mvn -B test (pom.xml)"}},
		{"maven wrapper", files{"pom.xml": "", "mvnw*": ""}, []string{"hard tests: ./mvnw -B test (pom.xml)"}},
		{"gradle wrapper not executable", files{"build.gradle.kts": "", "gradlew": "#!/bin/sh\n"}, []string{"hard tests: sh gradlew --no-daemon test (build.gradle.kts)"}},

		{"make", files{"Makefile": ".PHONY: test lint # x\nVAR := a:b\nall test: build\n\tgo test\nlint:\n\nX = test: y\n"}, []string{"hard tests: make test (Makefile)", "hard lint: make lint (Makefile)"}},
		{"make check, CRLF", files{"GNUmakefile": "check:\r\n\ttrue\r\n"}, []string{"hard tests: make check (GNUmakefile)"}},
		{"make behind go", files{"go.mod": "", "a_test.go": "", "Makefile": "test:\nlint:\n"}, []string{goTests, goTypes, "hard lint: make lint (Makefile)", goCover}},
		{"make hidden by a folder", files{"Makefile": "test:\n", "test/x": ""}, []string{"remark: Makefile: the target test does nothing while a file or folder of that name exists; make it .PHONY"}},
		{"make variable is no target", files{"Makefile": "test := x\ntests ::= x\n# check: x\n"}, nil},

		{"script", files{"test.sh": "#!/usr/bin/env bash\n"}, []string{"hard tests: bash test.sh (test.sh)"}},
		{"script, executable", files{"scripts/test.sh*": ""}, []string{"hard tests: ./scripts/test.sh (scripts/test.sh)"}},
		{"script behind make", files{"test.sh": "", "Makefile": "test:\n"}, []string{"hard tests: make test (Makefile)"}},

		{"pictures", files{"screenshots/a.PNG": "", "screenshots/b.txt": ""}, []string{"soft visual: screenshots (screenshots)"}},
		{"pictures that are marked", files{"screenshots/verified-a.webp": ""}, []string{"hard visual: screenshots (screenshots)"}},
		{"no pictures", files{"screenshots/b.txt": ""}, nil},

		{
			"go and node",
			files{"go.mod": "", "a_test.go": "", "package.json": `{"scripts": {"test": "x", "lint": "y"}}`},
			[]string{goTests, "hard tests-node: npm test (package.json)", goTypes, "hard lint: npm run lint (package.json)", goCover},
		},
		{"submodules", files{".gitmodules": ""}, []string{"setup: git submodule update --init --recursive (.gitmodules)"}},
		{"folders in place of files", files{"go.mod/x": "", "package.json/x": "", "Makefile/x": "", "test.sh/x": "", "screenshots": ""}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := Scan(tree(row.files), installed)
			if d := cmp.Diff(row.want, lines(got.Project)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			checkNames(t, got)
			if row.name != "folders in place of files" && len(got.Nested) != 0 {
				t.Errorf("nested: %+v", got.Nested)
			}
		})
	}
}

// checkNames: names are what the configuration accepts, each once.
func checkNames(t *testing.T, r Result) {
	t.Helper()
	seen := map[string]bool{}
	name := regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	for _, p := range append([]Project{r.Project}, r.Nested...) {
		for _, f := range p.Gates {
			if seen[f.Gate.Name] || !name.MatchString(f.Gate.Name) {
				t.Errorf("name %q", f.Gate.Name)
			}
			seen[f.Gate.Name] = true
			if f.Source == "" || f.Why == "" || f.Gate.Dir != p.Dir {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestNested(t *testing.T) {
	t.Parallel()
	got := Scan(tree(files{
		"go.mod": "", "a_test.go": "",
		"web/package.json":              `{"scripts": {"test": "x"}}`,
		"web/app/package.json":          `{"scripts": {"lint": "x"}}`,
		"Web!/package.json":             `{"scripts": {"test": "x"}}`,
		"web-/package.json":             `{"scripts": {"test": "x"}}`,
		"empty/package.json":            `{}`,
		"a/b/c/pyproject.toml":          "[tool.pytest]",
		"a/b/c/d/go.mod":                "",
		"web/node_modules/package.json": `{"scripts": {"test": "x"}}`,
		"sub/go.mod":                    "", "sub/x_test.go": "",
	}), installed)
	var all []string
	for _, p := range got.Nested {
		for _, f := range p.Gates {
			all = append(all, f.Gate.Dir+" "+f.Gate.Name+" "+f.Source)
		}
	}
	want := []string{
		"Web! tests-web Web!/package.json",
		"a/b/c tests-a-b-c a/b/c/pyproject.toml",
		"sub tests-sub sub/go.mod", "sub types-sub sub/go.mod", "sub coverage-sub sub/go.mod",
		"web tests-web-2 web/package.json",
		"web/app lint-web-app web/app/package.json",
		"web- tests-web-3 web-/package.json",
	}
	slices.Sort(all)
	slices.Sort(want)
	if d := cmp.Diff(want, all); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	checkNames(t, got)
}

func TestCoveredByTheRoot(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]files{
		"workspaces": {"package.json": `{"workspaces": ["a"], "scripts": {"test": "x"}}`, "a/package.json": `{"scripts": {"test": "x"}}`},
		"cargo":      {"Cargo.toml": "[workspace]", "a/Cargo.toml": ""},
		"maven":      {"pom.xml": "", "a/pom.xml": ""},
	} {
		if got := Scan(tree(f), installed); len(got.Nested) != 0 {
			t.Errorf("%s: %+v", name, got.Nested)
		}
	}
}

func TestAtMostSoManyNested(t *testing.T) {
	t.Parallel()
	many := files{}
	for i := range maxNested + 1 {
		many[fmt.Sprintf("p%02d/Cargo.toml", i)] = ""
	}
	if got := len(Scan(tree(many), installed).Nested); got != maxNested {
		t.Errorf("%d nested projects", got)
	}
}

func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	look := func(name string) (string, error) {
		if name == "go" {
			return "/bin/go", nil
		}
		return "", errors.New("not found")
	}
	got := Scan(tree(files{"go.mod": "", "a_test.go": "", ".golangci.yml": "", "package.json": "{}", "package-lock.json": "", "test.sh": ""}), look)
	missing := map[string]string{}
	for _, f := range got.Gates {
		missing[f.Gate.Name] = f.Missing
	}
	if d := cmp.Diff(map[string]string{"tests": "", "types": "", "coverage": "", "lint": "golangci-lint"}, missing); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got.Setup[0].Missing != "npm" {
		t.Errorf("setup %+v", got.Setup)
	}
}

func TestLargeTreeIsTakenToHoldTests(t *testing.T) {
	t.Parallel()
	large := files{"go.mod": ""}
	for i := range maxEntries + 1 {
		large[fmt.Sprintf("a/%05d.txt", i)] = ""
	}
	if got := Scan(tree(large), installed); len(got.Gates) != 3 {
		t.Errorf("got %v", lines(got.Project))
	}
}

// broken fails on every access but the root's.
type broken struct{}

func (broken) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestUnreadableTree(t *testing.T) {
	t.Parallel()
	if got := Scan(broken{}, nil); len(got.Gates)+len(got.Nested) != 0 {
		t.Errorf("got %+v", got)
	}
}

// FuzzScan: foreign files cannot make it panic, and what it proposes has names
// and commands on one line.
func FuzzScan(f *testing.F) {
	f.Add("package.json", `{"scripts": {"test": "x\ny"}}`)
	f.Add("Makefile", "test::\n.PHONY\\\n: test")
	f.Add("pyproject.toml", "[tool.mypy]\xff")
	f.Add("tests/test_x.py", "from . import pytest")
	f.Add("a\x00/Cargo.toml", "[workspace")
	f.Fuzz(func(t *testing.T, name, text string) {
		if !fs.ValidPath(name) || name == "." {
			return
		}
		got := Scan(tree(files{name: text}), installed)
		checkNames(t, got)
		for _, p := range append([]Project{got.Project}, got.Nested...) {
			for _, g := range p.Gates {
				if strings.ContainsAny(g.Gate.Run, "\n\x00") || g.Gate.Run == "" && g.Gate.Images == "" {
					t.Fatalf("%+v", g)
				}
			}
		}
	})
}
