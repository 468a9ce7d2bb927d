package plan

import (
	"maps"
	"slices"
	"strings"
)

// Read: the file was read, and these are its tasks now.
type Read struct {
	Stamp
	SHA256   string     `json:"sha256"`
	Title    string     `json:"title,omitempty"`
	Tasks    []ReadTask `json:"tasks"`
	Findings []Finding  `json:"findings,omitempty"`
	// During: agents were at work meanwhile, so that the author of a tick is
	// unknown.
	During bool `json:"during,omitempty"`
	// Moved maps former ids of tasks to present ones, for people.
	Moved map[string]string `json:"moved,omitempty"`
}

func (Read) Name() string { return "plan_read" }

// Describe names the tasks that have other ids now.
func (e Read) Describe() string {
	words := make([]string, 0, len(e.Moved))
	for _, was := range slices.Sorted(maps.Keys(e.Moved)) {
		words = append(words, was+" is "+e.Moved[was]+" now")
	}
	return because("the plan's file was read", strings.Join(words, ", "))
}

func (Read) afterEnd() {}

// apply updates the run to the present content of the file. A task that the
// file calls done is done; one that changed is another task, unless a loop
// works on it: that one ends first. Nothing goes backwards: an open task of
// the file whose work has landed stays done.
func (e Read) apply(s *State) string {
	found := s.Match(e.Tasks)
	s.move(s.moves(e.Tasks, found))
	there := map[*TaskState]bool{}
	if e.Title != "" {
		s.Title = e.Title
	}
	var now []TaskState
	for i, r := range e.Tasks {
		t := TaskState{ID: r.ID, Digest: r.Digest, Status: Pending, Earlier: r.Attempts}
		if was := found[i]; was != nil {
			t, there[was] = *was, true
		}
		t.Gone, t.Title = false, r.Title
		now = append(now, t.reread(r, e.During))
	}
	for i, t := range s.Tasks { // tasks that left the file, or never stood in it, in the old order
		if there[&s.Tasks[i]] || t.Status == Pending && t.Gap == "" {
			continue
		}
		t.Gone = t.Gap == ""
		now = append(now, t)
	}
	s.Tasks = now
	s.askClaims(e.At)
	s.find(e.Findings)
	if s.Stage != Working && s.Stage != Over && s.unfinished() {
		s.Stage, s.Proved, s.Review = Working, "", nil
		s.Final, s.FinalRests, s.FinalTurns = "", "", 0 // it looks at what is no longer all
	}
	return ""
}

// reread is a task after the file was read.
func (t TaskState) reread(r ReadTask, during bool) TaskState {
	if t.busy() {
		t.Changed = ""
		if t.Digest != r.Digest {
			t.Changed = r.Digest
		}
		return t
	}
	if t.Digest != r.Digest {
		t = t.anew()
		t.Digest, t.Insist, t.Upheld = r.Digest, false, Upheld{}
	}
	if r.More && t.Proved() {
		t = t.anew()
		t.Insist, t.Why = true, "its plan has more to do than before"
	}
	switch {
	case r.Status == Done && t.Insist:
	case r.Status == Done && t.Status == Pending && during:
		t.Claimed = true
	case r.Status == Done && t.Status == Pending && !t.Claimed:
		t.Status, t.Message = Done, "done before, as the plan says"
	case r.Status != Done && t.Claimed:
		t.Claimed = false
	case r.Status == Skipped && t.Status == Pending:
		t.Status = Skipped
	case t.Status == Skipped && r.Status != Skipped:
		t.Status = Pending
	case t.byHand() && r.Status != Done:
		// A person who removes an unproved tick wants the task done.
		t.Status, t.Message = Pending, ""
	}
	return t
}

// renew makes a task that was changed while its loop worked on the old text
// ready again, when that loop has come to an end. What has landed stays.
func (s *State) renew() {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Changed != "" && !t.busy() {
			digest := t.Changed
			*t = t.anew()
			t.Upheld = Upheld{}
			t.Digest, t.Insist, t.Why = digest, false, "the task was changed while it was worked on; what was done before is in your tree"
		}
	}
}

// unfinished reports whether a task is still to be worked on.
func (s *State) unfinished() bool {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; !t.Gone && t.Status == Pending {
			return true
		}
	}
	return false
}

// ReadTask is the part of a task of the file that a run needs.
type ReadTask struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Digest string `json:"digest"`
	Status Status `json:"status"`
	// Attempts that the file records.
	Attempts int `json:"attempts,omitempty"`
	// More: the plan that is run in the task's place has work left.
	More bool `json:"more,omitempty"`
}
