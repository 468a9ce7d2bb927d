package planner

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// child is the plan that a task names.
type child struct {
	id, path string
	plan     plan.Plan
	text     []byte
	// frozen is what the request has of it, without the content where the run reads its file.
	frozen engine.InnerPlan
}

// childOf reads the plan that a task names: as the request of the plan around it has it, or
// from its file. One that cannot be read has an id all the same. Of a plan that moved here it
// is the one that it had where it began.
func (p *Planner) childOf(parent engine.PlanSpec, task plan.Task) (c child, err error) {
	in, is := parent.Inner[task.SubPlan]
	if is && frozen(parent) {
		return p.frozenChild(in)
	}
	if c.path, err = ChildFile(parent.File, task.SubPlan); err != nil {
		c.path = filepath.Join(filepath.Dir(parent.File), task.SubPlan)
	}
	if c.id = IDOf(c.path); is {
		c.id, c.frozen = in.ID, engine.InnerPlan{Commands: in.Commands, Inner: in.Inner}
	}
	if err != nil {
		return c, err
	}
	d := newDocument(c.path, "")
	err = d.load()
	c.plan, c.text = d.plan, d.data
	return c, err
}

// happened reports whether anything happened to a plan since an event of it, apart from moves.
func (r *run) happened(ctx context.Context, rec storedPlan, mark int64) bool {
	for e, err := range engine.Events(ctx, r.Store.Events, rec.State.ID, mark, rec.Seq) {
		if event, known := e.Decoded.(plan.Event); err != nil || !known || !plan.Moves(event) {
			return true
		}
	}
	return false
}

// ErrOutside: a task names a plan outside of the repository of its own. Its file would be
// ticked and moved, and no person named it.
var ErrOutside = errors.New("it lies outside of the repository")

// ChildFile is the plan that a task names, relative to the file of its own, also
// where it was moved into archived/ since. Links are followed; see ErrOutside.
func ChildFile(parent, name string) (string, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(parent), path)
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if aside, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(path), archiveDir, filepath.Base(path))); err == nil {
			real = aside
		}
	}
	if real == "" {
		return "", err
	}
	parent, err = filepath.EvalSymlinks(parent)
	if err != nil {
		return "", err
	}
	root := Top(filepath.Dir(parent))
	if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
		return "", ErrOutside
	}
	return real, nil
}

// Top is the tree that a folder lies in: the nearest one with a repository, or the folder
// itself where it lies in none. Links in the path are not resolved.
func Top(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// InnerOpen reports whether the plan that a task of the file parent names has
// work left, according to its file. One that cannot be read has none: that is
// reported where it is to be run.
func InnerOpen(parent string, t plan.Task) bool { return openFile(parent, t, nil) }

func openFile(parent string, t plan.Task, above []string) bool {
	if t.SubPlan == "" {
		return false
	}
	path, err := ChildFile(parent, t.SubPlan)
	if err != nil || slices.Contains(above, path) {
		return false
	}
	b := newDocument(path, "")
	if b.load() != nil || b.plan.Status == plan.PlanArchived {
		return false
	}
	above = append(slices.Clone(above), path)
	return slices.ContainsFunc(b.plan.Tasks, func(t plan.Task) bool {
		return t.Status.Open() || t.Status == plan.Done && openFile(path, t, above)
	})
}
