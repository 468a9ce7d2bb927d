package suspect

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

func TestEvasions(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"tax.js": "exports.tax = 1\n", "tax.go": "package a\n", "go.mod": "module a\n", "sub/x.py": "x = 1\n", "shots/a.png": "x", ".gitignore": "*.log\n"}
	coverage := loop.Gate{Kind: loop.KindCoverage, Run: "npm test", Report: "out/rates.xml"}
	lint := loop.Gate{Kind: loop.KindLint, Run: "sh check.sh"}
	for what, c := range map[string]struct {
		gate    loop.Gate
		changes prooftest.Tree
		want    []string
	}{
		"no such gate":                  {loop.Gate{Kind: loop.KindTests, Run: "npm test"}, prooftest.Tree{"tax.js": "rename('lcov.info')\n", ".gitignore": "*.js\n", "x/go.mod": "module x\n"}, nil},
		"the report of the gate":        {coverage, prooftest.Tree{"tax.js": "exports.tax = 1\nrename('n', 'rates.xml')\n"}, []string{"tax.js:2 " + namesReport}},
		"a usual report, in a new test": {coverage, prooftest.Tree{"test/z.test.js": "fs.renameSync('n', 'lcov.info')\n"}, []string{"test/z.test.js:1 " + namesReport}},
		"a report that the command has a tool write": {
			loop.Gate{Kind: loop.KindCommand, Run: "node --test --experimental-test-coverage --test-reporter-destination=out/lcov.info && ! grep -q '^DA:.*,0$' out/lcov.info"},
			prooftest.Tree{"tax.js": "fs.renameSync('n', 'lcov.info')\nread('lcov.info')\n", "a.js": "fs.writeFileSync('other/lcov2.info', t)\n"},
			[]string{"a.js:1 " + namesReport, "tax.js:1 " + writesReport, "tax.js:2 " + namesReport},
		},
		"the profile of Go":                {loop.Gate{Kind: loop.KindCommand, Run: "go test -coverprofile=c.out"}, prooftest.Tree{"a.go": "package a\nvar _ = os.Remove(\"c.out\")\n"}, []string{"a.go:2 " + namesReport}},
		"configuration and counters":       {coverage, prooftest.Tree{"a.py": "Path('.coveragerc').write_text(x)\nsys.settrace(None)\n", "b.js": "globalThis.__coverage__ = {}\n"}, []string{"a.py:1 " + namesReport, "a.py:2 " + namesReport, "b.js:1 " + namesReport}},
		"the report of tests":              {loop.Gate{Kind: loop.KindTests, Run: "node --test", Parse: "junit:build/out.xml"}, prooftest.Tree{"tax.js": "copy('x', 'out.xml')\n"}, []string{"tax.js:1 " + namesReport}},
		"words of coverage":                {coverage, prooftest.Tree{"a.py": "# It writes coverage.xml.\ncoverage = insurance.coverage\nname = 'my-rates.xml'\n", "README.md": "coverage.xml\n"}, nil},
		"what runs as it is loaded":        {coverage, prooftest.Tree{"sub/x.py": "x = 1\n\n\ndef f(n):\n    return n\n\n\ndef main():\n    f(1)\n\n\nf(2)\nif __name__ == '__main__':\n    main()\n"}, []string{"sub/x.py:12 " + runsAsLoaded}},
		"a line of the base":               {coverage, prooftest.Tree{"tax.js": "exports.tax = 1\n\n"}, nil},
		"sources that become ignored":      {lint, prooftest.Tree{".gitignore": "*.log\n# x\n/tax.*\nnode_modules/\n!a\n"}, []string{".gitignore:3 makes tools that follow .gitignore skip tax.go"}},
		"a folder that becomes ignored":    {lint, prooftest.Tree{"sub/.gitignore": "build\n", ".gitignore": "sub/\n*.{py}\n"}, []string{".gitignore:1 makes tools that follow .gitignore skip sub/x.py"}},
		"a module in a folder":             {lint, prooftest.Tree{"cat/go.mod": "module cat\n", "cat/a.go": "package cat\n"}, []string{"cat/go.mod " + nestedModule}},
		"a module that the task asks for":  {lint, prooftest.Tree{"lib/tax/go.mod": "module tax\n", "lib/tax/a.go": "package tax\n"}, nil},
		"types that are declared":          {lint, prooftest.Tree{"tsconfig.json": "{}", "types/a.d.ts": "declare module '*.json5' {\n  export const a: any\n}\n", "b.d.ts": "export type A = string\n"}, []string{"types/a.d.ts:1 " + declaresTypes, "types/a.d.ts:2 " + declaresTypes}},
		"types that nothing checks":        {lint, prooftest.Tree{"index.d.ts": "export function total(n: number): number\n", "package.json": `{"types": "index.d.ts"}`}, nil},
		"types that a script checks":       {lint, prooftest.Tree{"index.d.ts": "declare module 'a'\n", "check.sh": "npx tsc --noEmit\n"}, []string{"index.d.ts:1 " + declaresTypes}},
		"types beside a new script":        {lint, prooftest.Tree{"tsconfig.json": "{}", "src/total.d.ts": "export function total(n: number): number\n", "src/total.js": "exports.total = (n) => n.cents\n"}, []string{"src/total.d.ts " + declaresTypes}},
		"code in a hidden folder":          {lint, prooftest.Tree{".lib/total.js": "exports.total = (n) => n\n", "tax.js": "module.exports = require('./.lib/total')\n"}, []string{".lib/total.js " + unseenCode}},
		"code in a folder of a tool":       {lint, prooftest.Tree{".github/total.js": "exports.total = (n) => n\n"}, nil},
		"code under a hidden name":         {lint, prooftest.Tree{"src/.total.js": "exports.total = (n) => n\n", "tax.js": "module.exports = require('./src/.total')\n"}, []string{"src/.total.js " + unseenCode}},
		"a build tag of its own":           {lint, prooftest.Tree{"tax_more.go": "//go:build !race && extra\n\npackage tax\n"}, []string{"tax_more.go " + constrainedCode}},
		"build tags of systems":            {lint, prooftest.Tree{"a.go": "//go:build (linux && amd64) || go1.22\n\npackage tax\n", "gen.go": "//go:build ignore\n\npackage main\n"}, nil},
		"code under another name":          {lint, prooftest.Tree{"tax.js": "module.exports = require('./tax.impl')\n", "tax.impl": "exports.tax = 1\n"}, []string{"tax.impl " + unseenCode}},
		"a comment in a style sheet":       {lint, prooftest.Tree{"a.css": "/* stylelint-disable */\n"}, []string{"a.css:1 " + silencesTool}},
		"a source that is gone":            {loop.Gate{Kind: loop.KindLint, Run: "sh lint.sh"}, prooftest.Tree{"sub/x.py": ""}, []string{"sub/x.py " + leavesGate}},
		"one that tests would miss":        {loop.Gate{Kind: loop.KindCommand, Run: "ruff . && pytest"}, prooftest.Tree{"sub/x.py": ""}, nil},
		"one that is moved":                {lint, prooftest.Tree{"sub/x.py": "", "sub/deep/x.py": "x = 1\n"}, nil},
		"one that is moved out of sight":   {loop.Gate{Kind: loop.KindCommand, Run: "go build ./..."}, prooftest.Tree{"tax.go": "", "tax_plan9.go": "package a\n"}, []string{"tax.go " + leavesGate}},
		"one that is named like a build":   {loop.Gate{Kind: loop.KindCommand, Run: "go build ./..."}, prooftest.Tree{"tax.go": "", "tax_race.go": "package a\n"}, nil},
		"images that the work verified":    {loop.Gate{Kind: loop.KindVisual}, prooftest.Tree{"shots/a.png": "", "shots/verified-a.png": "x", "shots/verified-notes.md": "x"}, []string{"shots/verified-a.png " + marksImage}},
		"images where no gate looks at it": {lint, prooftest.Tree{"shots/verified-a.png": "x"}, nil},
	} {
		work := maps.Clone(base)
		for p, text := range c.changes {
			if work[p] = text; text == "" {
				delete(work, p)
			}
		}
		s := prooftest.Store{}
		files := s.Add(base)
		duties, err := judge.DutiesOf(c.gate, files, s.Read)
		if err != nil {
			t.Fatal(err)
		}
		duties.Task = "Put the tax into a module of its own in the folder lib/tax."
		found, _, err := Evasions(files, s.Add(work), []loop.Gate{c.gate}, duties, s.Read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestLosesCode: where coverage is measured, work that has fewer functions than the base is named.
func TestLosesCode(t *testing.T) {
	t.Parallel()
	gate := loop.Gate{Kind: loop.KindCoverage, Run: "pytest --cov"}
	const add, div = "def add(a, b):\n    return a + b\n", "\n\ndef div(a, b):\n    return a / b\n"
	for work, want := range map[string]string{
		add:       "[calc.py " + losesCode + "div]",
		add + div: "[]",
		add + "\n\ndef divide(a, b):\n    return a / b\n": "[]",
	} {
		s := prooftest.Store{}
		base, after := s.Add(prooftest.Tree{"calc.py": add + div + "# x\n"}), s.Add(prooftest.Tree{"calc.py": work})
		duties, err := judge.DutiesOf(gate, base, s.Read)
		if err != nil {
			t.Fatal(err)
		}
		found, _, err := Evasions(base, after, []loop.Gate{gate}, duties, s.Read)
		if got := fmt.Sprint(found); got != want || err != nil {
			t.Errorf("%s %v: %s", work, err, got)
		}
	}
}
