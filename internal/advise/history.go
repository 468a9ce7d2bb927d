package advise

import (
	"math"

	"ralph/internal/loop"
)

// History summarises single loops of this repository: loops without a parent
// whose agent was a model, and whose end depended on it.
type History struct {
	// Loops that count; Completed of them passed.
	Loops     int `json:"loops"`
	Completed int `json:"completed"`
	// LeftOut ended too, but do not count: already green, stopped by a person or
	// by a broken set-up, run by a script or a person, children of an
	// orchestration.
	LeftOut int `json:"left_out"`
	// Cut: older loops were not looked at.
	Cut bool `json:"cut"`

	// Completion is the share that passed, in per cent, and Interval where the
	// true one lies with 95 % certainty (Wilson).
	Completion *float64    `json:"completion"`
	Interval   *[2]float64 `json:"interval"`
	// ToolCalls is the mean of the Counted attempts that know theirs, of
	// Attempts in all.
	ToolCalls *float64 `json:"tool_calls"`
	Counted   int      `json:"counted_attempts"`
	Attempts  int      `json:"attempts"`
	// TaskMS is the mean active time of a loop, GatesMS that of judging one
	// attempt.
	TaskMS  *int64 `json:"task_ms"`
	GatesMS *int64 `json:"gates_ms"`

	calls, task, gates float64
	judged             int
}

func historyOf(past []loop.Whole, cut bool) History {
	h := History{Cut: cut}
	for i := range past {
		switch s := &past[i]; {
		case !s.Status.Terminal():
		case telling(&s.State):
			h.take(s)
		default:
			h.LeftOut++
		}
	}
	if h.Loops == 0 {
		return h
	}
	h.Completion = new(100 * float64(h.Completed) / float64(h.Loops))
	h.Interval = wilson(h.Completed, h.Loops)
	h.TaskMS = new(int64(h.task / float64(h.Loops)))
	if h.Counted > 0 {
		h.ToolCalls = new(h.calls / float64(h.Counted))
	}
	if h.judged > 0 {
		h.GatesMS = new(int64(h.gates / float64(h.judged)))
	}
	return h
}

// telling reports whether the end of a loop shows what a single loop can do.
func telling(s *loop.State) bool {
	if s.Parent != "" || s.Agent.Use == "script" || s.Agent.Use == "human" {
		return false
	}
	switch s.Reason {
	case loop.Green, loop.MaxAttempts, loop.Stuck, loop.Plateau, loop.NoChange,
		loop.Regression, loop.Stalled, loop.Timeout, loop.Budget:
		return true
	}
	return false
}

func (h *History) take(s *loop.Whole) {
	h.Loops++
	if s.Status == loop.StatusPassed {
		h.Completed++
	}
	h.task += float64(s.Active.Milliseconds())
	for _, a := range s.Attempts {
		h.Attempts++
		if n := a.Agent.Usage.ToolCalls; n != nil {
			h.calls += float64(*n)
			h.Counted++
		}
		if len(a.Results) > 0 {
			h.judged++
		}
		for _, r := range a.Results {
			h.gates += float64(r.Duration.Milliseconds())
		}
	}
}

// wilson is the interval that holds the true share of k in n with 95 %
// certainty, in per cent.
func wilson(k, n int) *[2]float64 {
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	middle := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	whole := 1 + z*z/m
	return &[2]float64{100 * max(0, (middle-spread)/whole), 100 * min(1, (middle+spread)/whole)}
}

// sure reports whether the interval lies on one side of the threshold.
func (h *History) sure() bool {
	return h.Interval[1] < mostCompletion || h.Interval[0] > mostCompletion
}
