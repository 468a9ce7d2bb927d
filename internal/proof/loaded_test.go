package proof

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLoadedModulesJudge: a module that configuration of the base loads into the tests
// judges; what has a like name, or is loaded by a script that the gate does not run, is
// the product.
func TestLoadedModulesJudge(t *testing.T) {
	t.Parallel()
	tests := tree{"tests/test_a.py": "x", "test/a.test.js": "x", "app.py": "x", "app.js": "x"}
	for what, c := range map[string]struct {
		gate          string
		base, changes tree
		want          []string
	}{
		"a script of a package":     {"npm test", tree{"package.json": `{"scripts": {"test": "npm run unit", "unit": "node --import ./boot.js --test"}}`, "boot.js": "x"}, tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"another script":            {"npm test", tree{"package.json": `{"scripts": {"test": "node --test", "start": "node -r ./boot.js app.js"}}`, "boot.js": "x"}, tree{"boot.js": "y"}, nil},
		"in a folder, no ending":    {"npm test", tree{"web/package.json": `{"scripts": {"test": "mocha -r lib/boot --recursive"}}`, "web/lib/boot.mjs": "x"}, tree{"web/lib/boot.mjs": ""}, []string{"web/lib/boot.mjs"}},
		"folders of commands":       {"npm test", tree{"package.json": `{"scripts": {"test": "cp -r src dist && node --test dist"}}`, "src/index.js": "x"}, tree{"src/index.js": "y"}, nil},
		"npm's node-options":        {"npm test", tree{".npmrc": "node-options=--require=./boot.cjs\n", "boot.cjs": "x"}, tree{"boot.cjs": "y"}, []string{"boot.cjs"}},
		"the gate's command":        {"node --loader ./hooks.mjs --test", tree{"hooks.mjs": "x"}, tree{"hooks.mjs": "y"}, []string{"hooks.mjs"}},
		"jest":                      {"npx jest", tree{"package.json": `{"jest": {"setupFiles": ["<rootDir>/boot.js"], "moduleNameMapper": {"^@": "./app.js"}}}`, "boot.js": "x"}, tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"vitest":                    {"npx vitest", tree{"vitest.config.ts": "export default {test: {setupFiles: './boot.ts', globals: true}}", "boot.ts": "x"}, tree{"boot.ts": "y"}, []string{"boot.ts"}},
		"pytest.ini":                {"pytest", tree{"pytest.ini": "[pytest]\naddopts = -q -p shopplugin\n", "shopplugin.py": "x"}, tree{"shopplugin.py": "y", "app.py": "y"}, []string{"shopplugin.py"}},
		"pyproject.toml, deep":      {"pytest", tree{"pyproject.toml": "[tool.pytest.ini_options]\naddopts = [\"-p\", \"shop.plug\"]\n", "python/shop/plug/__init__.py": "x", "shop/x.py": "x"}, tree{"python/shop/plug/__init__.py": "y", "shop/x.py": "y"}, []string{"python/shop/plug/__init__.py"}},
		"glued":                     {"pytest", tree{"setup.cfg": "[tool:pytest]\naddopts=-pshopplugin\n", "shopplugin.py": "x"}, tree{"shopplugin.py": "y"}, []string{"shopplugin.py"}},
		"switched off":              {"pytest", tree{"tox.ini": "[pytest]\naddopts = -p no:app\n"}, tree{"app.py": "y"}, nil},
		"the command of pytest":     {"python -m pytest -p helpers.plug", tree{"helpers/plug.py": "x"}, tree{"helpers/plug.py": "y"}, []string{"helpers/plug.py"}},
		"conftest.py":               {"pytest", tree{"tests/conftest.py": "pytest_plugins = [\n    'shop.fixtures_a',\n    \"b\",\n]\n", "shop/fixtures_a.py": "x", "b.py": "x"}, tree{"shop/fixtures_a.py": "y", "b.py": "y", "app.py": "y"}, []string{"b.py", "shop/fixtures_a.py"}},
		"a string":                  {"pytest", tree{"conftest.py": "pytest_plugins = \"b\"\n", "b.py": "x"}, tree{"b.py": "y"}, []string{"b.py"}},
		"a package before it":       {"pytest", tree{"pytest.ini": "[pytest]\naddopts = -p b\n", "b.py": "x"}, tree{"b/__init__.py": "y"}, []string{"b/__init__.py"}},
		"a test of pytest":          {"pytest", tree{"tests/test_a.py": "pytest_plugins = ('b',)\n", "b.py": "x"}, tree{"b.py": "y", "app.py": "y"}, []string{"b.py"}},
		"entry points, toml":        {"pytest", tree{"pyproject.toml": "[project.entry-points.pytest11]\nshop = \"shop.plug\"\n\n[tool.x]\ny = \"app\"\n", "shop/plug.py": "x"}, tree{"shop/plug.py": "y", "app.py": "y"}, []string{"shop/plug.py"}},
		"entry points, setup.cfg":   {"pytest", tree{"setup.cfg": "[options.entry_points]\npytest11 =\n    shop = shop.plug\n", "src/shop/plug.py": "x"}, tree{"src/shop/plug.py": "y"}, []string{"src/shop/plug.py"}},
		"entry points, setup.py":    {"pytest", tree{"setup.py": "setup(entry_points={'pytest11': ['shop = plug:Plugin']})", "plug.py": "x"}, tree{"plug.py": "y", "app.py": "y"}, []string{"plug.py"}},
		"a script of the gate":      {"sh ci/test.sh", tree{"ci/test.sh": "node --import=./boot.js --test\n", "boot.js": "x"}, tree{"boot.js": "y", "app.js": "y"}, []string{"boot.js"}},
		"a target of make":          {"make test", tree{"Makefile": "test:\n\tpython -m pytest -p plug -c qa/alt.cfg\n", "plug.py": "x", "qa/alt.cfg": "x"}, tree{"plug.py": "y", "qa/alt.cfg": "y", "app.py": "y"}, []string{"plug.py", "qa/alt.cfg"}},
		"configuration of the work": {"pytest", nil, tree{"pytest.ini": "[pytest]\naddopts = -p app\n", "app.py": "y"}, []string{"pytest.ini"}},
	} {
		base := tree{}
		for _, files := range []tree{tests, c.base} {
			maps.Copy(base, files)
		}
		k, _ := change(c.gate, base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
