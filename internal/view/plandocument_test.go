package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// Words and drawings of two plans stand in golden files, and fit in 80 columns.
func TestPlanDocument(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tasks.md", "speckit.md", "sections.md", "hostile.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", "plan", name))
		if err != nil {
			data, err = os.ReadFile(filepath.Join("..", "planfile", "testdata", "plans", name))
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := planfile.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		for kind, got := range map[string]string{"show": PlanDocument(name, f), "ascii": PlanTree(f.Plan), "mermaid": PlanMermaid(f.Plan), "dot": PlanDot(f.Plan)} {
			golden := filepath.Join("testdata", "plan", name+"."+kind+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s: %s", golden, diff)
			}
			if strings.ContainsAny(got, "\x1b\r\u202e") {
				t.Errorf("%s holds what a terminal obeys", golden)
			}
			for l := range strings.Lines(got) {
				if n := len([]rune(strings.TrimRight(l, "\n"))); n > text.Columns && (kind == "show" || kind == "ascii") {
					t.Errorf("%s: %d columns: %s", golden, n, l)
				}
			}
		}
	}
}

func TestLevelsOfNothing(t *testing.T) {
	t.Parallel()
	p := plan.Plan{Tasks: []plan.Task{{ID: "a", Title: "a", Status: plan.Done}}}
	if got := PlanLevels(p); got != nil {
		t.Errorf("got %v", got)
	}
	if c := PlanCounts(p); c != (planfile.Counts{Tasks: 1, Done: 1}) {
		t.Errorf("got %+v", c)
	}
	if got := PlanDocument("x.md", planfile.File{Plan: p}); strings.Contains(got, "ORDER") || !strings.Contains(got, "OVER") {
		t.Error(got)
	}
}
