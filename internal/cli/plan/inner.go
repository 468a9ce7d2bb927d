package plan

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/launch"
	"ralph/internal/engine/planner"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// innerMistakes are what is wrong with the plans that open tasks of a plan are
// run as: they are not there, cannot be read, or contain themselves. Each is told
// at the line of the task that names it.
func (a *Commands) innerMistakes(path string, pl plan.Plan) planfile.Errors {
	w := innerWalk{app: a, sound: map[string]bool{}}
	return w.tasks(path, pl, []string{path})
}

// realPlan is the file that a name leads to.
func (a *Commands) realPlan(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.Dir, name)
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// reopened is a plan in which tasks are open that are done, while the plans in
// their places have more to do than they had.
func reopened(path string, pl plan.Plan) plan.Plan {
	pl.Tasks = slices.Clone(pl.Tasks)
	for i, t := range pl.Tasks {
		if t.Status == plan.Done && planner.InnerOpen(path, t) {
			pl.Tasks[i].Status = plan.Pending
		}
	}
	return pl
}

// innerWalk goes through plans within plans. What was found sound is not looked
// at again: many tasks may name the same plan.
type innerWalk struct {
	app   *Commands
	sound map[string]bool
}

func (w *innerWalk) tasks(path string, pl plan.Plan, above []string) planfile.Errors {
	var out planfile.Errors
	for _, t := range pl.Tasks {
		if t.SubPlan == "" || !t.Status.Open() {
			continue
		}
		if why := w.wrong(path, t.SubPlan, above); why != "" {
			out = append(out, &planfile.Error{File: path, Line: t.Line, Message: fmt.Sprintf("task %s is run as the plan %s: %s", t.ID, t.SubPlan, why)})
		}
	}
	return out
}

// wrong is why a plan cannot be run in a task's place; empty: it can.
func (w *innerWalk) wrong(parent, name string, above []string) string {
	path, err := planner.ChildFile(parent, name)
	switch {
	case errors.Is(err, planner.ErrOutside):
		return err.Error()
	case err != nil:
		return "it is not there"
	}
	if at := slices.Index(above, path); at >= 0 {
		var loop []string
		for _, p := range append(slices.Clone(above[at:]), path) {
			loop = append(loop, launch.ShownPath(w.app.Opener, p))
		}
		return "it contains itself: " + strings.Join(loop, " → ")
	}
	if w.sound[path] {
		return ""
	}
	f, err := launch.LoadPlan(w.app.Opener, path, "")
	if err != nil {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	if all := w.tasks(path, f.Plan, append(slices.Clone(above), path)); len(all) > 0 {
		return fmt.Sprintf("%s:%d: %s", launch.ShownPath(w.app.Opener, path), all[0].Line, all[0].Message)
	}
	w.sound[path] = true
	return ""
}
