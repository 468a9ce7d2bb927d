package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// What a manifest gives to the users of the project is the work's, where it judges nothing.
func TestPublished(t *testing.T) {
	t.Parallel()
	npm := prooftest.Tree{
		"package.json": `{"name": "shop", "main": "tax.js", "exports": {".": "./tax.js", "./kit": "./test/kit.js", "./same": "./same.js"}, "workspaces": ["packages/a"], "scripts": {"test": "node --test", "e2e": "shop-e2e"}}`,
		"tax.js":       "x", "test/kit.js": "x", "test/tax.test.js": "x", "same.js": "require('node:test')", "packages/a/package.json": "{}",
	}
	python := prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n[project.scripts]\nshop = 'a:main'\n[tool.uv.workspace]\nmembers = ['libs/a']\n", "a.py": "x", "tests/test_a.py": "x", "libs/a/pyproject.toml": "x"}
	rust := prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = ['std']\nstd = []\nstrict = []\nfast = []\n[workspace]\nmembers = ['crates/a']\n", "src/lib.rs": "x", "tests/a.rs": "x", "crates/a/Cargo.toml": "x"}
	golang := prooftest.Tree{"go.work": "go 1.24\n\nuse .\n", "go.mod": "module example.test/a\nrequire example.test/check v1\n", "a.go": "x", "a_test.go": "x", "old/b.go": "x"}
	with := func(text string, more prooftest.Tree) prooftest.Tree {
		out := prooftest.Tree{"package.json": text}
		for p, text := range more {
			out[p] = text
		}
		return out
	}
	pkg := func(main, exports, rest string) prooftest.Tree {
		return with(`{"name": "shop", "main": "`+main+`", "exports": {".": "./tax.js", `+exports+`}, `+rest+`, "scripts": {"test": "node --test", "e2e": "shop-e2e"}}`, nil)
	}
	const kit, members = `"./kit": "./test/kit.js", "./same": "./same.js"`, `"workspaces": ["packages/a"]`
	for _, c := range []struct {
		what, gate    string
		base, changes prooftest.Tree
		aside         []string
	}{
		{"engines, another main, programs", "npm test", npm, pkg("lib/tax.js", kit, members+`, "engines": {"node": ">=22"}, "bin": {"tax": "cli.js"}`), nil},
		{"another entry", "npm test", npm, pkg("tax.js", kit+`, "./round": {"types": "./round.d.ts", "import": "./round.mjs", "default": "./round.js"}`, members), nil},
		{"another place of a helper", "npm test", npm, pkg("tax.js", `"./kit": "./easy.js", "./same": "./same.js"`, members), []string{"package.json"}},
		{"another place of a source that supports tests", "npm test", npm, pkg("tax.js", `"./kit": "./test/kit.js", "./same": "./easy.js"`, members), []string{"package.json"}},
		{"a helper under a name of its own", "npm test", npm, pkg("tax.js", kit+`, "./test/kit.js": "./easy.js"`, members), []string{"package.json"}},
		{"a condition that a gate may set", "npm test", npm, pkg("tax.js", kit+`, "./round": {"gate": "./right.js", "default": "./round.js"}`, members), []string{"package.json"}},
		{"a pattern", "npm test", npm, pkg("tax.js", kit+`, "./*": "./*.js"`, members), []string{"package.json"}},
		{"a program with the name of a runner", "npm test", npm, pkg("tax.js", kit, members+`, "bin": {"jest": "cli.js"}`), []string{"package.json"}},
		{"a program that a script runs", "npm run e2e", npm, pkg("tax.js", kit, members+`, "bin": {"shop-e2e": "cli.js"}`), []string{"package.json"}},
		{"a new member", "npm test", npm, pkg("tax.js", kit, `"workspaces": ["packages/a", "packages/b"]`), nil},
		{"a package with the scripts of others", "npm test", npm, prooftest.Tree{"packages/b/package.json": `{"name": "b", "scripts": {"test": "node --test"}}`}, nil},
		{"a package with a script of its own and one that is no text", "npm test", npm, prooftest.Tree{"packages/b/package.json": `{"name": "b", "scripts": {"pretest": "exit 0", "x": 1}}`}, []string{"packages/b/package.json"}},
		{"a package with a script of its own", "npm test", npm, prooftest.Tree{"packages/b/package.json": `{"name": "b", "scripts": {"test": "node --test", "pretest": "node x.js"}}`}, []string{"packages/b/package.json"}},
		{"a member of the base", "npm test", npm, pkg("tax.js", kit, `"workspaces": ["packages/a", "test"]`), []string{"package.json"}},
		{"a member gone", "npm test", npm, pkg("tax.js", kit, `"workspaces": ["packages/b"]`), []string{"package.json"}},

		{"a program of Python", "pytest", python, prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n[project.scripts]\nshop = 'a:run'\ntax = 'a:tax'\n[tool.uv.workspace]\nmembers = ['libs/a', 'libs/b']\n"}, nil},
		{"one with the name of a runner", "uv run pytest", python, prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n[project.scripts]\nshop = 'a:main'\npytest = 'a:tax'\n[tool.uv.workspace]\nmembers = ['libs/a']\n"}, []string{"pyproject.toml"}},
		{"one that the gate runs", "shop --check", python, prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n[project.scripts]\nshop = 'b:main'\n[tool.uv.workspace]\nmembers = ['libs/a']\n"}, []string{"pyproject.toml"}},

		{"features that no gate names", "cargo test --features strict", rust, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = ['std']\nstd = []\nstrict = []\nslow = ['std']\n[workspace]\nmembers = ['crates/a']\n"}, nil},
		{"empty defaults", "cargo test", prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n", "src/lib.rs": "x", "tests/a.rs": "x"}, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = []\nstrict = []\n"}, nil},
		{"a feature of the gate", "cargo test --features strict", rust, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = ['std']\nstd = []\nstrict = ['fast']\nfast = []\n[workspace]\nmembers = ['crates/a']\n"}, []string{"Cargo.toml"}},
		{"a feature of the defaults", "cargo test", rust, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = ['std', 'fast']\nstd = []\nstrict = []\nfast = []\n[workspace]\nmembers = ['crates/a']\n"}, []string{"Cargo.toml"}},
		{"all features", "cargo test --all-features", rust, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[features]\ndefault = ['std']\nstd = []\nstrict = []\nfast = []\nslow = []\n[workspace]\nmembers = ['crates/a']\n"}, []string{"Cargo.toml"}},
		{"a new crate of the workspace", "cargo test --workspace", rust, prooftest.Tree{"Cargo.toml": rust["Cargo.toml"][:len(rust["Cargo.toml"])-2] + ", 'crates/b']\n", "crates/b/Cargo.toml": "[package]\nname = 'b'\n[dependencies]\na = { path = '../..' }\n", "crates/b/src/lib.rs": "x"}, nil},
		{"a new crate that turns on features", "cargo test --workspace", rust, prooftest.Tree{"Cargo.toml": rust["Cargo.toml"][:len(rust["Cargo.toml"])-2] + ", 'crates/b']\n", "crates/b/Cargo.toml": "[package]\nname = 'b'\n[dependencies]\na = { path = '../..', features = ['strict'] }\n"}, []string{"Cargo.toml"}},
		{"default members", "cargo test", rust, prooftest.Tree{"Cargo.toml": rust["Cargo.toml"] + "default-members = ['crates/a']\n"}, []string{"Cargo.toml"}},

		{"a new module", "go test ./...", golang, prooftest.Tree{"go.work": "go 1.24\n\nuse (\n\t.\n\t./b\n)\n", "b/go.mod": "module example.test/b\n\ngo 1.24\n"}, nil},
		{"a module that the base requires", "go test ./...", golang, prooftest.Tree{"go.work": "go 1.24\n\nuse .\nuse ./b\n", "b/go.mod": "module example.test/check\n\ngo 1.24\n"}, []string{"go.work"}},
		{"a folder of the base", "go test ./...", golang, prooftest.Tree{"go.work": "go 1.24\n\nuse .\nuse ./old\n", "old/go.mod": "module example.test/old\n"}, []string{"go.work", "old/go.mod"}},
		{"a replacement", "go test ./...", golang, prooftest.Tree{"go.work": "go 1.24\n\nuse .\n\nreplace example.test/check => ./b\n"}, []string{"go.work"}},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		j, err := k.Judges()
		if !slices.Equal(j.SetAside, c.aside) || err != nil {
			t.Errorf("%s: %v, want %v: %v", c.what, j.SetAside, c.aside, err)
		}
	}
}
