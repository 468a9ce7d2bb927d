package plan

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A task of the file is found again in the record by its text, because people
// renumber tasks: a task inserted in front of the others gives every id that is
// made of a number to another task.

var numbered = lazyregexp.New(`^\pL+\s+\d[\d.]*\s*:\s*(\S.*)$`)

// Unnumbered is a title such as "Section 2: words" without its number; ok
// reports whether it has one.
func Unnumbered(title string) (words string, ok bool) {
	if m := numbered.FindStringSubmatch(title); m != nil {
		return m[1], true
	}
	return title, false
}

// Match finds the tasks of a file in the record; nil is a task that is new. The
// very same words are the same task, if there is one alone with them on either
// side; then those of the same id and title; then of the same title, if it is the
// only one left; then of the same id, whose words were changed.
func (s *State) Match(tasks []ReadTask) []*TaskState {
	m := match{s: s, now: tasks, found: make([]*TaskState, len(tasks)), taken: map[*TaskState]bool{}, index: make(map[string]*TaskState, len(s.Tasks))}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Gap != "" {
			m.taken[t] = true
		} else {
			m.index[t.ID] = t
		}
	}
	m.unique(func(t *TaskState) string { return t.Digest }, func(r ReadTask) string { return r.Digest })
	m.byID(func(t *TaskState, r ReadTask) bool { return t.Title == r.Title })
	m.unique(func(t *TaskState) string { return bareTitle(t.Title) }, func(r ReadTask) string { return bareTitle(r.Title) })
	m.byID(func(*TaskState, ReadTask) bool { return true })
	return m.found
}

func bareTitle(title string) string {
	words, _ := Unnumbered(title)
	return strings.ToLower(strings.TrimSpace(words))
}

type match struct {
	s     *State
	now   []ReadTask
	found []*TaskState
	taken map[*TaskState]bool
	index map[string]*TaskState
}

func (m *match) take(i int, t *TaskState) { m.found[i], m.taken[t] = t, true }

// unique brings together what has a mark that nothing else has that is left.
func (m *match) unique(of func(*TaskState) string, in func(ReadTask) string) {
	before, after := map[string][]*TaskState{}, map[string]int{}
	for i := range m.s.Tasks {
		if t := &m.s.Tasks[i]; !m.taken[t] {
			before[of(t)] = append(before[of(t)], t)
		}
	}
	for i, r := range m.now {
		if m.found[i] == nil {
			after[in(r)]++
		}
	}
	for i, r := range m.now {
		if mark := in(r); m.found[i] == nil && mark != "" && after[mark] == 1 && len(before[mark]) == 1 {
			m.take(i, before[mark][0])
		}
	}
}

func (m *match) byID(such func(*TaskState, ReadTask) bool) {
	for i, r := range m.now {
		if t := m.index[r.ID]; m.found[i] == nil && t != nil && !m.taken[t] && such(t, r) {
			m.take(i, t)
		}
	}
}

// Renumbered tasks keep their history: their id is changed wherever the record
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
	for i := range s.LoopsUnanswered {
		rename(&s.LoopsUnanswered[i].Task)
	}
	for i := range s.Findings {
		rename(&s.Findings[i].Task)
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

// Renamed translates an event about a task whose id has changed. Events of jobs
// in progress carry the id from when they began.
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
	case LandingStale:
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
	case ReviewEnded:
		e.Review.Task = id(e.Review.Task)
		return e
	case Found:
		e.Task, e.Findings = id(e.Task), slices.Clone(e.Findings)
		for i := range e.Findings {
			e.Findings[i].Task = id(e.Findings[i].Task)
		}
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
