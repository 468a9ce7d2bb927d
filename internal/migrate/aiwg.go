package migrate

import (
	"cmp"
	"math"

	"ralph/internal/text"
)

// completionGate is the name of the gate of --until, which is the criterion of
// a loop.
const completionGate = "until"

// ParseAiwg reads state.json or current-loop.json of seed 001's loops inside a
// session. The program writes camelCase, the design and its schemas snake_case,
// and both have been seen.
func ParseAiwg(data []byte) (Found, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	progress, settings := f.object("progress"), f.object("configuration", "config")
	found := Found{
		Kind: Aiwg, ID: f.text("loop_id", "loopId"),
		Task:       f.text("task", "task_summary", "taskSummary"),
		Completion: f.text("completion", "completion_criteria", "completionCriteria"),
		Agent:      text.Clip(f.text("owner"), 60), Iteration: f.whole("currentIteration", "iteration", "current_iteration"),
		Max:       cmp.Or(f.whole("maxIterations", "max_iterations"), settings.whole("max_iterations", "maxIterations")),
		StartedAt: f.when("startTime", "started_at", "startTimeMs"), EndedAt: f.when("endTime", "completed_at"),
		UpdatedAt: f.when("last_updated", "lastUpdate", "updated_at"),
	}
	found.Attempts = append(f.iterations(completionGate, "iterations"), progress.iterations(completionGate, "completion_checks")...)
	f.aiwgStatus(&found)
	f.metrics(&found)
	f.setAside("version", "timeoutMs", "pid", "currentPid", "total_iterations", "success_rate")
	f.timeouts("timeoutMinutes", "timeout_minutes")
	settings.timeouts("timeoutMinutes", "timeout_minutes")
	f.rest(noPlace)
	progress.rest(noPlace)
	settings.rest(noPlace)
	return found, lost.all, nil
}

// aiwgStatus reads what of several fields is there. `active` and `completed`
// are older than `status`.
func (f fields) aiwgStatus(found *Found) {
	active, known := f.flag("active")
	completed, _ := f.flag("completed")
	found.Word = f.word("status")
	switch {
	case found.Word == "" && completed:
		found.Word = "completed"
	case found.Word == "" && active:
		found.Word = "running"
	case found.Word == "" && known:
		found.Word = "stopped"
	}
	f.stand(found)
}

// stand interprets the status.
func (f fields) stand(found *Found) {
	known := false
	found.Standing, known = meaning(found.Word)
	if !known {
		f.wrong("status", "is none that is known; taken for aborted")
	}
}

// metrics reads tokens and cost, as far as they were measured: aiwg writes 0
// where it did not measure.
func (f fields) metrics(found *Found) {
	m := f.object("metrics")
	if cost := m.number("total_cost_usd", "totalCostUsd"); cost != nil && *cost > 0 && *cost < 1e6 {
		found.Usage.CostMicroUSD, found.Usage.CostSource = new(int64(math.Round(*cost*1e6))), "reported"
	}
	m.rest(noPlace)
}

// setAside marks fields that mean nothing outside of the runner: they are not
// reported as lost.
func (f fields) setAside(names ...string) { f.value(names...) }

// timeouts are not carried: the loop gets those of ralph.yaml.
func (f fields) timeouts(names ...string) {
	if f.value(names...) != nil {
		f.lost.add(f.at+names[0], "the limits of time are those of ralph.yaml")
	}
}

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
		Agent:      text.Clip(cmp.Or(settings.text("provider"), f.text("provider")), 60),
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
