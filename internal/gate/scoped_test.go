package gate

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ralph/internal/loop"
)

const goReport = "mode: set\\nexample.com/shop/auth/a.go:1.1,2.2 3 1\\nexample.com/shop/auth/b.go:1.1,2.2 1 0\\nexample.com/shop/api/a.go:1.1,2.2 96 0\\nfmt/print.go:1.1,2.2 9 0\\n"

// A gate that counts only the scope, with reports of every way to name files.
func TestScopedCoverage(t *testing.T) {
	t.Parallel()
	write := func(name, text string) string { return "printf '" + text + "' > " + name }
	module := map[string]string{"go.mod": "// x\nmodule example.com/shop // here\n", "auth/a.go": "", "auth/b.go": "", "api/a.go": ""}
	inner := map[string]string{"go.mod": "module example.com/shop\n", "tools/go.mod": "module \"example.com/shop/auth\"\n", "auth/a.go": "", "tools/a.go": ""}
	java := map[string]string{"core/src/main/java/com/acme/A.java": "", "web/src/main/java/com/acme/B.java": "", "web/src/main/java/com/acme/A.java": ""}
	jacoco := func(names ...string) string {
		x := "<report name=\"r\"><package name=\"com/acme\">"
		for _, n := range names {
			x += "<sourcefile name=\"" + n + "\"><counter type=\"LINE\" missed=\"1\" covered=\"3\"/></sourcefile>"
		}
		return x + "</package></report>"
	}
	for name, c := range map[string]struct {
		files  map[string]string
		dir    string
		run    string
		scope  []string
		all    bool
		want   loop.Verdict
		reason string
	}{
		"go, in the scope":       {module, "", write("c.out", goReport), []string{"auth/**"}, false, loop.Passed, "coverage 75 % of 2 files in the scope >= 70 %"},
		"go, one file":           {module, "", write("c.out", goReport), []string{"auth/b.go"}, false, loop.Failed, "coverage 0 % of 1 file in the scope < 70 %"},
		"go, other files":        {module, "", write("c.out", goReport), []string{"docs"}, false, loop.Error, "report c.out: none of its 4 files with lines to cover is in the scope docs"},
		"go, not limited":        {module, "", write("c.out", goReport), []string{"auth/**"}, true, loop.Failed, "coverage 2.75 % < 70 %"},
		"no scope":               {module, "", write("c.out", goReport), nil, false, loop.Failed, "coverage 2.75 % < 70 %"},
		"go, no module":          {map[string]string{"auth/a.go": ""}, "", write("c.out", goReport), []string{"auth/**"}, false, loop.Error, "none of its 4 files"},
		"go, a module in it":     {inner, "", write("c.out", goReport), []string{"auth/**"}, false, loop.Error, "none of its 4 files"},
		"go, that module":        {inner, "", write("c.out", goReport), []string{"tools"}, false, loop.Passed, "coverage 75 % of 2 files in the scope >= 70 %"},
		"relative to the folder": {map[string]string{"web/src/a.js": "", "src/a.js": ""}, "web", write("lcov.info", "SF:src/a.js\\nLF:4\\nLH:3\\nend_of_record\\n"), []string{"web/**"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"relative to the root":   {map[string]string{"web/x": "", "src/a.js": ""}, "web", write("lcov.info", "SF:./src/a.js\\nLF:4\\nLH:3\\nend_of_record\\n"), []string{"src"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"absolute":               {map[string]string{"src/a.js": ""}, "", `printf "SF:$PWD/src/a.js\nLF:4\nLH:3\nend_of_record\nSF:/usr/include/x.h\nLF:9\nLH:0\nend_of_record\n" > lcov.info`, []string{"src"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"absolute, elsewhere":    {map[string]string{"src/a.js": ""}, "", write("lcov.info", "SF:/app/src/a.js\\nLF:4\\nLH:3\\nend_of_record\\n"), []string{"src"}, false, loop.Error, "none of its 1 files"},
		"backslashes":            {map[string]string{"src/a.js": ""}, "", write("lcov.info", `SF:src\\\\a.js\nLF:4\nLH:3\nend_of_record\n`), []string{"src"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"a package":              {java, "", write("jacoco.xml", jacoco("B.java")), []string{"web/**"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"a package twice":        {java, "", write("jacoco.xml", jacoco("A.java")), []string{"web/**"}, false, loop.Error, "it names com/acme/A.java, which could be core/.* or web/.*: whether it is in the scope cannot be told"},
		"twice, both in":         {java, "", write("jacoco.xml", jacoco("A.java")), []string{"**/acme"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"twice, both out":        {java, "", write("jacoco.xml", jacoco("A.java", "B.java")), []string{"**/B.java"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"unknown file":           {java, "", write("jacoco.xml", jacoco("C.java")), []string{"web/**"}, false, loop.Error, "it names com/acme/C.java, and there is no such file"},
		"only a total":           {nil, "", "mkdir coverage; " + write("coverage/.last_run.json", `{"result":{"line":99}}`), []string{"web"}, false, loop.Error, "report coverage/.last_run.json: it has no values of single files"},
		"printed":                {nil, "", `echo 'TOTAL 4 0 100%'`, []string{"web"}, false, loop.Error, "the gate counts only the files of the scope, and the command wrote no report"},
		"stale":                  {map[string]string{"lcov.info": "SF:a\nLF:1\nLH:1\nend_of_record\n"}, "", "true", []string{"a"}, false, loop.Error, "wrote no report with a value for each file; lcov.info was there before"},
		"packages do not count":  {map[string]string{"node_modules/p/src/a.js": "", "lib/src/a.js": ""}, "", write("lcov.info", "SF:src/a.js\\nLF:4\\nLH:3\\nend_of_record\\n"), []string{"lib"}, false, loop.Passed, "coverage 75 % of 1 file in the scope"},
		"exit code":              {module, "", write("c.out", goReport) + "; exit 1", []string{"auth/**"}, false, loop.Failed, `exit code 1 \(coverage 75 % of 2 files in the scope\)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files)
			r := p.request(loop.Gate{Kind: loop.KindCoverage, Run: c.run, Dir: c.dir, Threshold: new(70.0), Scoped: !c.all})
			r.Scope = c.scope
			got, err := Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != c.want || !regexp.MustCompile(c.reason).MatchString(got.Reason) {
				t.Errorf("%s: %s", got.Verdict, got.Reason)
			}
		})
	}
}

// A link in the tree leads nowhere, and one to the tree is the tree.
func TestScopedThroughLinks(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"src/a.js": ""})
	link := filepath.Join(t.TempDir(), "link")
	for from, to := range map[string]string{link: p.tree, filepath.Join(p.tree, "away"): "/etc"} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	p.tree, link = link, p.tree
	r := p.request(loop.Gate{Kind: loop.KindCoverage, Run: "printf 'SF:" + strings.ReplaceAll(link, "'", "") + "/src/a.js\\nLF:2\\nLH:1\\nend_of_record\\n' > lcov.info", Scoped: true})
	r.Scope = []string{"src"}
	got, err := Run(t.Context(), r)
	if err != nil || got.Verdict != loop.Passed || got.Reason != "coverage 50 % of 1 file in the scope" {
		t.Errorf("%s: %s, %v", got.Verdict, got.Reason, err)
	}
}
