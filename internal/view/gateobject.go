package view

import (
	"math"
	"slices"

	"ralph/internal/loop"
)

// NotRun is the status of a gate that has no result yet. It is not a verdict.
const NotRun = "not_run"

// GateObject is a frozen gate with its newest evidence.
type GateObject struct {
	Name         string     `json:"name"`
	Kind         loop.Kind  `json:"kind"`
	Level        loop.Level `json:"level"`
	Status       string     `json:"status"`
	Value        *float64   `json:"value"`
	Threshold    *float64   `json:"threshold"`
	ExitCode     *int       `json:"exit_code"`
	DurationMS   *int64     `json:"duration_ms"`
	Commit       *string    `json:"commit"`
	OutputSHA256 *string    `json:"output_sha256"`
	OutputFile   *string    `json:"output_file"`

	Reason      string      `json:"reason"`
	Fingerprint *string     `json:"fingerprint"`
	Tests       *loop.Tests `json:"tests"`
	// CountedFiles is how many files a gate limited to the scope counted.
	CountedFiles *int `json:"counted_files"`
	TimedOut     bool `json:"timed_out"`
	// Sandbox is what held the command: bubblewrap, landlock or none; null: not
	// recorded.
	Sandbox *string `json:"sandbox"`
	// Attempt is the one that was judged; 0 is the base, null no one.
	Attempt *int `json:"attempt"`
}

func gateObjects(s loop.State) []GateObject {
	n, results := newestRound(s)
	out := []GateObject{}
	for _, g := range s.Gates {
		out = append(out, gateObject(g, resultOf(results, g.Name), n))
	}
	return out
}

// newestRound is the newest evaluation that left a result, and the number of
// its attempt: the one under way may have none yet.
func newestRound(s loop.State) (int, []loop.Result) {
	for _, v := range slices.Backward(s.Attempts) {
		if len(v.Results) > 0 {
			return v.N, v.Results
		}
	}
	return 0, s.BaseResults
}

func resultOf(results []loop.Result, gate string) *loop.Result {
	for i := range results {
		if results[i].Gate == gate {
			return &results[i]
		}
	}
	return nil
}

func gateObject(g loop.Gate, r *loop.Result, attempt int) GateObject {
	o := GateObject{Name: g.Name, Kind: g.Kind, Level: level(g.Level), Status: NotRun, Threshold: finite(g.Threshold)}
	if r == nil {
		return o
	}
	o.Sandbox = orNull(string(r.Sandbox))
	o.Status, o.Reason, o.Attempt = string(r.Verdict), r.Reason, &attempt
	o.Value, o.ExitCode, o.DurationMS = finite(r.Value), r.ExitCode, new(r.Duration.Milliseconds())
	if r.Threshold != nil {
		o.Threshold = finite(r.Threshold)
	}
	o.Commit, o.OutputSHA256, o.OutputFile = orNull(r.Commit), orNull(r.OutputSHA256), orNull(r.OutputFile)
	if r.CountedFiles > 0 {
		o.CountedFiles = &r.CountedFiles
	}
	o.Fingerprint, o.Tests, o.TimedOut = orNull(r.Fingerprint), r.Tests, r.TimedOut
	return o
}

// level is hard unless said otherwise: that is how the machine treats it.
func level(l loop.Level) loop.Level {
	if l == "" {
		return loop.Hard
	}
	return l
}

// finite guards the JSON, which has no NaN.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return v
}
