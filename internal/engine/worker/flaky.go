package worker

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// withRetries runs a gate on the work, with its retries. A gate that
// is red and green on the same commit is flaky, also where another attempt has found it red: it
// has not passed, unless a person put it in quarantine.
func (w *Worker) withRetries(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	r, err := w.runGate(ctx, s, e, h)
	if err != nil || e.OnBase {
		return r, err
	}
	if r.Verdict == loop.Passed {
		before, err := w.redBefore(ctx, s, e)
		if err != nil || before == nil {
			return r, err
		}
		red := r
		red.Verdict, red.Reason = loop.Failed, before.Reason
		red.Fingerprint, red.Detail, red.Excerpt, red.Missing = before.Fingerprint, before.Detail, before.Excerpt, before.Missing
		return w.flaky(e, red, r, "red, then green on the same commit"), nil
	}
	if r.Verdict != loop.Failed {
		return r, nil
	}
	if e.pass > 0 && !e.landing {
		return w.flaky(e, r, r, "green, then red on the same commit"), nil
	}
	return w.retry(ctx, s, e, r, h)
}

// retried runs a gate, and a red one again where its retries allow it.
func (w *Worker) retried(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	r, err := w.runGate(ctx, s, e, h)
	if err != nil || r.Verdict != loop.Failed {
		return r, err
	}
	return w.retry(ctx, s, e, r, h)
}

// retry runs a red gate again where its retries allow it.
func (w *Worker) retry(ctx context.Context, s loop.State, e evaluation, red loop.Result, h *Hooks) (loop.Result, error) {
	for n := range e.Gate.Flaky.Retries {
		again := e
		again.name = strings.TrimPrefix(fmt.Sprintf("%s-retry-%d", e.name, n+1), "-")
		second, err := w.runGate(ctx, s, again, h)
		if err != nil {
			return loop.Result{}, err
		}
		if second.Verdict == loop.Passed {
			return w.flaky(e, red, second, "red, then green on the same commit"), nil
		}
	}
	return red, nil
}

// redBefore is the result of a gate whose command failed earlier in the loop, on the base or for
// an attempt, on the files of the commit that is judged; nil where there is none. What was found in
// an agent's tree, with files that git ignores, says nothing about the commit.
func (w *Worker) redBefore(ctx context.Context, s loop.State, e evaluation) (*loop.Result, error) {
	tree, err := w.Repo.TreeOf(ctx, e.Commit)
	if err != nil {
		return nil, err
	}
	base, err := w.Repo.TreeOf(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	earlier := []loop.Attempt{{Tree: base, Results: s.BaseResults}}
	for _, a := range s.Recent {
		if a.N != e.attempt {
			earlier = append(earlier, a)
		}
	}
	for _, a := range earlier {
		r := loop.ResultOf(a.Results, e.Gate.Name)
		if a.Tree != tree || r == nil || r.Where != GateTree {
			continue
		}
		if r.Flaky != "" || r.Verdict == loop.Failed && r.ExitCode != nil && *r.ExitCode != 0 {
			return r, nil
		}
	}
	return nil, nil
}

// flaky returns the green one of two results where a quarantine allows it, else the
// red one.
func (w *Worker) flaky(e evaluation, red, last loop.Result, how string) loop.Result {
	allowed, quarantine := e.Gate.Flaky.Quarantined(w.Now())
	why := "flaky: " + how
	if quarantine != "" {
		why += "; " + quarantine
	}
	why += "; " + strings.TrimPrefix(red.Reason, "flaky: "+how+"; ")
	out := red
	if allowed {
		out = last
		out.Verdict, out.Fingerprint = loop.Passed, ""
	}
	out.Flaky, out.Reason = how, why
	return out
}
