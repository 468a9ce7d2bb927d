package migrate

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// How people finish a command when they write down what they expect of it.
var expectation = lazyregexp.New(`(?i)\s+(must |should |that )?(passes|pass|succeeds|succeed|is green|exits? (with )?(code |status )?0|exits? zero|returns 0|exit code 0)\.?$`)

var quotedText = lazyregexp.New(`'[^']*'|"(\\.|[^"\\])*"`)

// Command is the command line in a completion criterion: "npm test", "`make
// check`", "go test ./... passes". A sentence is none: what cannot be told from
// prose is refused, since a gate that runs something else proves nothing.
func (f *Found) Command() (command string, ok bool) {
	text := strings.TrimSpace(f.Completion)
	if text == "" || len(text) > 4096 || strings.ContainsAny(text, "\n\r\x1b") {
		return "", false
	}
	text = expectation.ReplaceAllString(text, "")
	if inner, found := strings.CutPrefix(text, "`"); found && strings.Count(inner, "`") == 1 && strings.HasSuffix(inner, "`") {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "`"))
	}
	words := strings.Fields(quotedText.ReplaceAllString(text, "_"))
	if len(words) == 0 || slices.ContainsFunc(words, prose) {
		return "", false
	}
	first := words[0]
	for strings.Contains(first, "=") && len(words) > 1 { // VAR=value command
		words = words[1:]
		first = words[0]
	}
	known := slices.Contains(programs(), first) || strings.HasPrefix(first, "./") || strings.HasPrefix(first, "scripts/") || strings.HasPrefix(first, "bin/")
	return text, known
}

// prose are words that no command line has outside of quotes.
func prose(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ".,;:")) {
	case "passes", "pass", "passing", "succeeds", "should", "must", "is", "are", "and", "or", "with", "without",
		"the", "no", "exits", "returns", "until", "when", "works", "errors", "above", "below", "≥", "green":
		return true
	}
	return false
}

// programs are those that completion criteria begin with.
func programs() []string {
	return []string{
		"npm", "npx", "yarn", "pnpm", "bun", "bunx", "node", "deno", "tsc", "vitest", "jest", "mocha", "eslint",
		"go", "golangci-lint", "staticcheck", "make", "just", "task", "cargo", "pytest", "python", "python3", "tox", "nox",
		"uv", "poetry", "ruff", "mypy", "ruby", "bundle", "rake", "rspec", "mvn", "gradle", "bazel", "cmake", "ctest", "ninja",
		"dotnet", "php", "phpunit", "composer", "swift", "xcodebuild", "zig", "mix", "sbt", "lein", "stack", "cabal", "dart", "flutter",
		"docker", "sh", "bash", "test", "grep", "diff", "true", "false", "git", "env", "ls", "cat", "[",
	}
}
