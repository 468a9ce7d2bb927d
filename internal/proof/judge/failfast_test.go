package judge

import "testing"

func TestToItsEnd(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"pytest":                                 "",
		"pytest -q -x tests":                     "pytest -q tests",
		"pytest -x --maxfail=1":                  "pytest ",
		"python3 -m pytest --maxfail 2 -q":       "python3 -m pytest -q",
		"python3 -m unittest -f":                 "python3 -m unittest ",
		"ruff check && python -m unittest -v -f": "ruff check && python -m unittest -v ",
		"rm -f out && python3 -m unittest":       "",
		"python3 -m unittest && rm -f out":       "",
		"go test -failfast ./...":                "go test ./...",
		"go test -race --failfast=true ./...":    "go test -race ./...",
		"npx jest --bail":                        "npx jest ",
		"mocha -b test":                          "mocha test",
		"cargo test":                             "cargo test --no-fail-fast",
		"cargo test --no-fail-fast":              "",
		"cargo +nightly test -q":                 "cargo +nightly test --no-fail-fast -q",
		"tar -x; make test":                      "",
		"vitest run --bail 1 a":                  "vitest run a",
		"ctest --stop-on-failure -j2":            "ctest -j2",
		"npx ava --fail-fast":                    "npx ava ",
		"npx playwright test -x e2e":             "npx playwright test e2e",
		"mix test --max-failures 1":              "mix test ",
	} {
		got, ok := ToItsEnd(command)
		if want == "" {
			want = command
		}
		if got != want || ok != (want != command) {
			t.Errorf("%q: %q %t, want %q", command, got, ok, want)
		}
	}
}
