package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
)

// cacheFolders hold what build tools, runners and linters remember: that a task was
// green, that a file has no error, what a source was compiled to. None belongs into a
// commit, and a gate that finds one may not look again.
var cacheFolders = []string{
	".mypy_cache", ".ruff_cache", ".pytest_cache", ".pytype", ".pyre", ".tox", ".nox", ".eggs", ".hypothesis", ".ropeproject",
	".turbo", ".nx", ".parcel-cache", ".jest-cache", ".vitest", ".rpt2_cache", ".nyc_output", ".swc", ".wireit",
	".gradle", ".kotlin", ".bloop", ".metals", ".stack-work", "dist-newstyle", ".dart_tool", "zig-cache", ".zig-cache", ".fingerprint", ".phpunit.cache",
}

var cacheFiles = []string{
	".eslintcache", ".stylelintcache", ".prettiercache", "*.tsbuildinfo", ".phpunit.result.cache", ".php-cs-fixer.cache", ".rustc_info.json", ".coverage", ".rspec_status",
	".testmondata*", ".ninja_log", ".ninja_deps", ".golangci-lint-cache",
}

// isCache reports whether a path is a memory of tools.
func isCache(p string) bool {
	return proof.Matches(cacheFiles, strings.ToLower(path.Base(p))) || proof.Within(p, func(name string) bool { return slices.Contains(cacheFolders, name) })
}
