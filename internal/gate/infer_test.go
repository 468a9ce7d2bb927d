package gate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestInfer(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"go test ./...", "go test -race -run 'X|Y' ./...", "CI=1 go test ./...", "cd sub && go test", "(cd a; go test ./...)",
		"go vet ./... && go test ./...", "go test ./... | tee log", "timeout 60 go test ./...", "env -i A=b go test", "time -p go test",
		"gotestsum -- ./...", "pytest", "pytest -q tests/", "python -m pytest", "python3.12 -m pytest -x", "python3 -m unittest discover",
		"poetry run pytest", "uv run --frozen pytest", "./venv/bin/pytest", "node --test", "node --import tsx --test 'test/*.ts'",
		"npm test", "npm t", "npm run test:unit", "yarn test", "pnpm -r test", "pnpm exec vitest run", "npx jest", "npx --yes jest --ci",
		"bun test", "cargo test", "cargo +nightly test", "cargo nextest run", "vitest run", "mocha", "bundle exec rspec", "rspec",
		"vendor/bin/phpunit", "mvn -q verify", "./mvnw test", "./gradlew check", "gradle test", "make test", "make -C sub unit-test", "dotnet test", "ctest", "bats tests",
	} {
		if kind, parse := Infer(c); kind != loop.KindTests || parse != "auto" {
			t.Errorf("%q: %s %q", c, kind, parse)
		}
	}
	for _, c := range []string{"", " ", "true", "go build ./...", "go vet ./...", "./check.sh", "npm run build", "make", "make lint", "cargo build", "python x.py", "node app.js", "echo go test", "'go test'", "golangci-lint run", "pnpm install", "&& ||", "env", "timeout"} {
		if kind, parse := Infer(c); kind != loop.KindCommand || parse != "" {
			t.Errorf("%q: %s %q", c, kind, parse)
		}
	}
}

func TestNamedFiles(t *testing.T) {
	t.Parallel()
	files := []string{
		"Makefile", "sub/Makefile", "scripts/check.sh", "scripts/[id].sh", "tools/check/main.go", "tools/check/rule.go", "tools/lint.py",
		"tox.ini", "tests/conftest.py", "tests/test_a.py", "web/package.json", "web/jest.config.js", "web/vite.config.ts", "phpunit.xml", "src/a.go",
	}
	pytest := []string{".pytest.ini", "pytest.ini", "setup.cfg", "tests/conftest.py", "tox.ini"}
	js := []string{"web/jest.config.*", "web/vitest.config.*", "web/vitest.workspace.*"}
	for _, c := range []struct {
		run, dir string
		want     []string
	}{
		{"true", "", nil},
		{"./scripts/check.sh --fast", "", []string{"scripts/check.sh"}},
		{"bash scripts/check.sh && true", "", []string{"scripts/check.sh"}},
		{"../scripts/check.sh", "sub", []string{"scripts/check.sh"}},
		{"cd scripts && ./check.sh", "", []string{"scripts/check.sh"}},
		{"sh -c 'cd scripts; ./check.sh'", "", []string{"scripts/check.sh"}},
		{"sh 'scripts/[id].sh'", "", []string{`scripts/\[id\].sh`}},
		{"x --config=scripts/check.sh", "", []string{"scripts/check.sh"}},
		{"make test", "", []string{"GNUmakefile", "Makefile", "makefile"}},
		{"make -C sub test", "", []string{"GNUmakefile", "Makefile", "makefile", "sub/GNUmakefile", "sub/Makefile", "sub/makefile"}},
		{"make test", "sub", []string{"sub/GNUmakefile", "sub/Makefile", "sub/makefile"}},
		{"pytest", "", pytest},
		{"python -m pytest tests/test_a.py::test_x", "", []string{".pytest.ini", "pytest.ini", "setup.cfg", "tests/conftest.py", "tests/test_a.py", "tox.ini"}},
		{"python -m tools.lint", "", []string{"tools/lint.py"}},
		{"npm test", "web", js},
		{"cd web && npx jest", "", js},
		{"npm test", "", nil},
		{"phpunit", "", []string{"phpunit.dist.xml", "phpunit.xml", "phpunit.xml.dist"}},
		{"go run ./tools/check", "", []string{"tools/check/main.go", "tools/check/rule.go"}},
		{"go test ./src", "", nil},
		{"test -e src/a.go && ! grep -q x ./src/a.go", "", nil},
		{"grep -rf scripts/check.sh src/a.go", "", nil},
		{"grep -f scripts/check.sh src/a.go", "", []string{"scripts/check.sh"}},
		{"cat /Makefile ../../etc/passwd", "", nil},
	} {
		got := NamedFiles(loop.Gate{Run: c.run, Dir: c.dir}, files)
		if len(got) == 0 && len(c.want) == 0 {
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q in %q: %s", c.run, c.dir, d)
		}
	}
}

func FuzzCommandLine(f *testing.F) {
	f.Add("cd a && env -i X=1 timeout 5 sh -c 'go test ./...' | tee x", "a/b")
	f.Fuzz(func(t *testing.T, line, dir string) {
		Infer(line)
		ReadsPackageScripts(line)
		for _, n := range NamedFiles(loop.Gate{Run: line, Dir: dir}, []string{"Makefile", "a/x.sh", "conftest.py"}) {
			if n == "" || strings.HasPrefix(n, "/") {
				t.Errorf("%q", n)
			}
		}
	})
}
