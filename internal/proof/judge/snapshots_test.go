package judge

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// Snapshots that the work may change do not judge without the tests that they belong to.
func TestSnapshotsOfTestsLeftOut(t *testing.T) {
	t.Parallel()
	const head, old, changed = "// Jest Snapshot v1\n\n", "exports[`a table 1`] = `\n\"<t>\"\n`;\n", "exports[`a table 1`] = `\n\"<table>\"\n`;\n"
	const added, deep, missing = "exports[`a header 1`] = `\n\"\\`<h>\"\n`;\n\n", "exports[`s a header: x 2`] = `5`;\n", "exports[`s lacks one 1`] = `5`;\n\n"
	const tests = "test('a table', () => {});\ndescribe('s', () => { it(\"lacks one\", () => {}); });\n"
	more := tests + "test('a header', () => {});\n"
	base := prooftest.Tree{"t/x.test.js": tests, "t/__snapshots__/x.test.js.snap": head + old}
	for what, c := range map[string]struct {
		may     []string
		changes prooftest.Tree
		want    map[string]string // the edits of snapshots
	}{
		"a test added":           {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/x.test.js": more, "t/__snapshots__/x.test.js.snap": head + added + old + "\n" + deep}, map[string]string{"t/__snapshots__/x.test.js.snap": head + old}},
		"one changed too":        {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/x.test.js": more, "t/__snapshots__/x.test.js.snap": head + added + changed}, map[string]string{"t/__snapshots__/x.test.js.snap": head + changed}},
		"one that was missing":   {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/x.test.js": more, "t/__snapshots__/x.test.js.snap": head + added + missing + old}, map[string]string{"t/__snapshots__/x.test.js.snap": head + missing + old}},
		"only changed":           {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/x.test.js": more, "t/__snapshots__/x.test.js.snap": head + changed}, nil},
		"the tests as they were": {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/__snapshots__/x.test.js.snap": head + added + old, "t/y.test.js": "x"}, nil},
		"the tests too":          {[]string{"t/**"}, prooftest.Tree{"t/x.test.js": more, "t/__snapshots__/x.test.js.snap": head + added + old}, nil},
		"a file of new tests":    {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/y.test.js": "x", "t/__snapshots__/y.test.js.snap": head + added}, map[string]string{"t/__snapshots__/y.test.js.snap": ""}},
		"of the other tests":     {[]string{"t/__snapshots__/**"}, prooftest.Tree{"t/y.test.js": "x", "t/__snapshots__/z.test.js.snap": head + added}, nil},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			of, _ := change("npm test", base, c.changes)
			of.MayChange = c.may
			got, err := of.Judges()
			if err != nil {
				t.Fatal(err)
			}
			edits := map[string]string{}
			for _, e := range got.Edits {
				if e.Mode != "" || e.ID == "" && e.Data == nil {
					edits[e.Path] = string(e.Data)
				}
			}
			maps.DeleteFunc(edits, func(p, _ string) bool { return !slices.Contains(got.Permitted, p) })
			if d := cmp.Diff(c.want, edits); d != "" && len(c.want)+len(edits) > 0 {
				t.Error(d)
			}
			for _, e := range got.Runner {
				if _, snapshot := c.want[e.Path]; snapshot {
					t.Errorf("%s is the runner's", e.Path)
				}
			}
		})
	}
}
