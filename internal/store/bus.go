package store

import (
	"encoding/json"
	"time"

	"ralph/internal/loop"
)

// notice is a bus message that is not an event of the state machine: seed 000's
// iteration, passed, failed and abort. Unknown fields are left out.
type notice struct {
	Agent     string   `json:"agent,omitempty"`
	Gate      string   `json:"gate,omitempty"`
	Threshold *float64 `json:"threshold,omitempty"`

	Iter      int      `json:"iter,omitempty"`
	Value     *float64 `json:"value,omitempty"`
	Passed    *bool    `json:"passed,omitempty"`
	ErrorHash string   `json:"error_hash,omitempty"`

	FinalValue *float64 `json:"final_value,omitempty"`
	Iterations *int     `json:"iterations,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Message    string   `json:"failure_message,omitempty"`

	forced
	handoff
}

// care is a notice about an action on a loop from outside: the number of the
// restart, its initiator, the checkpoint.
type care struct {
	Reason string `json:"reason,omitempty"`
	tale
}

// tale holds the fields of a bus line besides seed 000's.
type tale struct {
	Detail string `json:"detail,omitempty"`
	Commit string `json:"commit,omitempty"`
	By     string `json:"by,omitempty"`
	Try    int    `json:"try,omitempty"`
	N      int    `json:"n,omitempty"`
}

// first is the record of the first event with seed 000's fields of "init".
type first struct {
	loop.Created
	Agent         string   `json:"agent,omitempty"`
	Gate          string   `json:"gate,omitempty"`
	Threshold     *float64 `json:"threshold,omitempty"`
	MaxIterations int      `json:"max_iterations"`
	forced
	// From is where the loop was imported from.
	From string `json:"imported_from,omitempty"`
}

// opening is the first event of a loop.
func opening(st loop.State, over int, from string) (name string, data []byte, err error) {
	f := first{Agent: st.Agent.Name, MaxIterations: st.Limits.MaxIterations, From: from}
	f.At = st.StartedAt
	f.Gate, f.Threshold = st.MainGate()
	if over > 0 {
		f.forced = forced{over, loop.Paths(over + 1)}
	}
	data, err = json.Marshal(f)
	return loop.Created{}.Name(), data, err
}

// notices returns the messages for the change between two states.
func notices(before, after loop.State) ([]row, error) {
	var rows []row
	judged := map[int]bool{}
	for _, a := range before.Recent {
		judged[a.N] = a.Verdict != ""
	}
	for _, a := range after.Recent {
		if a.Verdict == "" || judged[a.N] {
			continue
		}
		r, err := noticeRow("iteration", a.EndedAt, iteration(after, a))
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if !after.Status.Terminal() || before.Status.Terminal() {
		return rows, nil
	}
	name := map[loop.Status]string{loop.StatusPassed: "passed", loop.StatusFailed: "failed", loop.Aborted: "abort"}
	r, err := noticeRow(name[after.Status], after.EndedAt, ending(after))
	return append(rows, r), err
}

func iteration(st loop.State, a loop.Attempt) notice {
	n := notice{Agent: st.Agent.Name, Iter: a.N, Passed: new(a.Verdict == loop.Passed), ErrorHash: a.Fingerprint}
	n.Gate, n.Threshold = st.MainGate()
	n.Value = a.Value(n.Gate)
	return n
}

func ending(st loop.State) notice {
	n := notice{Agent: st.Agent.Name, Iterations: new(st.Iteration), Reason: string(st.Reason)}
	n.Gate, n.Threshold = st.MainGate()
	if a := st.Last(); a != nil {
		n.FinalValue = a.Value(n.Gate)
	}
	if st.Status != loop.StatusPassed {
		n.Message = oneLine(st.Message, 500)
	}
	return n
}

func noticeRow(name string, at time.Time, n any) (row, error) {
	data, err := json.Marshal(n)
	return row{at: at, name: name, data: data}, err
}
