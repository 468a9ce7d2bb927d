package planfile

import (
	"slices"

	"ralph/internal/plan"
)

// Merge applies changes to a file that changed after it was read: now is its
// content. It finds a task by id and title, a renumbered one by its title alone.
// Changes to tasks that it cannot find are left, and all changes if the file can
// no longer be read as a plan.
func Merge(before File, now []byte, changes []Change) Written {
	if string(now) == before.bom+before.text {
		return before.Write(changes)
	}
	after, err := Read(before.name, now)
	if err != nil {
		if after, err = ReadAs(before.name, now, before.Format); err != nil {
			return Written{Data: now, Left: leave(changes, Unreadable, err.Error())}
		}
	}
	m := matcher{before: index(before.Plan), after: index(after.Plan)}
	var found []Change
	var lost []Left
	for _, c := range changes {
		if c.Task == "" {
			found = append(found, c)
			continue
		}
		id, why := m.match(c.Task)
		if why != "" {
			lost = append(lost, left(c, why))
			continue
		}
		c.Task = id
		found = append(found, c)
	}
	w := after.Write(found)
	w.Left = append(lost, w.Left...)
	return w
}

// tasksOf indexes a plan's tasks by id and by title.
type tasksOf struct {
	byID    map[string]plan.Task
	byTitle map[string][]string
}

func index(p plan.Plan) tasksOf {
	t := tasksOf{byID: make(map[string]plan.Task, len(p.Tasks)), byTitle: make(map[string][]string, len(p.Tasks))}
	for _, task := range p.Tasks {
		t.byID[task.ID] = task
		t.byTitle[task.Title] = append(t.byTitle[task.Title], task.ID)
	}
	return t
}

type matcher struct{ before, after tasksOf }

// match finds a task in the later reading. Tasks that share a title must still be
// the same ids in the same order.
func (m matcher) match(id string) (string, Why) {
	was, ok := m.before.byID[id]
	if !ok {
		return "", NoSuchTask
	}
	old, now := m.before.byTitle[was.Title], m.after.byTitle[was.Title]
	same, there := m.after.byID[id]
	switch {
	case len(old) > 1 && !slices.Equal(old, now):
		return "", Ambiguous
	case there && same.Title == was.Title:
		return id, ""
	case len(now) == 1:
		return now[0], ""
	case there:
		return "", Renamed
	}
	return "", NoSuchTask
}
