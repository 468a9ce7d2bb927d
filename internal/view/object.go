package view

import (
	"math"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// LoopSchema is the name of Object's format.
const LoopSchema = "ralph.loop/v1"

// Object is a loop as JSON: the final object of `run --json`, `show --json`
// and each element of the lists. Null is unknown, or not there.
type Object struct {
	Schema  string      `json:"schema"`
	LoopID  string      `json:"loop_id"`
	Task    string      `json:"task"`
	Status  loop.Status `json:"status"`
	Reason  *string     `json:"reason"`
	Message string      `json:"message"`

	Iteration     int `json:"iteration"`
	MaxIterations int `json:"max_iterations"`

	Branch   string  `json:"branch"`
	Base     string  `json:"base"`
	Leftover string  `json:"leftover,omitempty"`
	Commit   *string `json:"commit"`
	Worktree *string `json:"worktree"`
	// EvidenceFile is the archive with the files that output_file names.
	EvidenceFile *string `json:"evidence_file"`
	FailureRef   *string `json:"failure_ref"`
	// RetriedBy is the newer loop that does the task, RetryOf the earlier one whose task
	// this one does.
	RetriedBy string `json:"retried_by,omitempty"`
	RetryOf   string `json:"retry_of,omitempty"`
	// Accepted is the commit as which the work was accepted.
	Accepted *string `json:"accepted"`
	// Conflict is what kept the work from being accepted.
	Conflict *loop.Clash `json:"conflict,omitempty"`

	// Fingerprints are those of the failed attempts, oldest first.
	Fingerprints []string `json:"fingerprints"`
	// Gates are all frozen gates with their newest results.
	Gates []GateObject `json:"gates"`
	Usage loop.Usage   `json:"usage"`

	StartedAt *time.Time `json:"started_at"`
	EndedAt   *time.Time `json:"ended_at"`

	// The fields below were added to the format of the first version. AttemptsMade are the
	// attempts that count.
	Group        Group          `json:"group"`
	TaskID       string         `json:"task_id"`
	Project      string         `json:"project"`
	Mode         loop.Mode      `json:"mode"`
	Step         loop.Step      `json:"step"`
	AttemptsMade int            `json:"attempts_made"`
	Agent        AgentObject    `json:"agent"`
	Archived     bool           `json:"archived"`
	Live         bool           `json:"live"`
	Owner        *string        `json:"owner"`
	Awaits       string         `json:"awaits,omitempty"`
	Next         *string        `json:"next"`
	Question     *loop.Question `json:"question"`
	// Disputes are those that agents raised against gates.
	Disputes []loop.Dispute `json:"disputes"`
	WakeAt   *time.Time     `json:"wake_at"`
	ActiveMS int64          `json:"active_ms"`
	Parent   *string        `json:"parent"`
	// Scope lists the files that the task declares as its own, Overlaps the
	// active loops whose declarations overlap.
	Scope    []string  `json:"scope"`
	Overlaps []Overlap `json:"overlaps"`
	// ForcedOver loops held a place when this one was made to run all the same,
	// and Paths is how many communication paths that made.
	ForcedOver *int            `json:"forced_over"`
	Paths      *int            `json:"communication_paths"`
	Attempts   []AttemptObject `json:"attempts"`
	// CostUnknown runs of agents reported no cost: Usage is too low by theirs.
	CostUnknown int `json:"cost_unknown"`
	// Spent is Usage by agent and model.
	Spent []loop.AgentSpent `json:"spent"`
	// Budgets are those that the loop is paid from.
	Budgets []money.Balance `json:"budgets"`
	// LimitWaitMS is the time lost to usage limits.
	LimitWaitMS int64 `json:"limit_wait_ms"`
	// Proof is how the work was proved, null before it passed; Look lists what a
	// person should look at before it is accepted.
	Proof *string        `json:"proof"`
	Look  []loop.Concern `json:"look"`
	// Recovery records the restarts of a crashed loop; null: none.
	Recovery *RecoveryObject `json:"rescue"`
}

// AgentObject names an agent. Scripted and Person label one that is not a model.
type AgentObject struct {
	Name     string `json:"name"`
	Use      string `json:"use"`
	Scripted bool   `json:"scripted"`
	Person   bool   `json:"person"`
	// Model is the one that was configured; Permissions are "skip" where the
	// agent's own checks are off.
	Model       string `json:"model,omitempty"`
	Permissions string `json:"permissions,omitempty"`
}

// Object is the loop as JSON.
func (l Loop) Object() Object {
	o := Object{
		Schema: LoopSchema, LoopID: l.ID, Task: l.Title, Group: l.Group,
		Status: l.Status, Reason: orNull(string(l.Reason)), Message: l.Message,
		Iteration: l.Iteration, AttemptsMade: l.Made, MaxIterations: l.Spec.Limits.MaxIterations,
		Branch: l.Spec.Branch, Base: l.Spec.Base, Leftover: l.Spec.Leftover, Commit: orNull(l.Commit),
		Worktree: orNull(l.Worktree), EvidenceFile: orNull(l.EvidenceFile), FailureRef: orNull(l.KeptOn), RetriedBy: l.RetriedBy, RetryOf: l.Spec.RetryOf, Accepted: orNull(l.Accepted), Conflict: l.Clash,
		Fingerprints: fingerprints(l.Attempts), Gates: gateObjects(l.Spec.Gates, l.Results, l.Round), Usage: l.Usage,
		StartedAt: timeOrNull(l.StartedAt), EndedAt: timeOrNull(l.EndedAt),
		TaskID: l.Spec.Task.ID, Project: l.Spec.Project, Mode: l.Spec.Mode, Step: l.Step,
		Agent:    agentObject(l.Spec.Agent),
		Archived: l.Archived, Live: l.Live, Owner: orNull(l.Owner), Awaits: l.Awaits,
		Next: orNull(l.Next), Question: l.Question, Disputes: append([]loop.Dispute{}, l.Disputes...), WakeAt: timeOrNull(l.Wake),
		ActiveMS: l.Active.Milliseconds(), Attempts: attemptObjects(l.Attempts), Recovery: recoveryObject(l.Recovery),
		Parent: orNull(l.Spec.Parent), Scope: orEmpty(l.Spec.Task.Scope), Overlaps: []Overlap{},
		CostUnknown: l.CostUnknown, Spent: []loop.AgentSpent{}, Budgets: []money.Balance{}, LimitWaitMS: l.LimitWait.Milliseconds(),
	}
	o.Proof, o.Look = orNull(l.Proof), append([]loop.Concern{}, l.Look...)
	o.Overlaps = append(o.Overlaps, l.Overlaps...)
	o.Spent, o.Budgets = append(o.Spent, l.Spent...), append(o.Budgets, l.Budgets...)
	if n := l.ForcedOver; n > 0 {
		o.ForcedOver, o.Paths = &n, new(loop.Paths(n+1))
	}
	return o
}

func fingerprints(attempts []loop.Attempt) []string {
	out := []string{}
	for _, a := range attempts {
		if a.Fingerprint != "" {
			out = append(out, a.Fingerprint)
		}
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC())
}

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
	// Hidden: agents hear only whether the gate passed.
	Hidden bool `json:"hidden"`
	// Weak is why the approval of a review, or a green gate of tests, counts for less than
	// it seems to; null: it does not.
	Weak *string `json:"weak"`
	// Flaky is how the gate was red and green on the same commit; null: it was not
	// seen to be.
	Flaky *string `json:"flaky"`
	// Lost are tests that ran on the base and do not pass. Canary is what became
	// of tests of ralph's own that must fail; null: none was tried.
	Lost      []string `json:"lost"`
	Canary    *string  `json:"canary"`
	CanaryWhy *string  `json:"canary_why"`
	// CountedFiles is how many files a gate limited to the scope counted.
	CountedFiles *int `json:"counted_files"`
	TimedOut     bool `json:"timed_out"`
	// Sandbox is the sandbox of the command: bubblewrap, landlock or none;
	// null: not recorded.
	Sandbox *string `json:"sandbox"`
	Room    *string `json:"room"`
	// Attempt is the one that was judged; 0 is the base, null no one.
	Attempt *int `json:"attempt"`
}

func gateObjects(gates []loop.Gate, results []loop.Result, round int) []GateObject {
	out := []GateObject{}
	for _, g := range gates {
		out = append(out, gateObject(g, resultOf(results, g.Name), round))
	}
	return out
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
	o := GateObject{Hidden: g.Hidden, Name: g.Name, Kind: g.Kind, Level: level(g.Level), Status: NotRun, Threshold: finite(g.Threshold), Lost: []string{}}
	if r == nil {
		return o
	}
	o.Sandbox, o.Room = orNull(string(r.Sandbox)), orNull(string(r.Room))
	o.Status, o.Reason, o.Attempt = string(r.Verdict), r.Reason, &attempt
	o.Value, o.ExitCode, o.DurationMS = finite(r.Value), r.ExitCode, new(r.Duration.Milliseconds())
	if r.Threshold != nil {
		o.Threshold = finite(r.Threshold)
	}
	o.Commit, o.OutputSHA256, o.OutputFile = orNull(r.Commit), orNull(r.OutputSHA256), orNull(r.OutputFile)
	if r.CountedFiles > 0 {
		o.CountedFiles = &r.CountedFiles
	}
	o.Flaky, o.Weak = orNull(r.Flaky), orNull(r.Weak)
	o.Lost, o.Canary, o.CanaryWhy = orEmpty(r.Lost), orNull(string(r.Canary)), orNull(r.CanaryWhy)
	o.Fingerprint, o.Tests, o.TimedOut = orNull(r.Fingerprint), r.Tests, r.TimedOut
	return o
}

// level is hard by default, as in the machine.
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
