package canary

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/gate/testout"
	"ralph/internal/testing/tier"
)

// counter returns a source of names that are valid and differ.
func counter() func() string {
	n := 0
	return func() string {
		n++
		return "lato" + strings.Repeat("mi", n%7+1) + string(rune('a'+n/26)) + string(rune('a'+n%26))
	}
}

func places(files map[string]string, only []string) []Place {
	return placesOf(files, Options{Only: only})
}

func placesOf(files map[string]string, o Options) []Place {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	read := func(name string) ([]byte, error) {
		if files[name] == "too large" {
			return nil, nil
		}
		return []byte(files[name]), nil
	}
	all, err := Places(names, read, counter(), o)
	if err != nil {
		panic(err)
	}
	return all
}

// TestUnreadable: what hinders the reading of a file says nothing about its tests, nor about
// those beside it.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	broken := errors.New("too many open files")
	read := func(string) ([]byte, error) { return nil, broken }
	if _, err := Places([]string{"a_test.go"}, read, counter(), Options{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	few := func(name string) ([]byte, error) {
		if name == "a.go" {
			return nil, broken
		}
		return []byte("package a\n\nfunc TestA(t *testing.T) {}\n"), nil
	}
	if _, err := Places([]string{"a.go", "a_test.go"}, few, counter(), Options{Own: true, Work: []string{"a.go"}}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if found, err := Places([]string{"a_test.go"}, func(string) ([]byte, error) { return nil, nil }, counter(), Options{}); len(found) > 0 || err != nil {
		t.Errorf("a file that is too large: %v, %v", found, err)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"api/a_test.go": "package api\n", "api/b_test.go": "package api_test\n", "tagged/x_test.go": "//go:build linux\n\npackage x\n", "a.go": "package p\n",
		"vendor/x/x_test.go": "package x\n", "testdata/y_test.go": "package y\n", ".hidden/z_test.go": "package z\n", "gone_test.go": "too large",
		"test_a.py": "def test_a(): pass\n", "tests/helper.py": "def test(): pass\n", "test_data.py": "X = 1\n",
		"spec/a_spec.rb": "describe 'a' do\nend\n", "src/ATest.php": "<?php\nclass ATest extends TestCase {\n}\n", "src/BTest.php": "<?php\nfunction b() {}\n", "src/CTest.php": "TestCase",
		"src/lib.rs": "#[test]\nfn a() {}\n", "src/other.rs": "fn a() {}\n",
		"web/a.test.js": "test('x', () => {})\n", "test/b.mjs": "it.each([1])('x', () => {})\n", "web/a.js": "test('x')\n", "node_modules/x/x.test.js": "test('x')\n", "web/c.spec.ts": "export const x = 1\n",
	}
	var at []string
	for _, p := range places(files, nil) {
		at = append(at, p.At)
		if len(p.Names) < 4 || len(slices.Compact(slices.Sorted(slices.Values(p.Names)))) != len(p.Names) {
			t.Errorf("%s: %q", p.At, p.Names)
		}
		for _, n := range p.Names {
			if !strings.Contains(string(p.Data), n) {
				t.Errorf("%s: no test %s in\n%s", p.At, n, p.Data)
			}
		}
	}
	if want := []string{"api", "spec/a_spec.rb", "src/ATest.php", "src/lib.rs", "test/b.mjs", "test_a.py", "web/a.test.js"}; !slices.Equal(at, want) {
		t.Errorf("%q, want %q", at, want)
	}
	if got := places(files, []string{"api", "gone"}); len(got) != 1 || got[0].At != "api" {
		t.Errorf("%+v", got)
	}
	if got := places(map[string]string{"tests/a.rs": "fn main() {}\n"}, []string{"tests/a.rs"}); len(got) != 1 {
		t.Error("a file that lost its tests has no canary")
	}
	many := map[string]string{}
	for i := range maxPlaces + 5 {
		many[fmt.Sprintf("p%03d/a_test.go", i)] = "package p\n"
	}
	if got := places(many, nil); len(got) != maxPlaces {
		t.Errorf("%d places", len(got))
	}
}

// Canaries beside the tests change no file of the project.
func TestBeside(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a_test.go": "package p\n", "b_test.go": "package p\n", "tests/test_a.py": "def test_a(): pass\n", "tests/test_b.py": "def test_b(): pass\n",
		"tests/test_data.py": "X = 1\n", "a.test.js": "test('x', () => {})\n", "src/lib.rs": "#[test]\nfn a() {}\n",
	}
	var at []string
	for _, p := range placesOf(files, Options{Beside: true}) {
		at = append(at, p.At)
		if _, had := files[p.Path]; had || len(p.Edited)+len(p.Own) > 0 || len(p.Names) < 4 {
			t.Errorf("%+v", p)
		}
	}
	if want := []string{".", "tests"}; !slices.Equal(at, want) {
		t.Errorf("%q, want %q", at, want)
	}
}

func TestMainBlockStaysLast(t *testing.T) {
	t.Parallel()
	p := places(map[string]string{"test_a.py": "import unittest\nclass T(unittest.TestCase): pass\n\nif __name__ == '__main__':\n    unittest.main()\n"}, nil)
	if text := string(p[0].Data); !strings.HasSuffix(text, "\nif __name__ == '__main__':\n    unittest.main()\n") || strings.Index(text, "__main__") < strings.Index(text, p[0].Names[0]) {
		t.Error(text)
	}
}

func TestUnreported(t *testing.T) {
	t.Parallel()
	all := []Place{{At: "a", Names: []string{"TestX", "TestY"}}, {At: "b", Names: []string{"TestZ"}}}
	for _, c := range []struct {
		failed []string
		want   int
	}{{nil, 2}, {[]string{"p:TestX", "p:TestZ/case"}, 1}, {[]string{"p:TestX", "p:TestY", "p:TestZ"}, 0}} {
		if got := Unreported(all, c.failed); len(got) != c.want {
			t.Errorf("%q: %+v", c.failed, got)
		}
	}
}

// Real runners report every canary, and with a product that switches them off they
// do not.
func TestRunners(t *testing.T) {
	t.Parallel()
	const goMod, cargo = "module example.test/p\n\ngo 1.24\n", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"
	goTest := "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n"
	pyTest := "import unittest\nimport product\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(product)\n"
	jsTest := "const test = require('node:test')\nconst assert = require('node:assert')\nrequire('./product.js')\ntest('a', () => assert.ok(true))\n"
	for name, c := range map[string]struct {
		argv        []string
		files       map[string]string
		product     string
		honest, bad string
	}{
		"go": {
			[]string{"go", "test", "-json", "./..."},
			map[string]string{"go.mod": goMod, "a_test.go": goTest},
			"product.go",
			"package p\n\nfunc A() {}\n", "package p\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n\nfunc A() {}\n",
		},
		"unittest": {
			[]string{"python3", "-B", "-m", "unittest", "-v"},
			map[string]string{"test_a.py": pyTest},
			"product.py",
			"x = 1\n", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n",
		},
		"node": {
			[]string{"node", "--test"},
			map[string]string{"a.test.js": jsTest},
			"product.js",
			"", "process.exit(0)\n",
		},
		"rspec": {
			[]string{"rspec"},
			map[string]string{"spec/a_spec.rb": "require_relative '../product'\nRSpec.describe 'a' do\n  it('a') { expect(1).to eq(1) }\nend\n"},
			"product.rb",
			"", "at_exit { exit!(0) }\n",
		},
		"rspec patched": {
			[]string{"rspec"},
			map[string]string{"spec/a_spec.rb": "require_relative '../product'\nRSpec.describe 'a' do\n  it('a') { expect(1).to eq(1) }\nend\n"},
			"product.rb",
			"", "class RSpec::Expectations::ExpectationTarget\n  def to(*) = nil\nend\n",
		},
		"phpunit": {
			[]string{"phpunit", "ATest.php"},
			map[string]string{"ATest.php": "<?php\nrequire 'product.php';\nclass ATest extends PHPUnit\\Framework\\TestCase\n{\n    public function testA(): void\n    {\n        $this->assertTrue(true);\n    }\n}\n"},
			"product.php",
			"<?php\n", "<?php\nregister_shutdown_function(function () { exit(0); });\nexit(0);\n",
		},
		"cargo": {
			[]string{"cargo", "test", "--offline", "--no-fail-fast"},
			map[string]string{"Cargo.toml": cargo, "tests/a.rs": "#[test]\nfn a() { p::a() }\n"},
			"src/lib.rs",
			"pub fn a() {}\n", "pub fn a() {}\n#[used]\n#[link_section = \".init_array\"]\nstatic X: extern \"C\" fn() = { extern \"C\" fn x() { std::process::exit(0) } x };\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for product, reported := range map[string]bool{c.honest: true, c.bad: false} {
				files := maps.Clone(c.files)
				files[c.product] = product
				all := places(files, nil)
				r, out, err := runWith(t, c.argv, files, all)
				missing := Unreported(all, r.FailedIDs())
				if len(all) != 1 || (err != nil && len(missing) == 0) != reported {
					t.Errorf("product %q: %v, %d unreported\n%s", product, err, len(missing), out)
				}
			}
		})
	}
}

// runWith runs a runner of tests on files, with canaries in their places.
func runWith(t *testing.T, argv []string, files map[string]string, all []Place) (testout.Report, []byte, error) {
	t.Helper()
	if _, err := exec.LookPath(argv[0]); err != nil {
		tier.SkipLacking(t, argv[0], err)
	}
	dir := t.TempDir()
	for f, text := range files {
		write(t, filepath.Join(dir, f), text)
	}
	for _, p := range all {
		for _, f := range append(p.Edited, File{p.Path, p.Data}) {
			write(t, filepath.Join(dir, f.Path), string(f.Data))
		}
	}
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	r, _ := testout.Parse(out)
	return r, out, err
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
