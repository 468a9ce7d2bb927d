package plan

import "fmt"

// What was numbered anew keeps its history: its id is changed wherever the record
// names it.

// Moves are the ids that tasks of the record have after the file was read, by
// those that they have: only what changes. One that left the file makes room for
// whom its id was given to.
func (s *State) Moves(tasks []ReadTask) map[string]string { return s.moves(tasks, s.Match(tasks)) }

func (s *State) moves(tasks []ReadTask, found []*TaskState) map[string]string {
	out, given, used := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, r := range tasks {
		given[r.ID], used[r.ID] = true, true
	}
	stays := map[*TaskState]bool{}
	for i, t := range found {
		if t == nil {
			continue
		}
		stays[t] = true
		if t.ID != tasks[i].ID {
			out[t.ID] = tasks[i].ID
		}
	}
	for i := range s.Tasks {
		used[s.Tasks[i].ID] = true
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if stays[t] || !given[t.ID] {
			continue
		}
		id := t.ID + "-gone"
		for n := 2; used[id]; n++ {
			id = fmt.Sprintf("%s-gone-%d", t.ID, n)
		}
		out[t.ID], used[id] = id, true
	}
	return out
}

// move gives tasks their new ids, wherever they are named.
func (s *State) move(ids map[string]string) {
	rename := func(id *string) {
		if now, ok := ids[*id]; ok {
			*id = now
		}
	}
	for i := range s.Tasks {
		rename(&s.Tasks[i].ID)
	}
	for i := range s.Questions {
		rename(&s.Questions[i].Task)
	}
	for i := range s.Settled {
		rename(&s.Settled[i].Task)
	}
	only := make([]string, len(s.Rules.Only))
	for i, id := range s.Rules.Only {
		rename(&id)
		only[i] = id
	}
	if len(only) > 0 {
		s.Rules.Only = only
	}
}

// Renamed is an event about a task that has another id by now. Events of what is
// under way carry the id that the task had when it began.
func Renamed(e Event, was, now string) Event {
	id := func(id string) string {
		if id == was {
			return now
		}
		return id
	}
	switch e := e.(type) {
	case Stopped:
		e.Task = id(e.Task)
		return e
	case Repairing:
		e.Task = id(e.Task)
		return e
	case Landed:
		e.Task = id(e.Task)
		return e
	case Repaired:
		e.Task = id(e.Task)
		return e
	case NotLanded:
		e.Task = id(e.Task)
		return e
	case ReviewHeld:
		e.Task = id(e.Task)
		return e
	case Judged:
		e.Review.Task = id(e.Review.Task)
		return e
	case Asked:
		e.Question.Task = id(e.Question.Task)
		return e
	case Broken:
		e.Task = id(e.Task)
		return e
	}
	return e
}
