package worker

import (
	"context"

	"ralph/internal/gate"
	"ralph/internal/loop"
)

// Try runs a gate once on a commit in a tree that is thrown away afterwards, in a sandbox and in a
// room like those of a loop; what it leaves in the tree and in the HOME is there for the next one.
// EndTrial removes that HOME.
func (w *Worker) Try(ctx context.Context, s loop.State, g loop.Gate, commit, tree, name string) (loop.Result, error) {
	a := loop.Action{Do: loop.DoGate, Gate: &g, Commit: commit, OnBase: true, Timeout: g.Timeout}
	r, _, err := w.runAt(ctx, s, a, gateRun{
		tree: tree, where: GateTree, name: name, log: w.Files.GateLog(0, name, 0), env: w.Env.Gate(g),
		enter: func(env []string) (cleanRoom, error) { return w.writableRoom(ctx, s, tree, env, true) },
		ask:   func(q *gate.Request) { q.Base = true },
	}, &Hooks{})
	return r, err
}

// EndTrial removes what Try kept.
func (w *Worker) EndTrial() { w.dropKept() }
