package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proof"
)

// lintNames are patterns of names, in lower case, of files that only linters, formatters,
// type checkers, searches and scanners read. They judge where a gate may run such a tool.
var lintNames = []string{
	// the usual ones
	"mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml", ".flake8", ".pylintrc", "pylintrc", "pylintrc.toml", "pyrightconfig.json", ".isort.cfg", ".bandit",
	"eslint.config.*", ".eslintrc", ".eslintrc.*", ".prettierrc", ".prettierrc.*", "prettier.config.*", "biome.json",
	"biome.jsonc", ".oxlintrc.json", ".stylelintrc*", ".golangci.*", "staticcheck.conf", "revive.toml", "clippy.toml", ".clippy.toml", "rustfmt.toml", ".rustfmt.toml",
	"deny.toml", "checkstyle.xml", ".rubocop*", "phpstan.neon*", "phpstan.dist.neon", "psalm.xml*", ".php-cs-fixer*", ".formatter.exs", ".credo.exs", ".luacheckrc",
	".editorconfig", ".shellcheckrc", ".pre-commit-config.yaml",
	// what tools skip; see skipsFiles
	".trivyignore*",
	"*suppressions.xml", ".cppcheck-suppressions*", "*spotbugs*.xml", "*findbugs*.xml", "phpstan-baseline*", "psalm-baseline*", "detekt-baseline*.xml", "lint-baseline*.xml", "ktlint-baseline*.xml", "eslint-baseline.json", "lint-baseline.json", ".secrets.baseline", "*ignore-warnings", ".dialyzer_ignore*",
	// what they report
	".clang-tidy", ".clang-format", ".clangd", ".yamllint*", ".markdownlint*", ".jshintrc", ".jscsrc", ".htmlhintrc", ".textlintrc*", ".proselintrc*", "tslint.json", "oxlint*.json", "knip.*",
	".dependency-cruiser.*", ".size-limit.*", "size-limit.*", ".jscpd.json", "cspell.*", ".cspell.*", "dprint.json", ".dprint.json", "dprint.jsonc", ".ls-lint.y*ml", ".commitlintrc*", "commitlint.config.*", "stylelint.config.*",
	"ty.toml", "pyrefly.toml", ".pycodestyle", ".pydocstyle", ".importlinter", ".vulture*", "pyre_configuration", ".pyre_configuration", ".style.yapf", ".codespellrc", "pytype.cfg", ".sourcery.yaml", ".sqlfluff*",
	".revive.toml", ".errcheck*", "sgconfig.y*ml", ".semgrep*", "typos.toml", ".typos.toml", "_typos.toml", "taplo.toml", ".taplo.toml",
	".swiftlint.y*ml", ".swiftformat", ".swift-format", "detekt*.y*ml", ".editorconfig-checker.json", "lint.xml", "pmd*.xml", "ruleset.xml", "scalastyle*.xml", ".scalafmt.conf", ".scalafix.conf", ".scalafix*.conf",
	"phpcs.xml*", ".phpcs.xml*", "phpmd.xml*", ".hlint.yaml", ".perlcriticrc", ".perltidyrc", ".hadolint.y*ml", ".ansible-lint*", ".tflint.hcl", ".checkov.y*ml", ".tfsec*", ".kube-linter.y*ml", ".gitleaks.toml", ".bearer*", ".snyk",
	".buildifier.json", ".vale.ini", "_vale.ini", ".reek.yml", ".erb-lint.yml", ".haml-lint.yml", ".slather.yml", ".lcovrc", "lcovrc", "gcovr.cfg", "cargo-deny.toml", ".protolint.y*ml", "buf.yaml", ".spectral.y*ml", "analysis_options.yaml",
}

// shippedIgnores are lists of files that are not tracked, packed, sent or shown to an agent:
// no tool that judges reads them.
var shippedIgnores = []string{
	".gitignore", ".hgignore", ".bzrignore", ".cvsignore", ".p4ignore", ".dvcignore", ".stignore", ".dockerignore", ".containerignore", ".npmignore", ".yarnignore",
	".vscodeignore", ".gcloudignore", ".helmignore", ".vercelignore", ".nowignore", ".slugignore", ".cfignore", ".ebignore", ".funcignore", ".rsyncignore", ".chefignore",
	".cursorignore", ".aiderignore", ".geminiignore", ".codeiumignore", ".clineignore", ".rooignore", ".claudeignore",
}

// skipsFiles reports whether a name, in lower case, is that of a list of files which a
// linter or another tool that judges skips (.rgignore, .lintignore).
func skipsFiles(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, "ignore") && !slices.Contains(shippedIgnores, name)
}

// pyLinters are the tables of a pyproject.toml that only such tools read.
var pyLinters = []string{"ruff", "black", "isort", "mypy", "pyright", "basedpyright", "pylint", "flake8", "bandit", "codespell", "pydocstyle", "yapf", "autopep8", "interrogate", "vulture", "djlint"}

// lints reports whether a file configures a linter or the like, and the gate may be one: it
// is none of tests alone.
func (j *judging) lints(p string) bool {
	if name := strings.ToLower(path.Base(p)); !proof.Matches(lintNames, name) && !skipsFiles(name) {
		return false
	}
	return j.mayLint()
}

// mayLint reports whether the gate may run a linter or the like.
func (j *judging) mayLint() bool {
	if j.Gate.Kind != loop.KindTests {
		return true
	}
	return j.does.Inspects
}
