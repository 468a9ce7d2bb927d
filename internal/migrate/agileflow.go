package migrate

import (
	"cmp"
	"fmt"

	"ralph/internal/text"
)

// ParseAgileFlow reads one loop that its agent drives (seed 000). The file has
// no task: the gate is all that is known of it.
func ParseAgileFlow(data []byte) (Found, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	found := Found{
		Kind: AgileFlow, ID: f.text("loop_id"), Agent: text.Clip(f.text("agent_type"), 60), Parent: text.Clip(f.text("parent_orchestration"), 100),
		Gate: f.word("quality_gate"), Word: f.word("status"), Stopped: f.word("stopped_reason"),
		Iteration: f.whole("iteration"), Max: f.whole("max_iterations"),
		StartedAt: f.when("started_at"), ProgressAt: f.when("last_progress_at"),
		UpdatedAt: f.when("updated_at"), EndedAt: f.when("completed_at"),
	}
	if found.Gate == "" {
		return Found{}, nil, &Error{Line: 1, Why: "has no quality_gate: this is not a loop of agileflow"}
	}
	// 0 is how its program writes that there is none.
	if t := f.number("threshold"); t != nil && *t != 0 {
		found.Threshold = t
	}
	found.Task = aim(found)
	found.TaskID = found.Gate
	found.Attempts = f.iterations(found.Gate, "events")
	for i := range found.Attempts {
		for j := range found.Attempts[i].Results {
			found.Attempts[i].Results[j].Threshold = found.Threshold
		}
	}
	f.stand(&found)
	// The counters are those of the iterations, and are counted again from them.
	f.setAside("current_value", "regression_count", "failure_streak", "last_failure_message", "trace_id", "session_id")
	f.rest(noPlace)
	return found, lost.all, nil
}

// aim describes the purpose of such a loop.
func aim(f Found) string {
	words := "make the gate " + f.Gate + " pass"
	if f.Threshold != nil {
		words = fmt.Sprintf("raise %s to %.4g", f.Gate, *f.Threshold)
	}
	if agent := cmp.Or(f.Agent, "unknown"); agent != "unknown" {
		words += " (" + agent + ")"
	}
	return words
}
