package migrate

import (
	"encoding/json"

	"ralph/internal/text"
)

// Registry is seed 001's registry.json: the active loops, and how many ended.
type Registry struct {
	Loops              []Found
	Completed, Aborted int
}

// ParseRegistry reads it, of either level. An entry is all that is known of a
// loop whose own file is gone.
func ParseRegistry(data []byte) (Registry, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Registry{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	r := Registry{Completed: f.whole("total_completed"), Aborted: f.whole("total_aborted")}
	if n := f.whole("max_concurrent_loops"); n > 0 && n != 4 {
		lost.add("max_concurrent_loops", "write limits.max_loops: %d into ralph.yaml", n)
	}
	for _, v := range f.list("active_loops") {
		entry, ok := v.(map[string]any)
		if !ok {
			f.wrong("active_loops", "holds something that is not a loop")
			continue
		}
		if len(r.Loops) == mostLoops {
			f.wrong("active_loops", "lists more than can be true; the rest is left out")
			break
		}
		r.Loops = append(r.Loops, entryOf(newFields("active_loops[].", entry, lost)))
	}
	f.setAside("version", "updated_at", "total_active")
	f.rest(noPlace)
	return r, lost.all, nil
}

func entryOf(f fields) Found {
	found := Found{
		Kind: Aiwg, ID: f.text("loop_id"), Task: f.text("task_summary"), Completion: f.text("completion_criteria"),
		Word: f.word("status"), Iteration: f.whole("iteration"), Max: f.whole("max_iterations"),
		StartedAt: f.when("started_at"), Agent: text.Clip(f.text("owner"), 60),
	}
	f.stand(&found)
	f.setAside("pid", "last_active", "priority")
	f.rest(noPlace)
	raw, _ := json.Marshal(f.m)
	found.SHA256 = digest(raw)
	return found
}
