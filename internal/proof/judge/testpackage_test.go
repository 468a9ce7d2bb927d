package judge

import (
	"maps"
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// A package of the tree that stands behind the name of a library and that only tests use
// judges.
func TestPackagesOfTests(t *testing.T) {
	t.Parallel()
	golang := prooftest.Tree{
		"go.mod": "module a.b/a\nrequire a.b/check v0.0.0\nreplace a.b/check => ./third_party/check\n", "a.go": "package a\n", "a_test.go": "package a\nimport \"a.b/check\"\n",
		"third_party/check/go.mod": "module a.b/check\n", "third_party/check/check.go": "package check\nfunc Same() bool\n",
	}
	node := prooftest.Tree{
		"package.json": `{"workspaces": ["packages/*"]}`, "packages/a/package.json": `{"name": "@x/a", "devDependencies": {"@x/kit": "workspace:*"}}`, "packages/a/a.js": "x",
		"packages/a/test/a.test.js": "const { same } = require('@x/kit')\n", "packages/kit/package.json": `{"name": "@x/kit", "main": "k.js"}`, "packages/kit/k.js": "x",
	}
	override := prooftest.Tree{
		"package.json": `{"name": "a", "devDependencies": {"same": "^1.0.0"}, "overrides": {"same": "file:./lib/near"}}`, "a.js": "x", "test/a.test.js": "import { same } from 'same/strict'\n", "lib/near/index.js": "x",
	}
	rust := prooftest.Tree{
		"Cargo.toml": "[package]\nname = 'a'\n[dev-dependencies]\nsame = '1'\n[patch.crates-io]\nsame = {path = 'third/same'}\n", "src/lib.rs": "x", "tests/a.rs": "use same::same;",
		"third/same/Cargo.toml": "[package]\nname = 'same'\n", "third/same/src/lib.rs": "x",
	}
	python := prooftest.Tree{
		"pyproject.toml": "[project]\nname = 'a'\n[dependency-groups]\ndev = ['near']\n[tool.uv.sources]\nnear = {path = 'libs/near'}\n", "a.py": "x", "tests/test_a.py": "from near.numbers import close\n",
		"libs/near/pyproject.toml": "[project]\nname = 'near'\n", "libs/near/src/near/__init__.py": "# near", "libs/near/src/near/numbers.py": "x",
	}
	const group = "[tool.poetry]\nname = 'a'\n[tool.poetry.group.dev.dependencies]\n"
	poetry := prooftest.Tree{
		"pyproject.toml": group + "near-kit = {path = 'libs/kit', develop = true}\n", "a.py": "x", "tests/test_a.py": "from near.numbers import close\n",
		"libs/kit/pyproject.toml": "[tool.poetry]\nname = 'near-kit'\n", "libs/kit/near/__init__.py": "# near", "libs/kit/near/numbers.py": "x",
	}
	for _, c := range []struct {
		what, gate string
		base, more prooftest.Tree
		file       string
		judges     bool
	}{
		{"behind replace", "go test ./...", golang, nil, "third_party/check/check.go", true},
		{"which the product imports", "go test ./...", golang, prooftest.Tree{"b.go": "package a\nimport \"a.b/check/more\"\n"}, "third_party/check/check.go", false},
		{"with tests of its own", "go test ./...", golang, prooftest.Tree{"third_party/check/check_test.go": "package check\n"}, "third_party/check/check.go", false},
		{"which only a module of tests imports", "go test ./...", golang, prooftest.Tree{"a_test.go": "package a\n", "run/go.mod": "module a.b/run\n", "run/a_test.go": "package run\nimport \"a.b/check\"\n"}, "third_party/check/check.go", false},
		{"in the workspace", "npm test", node, nil, "packages/kit/k.js", true},
		{"needed for more", "npm test", node, prooftest.Tree{"packages/b/package.json": `{"name": "@x/b", "dependencies": {"@x/kit": "*"}}`}, "packages/kit/k.js", false},
		{"which the product requires", "npm test", node, prooftest.Tree{"packages/a/b.js": "require('@x/kit')"}, "packages/kit/k.js", false},
		{"product that a package of tests needs", "npm test", node, prooftest.Tree{"packages/a/package.json": `{"name": "@x/a"}`, "packages/a/test/a.test.js": "x", "e2e/package.json": `{"name": "e2e", "devDependencies": {"@x/kit": "*"}}`, "e2e/all.test.js": "require('@x/kit')"}, "packages/kit/k.js", false},
		{"behind overrides", "npm test", override, nil, "lib/near/index.js", true},
		{"behind patch", "cargo test", rust, nil, "third/same/src/lib.rs", true},
		{"behind patch, and of the product", "cargo test", rust, prooftest.Tree{"Cargo.toml": "[package]\nname = 'a'\n[dependencies]\nsame = '1'\n[patch.crates-io]\nsame = {path = 'third/same'}\n"}, "third/same/src/lib.rs", false},
		{"behind a source of uv", "uv run pytest", python, nil, "libs/near/src/near/numbers.py", true},
		{"which the product needs, too", "uv run pytest", python, prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['near']\n"}, "libs/near/src/near/numbers.py", false},
		{"at a path of poetry", "poetry run pytest", poetry, nil, "libs/kit/near/numbers.py", true},
		{"of the old group of poetry", "poetry run pytest", poetry, prooftest.Tree{"pyproject.toml": "[tool.poetry.dev-dependencies]\nnear-kit = {path = 'libs/kit'}\n"}, "libs/kit/near/numbers.py", true},
		{"with setup.py", "poetry run pytest", poetry, prooftest.Tree{"libs/kit/pyproject.toml": "[build-system]\n", "libs/kit/setup.py": "setup(name='near-kit')\n"}, "libs/kit/near/numbers.py", true},
		{"at a path, and of the product", "poetry run pytest", poetry, prooftest.Tree{"pyproject.toml": "[tool.poetry.dependencies]\nnear-kit = {path = 'libs/kit'}\n" + group + "near-kit = {path = 'libs/kit'}\n"}, "libs/kit/near/numbers.py", false},
		{"that other manifests need", "poetry run pytest", poetry, prooftest.Tree{"web/pyproject.toml": "[project]\ndependencies = ['near_kit']\n"}, "libs/kit/near/numbers.py", false},
		{"the product of a root for development", "poetry run pytest", poetry, prooftest.Tree{"a.py": "", "docs/conf.py": "x", "noxfile.py": "x", "tests/__init__.py": "x"}, "libs/kit/near/numbers.py", false},
		{"without tests of others", "poetry run pytest", poetry, prooftest.Tree{"tests/test_a.py": "import a\n"}, "libs/kit/near/numbers.py", false},
	} {
		base := maps.Clone(c.base)
		maps.Copy(base, c.more)
		maps.DeleteFunc(base, func(_, text string) bool { return text == "" })
		k, _ := change(c.gate, base, prooftest.Tree{c.file: "changed"})
		j, err := k.Judges()
		if judges := slices.Contains(j.SetAside, c.file); judges != c.judges || err != nil {
			t.Errorf("%s: judges %v, want %v: %v", c.what, judges, c.judges, err)
		}
	}
}
