package worker

import (
	"context"
	"fmt"

	"ralph/internal/gate"
	"ralph/internal/kept"
	"ralph/internal/loop"
)

// installed reports whether a module of Python can be imported where a gate runs on the
// base. It costs the start of an interpreter, and is asked only where the work adds a
// module of a name that tests of the base import.
func (w *Worker) installed(ctx context.Context, s loop.State, e evaluation, module string, h *Hooks) (bool, error) {
	g := gate.AskForModule(*e.Gate, module)
	ask := e.rerunOn(e.against, "module")
	ask.Gate = &g
	r, err := w.runGate(ctx, s, ask, h)
	if err != nil {
		return false, fmt.Errorf("ask for the module %s: %w", module, err)
	}
	if r.OutputFile == "" { // nothing can be started, so that no gate passes either
		return false, nil
	}
	out, err := kept.ReadFile(r.OutputFile)
	if err != nil {
		return false, fmt.Errorf("ask for the module %s: %w", module, err)
	}
	return gate.HasModule(out), nil
}
