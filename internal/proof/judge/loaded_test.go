package judge

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestLoadedModulesJudge: a module that configuration of the base loads into the tests
// judges; what has a like name, or is loaded by a script that the gate does not run, is
// the product.
func TestLoadedModulesJudge(t *testing.T) {
	t.Parallel()
	tests := prooftest.Tree{"tests/test_a.py": "x", "test/a.test.js": "x", "app.py": "x", "app.js": "x"}
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want          []string
	}{
		"a script of a package":     {"npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "npm run unit", "unit": "node --import ./boot.js --test"}}`, "boot.js": "x"}, prooftest.Tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"another script":            {"npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "node --test", "start": "node -r ./boot.js app.js"}}`, "boot.js": "x"}, prooftest.Tree{"boot.js": "y"}, nil},
		"in a folder, no ending":    {"npm test", prooftest.Tree{"web/package.json": `{"scripts": {"test": "mocha -r lib/boot --recursive"}}`, "web/lib/boot.mjs": "x"}, prooftest.Tree{"web/lib/boot.mjs": ""}, []string{"web/lib/boot.mjs"}},
		"folders of commands":       {"npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "cp -r src dist && node --test dist"}}`, "src/index.js": "x"}, prooftest.Tree{"src/index.js": "y"}, nil},
		"npm's node-options":        {"npm test", prooftest.Tree{".npmrc": "node-options=--require=./boot.cjs\n", "boot.cjs": "x"}, prooftest.Tree{"boot.cjs": "y"}, []string{"boot.cjs"}},
		"the gate's command":        {"node --loader ./hooks.mjs --test", prooftest.Tree{"hooks.mjs": "x"}, prooftest.Tree{"hooks.mjs": "y"}, []string{"hooks.mjs"}},
		"jest":                      {"npx jest", prooftest.Tree{"package.json": `{"jest": {"setupFiles": ["<rootDir>/boot.js"], "moduleNameMapper": {"^@": "./app.js"}}}`, "boot.js": "x"}, prooftest.Tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"vitest":                    {"npx vitest", prooftest.Tree{"vitest.config.ts": "export default {test: {setupFiles: './boot.ts', globals: true}}", "boot.ts": "x"}, prooftest.Tree{"boot.ts": "y"}, []string{"boot.ts"}},
		"pytest.ini":                {"pytest", prooftest.Tree{"pytest.ini": "[pytest]\naddopts = -q -p shopplugin\n", "shopplugin.py": "x"}, prooftest.Tree{"shopplugin.py": "y", "app.py": "y"}, []string{"shopplugin.py"}},
		"pyproject.toml, deep":      {"pytest", prooftest.Tree{"pyproject.toml": "[tool.pytest.ini_options]\naddopts = [\"-p\", \"shop.plug\"]\n", "python/shop/plug/__init__.py": "x", "shop/x.py": "x"}, prooftest.Tree{"python/shop/plug/__init__.py": "y", "shop/x.py": "y"}, []string{"python/shop/plug/__init__.py"}},
		"glued":                     {"pytest", prooftest.Tree{"setup.cfg": "[tool:pytest]\naddopts=-pshopplugin\n", "shopplugin.py": "x"}, prooftest.Tree{"shopplugin.py": "y"}, []string{"shopplugin.py"}},
		"switched off":              {"pytest", prooftest.Tree{"tox.ini": "[pytest]\naddopts = -p no:app\n"}, prooftest.Tree{"app.py": "y"}, nil},
		"the command of pytest":     {"python -m pytest -p helpers.plug", prooftest.Tree{"helpers/plug.py": "x"}, prooftest.Tree{"helpers/plug.py": "y"}, []string{"helpers/plug.py"}},
		"conftest.py":               {"pytest", prooftest.Tree{"tests/conftest.py": "pytest_plugins = [\n    'shop.fixtures_a',\n    \"b\",\n]\n", "shop/fixtures_a.py": "x", "b.py": "x"}, prooftest.Tree{"shop/fixtures_a.py": "y", "b.py": "y", "app.py": "y"}, []string{"b.py", "shop/fixtures_a.py"}},
		"a string":                  {"pytest", prooftest.Tree{"conftest.py": "pytest_plugins = \"b\"\n", "b.py": "x"}, prooftest.Tree{"b.py": "y"}, []string{"b.py"}},
		"a package before it":       {"pytest", prooftest.Tree{"pytest.ini": "[pytest]\naddopts = -p b\n", "b.py": "x"}, prooftest.Tree{"b/__init__.py": "y"}, []string{"b/__init__.py"}},
		"a test of pytest":          {"pytest", prooftest.Tree{"tests/test_a.py": "pytest_plugins = ('b',)\n", "b.py": "x"}, prooftest.Tree{"b.py": "y", "app.py": "y"}, []string{"b.py"}},
		"entry points, toml":        {"pytest", prooftest.Tree{"pyproject.toml": "[project.entry-points.pytest11]\nshop = \"shop.plug\"\n\n[tool.x]\ny = \"app\"\n", "shop/plug.py": "x"}, prooftest.Tree{"shop/plug.py": "y", "app.py": "y"}, []string{"shop/plug.py"}},
		"entry points, setup.cfg":   {"pytest", prooftest.Tree{"setup.cfg": "[options.entry_points]\npytest11 =\n    shop = shop.plug\n", "src/shop/plug.py": "x"}, prooftest.Tree{"src/shop/plug.py": "y"}, []string{"src/shop/plug.py"}},
		"entry points, setup.py":    {"pytest", prooftest.Tree{"setup.py": "setup(entry_points={'pytest11': ['shop = plug:Plugin']})", "plug.py": "x"}, prooftest.Tree{"plug.py": "y", "app.py": "y"}, []string{"plug.py"}},
		"a script of the gate":      {"sh ci/test.sh", prooftest.Tree{"ci/test.sh": "node --import=./boot.js --test\n", "boot.js": "x"}, prooftest.Tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"a target of make":          {"make test", prooftest.Tree{"Makefile": "test:\n\tpython -m pytest -p plug -c qa/alt.cfg\n", "plug.py": "x", "qa/alt.cfg": "x"}, prooftest.Tree{"plug.py": "y", "qa/alt.cfg": "y", "app.py": "y"}, []string{"plug.py", "qa/alt.cfg"}},
		"configuration of the work": {"pytest", nil, prooftest.Tree{"pytest.ini": "[pytest]\naddopts = -p app\n", "app.py": "y"}, []string{"pytest.ini"}},
	} {
		base := prooftest.Tree{}
		for _, files := range []prooftest.Tree{tests, c.base} {
			maps.Copy(base, files)
		}
		k, _ := change(c.gate, base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestLoadedByScript: what a script of the gate loads judges whatever else the work changes, also
// where it has the name of a test and the base has none.
func TestLoadedByScript(t *testing.T) {
	t.Parallel()
	for _, more := range []prooftest.Tree{nil, {"app.js": "y"}} {
		changes := prooftest.Tree{"boot.test.js": "y"}
		maps.Copy(changes, more)
		k, _ := change("sh ci/test.sh", prooftest.Tree{"ci/test.sh": "node --import=./boot.test.js check.js\n", "app.js": "x"}, changes)
		got, err := k.Judges()
		if d := cmp.Diff([]string{"boot.test.js"}, got.New); d != "" || err != nil {
			t.Errorf("%v: %v %s", more, err, d)
		}
	}
}
