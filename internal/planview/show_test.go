package planview

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/report/page"
)

var update = flag.Bool("update", false, "write the golden files")

// Words and drawings of two plans stand in golden files, and fit in 80 columns.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tasks.md", "speckit.md", "sections.md", "hostile.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
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
		for kind, got := range map[string]string{"show": Show(name, f), "ascii": ASCII(f.Plan), "mermaid": Mermaid(f.Plan), "dot": Dot(f.Plan)} {
			golden := filepath.Join("testdata", name+"."+kind+".golden")
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
				if n := len([]rune(strings.TrimRight(l, "\n"))); n > page.Columns && (kind == "show" || kind == "ascii") {
					t.Errorf("%s: %d columns: %s", golden, n, l)
				}
			}
		}
	}
}

func TestLevelsOfNothing(t *testing.T) {
	t.Parallel()
	p := plan.Plan{Tasks: []plan.Task{{ID: "a", Title: "a", Status: plan.Done}}}
	if got := Levels(p); got != nil {
		t.Errorf("got %v", got)
	}
	if c := Count(p); c != (planfile.Counts{Tasks: 1, Done: 1}) {
		t.Errorf("got %+v", c)
	}
	if got := Show("x.md", planfile.File{Plan: p}); strings.Contains(got, "ORDER") || !strings.Contains(got, "OVER") {
		t.Error(got)
	}
}
