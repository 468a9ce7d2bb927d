package store

import (
	"bytes"
	"encoding/json"
	"time"

	"ralph/internal/loop"
)

// stateView is state.json: the fields of seeds 000 and 001, then ours.
type stateView struct {
	Schema string `json:"schema"`
	loop.Summary

	TaskSummary string     `json:"task_summary"`
	Owner       string     `json:"owner"`
	PID         *int       `json:"pid"`
	CompletedAt *time.Time `json:"completed_at"`

	Reason     loop.Reason `json:"reason,omitempty"`
	Message    string      `json:"message,omitempty"`
	Step       loop.Step   `json:"step"`
	TaskID     string      `json:"task_id"`
	Branch     string      `json:"branch,omitempty"`
	Base       string      `json:"base,omitempty"`
	Commit     string      `json:"commit,omitempty"`
	Worktree   string      `json:"worktree,omitempty"`
	FailureRef string      `json:"failure_ref,omitempty"`
	Next       string      `json:"next,omitempty"`
	Epoch      int64       `json:"epoch"`
	Seq        int64       `json:"seq"`
}

func stateJSON(e Entry, st loop.State, history []loop.Attempt) ([]byte, error) {
	v := stateView{
		Schema: "ralph.state/v1", Summary: st.Summary(e.shownStatus(), history),
		TaskSummary: e.Task, Owner: e.ownerName(), PID: e.livePID(),
		Reason: st.Reason, Message: st.Message, Step: st.Step, TaskID: st.Task.ID,
		Branch: st.Branch, Base: st.Base, Commit: st.Commit, Worktree: st.Worktree,
		FailureRef: st.FailureRef, Next: e.Next, Epoch: e.Epoch, Seq: e.Seq,
	}
	if !st.EndedAt.IsZero() {
		v.CompletedAt = new(st.EndedAt.UTC())
	}
	return indent(v)
}

func indent(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
