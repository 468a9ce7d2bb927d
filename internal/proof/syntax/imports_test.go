package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScriptImports reads each form of an import: the module, what is required, and the names.
func TestScriptImports(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`import a from "m"`:                                                  "m [a]",
		`import a, { b as c, type D } from 'm';`:                             "m [a c D]",
		"import * as a from `m`":                                             "m [a]",
		`import type { A } from "m"`:                                         "m [A]",
		`import"m"`:                                                          "m []",
		"import {\n  a, // one {\n  b /* two */,\n} from './m'":              "./m [a b]",
		"/* head */ import/**/a/**/from/**/'m'":                              "m [a]",
		`export * from "./m"`:                                                "./m [*]",
		`export { a } from "./m"; import b from "n"`:                         "./m [a] n [b]",
		"export function f() {}\nimport a from 'm'":                          "m [a]",
		` * import a from "m"`:                                               "m []", // a comment, perhaps
		`const a = require("m");`:                                            "m! [a]",
		`const { a, b: c, d = 1 } = require( 'm' )`:                          "m! [a c d]",
		`if (x) { const { a } = require('m') }`:                              "m! [a]",
		`import a = require("m")`:                                            "m! [a]",
		`require('m').f(); require.resolve("n")`:                             "m! [] n! []",
		`require "m"`:                                                        "m! []",
		`const a = await import("m"), b = import('n')`:                       "m [a] n [b]",
		`import(/* webpackChunkName: "x" */ './m')`:                          "./m []",
		`const a = (await import("m")).b`:                                    "m [a]",
		`vi.importActual("./m"); jest.requireActual('./n')`:                  "./m [] ./n! []",
		`process.getBuiltinModule("fs")`:                                     "fs! []",
		"import(name); require(name); from(\"m\")":                           "",
		`Array.from("abc"); requires("m"); reimport("m"); requireAdmin("m")`: "",
	} {
		var got []string
		for _, i := range ScriptImports(source) {
			var names []string
			for _, b := range i.Bindings() {
				names = append(names, b.Name)
			}
			form := ""
			if i.Required {
				form = "!"
			}
			got = append(got, fmt.Sprint(i.Module, form, " ", names))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}

// TestImportsEnclose: an import ends with its module, and begins with the word that declares it.
func TestImportsEnclose(t *testing.T) {
	t.Parallel()
	const source = "f();import a from 'm'; const { b } = require('n').c;\nlet d = (await import('o')).e, g = jest.requireActual('p');\n"
	var got []string
	for _, i := range ScriptImports(source) {
		got = append(got, source[i.Begin:i.End], source[i.Value:i.End])
	}
	want := []string{"import a from 'm'", "import a from 'm'", "const { b } = require('n')", "require('n')", "let d = (await import('o'))", "(await import('o'))", "g = jest.requireActual('p')", "jest.requireActual('p')"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("f();; .c;\n.e, ;\n", WithoutImports(source, nil)); diff != "" {
		t.Error(diff)
	}
}

// FuzzScriptImports: whatever a source is, its imports stand in it, one after the other.
func FuzzScriptImports(f *testing.F) {
	f.Add("import a, { b } from 'm'; const { c } = require(\"n\")\nexport * from `o`")
	f.Add("let d = (await import(/* x */ 'o')).e, g = jest.requireActual('p')")
	f.Fuzz(func(t *testing.T, source string) {
		last := 0
		for _, i := range ScriptImports(source) {
			if i.Begin < last || i.Value < i.Begin || i.End <= i.Value || i.Module == "" || !strings.Contains(source[i.Value:i.End], i.Module) {
				t.Fatalf("%+v in %q", i, source)
			}
			i.Bindings()
			last = i.End
		}
	})
}

func BenchmarkScriptImports(b *testing.B) {
	source := strings.Repeat("const total = items.map((item) => item.price * item.count).reduce((a, b) => a + b, 0);\nfunction round(x) {\n  return Math.round(x * 100) / 100; // in cents\n}\n", 1000)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		ScriptImports(source)
	}
}
