package worker_test

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestGatesOfAMergeFindTheHome: set-up runs again for a merge, and what it left in the HOME
// is there for the gates that judge the merge.
func TestGatesOfAMergeFindTheHome(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("answer.txt", "3\n"))
	b.spec.Setup = []string{`echo installed > "$HOME/tool"`}
	b.spec.Gates[0].Run += ` && grep -qx installed "$HOME/tool"`
	s := b.drive(t)
	if s.Status != loop.StatusPassed {
		t.Fatalf("%s/%s: %s", s.Status, s.Reason, s.Message)
	}
	b.commit(t, map[string]string{"other.txt": "other"})
	done, err := b.Accept(t.Context(), s, engine.MergeWork)
	if err != nil || done.FastForward || len(done.Results) != 1 || done.Results[0].Verdict != loop.Passed {
		t.Errorf("%+v, %v", done, err)
	}
}
