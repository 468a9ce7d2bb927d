package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Open gaps and edge cases are work (seed 003: a plan is over when nothing is
// left open). When every task is done, each open finding becomes a task of its own
// that stands in the record and not in the file. Together they are one round.
// Where the rounds are used up, or such a task failed, and something is still open,
// a person decides.
//
//	tasks done ─▶ open findings? ─no─▶ proof ─▶ review ─▶ passed
//	     ▲              │ yes                     │
//	     └── round ◀────┴────◀── new findings ────┘
//
// A finding that was worked on is closed by the review of the whole that passes
// without naming it again; without reviewers by its task, whose gates passed.

// GapRules bound the work on gaps and edge cases.
type GapRules struct {
	// Rounds is how often open findings become tasks before a person is asked; 0
	// asks at once.
	Rounds int `json:"rounds"`
}

// AboutGaps: findings are open and their rounds are used up.
const AboutGaps Topic = "gaps"

// gapsOpen: a person ended the plan while gaps or edge cases were open.
const gapsOpen loop.Reason = "gaps_open"

// byReview names reviewers as those who closed a finding.
const byReview = "review"

// The answers to open gaps.
const (
	sayWork  = "work on them"
	sayLeave = "accept as it is"
)

// GapTasks returns the tasks that gaps and edge cases became. In a plan of sections
// they are worked on one after the other, as its sections are.
func (s *State) GapTasks(sectioned bool) []Task {
	var out []Task
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Gap == "" {
			continue
		}
		task := Task{
			ID: t.ID, Title: t.Title, Status: t.Status,
			Text: "A review, an agent or a person found this open in the plan, whose other tasks are done:\n\n" + t.Gap +
				"\n\nClose it: where it says what is missing, build that; where it asks what happens in a case, " +
				"make that case work. Cover it with a test.",
		}
		if sectioned && len(out) > 0 {
			task.Needs = []Need{{On: out[len(out)-1].ID, Why: Order}}
		}
		out = append(out, task)
	}
	return out
}

// WithGaps returns the plan of the file together with those tasks.
func (s *State) WithGaps(p Plan) Plan {
	if more := s.GapTasks(p.Sectioned); len(more) > 0 {
		p.Tasks = append(slices.Clone(p.Tasks), more...)
	}
	return p
}

// gaveUp: a task that an open finding became has failed. The finding stays open, and
// a person decides about it; a task that a budget ended continues with more of it.
func (t *TaskState) gaveUp() bool {
	return t.Gap != "" && t.Status == Failed && t.Reason != loop.Budget
}

// unworked are the open findings that no task deals with, or has dealt with.
func (s *State) unworked() []*Finding {
	var out []*Finding
	for i := range s.Findings {
		f := &s.Findings[i]
		if t := s.Task(f.Task); f.Resolved == "" && (t == nil || t.gaveUp()) {
			out = append(out, f)
		}
	}
	return out
}

// workOnGaps begins a round, or asks a person where none is left. It reports
// whether the plan is to wait for that before it is proved and reviewed.
func (s *State) workOnGaps(at time.Time) bool {
	open := s.unworked()
	switch {
	case s.Rules.Gaps == nil || len(open) == 0:
		return false
	case s.openAbout(AboutGaps):
		return true
	}
	var fresh []*Finding
	for _, f := range open {
		if f.Task == "" {
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 || s.GapRounds >= s.Rules.Gaps.Rounds {
		s.question(at, s.gapQuestion(open))
		return true
	}
	s.GapRounds++
	for _, f := range fresh {
		f.Task = s.addGapTask(*f)
	}
	return true
}

// addGapTask adds the task of a finding, and returns its id.
func (s *State) addGapTask(f Finding) string {
	n, words := 1, "Close the gap: "
	if f.Kind == EdgeCase {
		words = "Handle the edge case: "
	}
	for s.Task(fmt.Sprintf("gap-%d", n)) != nil {
		n++
	}
	t := TaskState{ID: fmt.Sprintf("gap-%d", n), Title: words + f.Text, Status: Pending, Gap: f.Text}
	if s.Review != nil && !s.Review.conclusive() {
		t.Why = "review: " + s.Review.Reason
	}
	s.Tasks = append(s.Tasks, t)
	return t.ID
}

func (s *State) openAbout(about Topic) bool {
	return slices.ContainsFunc(s.Questions, func(q Question) bool { return q.About == about && !q.Answered })
}

// mostGapsAsked findings are quoted in a question; more would hide its end.
const mostGapsAsked = 5

func (s *State) gapQuestion(open []*Finding) Question {
	var words []string
	for _, f := range open[:min(len(open), mostGapsAsked)] {
		words = append(words, f.Text)
	}
	if more := len(open) - mostGapsAsked; more > 0 {
		words = append(words, amount(more, "1 more", "%d more"))
	}
	after := ""
	if s.GapRounds > 0 {
		after = amount(s.GapRounds, " after 1 round of work on them", " after %d rounds of work on them")
	}
	return Question{
		About: AboutGaps, No: sayStop,
		Question: loop.Question{
			Text: "open" + after + ": " + strings.Join(words, "; ") +
				"; accept closes them and keeps the work, stop ends the plan as failed and keeps what landed",
			Options: []string{sayWork, sayLeave, sayStop},
		},
	}
}

// decideGaps carries out a person's decision about open findings.
func (s *State) decideGaps(q Question, at time.Time, by string) {
	switch {
	case q.is(sayWork):
		s.GapRounds--
		for _, f := range s.unworked() {
			if t := s.Task(f.Task); t != nil {
				t.Status, t.Message = Skipped, "worked on again: "+t.Message
			}
			f.Task = ""
		}
	case q.is(sayLeave):
		s.leaveGaps(by)
		if r := s.Review; r != nil && r.Commit == s.Tip && !r.conclusive() {
			s.acceptWhole(by)
		}
	default:
		s.end(at, loop.StatusFailed, gapsOpen, "gaps or edge cases are open; ended by "+cmp.Or(by, "a person"))
	}
}

// leaveGaps closes all open findings on the word of a person.
func (s *State) leaveGaps(by string) {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Resolved == "" {
			f.Resolved = cmp.Or(by, "a person")
		}
	}
}

// closeGaps closes the findings whose tasks are done where no reviewer will look,
// and drops the tasks of those that were closed otherwise before they began.
func (s *State) closeGaps() {
	for i := range s.Findings {
		f := &s.Findings[i]
		t := s.Task(f.Task)
		if f.Task == "" || t == nil {
			continue
		}
		if f.Resolved == "" && t.Status == Done && !s.Rules.Review {
			f.Resolved = t.ID
		}
		if f.Resolved != "" && (t.Status == Pending || t.gaveUp()) {
			t.Status, t.Message = Skipped, "closed by "+f.Resolved
		}
	}
}

// reviewedGaps closes the findings that were worked on where the review of the whole
// passed without naming them again; the others are worked on anew.
func (s *State) reviewedGaps(e ReviewEnded) {
	for i := range s.Findings {
		f := &s.Findings[i]
		if t := s.Task(f.Task); f.Resolved != "" || t == nil || t.Status != Done {
			continue
		}
		again := slices.ContainsFunc(e.Findings, func(o Finding) bool { return strings.TrimSpace(o.Text) == f.Text })
		if e.Review.conclusive() && !again {
			f.Resolved = byReview
		} else {
			f.Task = ""
		}
	}
}

// reopen opens findings that an earlier review saw closed and this one found again.
// What a person closed stays closed.
func (s *State) reopen(found []Finding) {
	for _, n := range found {
		for i := range s.Findings {
			if f := &s.Findings[i]; f.Resolved == byReview && f.Text == strings.TrimSpace(n.Text) {
				f.Resolved, f.Task = "", ""
			}
		}
	}
}
