package gate

import (
	"testing"

	"ralph/internal/loop"
)

func TestInfer(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"go test ./...", "go test -race -run 'X|Y' ./...", "CI=1 go test ./...", "cd sub && go test", "(cd a; go test ./...)",
		"go vet ./... && go test ./...", "go test ./... | tee log", "timeout 60 go test ./...", "env -i A=b go test", "time -p go test",
		"gotestsum -- ./...", "coverage run -m pytest", "python3 -m coverage run --include=a.py -m pytest -q && python3 -m coverage report", "c8 --check-coverage node --test", "nyc mocha", "pytest", "pytest -q tests/", "python -m pytest", "python3.12 -m pytest -x", "python3 -m unittest discover",
		"poetry run pytest", "uv run --frozen pytest", "./venv/bin/pytest", "node --test", "node --import tsx --test 'test/*.ts'",
		"npm test", "npm t", "npm run test:unit", "yarn test", "pnpm -r test", "pnpm exec vitest run", "npx jest", "npx --yes jest --ci",
		"bun test", "cargo test", "cargo +nightly test", "cargo nextest run", "vitest run", "mocha", "bundle exec rspec", "rspec",
		"vendor/bin/phpunit", "php -d x=1 vendor/bin/phpunit tests", "composer exec -- phpunit", "mvn -q verify", "./mvnw test", "./gradlew check", "gradle test", "make test", "make -C sub unit-test", "rake", "bundle exec rake spec", "dotnet test", "ctest", "bats tests",
	} {
		if kind, parse := Infer(c); kind != loop.KindTests || parse != "auto" {
			t.Errorf("%q: %s %q", c, kind, parse)
		}
	}
	for _, c := range []string{"", " ", "true", "go build ./...", "php x.php", "composer exec phpstan", "go vet ./...", "./check.sh", "npm run build", "make", "make lint", "cargo build", "python x.py", "node app.js", "echo go test", "'go test'", "golangci-lint run", "pnpm install", "&& ||", "env", "timeout"} {
		if kind, parse := Infer(c); kind != loop.KindCommand || parse != "" {
			t.Errorf("%q: %s %q", c, kind, parse)
		}
	}
}

func FuzzCommandLine(f *testing.F) {
	f.Add("cd a && env -i X=1 timeout 5 sh -c 'go test ./...' | tee x")
	f.Fuzz(func(t *testing.T, line string) {
		if kind, parse := Infer(line); (kind == loop.KindTests) != (parse == "auto") {
			t.Errorf("%q: %s %q", line, kind, parse)
		}
	})
}
