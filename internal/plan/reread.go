package plan

// takeRead brings the run up to what the file says now. A task that the file
// calls done is done; one that changed is another task, unless a loop works on
// it: that one ends first. Nothing goes backwards: an open task of the file
// whose work has landed stays done.
func (s *State) takeRead(e Read) string {
	before := map[string]TaskState{}
	for _, t := range s.Tasks {
		before[t.ID] = t
	}
	if e.Title != "" {
		s.Title = e.Title
	}
	var now []TaskState
	for _, r := range e.Tasks {
		t, known := before[r.ID]
		delete(before, r.ID)
		if !known {
			t = TaskState{ID: r.ID, Digest: r.Digest, Status: Pending}
		}
		t.Gone = false
		now = append(now, t.reread(r))
	}
	for _, t := range s.Tasks { // what left the file, in the old order
		if _, left := before[t.ID]; !left {
			continue
		}
		if t.Status == Pending {
			continue
		}
		t.Gone = true
		now = append(now, t)
	}
	s.Tasks = now
	s.find(e.Findings)
	if s.Stage != Working && s.Stage != Over && s.unfinished() {
		s.Stage, s.Proved, s.Review = Working, "", nil
	}
	return ""
}

// reread is a task after the file was read.
func (t TaskState) reread(r ReadTask) TaskState {
	busy := t.Status == Running || t.Status == Landing || t.Status == Reviewed || t.Status == Approving
	switch {
	case busy:
		return t
	case t.Digest != r.Digest:
		t = TaskState{ID: r.ID, Digest: r.Digest, Status: Pending, Tries: t.Tries}
	}
	switch {
	case r.Status == Done && t.Status == Pending:
		t.Status, t.Message = Done, "done before, as the plan says"
	case r.Status == Skipped && t.Status == Pending:
		t.Status = Skipped
	case t.Status == Skipped && r.Status != Skipped:
		t.Status = Pending
	}
	return t
}

// unfinished says whether a task still has to be worked on.
func (s *State) unfinished() bool {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; !t.Gone && t.Status == Pending {
			return true
		}
	}
	return false
}
