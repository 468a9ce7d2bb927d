package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// TestALandingIsOvertaken: a repair that rested goes on and lands while another task
// is being landed onto the same tip. That landing is recorded as stale, and the task
// lands again. Journals of earlier versions have a landed event instead, which leads
// to the same state.
func TestALandingIsOvertaken(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "plan.json", "", "b", "c0", Rules{})
	s.Status = loop.Running
	s.Tasks = []TaskState{
		{ID: "a", Status: Landing, Loop: "a", Commit: "ca", Onto: "c0", Repair: "ra", Rests: loop.ForHuman},
		{ID: "b", Status: Landing, Loop: "b", Commit: "cb"},
	}
	landed := Landed{Stamp: at, Task: "b", Commit: "c2"}
	s = applied(t, s, LandBegan{Stamp: at, Task: "b", Onto: "c0"}, Taken{Stamp: at, Task: "a"})
	if e := s.Current(landed); e != Event(landed) {
		t.Fatalf("the tip is where it was: %+v", e)
	}
	s = applied(t, s, Repaired{Stamp: at, Task: "a", Loop: "ra", Commit: "c1"})
	stale := LandingStale{Stamp: at, Task: "b", Onto: "c0", Tip: "c1"}
	if e := s.Current(landed); e != Event(stale) {
		t.Fatalf("the tip has moved: %+v", e)
	}
	if want := "b lands again: the tip moved from c0 to c1"; stale.Describe() != want {
		t.Errorf("%q", stale.Describe())
	}
	old := applied(t, s, landed)
	s = applied(t, s, stale)
	if b := s.Task("b"); s.Tip != "c1" || b.Status != Landing || b.Onto != "" {
		t.Fatalf("tip %s, b is %s onto %q", s.Tip, b.Status, b.Onto)
	}
	if diff := cmp.Diff(s, old); diff != "" {
		t.Errorf("an old journal leads to another state: %s", diff)
	}
	s = applied(t, s, LandBegan{Stamp: at, Task: "b", Onto: "c1"})
	if _, err := Apply(s, stale); err == nil {
		t.Error("a landing on the tip is stale")
	}
	s = applied(t, s, landed)
	if s.Tip != "c2" || s.Task("b").Status != Done {
		t.Errorf("tip %s, b is %s", s.Tip, s.Task("b").Status)
	}
}

// TestTheProofOfLess: a plan that got more to do is proved anew, by another loop: what
// the one before says is not about this plan.
func TestTheProofOfLess(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "plan.json", "", "b", "c0", Rules{})
	s.Status, s.Stage, s.Final = loop.Running, Proving, "f1"
	s.Tasks = []TaskState{{ID: "a", Status: Done, Landed: "c0"}}
	s = applied(t, s, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Status: Done}, {ID: "b"}}})
	if s.Stage != Working || s.Final != "" {
		t.Fatalf("%s, %q", s.Stage, s.Final)
	}
	s.Stage, s.Final = Proving, "f2"
	if _, err := Apply(s, Proof{Stamp: at, Loop: "f1", Passed: true, Commit: "old"}); err == nil {
		t.Error("the proof of less counts")
	}
	s.Stage = Reviewing
	if _, err := Apply(s, ReviewEnded{Stamp: at, Review: Review{Commit: "old", Pass: true}}); err == nil {
		t.Error("the review of less counts")
	}
}
