package worker

import (
	"context"
	"fmt"

	"ralph/internal/loop"
)

// withRetries runs a gate, and a red one again where its retries allow it. A gate that
// is red and green on the same commit is flaky: it has not passed, unless a person
// put it in quarantine.
func (w *Worker) withRetries(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	r, err := w.runGate(ctx, s, e, h)
	if err != nil || r.Verdict != loop.Failed || e.OnBase {
		return r, err
	}
	if e.pass > 0 && !e.landing {
		return w.flaky(e, r, r, "green, then red on the same commit"), nil
	}
	for n := range e.Gate.Flaky.Retries {
		again := e
		again.name = fmt.Sprintf("retry-%d", n+1)
		second, err := w.runGate(ctx, s, again, h)
		if err != nil {
			return loop.Result{}, err
		}
		if second.Verdict == loop.Passed {
			return w.flaky(e, r, second, "red, then green on the same commit"), nil
		}
	}
	return r, nil
}

// flaky returns the green one of two results where a quarantine allows it, else the
// red one.
func (w *Worker) flaky(e evaluation, red, last loop.Result, how string) loop.Result {
	allowed, quarantine := e.Gate.Flaky.Quarantined(w.Now())
	why := "flaky: " + how
	if quarantine != "" {
		why += "; " + quarantine
	}
	why += "; " + red.Reason
	out := red
	if allowed {
		out = last
		out.Verdict, out.Fingerprint = loop.Passed, ""
	}
	out.Flaky, out.Reason = how, why
	return out
}
