package proof

import (
	"path"
	"slices"
	"strings"
)

// merger returns the manifest of the work with everything but its dependencies as on
// the base; base is nil for one that the work added. same: the work changed nothing
// but dependencies. ok: both could be parsed.
type merger func(base, work []byte) (merged []byte, same, ok bool)

// manifestOf returns how a manifest of dependencies is merged; nil for other files,
// and for manifests among tests or installed packages.
func manifestOf(p string) merger {
	if _, test := isTest(p); test || within(p, func(name string) bool { return slices.Contains(configFolders, name) || name == "vendor" }) {
		return nil
	}
	switch name := strings.ToLower(path.Base(p)); {
	case name == "package.json":
		return mergePackage
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

// merge returns the edit of a changed manifest, and whether it changed more than
// dependencies.
func (d *diff) merge(p string, m merger) (Edit, bool, error) {
	old, had := d.base[p]
	now, has := d.work[p]
	switch {
	case !has, had && !isFile(old), !isFile(now):
		return d.restored(p), true, nil
	case !had && d.shadowsModule(p):
		return d.restored(p), true, nil
	}
	work, err := d.Content(now.ID)
	if err != nil {
		return Edit{}, false, err
	}
	var base []byte
	if had {
		if base, err = d.Content(old.ID); err != nil {
			return Edit{}, false, err
		}
		base = append([]byte{}, base...) // not nil: the base has it
	}
	merged, same, ok := m(base, work)
	switch {
	case !ok:
		return d.restored(p), true, nil
	case same:
		return Edit{}, false, nil
	}
	return Edit{Path: p, Mode: now.Mode, Data: merged}, true, nil
}

func isFile(f File) bool { return f.Mode != linkMode && f.Mode != submoduleMode }

// runners are packages that run or support tests. A dependency of such a name that
// comes from another place than its registry takes the place of the runner.
var runners = []string{
	"jest", "vitest", "mocha", "ava", "tap", "tape", "chai", "c8", "nyc", "karma", "jasmine", "playwright", "cypress", "ts-jest", "ts-node", "tsx",
	"typescript", "esbuild", "sinon", "expect", "eslint", "prettier", "nock", "supertest", "should", "uvu", "jsdom", "happy-dom", "swc", "oxlint",
	"phpunit/phpunit", "pestphp/pest", "mockery/mockery", "rspec", "minitest", "test-unit",
}

// runnerScopes are scopes of npm whose packages do the same.
var runnerScopes = []string{"@jest/", "@vitest/", "@babel/", "@playwright/", "@testing-library/", "@types/", "@swc/", "@eslint/"}

func isRunner(name string) bool {
	return slices.Contains(runners, strings.ToLower(name)) || slices.Contains(pythonTools(), strings.ToLower(name)) ||
		slices.ContainsFunc(runnerScopes, func(s string) bool { return strings.HasPrefix(name, s) })
}

// isLocal reports whether the version of a dependency names a place of its own: a
// path, an address, or another package.
func isLocal(version string) bool { return strings.ContainsAny(version, ":/\\@") }
