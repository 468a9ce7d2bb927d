package migrate

import "cmp"

// ParseExternal reads session-state.json of seed 001's supervisor. Its
// iterations are runs of an agent; how they went is a model's opinion.
func ParseExternal(data []byte) (Found, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	settings := f.object("config")
	found := Found{
		Kind: External, ID: f.text("loopId", "loop_id"),
		Task:       f.text("objective", "task"),
		Completion: f.text("completionCriteria", "completion_criteria", "completion"),
		Agent:      clip(cmp.Or(settings.text("provider"), f.text("provider")), 60),
		Word:       f.word("status"),
		Iteration:  f.whole("currentIteration", "iteration"),
		Max:        f.whole("maxIterations", "max_iterations"),
		StartedAt:  f.when("startTime", "started_at"), UpdatedAt: f.when("lastUpdate", "last_updated"), EndedAt: f.when("endTime", "completed_at"),
	}
	found.Attempts = f.iterations("", "iterations")
	f.stand(&found)
	settings.timeouts("timeoutMinutes")
	f.setAside("version", "currentPid", "pid", "sessionId", "filesModified")
	if f.value("accumulatedLearnings") != nil {
		lost.add("accumulatedLearnings", "a model's summary of itself; what happened is in the iterations")
	}
	f.rest(noPlace)
	settings.rest("settings are those of ralph.yaml")
	return found, lost.all, nil
}
