package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestBehindLinks: what a link of the base makes a test or fixture judges, and a link
// itself; the product behind a link in a folder of tests does not.
func TestBehindLinks(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"a_test.go": "x", "a.go": "x", "src/x.js": "x", "src/x.test.js": "x",
		"testdata": "link:data", "data/in.json": "{}", "data/case.go": "x", "data/README.md": "x",
		"sub/testdata": "link:../deep/l", "deep/l": "link:../shared", "shared/x.txt": "x",
		"tests/src": "link:../src", "src/schema.json": "{}", "src/notes.md": "x",
		"tests/one.json": "link:../one.json", "one.json": "{}", "tests/b.go": "link:../b.go", "b.go": "x",
		"tests/c_test.go": "link:../checks.go", "checks.go": "x",
		"spec": "link:.", "fixtures": "link:../out", "golden": "link:golden", "e2e/up": "link:..",
	}
	for what, c := range map[string]struct {
		changes    prooftest.Tree
		aside, new []string
	}{
		"fixtures":              {prooftest.Tree{"data/in.json": "[]", "data/case.go": "", "data/more.json": "x"}, []string{"data/case.go", "data/in.json"}, []string{"data/more.json"}},
		"by two links":          {prooftest.Tree{"shared/x.txt": "y"}, []string{"shared/x.txt"}, nil},
		"the product":           {prooftest.Tree{"src/x.js": "y", "src/notes.md": "y", "src/package-lock.json": "{}", "b.go": "y", "a.go": "y", "new.go": "y"}, nil, nil},
		"data of the product":   {prooftest.Tree{"src/schema.json": "[]"}, []string{"src/schema.json"}, nil},
		"single files":          {prooftest.Tree{"one.json": "[]", "checks.go": "y"}, []string{"checks.go", "one.json"}, nil},
		"the link goes":         {prooftest.Tree{"testdata": "link:shared"}, []string{"testdata"}, nil},
		"a folder in its place": {prooftest.Tree{"testdata": "", "testdata/in.json": "[]"}, []string{"testdata", "testdata/in.json"}, nil},
	} {
		k, _ := change("go test ./...", base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff([][]string{c.aside, c.new}, [][]string{got.SetAside, got.New}); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
