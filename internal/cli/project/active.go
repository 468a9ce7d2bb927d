package project

import (
	"context"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// RecordDue records the ends that are due among loops, if any. Their list was
// read from a store that is opened for reading only, which is faster.
func (a *Opener) RecordDue(ctx context.Context, p *Project, loops ...engine.Loop) error {
	if p.Store.Older() != 0 || !slices.ContainsFunc(loops, func(l engine.Loop) bool { return l.Due }) {
		return nil // an older ralph may be using the store; a command that writes migrates it
	}
	w := At(p.Place)
	if a.ForeignStore(w) {
		return nil // it is shown as it is
	}
	if err := a.Connect(ctx, w, false); err != nil {
		return err
	}
	defer w.Close()
	return w.Loops.RecordDue(ctx)
}

// WarnBeside warns of active loops that declare the same files as a new one, and
// of more loops than one user can coordinate (seed 001). It is silent about a
// loop that will be refused.
func (a *Opener) WarnBeside(ctx context.Context, p *Project, spec loop.Spec, force bool) error {
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return err
	}
	beside := States(Holding(active))
	n := len(beside) + 1
	if n > p.Settings.MaxLoops() && !force {
		return nil
	}
	for _, o := range view.OverlapsOf(loop.State{Spec: spec}, beside) {
		a.Say("warning: %s", o.Words())
	}
	switch band := loop.BandOf(n); {
	case band.To == 0:
		a.Say("WARNING: %s\n  try: ralph advise", loop.Coordination(n))
	case n > loop.BandOf(4).To:
		a.Say("warning: %s", loop.Coordination(n))
	}
	return nil
}

// Holding returns the loops that count against the limit of loops.
func Holding(loops []engine.Loop) []engine.Loop {
	var out []engine.Loop
	for _, l := range loops {
		if l.Holds {
			out = append(out, l)
		}
	}
	return out
}

// States returns the states of loops.
func States(loops []engine.Loop) []loop.State {
	out := make([]loop.State, len(loops))
	for i, l := range loops {
		out[i] = l.State
	}
	return out
}
