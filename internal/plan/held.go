package plan

import (
	"cmp"
	"time"
)

// Held is a review whose reviewers could not be had yet, because a usage limit is
// spent or their provider fails. It waits, as the reviews inside of a loop do: a
// person who would be asked at once could say nothing but what reviewers are for.
// The zero value waits for nothing.
type Held struct {
	// Until is when they are asked again; zero is now.
	Until time.Time `json:"until,omitzero"`
	// Why in words, and how many Times running it was so.
	Why   string `json:"why,omitempty"`
	Times int    `json:"times,omitempty"`
}

// ReviewHolds are the reviews that wait for a time, by task; "" is that of the
// whole.
func (s *State) ReviewHolds() map[string]Held {
	out := map[string]Held{}
	if s.Stage == Reviewing && !s.Held.Until.IsZero() {
		out[""] = s.Held
	}
	for _, t := range s.Tasks {
		if t.Status == Reviewed && !t.Held.Until.IsZero() {
			out[t.ID] = t.Held
		}
	}
	return out
}

// ReviewHeld: reviewers of a task, or of the plan, cannot be had before Until.
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

// Woken: a person wants tried now what waits for a time.
type Woken struct {
	Stamp
	By string `json:"by,omitempty"`
}

func (Woken) Name() string { return "plan_woken" }

func (e Woken) Describe() string { return by("asked to try again now", e.By) }

// apply: a person wants it tried now.
func (e Woken) apply(s *State) string {
	s.Held.Until = time.Time{}
	for i := range s.Tasks {
		s.Tasks[i].Held.Until = time.Time{}
	}
	return ""
}

// toReview says why neither the work of a task nor, with no task, the whole waits
// for a review, or "".
func (s *State) toReview(task string) string {
	t := s.Task(task)
	switch {
	case task == "" && s.Stage != Reviewing:
		return "the plan is not to be reviewed yet"
	case task != "" && (t == nil || t.Status != Reviewed):
		return "no work of " + task + " waits for a review"
	}
	return ""
}
