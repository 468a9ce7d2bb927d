package worker

import (
	"cmp"
	"context"
	"time"

	"ralph/internal/gate"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// gateSite is where a gate runs once: a tree, the room in which the gate sees it, and the
// sandbox around both.
type gateSite struct {
	tree, where string
	env         []string
	room        cleanRoom
	sandbox     confined
}

// release removes everything made for the run.
func (g gateSite) release() {
	g.sandbox.release()
	g.room.remove()
}

// siteOf prepares the site of a gate in a tree. enter makes its room for a process with
// this environment. A gate that cannot be held as it must be does not run: refused is its
// result. Where the preparation was interrupted that is an error, never a result: it says
// nothing about the gate, which is evaluated again.
func (w *Worker) siteOf(ctx context.Context, s loop.State, a loop.Action, tree, where string, env []string, enter func(env []string) (cleanRoom, error)) (site gateSite, refused *loop.Result, err error) {
	site = gateSite{tree: tree, where: where, env: env}
	if site.room, err = enter(env); err != nil {
		if where == GateTree && a.Gate.Hidden && !interrupts(ctx, err) {
			return site, new(unheld(*a.Gate, a.Commit, where, err, w.Now())), nil
		}
		return site, nil, err
	}
	if site.room.env != nil {
		site.env = site.room.env
	}
	if site.sandbox, err = w.confineGate(ctx, s, *a.Gate, tree, site.env, site.room); err != nil {
		site.room.remove()
		if interrupts(ctx, err) {
			return site, nil, err
		}
		return site, new(unheld(*a.Gate, a.Commit, where, err, w.Now())), nil
	}
	return site, nil, nil
}

// interrupts reports whether an error comes from the end of the step, a foreign signal or a
// lack of the machine.
func interrupts(ctx context.Context, err error) bool {
	return ctx.Err() != nil || Interruption(err).Interrupts()
}

// gateRun is one run of a gate: the tree and its environment, how its room is made, and the
// name and the file under which it is kept. ask adds to its request.
type gateRun struct {
	tree, where, name, log string
	attempt                int
	env                    []string
	enter                  func(env []string) (cleanRoom, error)
	ask                    func(*gate.Request)
}

// runAt runs a gate once. The site, whose files are removed again, is nil where the gate was
// refused.
func (w *Worker) runAt(ctx context.Context, s loop.State, a loop.Action, g gateRun, h *Hooks) (loop.Result, *gateSite, error) {
	run, err := w.Files.NewRun(g.attempt, "gate-"+g.name)
	if err != nil {
		return loop.Result{}, nil, err
	}
	at, refused, err := w.siteOf(ctx, s, a, g.tree, g.where, g.env, g.enter)
	if err != nil {
		return loop.Result{}, nil, err
	}
	if refused != nil {
		return *refused, nil, nil
	}
	defer at.release()
	q := gate.Request{
		Gate: *a.Gate, Commit: a.Commit, Run: token(s.ID), Scope: s.Task.Scope, Digests: digests(s, *a.Gate),
		Tree: at.tree, Where: at.where, RunDir: run, LogFile: g.log,
		Env: overlay(at.env, at.sandbox.env), Sandbox: at.sandbox.inside, Held: at.sandbox.by, Mask: w.redactGate(s, *a.Gate),
		Soft: a.Timeout.Soft, Hard: a.Timeout.Hard, OnSoft: h.Soft, Now: w.Now, Kill: h.Kill, Grace: w.Grace,
	}
	if g.ask != nil {
		g.ask(&q)
	}
	r, err := gate.Run(ctx, q)
	if w.doubtSandbox(err, r.CannotStart) {
		return w.runAt(ctx, s, a, g, h)
	}
	if err == nil {
		r.Room = at.room.kind
		err = keeps("gate "+a.Gate.Name, cmp.Or(at.sandbox.temp, at.room.temp), r.Verdict == loop.Passed)
	}
	return r, &at, err
}

// unheld is the result of a gate that could not be held as it must be: it was
// not run.
func unheld(g loop.Gate, commit, where string, err error, now time.Time) loop.Result {
	return loop.Result{
		Gate: g.Name, Kind: g.Kind, Level: g.Level, Hidden: g.Hidden, Verdict: loop.Error, Reason: "not run: " + err.Error(),
		CannotStart: true, Commit: commit, Where: where, StartedAt: now, Sandbox: loop.HeldNone,
	}
}

// confineGate sandboxes a gate: it runs code that the agent wrote.
func (w *Worker) confineGate(ctx context.Context, s loop.State, g loop.Gate, tree string, env []string, c cleanRoom) (confined, error) {
	p := sandbox.Profile{
		Grants: append([]string{tree}, c.grants...), Env: env, Visible: namedIn([]string{g.Run}),
		NoNetwork: w.offline(ctx, g), OwnIPC: true,
	}
	if g.Hidden { // what it left there could be read
		s.SandboxWrite = nil
	}
	p.ReadOnly = w.readOnly(tree)
	return w.confineIn(ctx, s, p, func(sandbox.Profile) (*room.Spec, error) { return c.spec, nil })
}
