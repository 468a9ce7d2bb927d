package planner

import (
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// The whole plan is looked at by the magi or, where that is configured, by a
// council: what gates of its tasks ask may be asked about all of them. Chunks of
// a plan of sections are always the magi's (seed 003).

// kind of review that this one is.
func (i inspection) kind() ballot.Kind {
	if i.council != nil {
		return ballot.Council
	}
	return ballot.Magi
}

// judges are who is asked.
func (r *run) judges(i inspection) []loop.Agent {
	if i.council != nil {
		return i.council.Reviewers
	}
	return r.spec.Reviewers
}

// recommended is what is to become of the plan. Voters of a council are asked
// for a verdict and no advice: where everybody who answered approves of the
// whole plan and none of them finds anything missing, there is nothing left that
// advice could be about, and the plan may be put away. A vote that was won
// against somebody completes the plan and leaves it where it is, as one of the
// magi who would go on does.
func recommended(out review.Outcome) string {
	against := out.Rejections + out.Abstentions
	if out.Kind == ballot.Council && out.Passed() && against+len(out.Gaps)+len(out.EdgeCases) == 0 {
		return plan.Archive
	}
	return string(out.Recommendation)
}
