package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"ralph/internal/loop"
)

// stateView is state.json: the fields of seeds 000 and 001, then ours.
type stateView struct {
	Schema      string    `json:"schema"`
	LoopID      string    `json:"loop_id"`
	AgentType   string    `json:"agent_type"`
	Parent      *string   `json:"parent_orchestration"`
	QualityGate string    `json:"quality_gate"`
	Threshold   *float64  `json:"threshold"`
	Iteration   int       `json:"iteration"`
	Max         int       `json:"max_iterations"`
	Value       *float64  `json:"current_value"`
	Status      string    `json:"status"`
	Regressions int       `json:"regression_count"`
	StartedAt   time.Time `json:"started_at"`
	ProgressAt  time.Time `json:"last_progress_at"`
	Events      []checked `json:"events"`

	TaskSummary string     `json:"task_summary"`
	Owner       string     `json:"owner"`
	PID         *int       `json:"pid"`
	CompletedAt *time.Time `json:"completed_at"`

	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
	Step       string `json:"step"`
	TaskID     string `json:"task_id"`
	Branch     string `json:"branch,omitempty"`
	Base       string `json:"base,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Worktree   string `json:"worktree,omitempty"`
	FailureRef string `json:"failure_ref,omitempty"`
	Next       string `json:"next,omitempty"`
	Epoch      int64  `json:"epoch"`
	Seq        int64  `json:"seq"`
}

// checked is one attempt as seed 000 records it.
type checked struct {
	Iter   int       `json:"iter"`
	Value  *float64  `json:"value"`
	Passed bool      `json:"passed"`
	At     time.Time `json:"at"`
}

func stateJSON(e Entry, st loop.State) ([]byte, error) {
	v := stateView{
		Schema: "ralph.state/v1", LoopID: e.ID, AgentType: e.Agent,
		Iteration: st.Iteration, Max: st.Limits.MaxIterations, Status: e.shownStatus(),
		StartedAt: st.StartedAt.UTC(), ProgressAt: st.ProgressAt.UTC(), Events: []checked{},
		TaskSummary: e.Task, Owner: e.ownerName(), PID: e.livePID(),
		Reason: string(st.Reason), Message: st.Message, Step: string(st.Step), TaskID: st.Task.ID,
		Branch: st.Branch, Base: st.Base, Commit: st.Commit, Worktree: st.Worktree,
		FailureRef: st.FailureRef, Next: e.Next, Epoch: e.Epoch, Seq: e.Seq,
	}
	v.QualityGate, v.Threshold = mainGate(st)
	if st.Parent != "" {
		v.Parent = &st.Parent
	}
	if !st.EndedAt.IsZero() {
		v.CompletedAt = new(st.EndedAt.UTC())
	}
	v.checks(st)
	return indent(v)
}

// checks lists the judged attempts, and counts how often running the value fell
// without passing, as the detector does.
func (v *stateView) checks(st loop.State) {
	for _, a := range st.Attempts {
		if a.Verdict == "" {
			continue
		}
		c := checked{Iter: a.N, Value: valueOf(a, v.QualityGate), Passed: a.Verdict == loop.Passed, At: a.EndedAt.UTC()}
		v.Regressions++
		if !fell(a, v.QualityGate, v.Value) {
			v.Regressions = 0
		}
		v.Value = c.Value
		v.Events = append(v.Events, c)
	}
}

func fell(a loop.Attempt, gate string, before *float64) bool {
	i := slices.IndexFunc(a.Results, func(r loop.Result) bool { return r.Gate == gate })
	if i < 0 || before == nil {
		return false
	}
	r := a.Results[i]
	return r.Verdict != loop.Passed && r.Value != nil && *r.Value < *before
}

func indent(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
