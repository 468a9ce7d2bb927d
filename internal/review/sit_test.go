package review

import (
	"os"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/review/ballot"
)

// TestLongAnswer: the output of a plain command is kept with its beginning, so that an
// approval at its end does not count where another verdict stands before it.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	writes := func(first string) func(agent.Job, string, string) loop.Outcome {
		return func(job agent.Job, _, nonce string) loop.Outcome {
			verdict := func(word string) string {
				return `{"nonce": "` + nonce + `", "verdict": "` + word + `", "reason": "r"}`
			}
			text := verdict(first) + strings.Repeat("x", 3*maxAnswer) + verdict("approve")
			if err := os.WriteFile(job.Raw, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
			return loop.Outcome{End: loop.EndDone, OutputFile: job.Raw}
		}
	}
	if o := hold(t, request(t, ballot.Spec, seat("a", &fake{turns: turns{writes("reject")}}))); o.Votes[0].Vote != ballot.Malformed {
		t.Errorf("reject and approve: %+v", o.Votes[0])
	}
	if o := hold(t, request(t, ballot.Spec, seat("a", &fake{turns: turns{writes("approve")}}))); !o.Passed() {
		t.Errorf("approve twice: %+v", o.Votes[0])
	}
}
