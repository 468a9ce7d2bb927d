package plan

import (
	"cmp"
	"time"

	"ralph/internal/loop"
)

// Review is the result of a review of the whole plan, or of a task.
type Review struct {
	Task string `json:"task,omitempty"`
	// Kind is magi or council; empty where it is not recorded or there was no review.
	Kind           string `json:"kind,omitempty"`
	Commit         string `json:"commit,omitempty"`
	Pass           bool   `json:"pass"`
	Recommendation string `json:"recommendation,omitempty"`
	Reason         string `json:"reason,omitempty"`
	// Asks quotes the reviewers that want a person to decide, each with its
	// name.
	Asks []string `json:"asks,omitempty"`
	// TooFew reviewers were available to decide. Degraded: others than
	// requested decided. Unreviewed: no reviewer decided.
	TooFew     bool `json:"too_few,omitempty"`
	Degraded   bool `json:"degraded,omitempty"`
	Unreviewed bool `json:"unreviewed,omitempty"`
	// AcceptedBy is the person who accepted work that reviewers left open.
	AcceptedBy string `json:"accepted_by,omitempty"`
	// Again: its findings have been dealt with since; the next run has the
	// whole reviewed again.
	Again bool      `json:"again,omitempty"`
	File  string    `json:"file,omitempty"`
	At    time.Time `json:"at,omitzero"`
}

// Recommendations of a review (seed 003).
const (
	Continue   = "continue"
	NeedsHuman = "needs_human_input"
	Archive    = "archive"
)

// ReviewEnded: a review of a task, or of the plan, has ended.
type ReviewEnded struct {
	Stamp
	Review   Review    `json:"review"`
	Findings []Finding `json:"findings,omitempty"`
	// Resolved are findings that it saw resolved.
	Resolved []string `json:"settled,omitempty"`
}

func (ReviewEnded) Name() string { return "reviewed" }

func (e ReviewEnded) Describe() string {
	return because(cmp.Or(e.Review.Task, "the plan")+" review", e.Review.Reason)
}

// apply routes a verdict (seed 003): findings enter the plan; a chunk that does
// not pass is worked on again; the plan's own verdict ends it or does not. A
// person decides where reviewers cannot.
func (e ReviewEnded) apply(s *State) string {
	if why := s.toReview(e.Review.Task); why != "" {
		return why
	}
	t := s.Task(e.Review.Task)
	if c := e.Review.Commit; t == nil && c != "" && c != s.Tip {
		return "the review looked at " + c + ", and the tip is " + s.Tip
	}
	if !e.Review.Unreviewed {
		s.ReviewedAt = e.Review.At
	}
	s.find(e.Findings)
	s.reopen(e.Findings)
	s.resolveAll(e.Resolved, byReview)
	if t == nil {
		s.Held = Held{}
		s.reviewedPlan(e)
	} else {
		t.Held = Held{}
		s.reviewedTask(t, e)
	}
	return ""
}

func (s *State) reviewedTask(t *TaskState, e ReviewEnded) {
	r := e.Review
	if r.Recommendation == NeedsHuman {
		t.Rests = ForPerson
		s.question(e.At, doubtful(*t, r))
		return
	}
	if t.Passed && !r.Pass && !r.Unreviewed && s.wornOut(t, t.Fails+1) {
		s.askRejected(t, e)
		return
	}
	s.route(t, r.Pass || r.Unreviewed, "review: "+r.Reason)
}

// route sends a reviewed chunk on: passed and approved work lands, anything
// else is worked on again.
func (s *State) route(t *TaskState, approved bool, why string) {
	t.Rests = ""
	switch {
	case t.Passed && approved:
		s.queue(t)
	case t.Passed:
		t.Fails++
		s.again(t, why)
	default:
		s.again(t, t.Message)
	}
}

// again makes a task ready for one more loop, on top of the last one's work.
// Chunks with progress are no failures; only their number is bounded.
func (s *State) again(t *TaskState, why string) {
	if s.wornOut(t, t.Fails) {
		s.fail(t, loop.MaxAttempts, why)
		return
	}
	t.Status, t.Message, t.Why = Pending, why, why
}

// wornOut reports whether a task that has failed so often may have no other loop.
func (s *State) wornOut(t *TaskState, fails int) bool {
	return fails >= s.Rules.PerTask || !s.bounded() && t.Attempts-t.Granted >= s.Rules.Patience()
}

// conclusive reports whether the plan needs no other review. If no reviewer looked
// although one was requested, a person has to confirm that.
func (r *Review) conclusive() bool {
	return r.Pass || r.Unreviewed && r.Recommendation != NeedsHuman
}

func (s *State) reviewedPlan(e ReviewEnded) {
	review := e.Review
	s.Review = &review
	if review.Recommendation != NeedsHuman {
		s.reviewedGaps(e)
	}
	switch {
	case review.Recommendation == NeedsHuman:
		s.question(e.At, doubtfulPlan(review))
	case s.Rules.Gaps != nil && len(s.unworked()) > 0:
		s.Stage = Working
	case !review.conclusive():
		s.end(e.At, loop.StatusFailed, Rejected, "the review of the whole plan did not pass: "+review.Reason)
	}
}

// Held is a review whose reviewers are not available yet, because a usage limit
// is spent or their provider fails. It waits, as reviews inside of a loop do:
// otherwise a person would have to do the reviewers' work. The zero value waits
// for nothing.
type Held struct {
	// Until is when they are asked again; zero is now.
	Until time.Time `json:"until,omitzero"`
	// Why in words, and how many Times running it was so.
	Why   string `json:"why,omitempty"`
	Times int    `json:"times,omitempty"`
	// Now: a person ended the wait; the reviewers are asked whatever is known of
	// their providers.
	Now bool `json:"now,omitempty"`
}

// wake ends the wait.
func (h *Held) wake() {
	if !h.Until.IsZero() {
		h.Until, h.Now = time.Time{}, true
	}
}

// ReviewHolds are the reviews that wait for a time, by task; "" is that of the
// whole.
func (s *State) ReviewHolds() map[string]Held {
	out := map[string]Held{}
	if s.Stage == Reviewing && !s.Held.Until.IsZero() {
		out[""] = s.Held
	}
	for _, t := range s.Tasks {
		if t.Status == InReview && !t.Held.Until.IsZero() {
			out[t.ID] = t.Held
		}
	}
	return out
}

// ReviewHeld: reviewers of a task, or of the plan, are not available before
// Until.
type ReviewHeld struct {
	Stamp
	Task  string    `json:"task,omitempty"`
	Until time.Time `json:"until"`
	Why   string    `json:"why,omitempty"`
}

func (ReviewHeld) Name() string { return "review_held" }

func (e ReviewHeld) Describe() string {
	return because(cmp.Or(e.Task, "the plan")+" waits for reviewers", e.Why)
}

func (e ReviewHeld) apply(s *State) string {
	if why := s.toReview(e.Task); why != "" {
		return why
	}
	held := &s.Held
	if t := s.Task(e.Task); t != nil {
		held = &t.Held
	}
	*held = Held{Until: e.Until, Why: e.Why, Times: held.Times + 1}
	return ""
}

// Woken: a person ends timed waits now.
type Woken struct {
	Stamp
	By string `json:"by,omitempty"`
}

func (Woken) Name() string { return "plan_woken" }

func (e Woken) Describe() string { return by("asked to try again now", e.By) }

// apply: a person ends the wait.
func (e Woken) apply(s *State) string {
	s.Held.wake()
	for i := range s.Tasks {
		s.Tasks[i].Held.wake()
	}
	return ""
}

// toReview returns the reason why neither the work of a task nor, with no task,
// the whole waits for a review, or "".
func (s *State) toReview(task string) string {
	t := s.Task(task)
	switch {
	case task == "" && s.Stage != Reviewing:
		return "the plan is not to be reviewed yet"
	case task != "" && (t == nil || t.Status != InReview):
		return "no work of " + task + " waits for a review"
	}
	return ""
}
