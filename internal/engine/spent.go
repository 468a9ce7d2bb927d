package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Priced fills in what a run cost where its agent did not say, as far as the
// model's price is known. What it said is judged here, for all drivers.
func (w *Worker) Priced(a loop.Agent, u loop.Usage, model string) loop.Usage {
	return w.Prices.Estimate(u.Sound(), cmp.Or(model, a.Model)).Sound()
}

// Quota is the account that a run of the agent would be counted against.
func (w *Worker) Quota(a loop.Agent) agent.Quota { return agent.QuotaOf(a, w.Env.Agent()) }

// UsedIn is what the newest run of an attempt said that it had used, and with
// which model, for a run whose end nobody saw. It is read from the events that
// were written on the way; what was not told by then stays unknown.
func (w *Worker) UsedIn(attempt int) (u loop.Usage, model string) {
	text, err := os.ReadFile(w.Files.Events(attempt))
	if err != nil {
		return u, ""
	}
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"model"`)) {
			continue
		}
		var e agent.Event
		if json.Unmarshal(line, &e) != nil {
			continue // torn by the end of its writer
		}
		if e.Usage != nil {
			u = *e.Usage
			if u == (loop.Usage{}) {
				model = "" // another run begins, perhaps of another agent
			}
		}
		if e.Kind == agent.Session && e.Model != "" {
			model = e.Model
		}
	}
	return u, model
}
