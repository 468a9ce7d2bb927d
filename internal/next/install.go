package next

import "strings"

// installs are the usual ways to install the programs that gates run.
var installs = map[string]string{
	"pytest": "pip install pytest", "ruff": "pip install ruff", "mypy": "pip install mypy", "tox": "pip install tox", "coverage": "pip install coverage",
	"node": "https://nodejs.org", "npm": "https://nodejs.org", "npx": "https://nodejs.org", "pnpm": "npm install --global pnpm", "yarn": "npm install --global yarn",
	"eslint": "npm install --save-dev eslint", "jest": "npm install --save-dev jest", "vitest": "npm install --save-dev vitest", "tsc": "npm install --save-dev typescript",
	"go": "https://go.dev/dl", "golangci-lint": "https://golangci-lint.run", "cargo": "https://rustup.rs", "mvn": "https://maven.apache.org", "gradle": "https://gradle.org",
	"bundle": "gem install bundler", "rspec": "gem install rspec", "composer": "https://getcomposer.org", "dotnet": "https://dot.net", "mix": "https://elixir-lang.org",
}

// Install returns how the program, or the module of Python, is installed that a gate did
// not find, by the reason of its result; "" where that is not known.
func Install(reason string) string {
	words := strings.Fields(reason)
	if len(words) == 0 {
		return ""
	}
	return installs[words[len(words)-1]]
}
