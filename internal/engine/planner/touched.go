package planner

import (
	"context"
	"slices"
	"sync"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// touched are the files that running loops have changed so far, by the action
// that runs them. Loops report to it while the run decides.
type touched struct {
	mu    sync.Mutex
	files map[*job][]string
}

// add is called for each attempt, which reports its own changes.
func (t *touched) add(f *job, files []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files == nil {
		t.files = map[*job][]string{}
	}
	t.files[f] = union(t.files[f], files)
}

func (t *touched) forget(f *job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, f)
}

// snapshot returns these files by task, as they are now.
func (t *touched) snapshot() map[string][]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string][]string, len(t.files))
	for f, files := range t.files {
		out[f.task] = union(out[f.task], files)
	}
	return out
}

// watch forwards the updates of a task's loop, or of the plan that is run in its
// place, and notes the files that they change as the task's.
func (r *run) watch(f *job) func(engine.Update) {
	return func(u engine.Update) {
		if done, ok := u.Event.(loop.Committed); ok && len(done.Files) > 0 {
			r.touched.add(f, done.Files)
		}
		if !f.child { // its run reports what its loops wait for
			r.limitWaits.put(f, u.After)
		}
		if r.drive.Watch != nil {
			r.drive.Watch(u)
		}
	}
}

// recall returns the changes of a loop that another process began.
func (r *run) recall(ctx context.Context, f *job, id string) {
	l, err := r.Loops.Show(ctx, id)
	if err != nil {
		return // nothing is known of it; it learns that when it is resumed
	}
	for _, a := range l.History {
		r.touched.add(f, a.Files)
	}
}

// changes are the files that each task has changed: its loop in progress,
// and those before it. They only predict conflicts: changes that git cannot
// list now are looked up in the next step.
func (r *run) changes(ctx context.Context) map[string][]string {
	all := r.touched.snapshot()
	for i := range r.state.Tasks {
		t := &r.state.Tasks[i]
		if t.Status == plan.Done || t.Status == plan.Failed || t.Gone || t.Left() == "" {
			continue
		}
		if past := r.past(ctx, t.Left()); len(past) > 0 {
			all[t.ID] = slices.Concat(all[t.ID], past)
		}
	}
	return all
}

// past are the files that a commit has changed since it left the integration
// branch. They are looked up once: neither of the two loses history.
func (r *run) past(ctx context.Context, commit string) []string {
	if known, ok := r.pasts[commit]; ok {
		return known
	}
	from, err := r.Repo.MergeBase(ctx, r.state.Tip, commit)
	if err != nil || from == "" {
		return nil
	}
	changed, err := r.Repo.ChangedFiles(ctx, from, commit)
	if err != nil {
		return nil
	}
	files := make([]string, len(changed))
	for i, c := range changed {
		files[i] = c.Path
	}
	r.pasts[commit] = files
	return files
}
