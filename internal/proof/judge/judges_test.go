package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

// change returns the case of a gate with the base's files changed; "" removes one.
func change(gate string, base, changes prooftest.Tree) (Case, prooftest.Store) {
	s := prooftest.Store{}
	return Case{Gate: loop.Gate{Name: "g", Run: gate}, Base: s.Add(base), Work: s.Add(base.Changed(changes)), Content: s.Read}, s
}

// project has a bit of everything.
func project() prooftest.Tree {
	return prooftest.Tree{
		"go.mod": "module a\n\ngo 1.24\n", "a.go": "package a", "a_test.go": "package a", "testdata/x.json": "{}", "sub/b.go": "package sub",
		"Makefile":        "include local.mk\n.PHONY: test\ntest: built\n\tsh scripts/test.sh\nbuilt: a.go\n\ttouch built\n",
		"local.mk":        "D = tools\n",
		"scripts/test.sh": ". lib/common.sh\nsh $D/deep.sh\nfind checks -name '*.sh' -exec sh {} \\;\n",
		"lib/common.sh":   "true", "tools/deep.sh": "true", "checks/one.sh": "true", "deploy.sh": "true",
		"app.py": "x = 1", "tests/test_app.py": "assert x", "pkg/__init__.py": "", "pkg/m.py": "y = 1", "README.md": "hello", "docs/spec/x.md": "x",
		"package.json": `{"name": "a", "scripts": {"test": "node run.js"}}`, "src/x.js": "1", "src/x.test.js": "1", "run.sh": "link:real.sh", "real.sh": "true",
	}
}

func TestJudges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, gate string
		changes    prooftest.Tree
		aside, new []string
	}{
		{"nothing", "go test ./...", nil, nil, nil},
		{"product", "go test ./...", prooftest.Tree{"a.go": "package b", "new.go": "package a", "sub/b.go": "", "README.md": "bye", "data/x.csv": "1"}, nil, nil},
		{"a test changed", "go test ./...", prooftest.Tree{"a_test.go": "package b"}, []string{"a_test.go"}, nil},
		{"a test deleted, one added, a fixture moved", "go test ./...", prooftest.Tree{"a_test.go": "", "c_test.go": "package a", "testdata/x.json": "", "testdata/y.json": "{}"}, []string{"a_test.go", "testdata/x.json"}, []string{"c_test.go", "testdata/y.json"}},
		{"tests of a language without any", "go test ./...", prooftest.Tree{"tests/new.rs": "x", "spec/a_spec.rb": "x"}, nil, nil},
		{"configuration where the base has none", "pytest", prooftest.Tree{"pytest.ini": "x", "sub/tox.ini": "x", "jest.config.js": "x", ".npmrc": "x", ".cargo/config.toml": "x", "GNUmakefile": "x", ".golangci.yml": "x", "conftest.py": "x"}, []string{".cargo/config.toml", ".golangci.yml", ".npmrc", "GNUmakefile", "conftest.py", "jest.config.js", "pytest.ini", "sub/tox.ini"}, nil},
		{"configuration of linters", "sh lint.sh", prooftest.Tree{".yamllint": "x", ".rgignore": "x", ".lintignore": "x", ".npmignore": "x", "a/phpstan-baseline.neon": "x", "ty.toml": "x", "docs/lint.md": "x"}, []string{".lintignore", ".rgignore", ".yamllint", "a/phpstan-baseline.neon", "ty.toml"}, nil},
		{"names in other cases", "make", prooftest.Tree{"MAKEFILE": "x", "Conftest.PY": "x", "Tests/A.py": "x"}, []string{"Conftest.PY", "MAKEFILE"}, []string{"Tests/A.py"}},
		{"runners and libraries shadowed", "pytest", prooftest.Tree{"pytest.py": "x", "pytest/__init__.py": "x", "json.py": "x", "src/random.py": "x", "pkg/types.py": "x", "_pytest/a/b.py": "x", "a.egg-info/entry_points.txt": "x", "node_modules/.bin/jest": "exec:x", "x.pth": "x", "deep/er/unittest.py": "x"}, []string{"_pytest/a/b.py", "a.egg-info/entry_points.txt", "deep/er/unittest.py", "json.py", "node_modules/.bin/jest", "pytest.py", "pytest/__init__.py", "src/random.py", "x.pth"}, nil},
		{"packages that pytest imports", "pytest", prooftest.Tree{"attr/__init__.py": "x", "attr/_make.py": "x", "tests/packaging/__init__.py": "x", "pygments.py": "x"}, []string{"attr/__init__.py", "attr/_make.py", "pygments.py"}, []string{"tests/packaging/__init__.py"}},
		{"folders that hide no package", "pytest", prooftest.Tree{"packaging/build.py": "x", "deep/attr/__init__.py": "x", "colorama/logo.svg": "x"}, nil, nil},
		{"a folder that only looks like a library", "pytest", prooftest.Tree{"test_data_site/x.css": "x", "email/welcome.html": "x", "site/index.html": "x"}, nil, nil},
		{"scripts through a Makefile", "make test", prooftest.Tree{"scripts/test.sh": "x", "lib/common.sh": "x", "tools/deep.sh": "x", "checks/one.sh": "x", "local.mk": "x"}, []string{"checks/one.sh", "lib/common.sh", "local.mk", "scripts/test.sh", "tools/deep.sh"}, nil},
		{"a script that no judge names", "make test", prooftest.Tree{"deploy.sh": "x"}, nil, nil},
		{"a file in place of a target", "make test", prooftest.Tree{"built": "x", "test": "x"}, []string{"built"}, nil},
		{"named by the gate", "sh -c 'cd sub && sh ../deploy.sh'", prooftest.Tree{"deploy.sh": "x"}, []string{"deploy.sh"}, nil},
		{"only looked at", "grep -q x README.md", prooftest.Tree{"README.md": "x"}, nil, nil},
		{"the target of a link that is named", "sh run.sh", prooftest.Tree{"real.sh": "x"}, []string{"real.sh"}, nil},
		{"a link in place of a folder of tests", "pytest", prooftest.Tree{"tests/test_app.py": "", "tests": "link:/tmp/tests"}, []string{"tests", "tests/test_app.py"}, nil},
		{"a folder in place of a script", "sh deploy.sh", prooftest.Tree{"deploy.sh": "", "deploy.sh/x": "x"}, []string{"deploy.sh", "deploy.sh/x"}, nil},
		{"a pattern of scripts", "for t in checks/*; do sh $t; done", prooftest.Tree{"checks/one.sh": "x"}, []string{"checks/one.sh"}, nil},
		{"a pattern of the product", "python -m py_compile *.py", prooftest.Tree{"app.py": "x = 2"}, nil, nil},
		{"a module in a new folder", "go test ./...", prooftest.Tree{"new/go.mod": "module new\n"}, nil, nil},
		{"a module inside a module", "go test ./...", prooftest.Tree{"sub/go.mod": "module sub\n"}, []string{"sub/go.mod"}, nil},
		{"programs on the path", "PATH=$PWD/bin:$PATH go test", prooftest.Tree{"bin/go": "exec:x"}, []string{"bin/go"}, nil},
		{"scripts of a package", "npm test", prooftest.Tree{"package.json": `{"name": "a", "scripts": {"test": "true"}, "dependencies": {"x": "1"}}`}, []string{"package.json"}, nil},
		{"a script to start a package", "npm test", prooftest.Tree{"package.json": `{"name": "a", "scripts": {"test": "node run.js", "start": "node app.js", "stop": "true"}}`}, nil, nil},
		{"a script that the gate starts", "npm start & npm test", prooftest.Tree{"package.json": `{"name": "a", "scripts": {"test": "node run.js", "start": "node app.js"}}`}, []string{"package.json"}, nil},
		{"a script that npm stops", "npm restart; npm test", prooftest.Tree{"package.json": `{"name": "a", "scripts": {"test": "node run.js", "stop": "true"}}`}, []string{"package.json"}, nil},
		{"a script before the tests", "npm test", prooftest.Tree{"package.json": `{"name": "a", "scripts": {"test": "node run.js", "pretest": "true"}}`}, []string{"package.json"}, nil},
		{"dependencies of a package", "npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "node run.js"}, "dependencies": {"x": "1"}, "name": "a"}`, "package-lock.json": "{}"}, nil, nil},
		{"a manifest deleted", "npm test", prooftest.Tree{"package.json": ""}, []string{"package.json"}, nil},
		{"a manifest turned to a link", "npm test", prooftest.Tree{"package.json": "link:/tmp/x"}, []string{"package.json"}, nil},
		{"attributes", "go test", prooftest.Tree{".gitattributes": "* filter=x"}, []string{".gitattributes"}, nil},
		{"names like options", "grep -n x *", prooftest.Tree{"--exclude=*": "x", "sub/-q": "x", "a-b.txt": "x"}, []string{"--exclude=*", "sub/-q"}, nil},
		{"strange names", "go test", prooftest.Tree{"a\nb_test.go": "x", "tests/\xff": "x", "ünï_test.go": "x"}, nil, []string{"a\nb_test.go", "tests/\xff", "ünï_test.go"}},
	} {
		k, _ := change(c.gate, project(), c.changes)
		got, err := k.Judges()
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if d := cmp.Diff([][]string{c.aside, c.new}, [][]string{got.SetAside, got.New}); d != "" || len(got.Permitted) > 0 {
			t.Errorf("%s: permitted %v, set aside (-want +got)\n%s", c.what, got.Permitted, d)
		}
	}
}

// A gate of tests alone runs no linter.
func TestLintersAreNotTests(t *testing.T) {
	t.Parallel()
	for run, want := range map[string]int{"go test ./...": 0, "go test ./... && golangci-lint run": 1} {
		for _, file := range []string{".yamllint", "eslint.config.js", ".editorconfig", ".golangci.yml"} {
			k, _ := change(run, project(), prooftest.Tree{file: "x"})
			k.Gate.Kind = loop.KindTests
			got, err := k.Judges()
			if err != nil || len(got.SetAside) != want {
				t.Errorf("%s: %v %v", run, got.SetAside, err)
			}
		}
		base := prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n", "test_a.py": "x"}
		k, _ := change(run, base, prooftest.Tree{"pyproject.toml": "[project]\nname = 'a'\n\n[tool.ruff]\nline-length = 120\n"})
		k.Gate.Kind = loop.KindTests
		got, err := k.Judges()
		if err != nil || len(got.SetAside) != want {
			t.Errorf("%s, pyproject.toml: %v %v", run, got.SetAside, err)
		}
	}
}

func TestJudgesPermitted(t *testing.T) {
	t.Parallel()
	changes := prooftest.Tree{"a_test.go": "x", "Makefile": "x", "a.go": "x", "scripts/test.sh": "x"}
	for _, c := range []struct {
		scope, may, protect []string
		aside, permitted    []string
	}{
		{aside: []string{"Makefile", "a_test.go", "scripts/test.sh"}},
		{may: []string{"**"}, permitted: []string{"Makefile", "a_test.go", "scripts/test.sh"}},
		{may: []string{"*_test.go"}, scope: []string{"scripts"}, aside: []string{"Makefile"}, permitted: []string{"a_test.go", "scripts/test.sh"}},
		{protect: []string{"*.go"}, aside: []string{"Makefile", "a.go", "a_test.go", "scripts/test.sh"}},
		{protect: []string{"*.go"}, scope: []string{"a.go"}, aside: []string{"Makefile", "a_test.go", "scripts/test.sh"}, permitted: []string{"a.go"}},
	} {
		k, _ := change("make test", project(), changes)
		k.Scope, k.MayChange, k.Protect = c.scope, c.may, c.protect
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([][]string{c.aside, c.permitted}, [][]string{got.SetAside, got.Permitted}); d != "" {
			t.Errorf("scope %v, may change %v, protect %v: (-want +got)\n%s", c.scope, c.may, c.protect, d)
		}
	}
}

// What a gate measures that counts tests is all of them, with the base's runner.
func TestJudgesOfTheRunner(t *testing.T) {
	t.Parallel()
	k, _ := change("make test", project(), prooftest.Tree{
		"a_test.go": "x", "c_test.go": "x", "testdata/x.json": "x", "conftest.py": "x", "scripts/test.sh": "x", "pytest.py": "x", "src/x.test.js": "x",
	})
	k.Protect = []string{"src/**"}
	got, err := k.Judges()
	var runner []string
	for _, e := range got.Runner {
		runner = append(runner, e.Path)
	}
	if d := cmp.Diff([]string{"conftest.py", "pytest.py", "scripts/test.sh", "src/x.test.js"}, runner); d != "" || err != nil || len(got.Edits) != 7 {
		t.Errorf("%v, %d edits (-want +got)\n%s", err, len(got.Edits), d)
	}
}

// In a project of shell scripts, the scripts are the work.
func TestJudgesOfShell(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"greet.sh": "echo hi", "lib.sh": "true", "test.sh": "sh greet.sh | grep hello", "checks/deep.sh": "true", "Makefile": "test:\n\tsh checks/deep.sh; sh greet.sh\n"}
	k, _ := change("sh test.sh; make test", base, prooftest.Tree{"greet.sh": "echo hello", "lib.sh": "x", "test.sh": "true", "checks/deep.sh": "x"})
	got, err := k.Judges()
	if d := cmp.Diff([]string{"checks/deep.sh", "test.sh"}, got.SetAside); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}

// Where the base has no tests, those of the work are the only ones.
func TestJudgesOfNewProject(t *testing.T) {
	t.Parallel()
	k, _ := change("go test ./...", prooftest.Tree{"README.md": "x"}, prooftest.Tree{"go.mod": "module a\n\ngo 1.24\n", "a.go": "x", "a_test.go": "x", "testdata/in.txt": "x", "Makefile": "x"})
	got, err := k.Judges()
	if d := cmp.Diff([]string{"Makefile"}, got.SetAside); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}

// A conftest beside new tests alone is one of them; beside those of the base, or above,
// it configures them. Neither is there when the base judges.
func TestJudgesOfNewConftest(t *testing.T) {
	t.Parallel()
	k, _ := change("pytest", prooftest.Tree{"tests/test_a.py": "x", "tests/old/test_b.py": "x"}, prooftest.Tree{
		"tests/new/conftest.py": "x", "tests/new/test_c.py": "x", "tests/old/conftest.py": "x", "tests/conftest.py": "x",
	})
	got, err := k.Judges()
	if d := cmp.Diff([][]string{{"tests/conftest.py", "tests/old/conftest.py"}, {"tests/new/conftest.py", "tests/new/test_c.py"}}, [][]string{got.SetAside, got.New}); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	if len(got.Edits) != 4 {
		t.Errorf("edits: %v", got.Edits)
	}
}

func TestJudgesOpened(t *testing.T) {
	t.Parallel()
	k, _ := change("odd-runner", project(), prooftest.Tree{"deploy.sh": "x", "app.py": "y"})
	k.Opened = []string{"deploy.sh", "app.py", "gone.sh"}
	got, err := k.Judges()
	if d := cmp.Diff([]string{"deploy.sh"}, got.SetAside); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}

// apply makes the variant as git.Variant does: a path that is put removes files where
// it needs folders, and what is below it.
func apply(files []proof.File, edits []proof.Edit) map[string]proof.File {
	out := proof.Index(files)
	for _, e := range edits {
		delete(out, e.Path)
	}
	for _, e := range edits {
		if e.Mode == "" {
			continue
		}
		for p := range out {
			if strings.HasPrefix(p, e.Path+"/") || strings.HasPrefix(e.Path, p+"/") {
				delete(out, p)
			}
		}
		out[e.Path] = proof.File{Path: e.Path, Mode: e.Mode, ID: e.ID}
	}
	return out
}

// The variant equals the base on every judge file and the work on every other, and
// what is set aside is what differs between the two.
func TestVariantProperty(t *testing.T) {
	t.Parallel()
	names := []string{
		"a.go", "a_test.go", "tests", "tests/a.py", "tests/b/c.py", "src/m.py", "m.py", "json.py", "Makefile", "makefile", "check.sh", "check.sh/x", "check.sh/y/z",
		"package.json", "web/package.json", "go.mod", "sub/go.mod", "pytest.ini", "conftest.py", "vendor/x/y.go", "scripts/a.sh", "scripts", "x", "x/y", "a\nb_test.go",
	}
	content := rapid.SampledFrom([]string{"1", "2", "link:x", "exec:sh scripts/a.sh", "x:\n\tsh check.sh\n", `{"scripts":{}}`, `{"dependencies":{"a":"1"}}`})
	files := rapid.Custom(func(t *rapid.T) prooftest.Tree {
		out := prooftest.Tree{}
		for _, n := range names {
			clash := slices.ContainsFunc(slices.Collect(maps.Keys(out)), func(p string) bool { return strings.HasPrefix(n, p+"/") || strings.HasPrefix(p, n+"/") })
			if !clash && rapid.Bool().Draw(t, n) {
				out[n] = content.Draw(t, n+"=")
			}
		}
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		s := prooftest.Store{}
		k := Case{Gate: loop.Gate{Run: "make && sh check.sh"}, Content: s.Read, Base: s.Add(files.Draw(t, "base")), Work: s.Add(files.Draw(t, "work"))}
		k.MayChange = rapid.SampledFrom([][]string{nil, {"tests"}, {"check.sh", "*.json"}, {"**"}}).Draw(t, "may")
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		base, work, variant := proof.Index(k.Base), proof.Index(k.Work), apply(k.Work, got.Edits)
		var differs []string
		for _, p := range names {
			if variant[p] != work[p] {
				differs = append(differs, p)
			}
			merged := variant[p].Path != "" && variant[p].ID == ""
			if slices.Contains(slices.Concat(got.SetAside, got.New), p) && variant[p] != base[p] && !merged {
				t.Fatalf("%q was set aside and is not as on the base", p)
			}
		}
		slices.Sort(differs)
		aside := slices.Sorted(slices.Values(slices.Concat(got.SetAside, got.New)))
		if !slices.Equal(differs, aside) {
			t.Fatalf("the variant differs from the work in %q, set aside are %q", differs, aside)
		}
	})
}

func BenchmarkJudges(b *testing.B) {
	base, changes := project(), prooftest.Tree{}
	for i := range 20000 {
		base[fmt.Sprintf("src/p%d/f%d.go", i%100, i)] = "x"
		if i%20 == 0 {
			changes[fmt.Sprintf("src/p%d/f%d_test.go", i%100, i)] = "x"
		}
	}
	k, _ := change("make test", base, changes)
	for b.Loop() {
		if got, err := k.Judges(); err != nil || len(got.New) != 1000 {
			b.Fatal(err, len(got.SetAside))
		}
	}
}
