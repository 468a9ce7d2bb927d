package planfile

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/plan"
)

// large is a plan of n tasks in one of the formats, about as long as people
// write them.
func large(as Format, n int) []byte {
	p := plan.Plan{Title: "Large"}
	for i := range n {
		t := plan.Task{ID: fmt.Sprint("t", i), Title: fmt.Sprint("Do the thing number ", i), Text: strings.Repeat("Some words about it. ", 10), Status: plan.Pending}
		if i > 0 {
			t.Needs = []plan.Need{{On: fmt.Sprint("t", i-1), Why: plan.Stated}}
		}
		p.Tasks = append(p.Tasks, t)
	}
	return []byte(renderers()[as](p))
}

// Reading and writing are linear: ten times the tasks, ten times the time.
func BenchmarkPlan(b *testing.B) {
	for _, as := range Rendered() {
		for _, n := range []int{500, 5000} {
			data := large(as, n)
			f, err := ReadAs("x", data, as)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("read/%s/%d", as, n), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					_, _ = ReadAs("x", data, as)
				}
			})
			change := doneOf(f.Plan.Tasks[n/2].ID)
			b.Run(fmt.Sprintf("write/%s/%d", as, n), func(b *testing.B) {
				for b.Loop() {
					if w := f.Write([]Change{change}); len(w.Edits) == 0 {
						b.Fatal(w.Left)
					}
				}
			})
		}
	}
}

// The longest plan that is allowed is read and written, in each family of formats.
func TestLargest(t *testing.T) {
	t.Parallel()
	for _, as := range []Format{PRD, Taskmaster, Sections, Tasks, SpecKit} {
		data := large(as, plan.MaxTasks)
		f, err := ReadAs("x", data, as)
		if err != nil || len(f.Plan.Tasks) != plan.MaxTasks {
			t.Fatalf("%s: %v", as, err)
		}
		if w := f.Write([]Change{doneOf(f.Plan.Tasks[plan.MaxTasks-1].ID)}); len(w.Edits) == 0 || len(w.Left) > 0 {
			t.Errorf("%s: %v", as, w.Left)
		}
	}
}
