package worker

import (
	"context"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/gate"
	"ralph/internal/loop"
)

// evaluation is one run of a gate in a room of its own.
type evaluation struct {
	// Action has the gate, its deadlines, and the commit that is judged.
	loop.Action
	// variant is what is checked out in place of Commit; empty is Commit itself.
	variant string
	// over is the folder that lies over the tree in place of the files of a hidden gate; empty is
	// these files.
	over string
	// name tells the runs of one gate apart, in files and evidence: "" for the gate
	// on the commit as it is.
	name          string
	attempt, pass int
	// against is the commit whose judge files count; empty is none.
	against string
	// copied: the gate needs a tree that no layer covers. again: it may have failed by
	// its room or a full disk before.
	copied, again bool
	// added is the folder with the packages that set-up installed for the work alone; ""
	// is none.
	added string
	// env is added to the environment of the gate.
	env []string
	// nameSkipped: the names of skipped tests are needed, too.
	nameSkipped bool
	// only are ids of tests to which the run is limited where its runner can be told; nil is all.
	only []string
	// onFailed gets the ids of the tests that failed.
	onFailed func(ids []string)
	// expect are the commits on which a test must pass, if its loss is to be one:
	// the base, and for a merge all that it joins. landing: it is a merge.
	expect  []string
	landing bool
	// left collects the files of all runs on the commit that are judged together; nil
	// where no one asks.
	left *[]loop.Evidence
}

// rerun is one more run of the gate for the same verdict, under a name.
func (e evaluation) rerun(name string) evaluation {
	return evaluation{Action: e.Action, name: name, attempt: e.attempt, pass: e.pass, left: e.left}
}

// rerunOn is one more run of the gate on a commit beside the work's, under a name. It is no part
// of the verdict: later ones use it, too.
func (e evaluation) rerunOn(commit, name string) evaluation {
	again := evaluation{Action: e.Action, name: name}
	again.Commit, again.OnBase = commit, true
	return again
}

// ofBaseAlone reports whether nothing of an agent's runs: before the first agent, and
// in the final verification of an agent-driven loop, which begins with the base.
func (e evaluation) ofBaseAlone(s loop.State) bool {
	if s.Mode == loop.AgentDriven {
		return e.OnBase && e.variant == "" && e.name == "" && e.Commit == s.Base
	}
	return e.OnBase && s.Iteration == 0
}

// log is the file of the gate's output, names that of its tests.
func (w *Worker) log(e evaluation) string { return w.Files.GateLog(e.attempt, e.file(), e.pass) }

func (w *Worker) names(e evaluation) string {
	return strings.TrimSuffix(w.log(e), ".log") + ".tests.json"
}

// file is the name under which the gate's run is kept.
func (e evaluation) file() string {
	if e.name == "" {
		return e.Gate.Name
	}
	return e.Gate.Name + "." + e.name
}

// leave notes the files of a run. Those of runs on the base serve later verdicts, too,
// and may be written anew for them.
func (e evaluation) leave(r loop.Result) {
	if e.left == nil || e.OnBase {
		return
	}
	*e.left = append(*e.left, loop.Evidence{File: r.OutputFile, SHA256: r.OutputSHA256})
	if r.Tests != nil {
		*e.left = append(*e.left, loop.Evidence{File: r.Tests.NamesFile, SHA256: r.Tests.NamesSHA256})
	}
}

// runGate runs a gate once, in a clean room or in the tree of the agent.
func (w *Worker) runGate(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	set, err := w.setUpWork(ctx, s, e, h)
	if err != nil {
		return loop.Result{}, err
	}
	e.added = set.files
	tree, where, err := w.evaluationTree(ctx, s, e)
	if err != nil {
		return loop.Result{}, err
	}
	sources, err := w.unwritten(ctx, s, e, where)
	if err != nil {
		return loop.Result{}, err
	}
	r, at, err := w.runAt(ctx, s, e.Action, gateRun{
		tree: tree, where: where, name: e.file(), log: w.log(e), attempt: e.attempt,
		env: w.Env.Gate(*e.Gate, slices.Concat(w.marks(s), e.env)...),
		enter: func(env []string) (cleanRoom, error) {
			if where == GateTree {
				return w.gateRoom(ctx, s, tree, env, e)
			}
			return w.agentTreeRoom(ctx, s, tree, env)
		},
		ask: func(q *gate.Request) {
			q.NamesFile, q.Keep, q.NameSkipped, q.OnFailed, q.Only = w.names(e), durable.Write, e.nameSkipped, e.onFailed, e.only
			q.Sources, q.Base, q.Baseline = sources, e.OnBase, loop.ResultOf(s.BaseResults, e.Gate.Name)
		},
	}, h)
	if err != nil || at == nil {
		return r, err
	}
	e.leave(r)
	if err := w.askedFor(ctx, s, e, &r); err != nil {
		return r, err
	}
	set.explain(&r)
	if err := w.notInstalled(ctx, s, e, &r); err != nil {
		return r, err
	}
	r.HiddenFiles = changedSince(ctx, *e.Gate)
	if err := w.spaceless(s, e, r); err != nil {
		return loop.Result{}, err
	}
	if failedByRoom(r) && !e.again {
		e.copied, e.again = true, true
		return w.runGate(ctx, s, e, h)
	}
	r.Clean = where == GateTree
	if where == AgentTree {
		dirty, err := w.Repo.Dirty(ctx, tree)
		r.Clean = err == nil && !dirty.Any()
	}
	return r, nil
}

// digests are those that the newest evaluation of a visual gate recorded, so
// that a picture which changes later loses its mark.
func digests(s loop.State, g loop.Gate) map[string]string {
	if g.Kind != loop.KindVisual {
		return nil
	}
	for _, v := range slices.Backward(s.Recent) {
		if r := loop.ResultOf(v.Results, g.Name); r != nil {
			if d, err := gate.ReadDigests(*r); err == nil {
				return d
			}
		}
	}
	return nil
}
