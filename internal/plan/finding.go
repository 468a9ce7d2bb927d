package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Finding is a gap or an edge case.
type Finding struct {
	Kind FindingKind `json:"kind"`
	Text string      `json:"text"`
	// From is its source: a review, an agent, a person, the file.
	From     string `json:"from,omitempty"`
	Resolved string `json:"resolved,omitempty"` // by whom; empty is open
	// Task is the newest that works on it, or did (see GapTasks).
	Task string `json:"task,omitempty"`
}

// FindingKind names the kinds of seed 003.
type FindingKind string

// The kinds of finding.
const (
	Gap      FindingKind = "gap"
	EdgeCase FindingKind = "edge_case"
)

// Open findings, of both kinds.
func (s *State) Open() []Finding {
	var out []Finding
	for _, f := range s.Findings {
		if f.Resolved == "" {
			out = append(out, f)
		}
	}
	return out
}

// find adds new findings.
func (s *State) find(all []Finding) {
	for _, f := range all {
		f.Text = strings.TrimSpace(f.Text)
		known := slices.ContainsFunc(s.Findings, func(o Finding) bool { return o.Kind == f.Kind && o.Text == f.Text })
		if f.Text != "" && !known {
			s.Findings = append(s.Findings, f)
		}
	}
}

func (s *State) resolveAll(texts []string, by string) {
	for _, text := range texts {
		_ = s.resolve(text, by)
	}
}

// Resolved: a person reports a finding as resolved.
type Resolved struct {
	Stamp
	Text string `json:"text"`
	By   string `json:"by"`
}

func (Resolved) Name() string { return "resolved" }

func (e Resolved) Describe() string { return because(by("resolved", e.By), e.Text) }

func (Resolved) afterEnd() {}

// apply: a person has dealt with a finding. Reviewers that withheld approval
// because of it may now approve the archive of the plan (seed 003).
func (e Resolved) apply(s *State) string {
	if why := s.resolve(e.Text, e.By); why != "" {
		return why
	}
	if r := s.Review; r != nil && (!r.Unreviewed || r.AcceptedBy != "") && r.Recommendation != Archive && len(s.Open()) == 0 {
		again := *r
		again.Again = true
		s.Review = &again
	}
	return ""
}

// resolve closes the finding of this text.
func (s *State) resolve(text, by string) string {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Text == strings.TrimSpace(text) && f.Resolved == "" {
			f.Resolved = by
			return ""
		}
	}
	return "no such open gap or edge case: " + text
}

// Found: an agent or a person noted a gap or an edge case.
type Found struct {
	Stamp
	Findings []Finding `json:"findings"`
	// Task is the one whose agent reported them, Blockers is what stopped it by its own
	// account; none where it named nothing.
	Task     string   `json:"task,omitempty"`
	Blockers []string `json:"blockers,omitempty"`
}

func (Found) Name() string { return "found" }

func (e Found) Describe() string {
	out := fmt.Sprintf("gaps and edge cases found: %d", len(e.Findings))
	if len(e.Blockers) > 0 {
		out += "; the agent of " + e.Task + " reports what blocks it: " + strings.Join(e.Blockers, "; ")
	}
	return out
}

func (e Found) apply(s *State) string {
	s.find(e.Findings)
	if t := s.Task(e.Task); t != nil {
		t.Blocked = strings.Join(e.Blockers, "; ")
	}
	return ""
}

// Text of an agent decides nothing, and agents can write a plan's file too. A
// box that is ticked while agents run is a claim: a person is asked, and the
// task does not begin meanwhile.

// The answers.
const (
	sayDone   = "take them as done"
	sayWorkOn = "work on them"
)

// askClaims asks about ticked boxes, unless that question is open already.
func (s *State) askClaims(at time.Time) {
	var ids []string
	for _, t := range s.Tasks {
		if t.Claimed {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	text := "ticked in the plan's file while agents were at work, and proved by nothing: " + strings.Join(ids, ", ")
	for i := range s.Questions {
		if q := &s.Questions[i]; q.About == AboutClaims && !q.Answered {
			q.Text = text
			return
		}
	}
	s.question(at, Question{
		About: AboutClaims, No: sayWorkOn, Question: loop.Question{Text: text, Options: []string{sayDone, sayWorkOn}},
	})
}

// decideClaims carries out a person's decision about ticked boxes.
func (s *State) decideClaims(q Question, by string) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !t.Claimed {
			continue
		}
		t.Claimed, t.Insist = false, true
		if q.is(sayDone) {
			t.Status, t.Message = Done, fmt.Sprintf("taken as done by %s; nothing proves it", by)
		}
	}
}
