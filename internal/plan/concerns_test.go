package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// What repairs a landing, or the result of all tasks, is looked at like a task's work.
func TestConcernsOfRepairs(t *testing.T) {
	t.Parallel()
	s := State{Stage: Proving, Tip: "c1", Final: "p-final", Tasks: []TaskState{
		{ID: "one", Loop: "p-one", Landed: "c0", Concerns: "judges"},
		{ID: "two", Loop: "p-two", Status: Landing, Onto: "c1", Repair: "p-two-land", Concerns: "canary"},
		{ID: "old", Loop: "p-old", Landed: "c0", Gone: true},
	}}
	if why := (Repaired{Task: "two", Loop: "p-two-land", Commit: "c2", Concerns: "suspect,canary"}).apply(&s); why != "" {
		t.Fatal(why)
	}
	if why := (Proof{Loop: "p-final", Passed: true, Commit: "c3", Concerns: "suspect,obeyed"}).apply(&s); why != "" {
		t.Fatal(why)
	}
	about := map[loop.ConcernCode][]string{}
	for _, c := range s.Concerns() {
		about[c.Code] = s.About(c.Code)
	}
	want := map[loop.ConcernCode][]string{
		loop.ConcernJudges: {"one"}, loop.ConcernCanary: {"two"}, loop.ConcernSuspect: {"two", Whole}, loop.ConcernObeyed: {Whole},
	}
	if diff := cmp.Diff(want, about); diff != "" {
		t.Error(diff)
	}
	loops := map[string][]string{"one": {"p-one"}, "two": {"p-two", "p-two-land"}, Whole: {"p-final"}}
	if diff := cmp.Diff(loops, s.LandedLoops()); diff != "" {
		t.Error(diff)
	}
	// A look at the result that changed nothing says nothing more.
	s.Stage, s.Final = Proving, "p-final-2"
	if why := (Proof{Loop: "p-final-2", Passed: true, Commit: "c3", Concerns: "secrets"}).apply(&s); why != "" || s.EndConcerns != "suspect,obeyed" || len(s.Ends) != 1 {
		t.Fatalf("%s %q %v", why, s.EndConcerns, s.Ends)
	}
}
