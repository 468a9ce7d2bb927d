package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/plan"
)

// Tasks whose ids look alike write into files of their own.
func TestOutputFiles(t *testing.T) {
	t.Parallel()
	p := plan.Plan{Tasks: []plan.Task{
		{ID: "API spec"},
		{ID: "api/spec"},
		{ID: "other"},
		{ID: "api-spec"},
		{ID: "named", Output: "spec/x.md"},
		{ID: "out", Output: "../x.md"},
		{ID: "hidden", Output: ".git/x"},
		{ID: "only", Files: []string{"spec/only.md"}},
		{ID: "both", Output: ".ralph/x.md", Files: []string{"./spec/both.md"}},
		{ID: "two", Files: []string{"a.md", "b.md"}},
		{ID: "glob", Files: []string{"spec/*.md"}},
		{ID: "folder", Files: []string{"spec/"}},
		{ID: "away", Files: []string{"../x.md"}},
	}}
	var got []string
	for _, task := range p.Tasks {
		got = append(got, outputFile("p-1", p, task))
	}
	want := []string{
		"docs/p-1/api-spec.md", "docs/p-1/api-spec-" + digestOf("api/spec")[:6] + ".md", "docs/p-1/other.md",
		"docs/p-1/api-spec-" + digestOf("api-spec")[:6] + ".md", "spec/x.md", "docs/p-1/out.md", "docs/p-1/hidden.md",
		"spec/only.md", "spec/both.md", "docs/p-1/two.md", "docs/p-1/glob.md", "docs/p-1/folder.md", "docs/p-1/away.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNamesOfLoops(t *testing.T) {
	t.Parallel()
	id := loopID("p-1", "A rather long name of a task", "-land", 2)
	if id != "p-1-a-rather-long-name-o-land-2" || branchName("p-1", id) != "ralph/p-1/a-rather-long-name-o-land-2" {
		t.Error(id, branchName("p-1", id))
	}
}
