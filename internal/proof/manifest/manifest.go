package manifest

import (
	"path"
	"slices"
	"strings"
	"sync"

	"ralph/internal/proof"
)

// Merger returns the manifest of the work with everything but its dependencies as on
// the base; base is nil for one that the work added. same: the work changed nothing
// but dependencies. ok: both could be parsed.
type Merger func(base, work []byte) (merged []byte, same, ok bool)

// Of returns how a manifest of dependencies is merged; nil for other files,
// and for manifests among tests or installed packages.
func Of(p string) Merger {
	if _, test := proof.IsTest(p); test || proof.Within(p, func(name string) bool { return slices.Contains(proof.ConfigFolders, name) || name == "vendor" }) {
		return nil
	}
	switch name := strings.ToLower(path.Base(p)); {
	case name == "package.json":
		return MergePackage
	case name == "composer.json":
		return mergeComposer
	case name == "pyproject.toml":
		return mergePyproject
	case name == "cargo.toml":
		return mergeCargo
	case name == "go.mod":
		return mergeGoMod
	case name == "pom.xml":
		return mergePOM
	case name == "gemfile":
		return mergeGemfile
	case strings.HasPrefix(name, "requirements") && strings.HasSuffix(name, ".txt"):
		return mergeRequirements
	}
	return nil
}

// runners are packages that run or support tests. A dependency of such a name that
// comes from another place than its registry takes the place of the runner.
var runners = []string{
	"jest", "vitest", "mocha", "ava", "tap", "tape", "chai", "c8", "nyc", "karma", "jasmine", "playwright", "cypress", "ts-jest", "ts-node", "tsx",
	"typescript", "esbuild", "sinon", "expect", "eslint", "prettier", "nock", "supertest", "should", "uvu", "jsdom", "happy-dom", "swc", "oxlint",
	"phpunit/phpunit", "pestphp/pest", "mockery/mockery", "rspec", "minitest", "test-unit",
}

// runnerScopes are scopes of npm whose packages do the same.
var runnerScopes = []string{"@jest/", "@vitest/", "@babel/", "@playwright/", "@testing-library/", "@types/", "@swc/", "@eslint/"}

// IsRunner reports whether a package of this name runs or supports tests.
func IsRunner(name string) bool {
	return slices.Contains(runners, strings.ToLower(name)) || slices.Contains(PythonTools(), strings.ToLower(name)) ||
		slices.ContainsFunc(runnerScopes, func(s string) bool { return strings.HasPrefix(name, s) })
}

// IsLocal reports whether the version of a dependency names a place of its own: a
// path, an address, or another package.
func IsLocal(version string) bool { return strings.ContainsAny(version, ":/\\@") }

// PythonTools are the packages that run and support tests.
var PythonTools = sync.OnceValue(func() []string {
	return strings.Fields(`pytest _pytest pluggy iniconfig unittest unittest2 nose nose2 mock coverage hypothesis doctest tox nox xdist
		pytest_asyncio pytest_cov pytest_mock pytest_timeout py testtools trial behave robot sitecustomize usercustomize`)
})
