package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// A person decides questions that reviewers cannot.
// The question quotes the reviewers and describes the effect of each answer.

// The answers. Any other about a task is guidance: it is worked on again, and
// its agent receives this text. About the whole plan no agent would receive it,
// and other answers are refused.
const (
	sayAccept = "accept"
	sayAgain  = "work on it again"
	sayReject = "reject"
	// sayReview is offered where too few reviewers were available.
	sayReview = "review again"
	// sayGoOn is seed 003's recommendation for work that may stay as it is, and
	// so a synonym of accept.
	sayGoOn = Continue
)

// doubtful is the question about a chunk. One whose gates are red cannot be
// accepted.
func doubtful(t TaskState, r Review) Question {
	options, means := []string{sayAccept, sayAgain, sayReject}, "accept lands it, reject fails it and keeps its work"
	if !t.Passed {
		options, means = options[1:], "its gates are not green; reject fails it and keeps its work"
	}
	if r.TooFew {
		options = slices.Insert(options, len(options)-1, sayReview)
	}
	return Question{
		About: AboutReview, Task: t.ID, No: sayReject,
		Question: loop.Question{
			Text:    "review of " + t.ID + r.asks() + "; " + means + "; with any other answer it is worked on again, and its agent is told your words",
			Options: options,
		},
	}
}

// askUnchanged asks a person about a chunk that was worked on again and left as it
// was, with green gates: its agent finds that nothing is to be changed, and more
// loops would find the same.
func (s *State) askUnchanged(t *TaskState, e Stopped) {
	t.Status, t.Passed, t.Commit, t.Rests = InReview, true, t.From, ForPerson
	why := "it was worked on again (" + t.Why + "), and its agent changed nothing"
	s.question(e.At, doubtful(*t, Review{Reason: why}))
}

// askRejected asks a person about work whose gates pass and that reviewers rejected
// as often as a task may fail: the two do not agree, and more loops would not change
// that.
func (s *State) askRejected(t *TaskState, e ReviewEnded) {
	t.Fails++
	t.Rests = ForPerson
	r := e.Review
	r.Reason = fmt.Sprintf("its gates pass, and its reviewers do not approve it after %d attempts; the last time: %s", t.Attempts, r.Reason)
	s.question(e.At, doubtful(*t, r))
}

// doubtfulPlan is the question about the whole.
func doubtfulPlan(r Review) Question {
	options := []string{sayAccept, sayReject}
	if r.TooFew {
		options = []string{sayAccept, sayReview, sayReject}
	}
	return Question{
		About: AboutReview, No: sayReject,
		Question: loop.Question{
			Text: "review of the plan" + r.asks() + "; reject ends it as failed and keeps what landed", Options: options,
		},
	}
}

// asks quotes the question of the reviewers, and their result. It stands
// first, since lines are cut at their ends.
func (r Review) asks() string {
	if len(r.Asks) == 0 {
		return ": " + r.Reason
	}
	return " asks: " + strings.Join(r.Asks, "; ") + "; " + r.Reason
}

// Takes returns an answer in the question's own spelling, or why it is refused.
// Where no agent reads the answer, only the options are accepted.
func (q Question) Takes(answer string) (text, why string) {
	if q.IsPattern(answer) {
		return answer, "choose one of " + strings.Join(q.Options, ", ")
	}
	text = q.Choose(strings.TrimSpace(answer))
	for _, o := range q.Options {
		if strings.EqualFold(text, o) {
			return o, ""
		}
	}
	q.Answer = text
	switch whole := q.About == AboutReview && q.Task == ""; {
	case text == "":
		return "", "the answer is empty"
	case whole && !q.accepts():
		return text, "the question about the whole plan takes " + strings.Join(q.Options, " or ") + "; what is still to be done can be a task in its file"
	case q.About == AboutApproach && isWord(text, "edit"):
		return text, "its plan is edited in its file, which the question names; then answer " + sayApprove
	case q.About == AboutFailure, q.About == AboutClaims, q.About == AboutGaps, q.About == AboutChecks:
		return text, fmt.Sprintf(`"%s" is none of its answers: %s`, text, strings.Join(q.Options, ", "))
	}
	return text, ""
}

// isWord reports whether an answer is one word, and this one. A word that names
// an action is no comment that costs an attempt.
func isWord(answer, word string) bool {
	return strings.EqualFold(strings.Trim(answer, " .!"), word)
}

// asksAgain: reviewers are to look once more, where that was offered.
func (q Question) asksAgain() bool { return q.is(sayReview) && slices.Contains(q.Options, sayReview) }

func (q Question) accepts() bool { return q.is(sayAccept) || q.is(sayGoOn) }

// decideReview carries out a person's decision about a question that
// reviewers left open.
func (s *State) decideReview(q Question, at time.Time, by string) {
	if q.Task == "" {
		s.decideWhole(q, at, by)
		return
	}
	t := s.Task(q.Task)
	if t == nil || t.Status != InReview {
		return
	}
	switch {
	case q.asksAgain():
		t.Rests = ""
	case q.is(sayReject):
		s.fail(t, Rejected, "rejected by "+cmp.Or(by, "a person")+" after its review; its work is kept")
	case q.accepts() && t.Passed:
		s.route(t, true, "")
	default:
		s.tell(t, q)
	}
}

// tell opens a task again because a person wants it: that does not count as a
// failure. The person's text holds until the task is done.
func (s *State) tell(t *TaskState, q Question) {
	t.Rests, t.Fails, t.Granted = "", 0, t.Attempts
	why := "a person wants it worked on again"
	if !q.is(sayAgain) && !q.accepts() {
		t.Told = strings.TrimSpace(t.Told + "\n" + strings.TrimSpace(q.Answer))
		why = "a person: " + q.Answer
	}
	s.again(t, why)
}

func (s *State) decideWhole(q Question, at time.Time, by string) {
	if q.asksAgain() {
		s.Review = nil
		return
	}
	if !q.accepts() {
		s.end(at, loop.StatusFailed, Rejected, "not accepted by "+by+": "+q.Answer)
		return
	}
	s.leaveGapsOf(by)
	s.acceptWhole(by)
}

// leaveGapsOf closes what is open with the whole that a person accepts, where open
// findings would keep the plan from its end.
func (s *State) leaveGapsOf(by string) {
	if s.Rules.Gaps != nil {
		s.leaveGaps(by)
	}
}

// acceptWhole notes that a person accepts what its reviewers did not.
func (s *State) acceptWhole(by string) {
	if s.Review == nil {
		return // it is being held anew
	}
	review := *s.Review
	review.Pass, review.Recommendation, review.AcceptedBy, review.Reason = true, Continue, by, "accepted by "+by+": "+strings.TrimSpace(review.Reason)
	s.Review = &review
}
