package judge

import (
	"maps"
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

func TestLintLoads(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		gate  string
		base  prooftest.Tree
		file  string
		judge bool
	}{
		"a module of rules":                  {"npx eslint .", prooftest.Tree{"eslint.config.js": `const { rules } = require("./config/rules");`, "config/rules.js": "x"}, "config/rules.js", true},
		"imported rules":                     {"npx eslint .", prooftest.Tree{"eslint.config.mjs": "import rules from './config/rules.mjs';\n", "config/rules.mjs": "x"}, "config/rules.mjs", true},
		"rules as data":                      {"npx eslint .", prooftest.Tree{"eslint.config.js": `module.exports = require("./config/rules.json");`, "config/rules.json": "{}"}, "config/rules.json", true},
		"data that appears":                  {"npx eslint .", prooftest.Tree{"eslint.config.js": `const rules = require("./config/rules");`, "config/rules.json": "{}"}, "config/rules.js", true},
		"what is skipped":                    {"npx eslint .", prooftest.Tree{"eslint.config.js": `const skip = fs.readFileSync(".lintskip", "utf8");`, ".lintskip": "dist"}, ".lintskip", true},
		"what is skipped, by a path":         {"npx eslint .", prooftest.Tree{"eslint.config.js": `const skip = includeIgnoreFile(path.join(__dirname, "lint/skip.txt"));`, "lint/skip.txt": "dist"}, "lint/skip.txt", true},
		"a plugin":                           {"npx eslint .", prooftest.Tree{"eslint.config.js": `const rule = require("./lint/rule");`, "lint/rule.js": "x"}, "lint/rule.js", true},
		"a plugin with a test":               {"npx eslint .", prooftest.Tree{"eslint.config.js": `const rule = require("./lint/rule");`, "lint/rule.js": "x", "lint/rule.test.js": `require("./rule")`}, "lint/rule.js", true},
		"what a plugin loads":                {"npx eslint .", prooftest.Tree{"eslint.config.js": `const rule = require("./lint");`, "lint/index.js": `require("./eq")`, "lint/eq.js": "x"}, "lint/eq.js", true},
		"extended configuration":             {"npx eslint .", prooftest.Tree{"config/.eslintrc.json": `{"extends": ["eslint:recommended", "./base.json"]}`, "config/base.json": "{}"}, "config/base.json", true},
		"extended twice":                     {"npx tsc -p .", prooftest.Tree{"tsconfig.json": `{"extends": "./one.json"}`, "one.json": `{"extends": "./two"}`, "two.json": "{}"}, "two.json", true},
		"inherited, of YAML":                 {"rubocop", prooftest.Tree{".rubocop.yml": "inherit_from:\n  - lint/base.yml\n  - other.yml\n", "lint/base.yml": "x"}, "lint/base.yml", true},
		"extended, of TOML":                  {"ruff check .", prooftest.Tree{"pyproject.toml": "[tool.ruff]\nextend = \"lint/base.toml\"\n", "lint/base.toml": "x"}, "lint/base.toml", true},
		"a plugin of mypy":                   {"mypy .", prooftest.Tree{"mypy.ini": "[mypy]\nplugins = lint/plug.py, other\n", "lint/plug.py": "x"}, "lint/plug.py", true},
		"a plugin of pylint":                 {"pylint shop", prooftest.Tree{".pylintrc": "[MAIN]\nload-plugins=lint.rules\n", "lint/rules.py": "x"}, "lint/rules.py", true},
		"a plugin of flake8":                 {"flake8", prooftest.Tree{"setup.cfg": "[flake8:local-plugins]\nextension =\n    X1 = lint.rules:Rule\n", "lint/rules.py": "x"}, "lint/rules.py", true},
		"behind a script":                    {"npm run lint", prooftest.Tree{"package.json": `{"scripts": {"lint": "eslint ."}}`, "eslint.config.js": `require("./config/rules")`, "config/rules.js": "x"}, "config/rules.js", true},
		"where the gate runs tests alone":    {"node --test", prooftest.Tree{"eslint.config.js": `require("./config/rules")`, "config/rules.js": "x"}, "config/rules.js", false},
		"a file that is linted":              {"npx eslint .", prooftest.Tree{"eslint.config.js": `module.exports = [{ files: ["src/a.js", "./src/b.js"], ignores: ["data/c.json"] }];`, "src/a.js": "x"}, "src/a.js", false},
		"data that is left out":              {"npx eslint .", prooftest.Tree{"eslint.config.js": `module.exports = [{ ignores: ["data/c.json"] }];`, "data/c.json": "{}"}, "data/c.json", false},
		"a source that is compiled":          {"npx tsc", prooftest.Tree{"tsconfig.json": `{"files": ["src/a.ts"], "include": ["./src/b.ts"]}`, "src/a.ts": "x"}, "src/a.ts", false},
		"a module of the product":            {"npx eslint .", prooftest.Tree{"eslint.config.js": `require("./src/paths")`, "src/paths.js": "x", "src/main.js": `import { a } from "./paths.js";`}, "src/paths.js", false},
		"a plugin that checks itself":        {"npx eslint .", prooftest.Tree{"package.json": `{"main": "lib/plugin.js"}`, "eslint.config.js": `require("./lib/plugin")`, "lib/plugin.js": `require("./rule")`, "lib/rule.js": "x"}, "lib/rule.js", false},
		"a plugin that checks itself, alone": {"npx eslint .", prooftest.Tree{"package.json": `{"name": "a"}`, "eslint.config.js": `require(".")`, "index.js": `x`}, "index.js", false},
		"a plugin of pylint with tests":      {"pylint shop", prooftest.Tree{".pylintrc": "load-plugins=pylint_shop\n", "pylint_shop/__init__.py": "x", "tests/test_a.py": "import pylint_shop\n"}, "pylint_shop/__init__.py", false},
		"a file of no configuration":         {"npx eslint .", prooftest.Tree{"eslint.config.js": "module.exports = [];", "src/a.js": `require("./b")`, "src/b.js": "x"}, "src/b.js", false},
	} {
		base := maps.Clone(c.base)
		base["README.md"] = "x"
		k, _ := change(c.gate, base, prooftest.Tree{c.file: "changed"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(got.SetAside, c.file) != c.judge {
			t.Errorf("%s: %q, want %v", what, got.SetAside, c.judge)
		}
	}
}
