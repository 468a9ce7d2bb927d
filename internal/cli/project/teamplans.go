package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/engine/planner"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/team"
)

// share puts the loops and plans of a team in front of those of this machine.
func (a *Opener) share(ctx context.Context, p *Project) error {
	t := a.teamEngine(p, p.Local)
	if !a.IsWorker {
		if err := a.follow(ctx, p, t); err != nil {
			return err
		}
	}
	a.sharePlans(p, t)
	return nil
}

// sharePlans keeps the plans of a team on its server: a worker drives them, other commands
// follow them.
func (a *Opener) sharePlans(p *Project, t *team.Engine) {
	plans := stored.SharedPlans{Server: p.server.Plans(), Ledger: p.Store, Path: p.planPath(a.IsWorker), Name: p.planName, Budgets: p.shared.Budgets}
	p.Plans.Loops = t
	if a.IsWorker {
		p.mirror = t
		plans.Publish, plans.Fetch, plans.Name = p.travel.PublishPlan, t.FetchPlan, p.copyName
		p.Plans.Store, p.Plans.FetchLanded = team.WorkerPlans{SharedPlans: plans, Travel: p.travel}, p.travel.FetchLanded
		return
	}
	p.Team = &team.Plans{Engine: t, Store: plans}
	p.Plans.TeamWorkers, p.Plans.Store = *p.Team, plans
}

// copyName is the name of the file of which this worker has a copy.
func (p *Project) copyName(path string) string {
	if name, ok := planner.CopyName(filepath.Dir(p.Store.Plans().Dir("p")), path); ok {
		return name
	}
	return filepath.ToSlash(path)
}

// planName is what other machines call the file of a plan: its path from the root of the
// tree, with slashes. A file outside of it keeps its path.
func (p *Project) planName(path string) string {
	if rel, err := filepath.Rel(p.planRoot(), path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// planPath is where the file of a name lies on this machine. A worker has a copy of its
// own, as it was when the plan was started. The name comes from the server: one that leads
// out of the tree where no file is, out of the worker's folder, or into git's own files,
// stands for its last part.
func (p *Project) planPath(worker bool) func(id, name string) string {
	return func(id, name string) string {
		if worker {
			return planner.CopyPath(p.Store.Plans().Dir(id), name)
		}
		path := filepath.FromSlash(name)
		if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() {
			return path
		}
		gits := func(part string) bool { return strings.EqualFold(part, ".git") }
		if !filepath.IsLocal(path) || slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), gits) {
			path = filepath.Base(path)
		}
		return filepath.Join(p.planRoot(), path)
	}
}

// planRoot is the tree in which the files of plans are, without symbolic links.
func (p *Project) planRoot() string {
	if root, err := filepath.EvalSymlinks(p.TreeOrHome()); err == nil {
		return root
	}
	return p.TreeOrHome()
}
