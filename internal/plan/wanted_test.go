package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestWanted(t *testing.T) {
	t.Parallel()
	p := Plan{Tasks: []Task{
		{ID: "a", Title: "a"},
		{ID: "b", Title: "b", Status: Done, Needs: []Need{{On: "a"}}},
		{ID: "c", Title: "c", Needs: []Need{{On: "b"}}},
		{ID: "d", Title: "d"},
		{ID: "e", Title: "e", Status: Skipped},
	}}
	for _, tt := range []struct{ only, want []string }{
		{nil, []string{"a", "c", "d"}},
		{[]string{"d"}, []string{"d"}},
		{[]string{"c"}, []string{"a", "c"}}, // through a task that is done
		{[]string{"b"}, []string{"a"}},
		{[]string{"nobody"}, nil},
	} {
		var got []string
		for _, task := range p.Wanted(tt.only) {
			got = append(got, task.ID)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s", tt.only, diff)
		}
	}
	p.Tasks[0].Needs = []Need{{On: "c"}}
	if got := p.Wanted(nil); got != nil {
		t.Errorf("a circle: %v", got)
	}
}

// What was brought home is not all any more when another task lands.
func TestLandingIsNotHome(t *testing.T) {
	t.Parallel()
	s := State{
		Status: loop.Running, Stage: Working, Tip: "c1", Accepted: "home",
		Tasks: []TaskState{{ID: "a", Status: Landing, Loop: "l", Commit: "c2", Onto: "c1"}},
	}
	next, err := Apply(s, Landed{Stamp: loop.Stamp{At: time.Unix(1e9, 0)}, Task: "a", Commit: "c3"})
	if err != nil || next.Tip != "c3" || next.Accepted != "" {
		t.Errorf("%+v, %v", next, err)
	}
}
