package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

func TestWatched(t *testing.T) {
	t.Parallel()
	files := []proof.File{
		{Path: "ops/run.sh", Mode: "100644"},
		{Path: "bin/tool", Mode: proof.ExecMode},
		{Path: "app.py", Mode: "100644"},
		{Path: "Makefile", Mode: "100644"},
		{Path: "tests/run.sh", Mode: proof.ExecMode},
		{Path: "README.md", Mode: "100644"},
		{Path: "data.txt", Mode: "100644"},
		{Path: "l", Mode: proof.LinkMode},
	}
	if d := cmp.Diff([]string{"README.md", "bin/tool", "ops/run.sh"}, Watched(files)); d != "" {
		t.Error(d)
	}
	if got := Watched(files[2:4]); got != nil {
		t.Errorf("without scripts: %v", got)
	}
}

func TestOpenedScripts(t *testing.T) {
	t.Parallel()
	watched := []string{"README.md", "a.md", "a.sh", "b.sh", "z.md"}
	for _, c := range []struct{ opened, want []string }{
		{nil, nil},
		{[]string{"b.sh", "a.sh"}, []string{"a.sh", "b.sh"}},
		{[]string{"a.sh", "README.md"}, []string{"a.sh"}},
		{[]string{"README.md", "a.md", "a.sh", "b.sh"}, nil}, // it reads everything
	} {
		if d := cmp.Diff(c.want, OpenedScripts(watched, c.opened)); d != "" {
			t.Errorf("%v: %s", c.opened, d)
		}
	}
	if d := cmp.Diff([]string{"a.sh"}, OpenedScripts([]string{"a.sh"}, []string{"a.sh"})); d != "" {
		t.Errorf("without documents: %s", d)
	}
}

// What a gate opened judges, unless it is the product: under test by a runner, or of a
// project of shell scripts.
func TestOpenedJudge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gate string
		base prooftest.Tree
		want []string
	}{
		"by make":           {"make", prooftest.Tree{"ops/run.sh": "x", "a.go": "x"}, []string{"ops/run.sh"}},
		"under test":        {"cd . && go test ./...", prooftest.Tree{"ops/run.sh": "x", "a.go": "x"}, nil},
		"a tool under test": {"go test ./...", prooftest.Tree{"hack/run.sh": "x", "a.go": "x"}, []string{"hack/run.sh"}},
		"of shell scripts":  {"make", prooftest.Tree{"ops/run.sh": "x", "b.sh": "x"}, nil},
	} {
		work := prooftest.Tree{}
		for p := range c.base {
			work[p] = "x"
		}
		for _, p := range []string{"ops/run.sh", "hack/run.sh"} {
			if _, has := c.base[p]; has {
				work[p] = "changed"
			}
		}
		k, _ := change(c.gate, c.base, work)
		k.Opened = []string{"ops/run.sh", "hack/run.sh"}
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
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
