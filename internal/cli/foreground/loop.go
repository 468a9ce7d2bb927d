package foreground

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// watcher is what watches a run of ours. In the background, the first event
// that finds the loop running reports that it is recorded; then the starter may
// go. What came before belongs in the log as well.
func (a *Runner) watcher(ctx context.Context, p *project.Project, s *Screen) func(engine.Update) {
	if a.Handoff == nil {
		return s.Update
	}
	var before []engine.Update
	return func(u engine.Update) {
		before = append(before, u)
		if !a.Handoff.Detached() && !a.handsOff(u) {
			return
		}
		if !a.Handoff.Detached() {
			id := u.After.ID
			log := engine.Layout{Dir: p.Store.LoopDir(id)}.RunLog()
			a.intoBackground(p, s, id, log, func() error { return runs.WriteLoop(ctx, a.Opener, p, id) })
		}
		for _, u := range before {
			s.Update(u)
		}
		before = nil
	}
}

// DriveLoop runs a loop in the foreground: lines while it works, the stops of a
// person, questions in place, one final summary or object.
func (a *Runner) DriveLoop(ctx context.Context, p *project.Project, events bool, start func(context.Context, engine.Drive) (loop.State, error)) error {
	screen := a.Screen(events)
	screen.History = func(id string) []loop.Attempt {
		l, err := p.Loops.Show(context.WithoutCancel(ctx), id)
		if err != nil {
			return nil // the block is shorter; show reports the error
		}
		return l.History
	}
	return a.foreground(ctx, p, &foregroundRun{
		kind: "loop", place: a.place(), watch: a.watcher(ctx, p, screen), screen: screen, asks: a.Asks(),
		start: func(ctx context.Context, d engine.Drive) (engine.Outcome, error) {
			s, err := start(ctx, d)
			return engine.LoopOutcome(s), err
		},
		read: func(ctx context.Context, id string) (runs.Run, error) { return runs.LoopByID(ctx, a.Opener, p, id) },
	})
}
