package proof

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestEvasions(t *testing.T) {
	t.Parallel()
	base := tree{"tax.js": "exports.tax = 1\n", "tax.go": "package a\n", "go.mod": "module a\n", "sub/x.py": "x = 1\n", "shots/a.png": "x", ".gitignore": "*.log\n"}
	coverage := loop.Gate{Kind: loop.KindCoverage, Run: "npm test", Report: "out/rates.xml"}
	lint := loop.Gate{Kind: loop.KindLint, Run: "sh check.sh"}
	for what, c := range map[string]struct {
		gate    loop.Gate
		changes tree
		want    []string
	}{
		"no such gate":                     {loop.Gate{Kind: loop.KindTests, Run: "npm test"}, tree{"tax.js": "rename('lcov.info')\n", ".gitignore": "*.js\n", "x/go.mod": "module x\n"}, nil},
		"the report of the gate":           {coverage, tree{"tax.js": "exports.tax = 1\nrename('n', 'rates.xml')\n"}, []string{"tax.js:2 " + namesReport}},
		"a usual report, in a new test":    {coverage, tree{"test/z.test.js": "fs.renameSync('n', 'lcov.info')\n"}, []string{"test/z.test.js:1 " + namesReport}},
		"the profile of Go":                {loop.Gate{Kind: loop.KindCommand, Run: "go test -coverprofile=c.out"}, tree{"a.go": "package a\nvar _ = os.Remove(\"c.out\")\n"}, []string{"a.go:2 " + namesReport}},
		"configuration and counters":       {coverage, tree{"a.py": "Path('.coveragerc').write_text(x)\nsys.settrace(None)\n", "b.js": "globalThis.__coverage__ = {}\n"}, []string{"a.py:1 " + namesReport, "a.py:2 " + namesReport, "b.js:1 " + namesReport}},
		"the report of tests":              {loop.Gate{Kind: loop.KindTests, Run: "node --test", Parse: "junit:build/out.xml"}, tree{"tax.js": "copy('x', 'out.xml')\n"}, []string{"tax.js:1 " + namesReport}},
		"words of coverage":                {coverage, tree{"a.py": "# It writes coverage.xml.\ncoverage = insurance.coverage\nname = 'my-rates.xml'\n", "README.md": "coverage.xml\n"}, nil},
		"a line of the base":               {coverage, tree{"tax.js": "exports.tax = 1\n\n"}, nil},
		"sources that become ignored":      {lint, tree{".gitignore": "*.log\n# x\n/tax.*\nnode_modules/\n!a\n"}, []string{".gitignore:3 lets tools that read it ignore tax.go"}},
		"a folder that becomes ignored":    {lint, tree{"sub/.gitignore": "build\n", ".gitignore": "sub/\n*.{py}\n"}, []string{".gitignore:1 lets tools that read it ignore sub/x.py"}},
		"a module in a folder":             {lint, tree{"cat/go.mod": "module cat\n", "cat/a.go": "package cat\n"}, []string{"cat/go.mod " + nestedModule}},
		"types that are declared":          {lint, tree{"types/a.d.ts": "declare module '*.json5' {\n  export const a: any\n}\n", "b.d.ts": "export type A = string\n"}, []string{"types/a.d.ts:1 " + declaresTypes, "types/a.d.ts:2 " + declaresTypes}},
		"a build tag of its own":           {lint, tree{"tax_more.go": "//go:build !race && extra\n\npackage tax\n"}, []string{"tax_more.go " + constrainedCode}},
		"build tags of systems":            {lint, tree{"a.go": "//go:build (linux && amd64) || go1.22\n\npackage tax\n", "gen.go": "//go:build ignore\n\npackage main\n"}, nil},
		"code under another name":          {lint, tree{"tax.js": "module.exports = require('./tax.impl')\n", "tax.impl": "exports.tax = 1\n"}, []string{"tax.impl " + unseenCode}},
		"a comment in a style sheet":       {lint, tree{"a.css": "/* stylelint-disable */\n"}, []string{"a.css:1 " + silencesTool}},
		"images that the work verified":    {loop.Gate{Kind: loop.KindVisual}, tree{"shots/a.png": "", "shots/verified-a.png": "x", "shots/verified-notes.md": "x"}, []string{"shots/verified-a.png " + marksImage}},
		"images where no gate looks at it": {lint, tree{"shots/verified-a.png": "x"}, nil},
	} {
		work := maps.Clone(base)
		for p, text := range c.changes {
			if work[p] = text; text == "" {
				delete(work, p)
			}
		}
		s := store{}
		files := s.add(base)
		duties, err := DutiesOf(c.gate, files, s.read)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Evasions(files, s.add(work), []loop.Gate{c.gate}, duties, s.read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

func TestToolSettings(t *testing.T) {
	t.Parallel()
	if got := ToolSettings(loop.Gate{Kind: loop.KindTests, Run: "npm test"}, Duties{ChecksTypes: true}); got != nil {
		t.Errorf("of tests: %v", got)
	}
	got := ToolSettings(loop.Gate{Run: "npm test", Dir: "web"}, Duties{Inspects: true})
	if len(got) != 2*len(toolSettings) || got[1] != "web/.coveragerc" {
		t.Errorf("of coverage in a folder: %v", got)
	}
}
