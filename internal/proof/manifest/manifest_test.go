package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each manifest of the work is merged with that of the base: "" means that the work
// changed dependencies only, "-" that it is wholly as on the base.
func TestManifests(t *testing.T) {
	t.Parallel()
	const pom = "<project><version>1</version><dependencies><dependency>a</dependency></dependencies><build>b</build></project>"
	for _, c := range []struct{ what, name, base, work, want string }{
		{"dependencies added", "package.json", `{"scripts":{"test":"jest"}}`, `{"scripts":{"test":"jest"},"dependencies":{"x":"1"}}`, ""},
		{"words changed", "package.json", `{"version":"1","scripts":{"test":"jest"}}`, `{"version":"2","description":"x","scripts":{"test":"jest"}}`, ""},
		{"words and scripts changed", "package.json", `{"version":"1","scripts":{"test":"jest"}}`, `{"version":"2","scripts":{"test":"true"}}`, `{"version":"2","scripts":{"test":"jest"}}`},
		{"the first types", "package.json", `{"main":"a.js"}`, `{"main":"a.js","types":"a.d.ts"}`, ""},
		{"other types", "package.json", `{"types":"a.d.ts"}`, `{"types":"b.d.ts"}`, `{"types":"a.d.ts"}`},
		{"a program of its own", "package.json", `{"version":"1"}`, `{"version":"1","bin":{"jest":"x.js"}}`, `{"version":"1"}`},
		{"scripts changed too", "package.json", `{"scripts":{"test":"jest"}}`, `{"scripts":{"test":"true"},"dependencies":{"x":"1"}}`, `{"dependencies":{"x":"1"},"scripts":{"test":"jest"}}`},
		{"scripts twice", "package.json", `{"scripts":{"test":"jest"}}`, `{"scripts":{"test":"jest"},"scripts":{"test":"true"}}`, `{"scripts":{"test":"jest"}}`},
		{"an escaped key", "package.json", `{"scripts":{"test":"jest"}}`, `{"scr\u0069pts":{"test":"true"}}`, `{"scripts":{"test":"jest"}}`},
		{"overrides", "package.json", `{"a":1}`, `{"a":1,"overrides":{"jest":"file:x"}}`, `{"a":1}`},
		{"a runner from a folder", "package.json", `{"devDependencies":{"jest":"29"}}`, `{"devDependencies":{"jest":"file:fake","left-pad":"1"}}`, `{"devDependencies":{"jest":"29","left-pad":"1"}}`},
		{"a runner moved to another section", "package.json", `{"devDependencies":{"jest":"29"}}`, `{"dependencies":{"jest":"npm:fake@1"}}`, `{"dependencies":{"jest":"29"}}`},
		{"an unknown runner from a folder", "package.json", `{}`, `{"dependencies":{"vitest":"./fake","own":"file:own"}}`, `{"dependencies":{"own":"file:own"}}`},
		{"added with scripts", "package.json", "none", `{"name":"a","scripts":{"test":"true"},"type":"module","jest":{},"dependencies":{"x":"1"}}`, `{"name":"a","type":"module","dependencies":{"x":"1"}}`},
		{"added", "package.json", "none", `{"name":"a","type":"module"}`, ""},
		{"no JSON", "package.json", `{"a":1}`, `{"a":`, "-"},
		{"a base that is no JSON", "package.json", `[]`, `{"scripts":{}}`, "-"},
		{"composer", "composer.json", `{"scripts":{"test":"phpunit"}}`, `{"scripts":{"test":"true"},"require-dev":{"x/y":"1"}}`, `{"require-dev":{"x/y":"1"},"scripts":{"test":"phpunit"}}`},

		{"requirements", "go.mod", "module a\n\ngo 1.24\n", "module a // x\ngo 1.25\nrequire (\n\tb v1 // indirect\n)\n", ""},
		{"a replacement", "go.mod", "module a\ngo 1.24\nrequire b v1\n", "module a\ngo 1.24\nrequire b v2\nreplace b => ./fake\n", "module a\ngo 1.24\nrequire b v2\n"},
		{"a replacement removed, go lowered", "go.mod", "module a\ngo 1.24.1\nreplace b => ./b\n", "module a\ngo 1.9\ntoolchain x\nignore ./tests\n", "module a\ngo 1.24.1\nreplace b => ./b\n"},
		{"a replacement of a new module", "go.mod", "module x.y/a\ngo 1.24\nrequire x.y/b v1\n", "module x.y/a\ngo 1.24\nrequire x.y/b v1\nrequire x.y/c v0\nreplace x.y/c => ./c\n", ""},
		{"replacements beside known modules", "go.mod", "module x.y/a\ngo 1.24\nrequire x.y/b v1\n", "module x.y/a\ngo 1.24\nrequire x.y/b v1\nreplace x.y/b/c => ./c\nreplace x.y => ./d\nreplace z.y/q => ../q\n", "module x.y/a\ngo 1.24\nrequire x.y/b v1\n"},
		{"a module", "go.mod", "none", "module a\ngo 1.24\nreplace (\n testing => ./x\n)\n", "module a\ngo 1.24\n"},
		{"no module", "go.mod", "module a\n", "go 1.24\n", "-"},

		{"Python", "pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'a'\ndependencies = ['x>=1']\n[dependency-groups]\ndev = ['y']\n", ""},
		{"a version and words", "pyproject.toml", "[project]\nname = 'a'\nversion = '1'\n", "[project]\nname = 'a'\nversion = '2'\ndescription = 'x'\nkeywords = ['./b', 'pytest @ file:x']\n", ""},
		{"a version and another name", "pyproject.toml", "[project]\nname = 'a'\nversion = '1'\n", "[project]\nname = 'b'\nversion = '2'\n", "[project]\nname = 'a'\nversion = '2'\n"},
		{"a version of Rust", "Cargo.toml", "[package]\nname = 'a'\nversion = '1.0.0'\n", "[package]\nname = 'a'\nversion = '1.1.0'\ndescription = 'x'\n", ""},
		{"files of data", "pyproject.toml", "[project]\nname = 'a'\n[tool.setuptools]\npackages = ['a']\n", "[project]\nname = 'a'\n[tool.setuptools]\npackages = ['a']\n[tool.setuptools.package-data]\n'a' = ['*.json']\n", ""},
		{"options of pytest", "pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'a'\ndependencies = ['x']\n[tool.pytest.ini_options]\naddopts = '-k no'\n", "[project]\ndependencies = ['x']\nname = 'a'\n"},
		{"pytest from a folder", "pyproject.toml", "[project]\ndependencies = ['pytest>=8']\n", "[project]\ndependencies = ['PyTest @ file:///tmp/x', 'coverage @ file:x', 'z']\n", "[project]\ndependencies = ['pytest>=8', 'z']\n"},
		{"poetry", "pyproject.toml", "[tool.poetry.dependencies]\na = '1'\n", "[tool.poetry.dependencies]\na = {path = 'x'}\nb = '2'\n[tool.poetry.group.dev.dependencies]\nc = '3'\n", "[tool]\n[tool.poetry]\n[tool.poetry.dependencies]\na = '1'\nb = '2'\n\n[tool.poetry.group]\n[tool.poetry.group.dev]\n[tool.poetry.group.dev.dependencies]\nc = '3'\n"},
		{"added with tools", "pyproject.toml", "none", "[project]\nname = 'a'\n[tool.pytest.ini_options]\nx = 1\n[tool.poetry]\ny = 1\n", "[project]\nname = 'a'\n\n[tool]\n[tool.poetry]\ny = 1\n"},
		{"no TOML", "pyproject.toml", "a = 1\n", "a = \n", "-"},

		{"crates", "Cargo.toml", "[package]\nname = 'a'\n", "[package]\nname = 'a'\n[dependencies]\nserde = '1'\n[target.x.dev-dependencies]\ny = {path = 'y'}\n", ""},
		{"no harness", "Cargo.toml", "[package]\nname = 'a'\n", "[package]\nname = 'a'\nautotests = false\n[[test]]\nname = 'x'\nharness = false\n[profile.test]\npanic = 'abort'\n", "[package]\nname = 'a'\n"},
		{"a crate from a folder", "Cargo.toml", "[dependencies]\nrand = '1'\n", "[dependencies]\nrand = {path = 'fake'}\n", "[dependencies]\nrand = '1'\n"},
		{"a new crate", "Cargo.toml", "none", "[package]\nname = 'b'\nbuild = 'x.rs'\n", "[package]\nname = 'b'\n"},

		{"requirements.txt", "requirements-dev.txt", "a==1\n", "a==2 # newer\n\n# b\nb[x]>=1,<2 ; python_version < '3.9'\n", ""},
		{"an index after a comment", "requirements.txt", "a==1\n", "a==1\n# b\r--index-url http://x\n", "-"},
		{"another index", "requirements.txt", "a==1\n", "--index-url http://x\na==1\n", "-"},
		{"a folder", "requirements.txt", "pytest\n", "pytest @ file:x\n", "-"},
		{"gems", "Gemfile", "source 'https://rubygems.org'\ngem 'a'\n", "source 'https://rubygems.org'\ngem 'a', '~> 1'\ngem \"b\", require: false\n", ""},
		{"code", "Gemfile", "gem 'a'\n", "gem 'a'\nat_exit { exit! 0 }\n", "-"},
		{"a gem from a folder", "Gemfile", "gem 'rspec'\n", "gem 'rspec', path: 'fake'\n", "-"},
		{"maven", "pom.xml", pom, strings.Replace(pom, "<dependency>a", "<dependency>b", 1), ""},
		{"maven's build", "pom.xml", pom, strings.NewReplacer("<build>b", "<build>skip", "<dependency>a", "<dependency>b").Replace(pom), "<project><version>1</version><build>b</build><dependencies><dependency>b</dependency></dependencies></project>"},
		{"an entity", "pom.xml", pom, "<!DOCTYPE x>" + pom, "-"},
	} {
		m := Of(c.name)
		base := []byte(c.base)
		if c.base == "none" {
			base = nil
		}
		merged, same, ok := m(base, []byte(c.work))
		got := string(merged)
		if !ok {
			got = "-"
		} else if same {
			got = ""
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

func TestManifestsElsewhere(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"tests/package.json", "node_modules/jest/package.json", "vendor/x/go.mod", "x.json", "go.sum"} {
		if Of(p) != nil {
			t.Errorf("%s is merged", p)
		}
	}
}

// A merge of a merge changes nothing more, and a manifest equal to the base needs none.
func FuzzManifests(f *testing.F) {
	for i, p := range []string{`{"scripts":{"test":"true"},"jest":1,"dependencies":{"a":"file:x"}}`, `{}`, "[project]\ndependencies = ['a']\n", "module a\ngo 1.2\nrequire (\nb v1\n)\n", "<project><dependencies/></project>", "gem 'a'", "--x\ny"} {
		f.Add(i, []byte(p), []byte(p))
	}
	names := []string{"package.json", "composer.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "Gemfile", "requirements.txt"}
	f.Fuzz(func(t *testing.T, which int, base, work []byte) {
		name := names[uint(which)%uint(len(names))]
		m := Of(name)
		merged, same, ok := m(base, work)
		if !ok || same {
			return
		}
		again, same, ok := m(base, merged)
		if !ok || !same && !bytes.Equal(again, merged) {
			t.Errorf("%s: %q merged with %q is %q, and again %q", name, base, work, merged, again)
		}
		if name == "package.json" {
			sameScripts(t, base, merged)
		}
	})
}

func sameScripts(t *testing.T, base, merged []byte) {
	t.Helper()
	var b, m map[string]any
	if json.Unmarshal(base, &b) != nil || json.Unmarshal(merged, &m) != nil {
		t.Fatalf("no objects: %q, %q", base, merged)
	}
	for _, k := range NpmDependencies {
		delete(b, k)
		delete(m, k)
	}
	if d := cmp.Diff(b, m); d != "" {
		t.Error(d)
	}
}
