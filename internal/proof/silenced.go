package proof

import (
	"slices"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// silences match comments and attributes with which a line tells linters, type checkers
// and tools of coverage to look away, in any language.
var silences = lazyregexp.New(`(?i)#\s*(?:noqa|pragma:\s*no[ -]?(?:cover|branch)|type:\s*ignore|pyright:|mypy:|pylint:\s*disable|nosec|ruff:\s*noqa|flake8:\s*noqa|pyre-(?:ignore|fixme)|:nocov:|rubocop:\s*disable|shellcheck\s+disable|sorbet:|credo:disable)` +
	`|//\s*(?:nolint|#nosec|lint:(?:file-)?ignore|coverage:ignore|exhaustive:ignore|phpcs:|nopmd|nosonar|noinspection|swiftlint:disable|biome-ignore|ts-|oxlint-disable|istanbul|eslint-|deno-lint-ignore|v8 ignore|c8 ignore|node:coverage|tslint:|dart|ignore:)` +
	`|@ts-(?:ignore|nocheck|expect-error)|eslint-disable|(?:istanbul|c8|v8) ignore|node:coverage (?:ignore|disable)|biome-ignore|stylelint-disable|oxlint-disable|flow-?fixme|\bNOLINT|\bNOSONAR|@codeCoverageIgnore|@phpstan-ignore|@psalm-suppress` +
	`|@SuppressWarnings|@Suppress\(|@file:Suppress|\bno_type_check\b|#!?\[(?:allow|expect)\(|#!?\[(?:cfg_attr\([^\]]*)?(?:coverage\(off|no_coverage|rustfmt::skip|tarpaulin::skip)|#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored|#\s*pragma\s+warning|GCOVR?_EXCL|LCOV_EXCL`)

// inspects matches commands of tools that such comments speak to.
var inspects = lazyregexp.New(`(?i)lint|clippy|\bvet\b|\bruff\b|flake8|pyflakes|mypy|pyright|\bty\b|\btsc\b|biome|rubocop|phpstan|psalm|phpcs|shellcheck|staticcheck|gosec|bandit|semgrep|cover|--cov|\bnyc\b|\bc8\b|tarpaulin|llvm-cov|warnings|-W(?:all|error)|detekt|checkstyle|spotbugs|dialyzer|credo|clang-tidy|cppcheck`)

// Inspects reports whether a gate judges the text of the product, or which of its lines
// are run.
func Inspects(gates []loop.Gate) bool {
	return slices.ContainsFunc(gates, func(g loop.Gate) bool {
		switch g.Kind {
		case loop.KindLint, loop.KindTypes, loop.KindCoverage:
			return true
		}
		return inspects.MatchString(g.Run)
	})
}
