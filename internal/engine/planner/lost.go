package planner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// A plan is known by the path of its file: one whose file was given another
// name is another plan. Landed work of it that was not merged stays unseen,
// while its ticks mark it as done in the new plan.

// Lost is the landed work of a plan whose file is gone that is missing in the
// base of another plan.
type Lost struct {
	Plan, File string
	// Tasks are those with the same words, by their ids in the other plan.
	Tasks []string
	// Ended: it can be accepted as it is.
	Ended bool
}

// String returns the message, with advice.
func (l Lost) String() string {
	help := next.Accept(l.Plan)
	if !l.Ended {
		help = next.Abort(l.Plan) + ", then " + help
	}
	return fmt.Sprintf("%s landed in a plan whose file %s is gone, and is missing here; first: %s", text.Few(l.Tasks, 3), filepath.Base(l.File), help)
}

// Lost are the plans that have work of the tasks of this one, which starts from the
// commit base.
func (p *Planner) Lost(ctx context.Context, path string, pl plan.Plan, base string) ([]Lost, error) {
	all, err := p.Store.List(ctx, engine.Filter{})
	if err != nil {
		return nil, err
	}
	own := IDOf(path)
	todo := readTasks(pl, nil)
	if i := slices.IndexFunc(all, func(r storedPlan) bool { return r.State.ID == own }); i >= 0 {
		todo = slices.DeleteFunc(todo, func(t plan.ReadTask) bool { return landedIn(all[i].State, t) })
	}
	var out []Lost
	for _, r := range all {
		s := r.State
		if s.ID == own || s.Tip == s.Base || !gone(s.File) {
			continue
		}
		l := Lost{Plan: s.ID, File: s.File, Ended: s.Status.Terminal()}
		for _, t := range todo {
			if landedIn(s, t) {
				l.Tasks = append(l.Tasks, t.ID)
			}
		}
		if len(l.Tasks) == 0 {
			continue
		}
		if !p.merged(ctx, s, base) {
			out = append(out, l)
		}
	}
	return out, nil
}

// merged reports whether the landed work of a plan is in the commit base, or was
// accepted. A commit that no longer exists cannot be merged: no message
// mentions it.
func (p *Planner) merged(ctx context.Context, s plan.State, base string) bool {
	for _, commit := range []string{base, s.Accepted} {
		if commit == "" {
			continue
		}
		if has, err := p.Repo.IsAncestor(ctx, s.Tip, commit); err != nil || has {
			return true
		}
	}
	return false
}

// landedIn: a loop of the plan did a task with these words.
func landedIn(s plan.State, t plan.ReadTask) bool {
	return slices.ContainsFunc(s.Tasks, func(was plan.TaskState) bool { return was.Proved() && was.Digest == t.Digest })
}

// gone: the file is neither where the plan was read nor put away.
func gone(file string) bool {
	for _, path := range []string{file, filepath.Join(filepath.Dir(file), archiveDir, filepath.Base(file))} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// lostText returns those about a run's own plan. An error is not reported: the
// run continues all the same.
func (r *run) lostText(ctx context.Context) string {
	all, _ := r.Lost(ctx, r.spec.File, r.doc.plan, r.state.Base)
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = l.String()
	}
	return strings.Join(words, "; ")
}
