package worker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ralph/internal/gate"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
)

// gate evaluates one gate on one commit.
func (w *Worker) gate(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	attempt, pass := a.Attempt, 0
	if a.OnBase {
		attempt = 0
	} else if l := s.Last(); l != nil {
		pass = l.Passes
	}
	run, err := w.Files.NewRun(attempt, "gate-"+a.Gate.Name)
	if err != nil {
		return nil, err
	}
	tree, where, restored, err := w.evaluationTree(ctx, s, a)
	if err != nil {
		return nil, err
	}
	env := w.Env.Gate(*a.Gate, w.marks(s)...)
	cell, err := w.confineGate(ctx, s, *a.Gate, tree, env)
	if err != nil {
		return loop.GateEnded{Result: unheld(*a.Gate, a.Commit, where, err, w.Now())}, nil
	}
	defer cell.release()
	r, err := gate.Run(ctx, gate.Request{
		Sandbox: cell.inside, Held: cell.by,
		Scope: s.Task.Scope, Gate: *a.Gate, Tree: tree, Commit: a.Commit, Where: where,
		RunDir: run, Run: token(s.ID), LogFile: w.Files.GateLog(attempt, a.Gate.Name, pass),
		Env: overlay(env, cell.env), Base: a.OnBase, Baseline: find(s.BaseResults, a.Gate.Name), Digests: digests(s, *a.Gate),
		Soft: a.Timeout.Soft, Hard: a.Timeout.Hard, OnSoft: h.soft, Now: w.Now, Kill: h.Kill, Grace: w.Grace,
	})
	if err != nil {
		return nil, err
	}
	r.Restored = restored
	if r.Verdict != loop.Passed && len(restored) > 0 {
		r.Reason += "; " + putBack(restored)
	}
	r.Clean = where == gateTree && len(restored) == 0
	if where == agentTree {
		dirty, err := w.Repo.Dirty(ctx, tree)
		r.Clean = err == nil && !dirty.Any()
	}
	return loop.GateEnded{Result: r}, nil
}

// confineGate sandboxes a gate: it runs code that the agent wrote.
func (w *Worker) confineGate(ctx context.Context, s loop.State, g loop.Gate, tree string, env []string) (confined, error) {
	p := sandbox.Profile{Grants: []string{tree}, Env: env, Visible: namedIn([]string{g.Run}), NoNetwork: g.NoNetwork}
	var own []string
	own, p.ReadOnly = w.ownPart(tree)
	p.Grants = append(p.Grants, own...)
	return w.confine(ctx, s, p)
}

// unheld is the result of a gate that could not be held as it must be: it was
// not run.
func unheld(g loop.Gate, commit, where string, err error, now time.Time) loop.Result {
	return loop.Result{
		Gate: g.Name, Kind: g.Kind, Level: g.Level, Verdict: loop.Error, Reason: "not run: " + err.Error(),
		CannotStart: true, Commit: commit, Where: where, StartedAt: now, Sandbox: loop.HeldNone,
	}
}

// evaluationTree is the tree in which a gate judges: the loop's gate worktree at the
// commit, with everything that judges put back as it was on the base.
func (w *Worker) evaluationTree(ctx context.Context, s loop.State, a loop.Action) (tree, where string, restored []string, err error) {
	if s.GatesInAgentTree && !a.OnBase {
		return s.Worktree, agentTree, nil, nil
	}
	if err := w.Repo.CheckoutDetached(ctx, s.GateTree, a.Commit); err != nil {
		return "", "", nil, fmt.Errorf("check out %s for the gates: %w", shortID(a.Commit), err)
	}
	if !a.OnBase {
		restored, err = w.restore(ctx, s, *a.Gate)
	}
	return s.GateTree, gateTree, restored, err
}

// putBack explains to agents and users why an edit had no effect, and how to
// allow it.
func putBack(files []string) string {
	const most = 3
	names := strings.Join(files[:min(len(files), most)], ", ")
	if len(files) > most {
		names += ", …"
	}
	return fmt.Sprintf("changed, but put back as it was, since it judges: %s (--scope allows the change)", names)
}

// restore puts back the files that judge: those that the gate's command names,
// the configuration of its runner, and the files that the project protects.
// Files that the task declares its scope are the agent's to change.
func (w *Worker) restore(ctx context.Context, s loop.State, g loop.Gate) ([]string, error) {
	names, err := w.list(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	commands, scripts, err := w.scripts(ctx, s, g, names)
	if err != nil {
		return nil, err
	}
	patterns := slices.Concat(gate.NamedFiles(g, names), s.Protect, g.Protect)
	for _, c := range commands {
		named := g
		named.Run = c
		patterns = append(patterns, gate.NamedFiles(named, names)...)
	}
	restored, err := w.Repo.RestoreFrom(ctx, s.GateTree, s.Base, patterns, s.Task.Scope...)
	if err != nil {
		return nil, fmt.Errorf("restore protected files: %w", err)
	}
	if scripts == nil {
		return restored, nil
	}
	again, err := gate.RestoreScripts(s.GateTree, path.Join(g.Dir, "package.json"), scripts)
	return append(restored, again...), err
}

// scripts is the base's package.json of a gate whose command reads one, and the
// command lines it runs from there. The agent may change its dependencies, not
// what "npm test" means.
func (w *Worker) scripts(ctx context.Context, s loop.State, g loop.Gate, names []string) (commands []string, base []byte, err error) {
	name := path.Join(g.Dir, "package.json")
	if !gate.ReadsPackageScripts(g.Run) || !slices.Contains(names, name) {
		return nil, nil, nil
	}
	base, err = w.Repo.FileAt(ctx, s.Base, name)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s of the base: %w", name, err)
	}
	return gate.PackageCommands(g.Run, base), base, nil
}

// digests are those that the newest evaluation of a visual gate recorded, so
// that a picture which changes later loses its mark.
func digests(s loop.State, g loop.Gate) map[string]string {
	if g.Kind != loop.KindVisual {
		return nil
	}
	for _, v := range slices.Backward(s.Recent) {
		if r := find(v.Results, g.Name); r != nil {
			if d, err := gate.ReadDigests(*r); err == nil {
				return d
			}
		}
	}
	return nil
}

func find(results []loop.Result, name string) *loop.Result {
	for i := range results {
		if results[i].Gate == name {
			return &results[i]
		}
	}
	return nil
}
