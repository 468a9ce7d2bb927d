package loop

import (
	"math"
	"time"
)

// End is the way one run of the agent ended. It never means that the task is
// done: only gates decide that.
type End string

// The ends of a run.
const (
	EndDone      End = "done"      // by itself, positively
	EndFailed    End = "failed"    // by itself, with an error
	EndTimeout   End = "timeout"   // stopped at its hard deadline
	EndLimit     End = "limit"     // the provider's usage limit is spent
	EndTransient End = "transient" // overload, network: worth trying again
	EndPermanent End = "permanent" // not installed, not logged in
	EndAsked     End = "asked"     // put a question to a person
	// EndInterrupted: a signal that ralph did not send, or lack; see Cause.
	EndInterrupted End = "interrupted"
)

// Outcome is the result of one run of the agent.
type Outcome struct {
	End     End    `json:"end"`
	Message string `json:"message,omitempty"`
	// ExitCode is nil when a signal ended the agent.
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
	// Provider is why the account's provider did not serve the run, and Fix what a
	// person can do about a login. ResetAt is when the provider says to come back:
	// the end of a limit, or its retry-after; zero is unknown.
	Provider Health    `json:"provider,omitempty"`
	Fix      string    `json:"fix,omitempty"`
	ResetAt  time.Time `json:"reset_at,omitzero"`
	// RetryAt is when the machine's record of the account lets a loop try it again.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// Windows of the account's usage limit, where the agent reports them.
	Windows  []Window  `json:"windows,omitempty"`
	Question *Question `json:"question,omitempty"`
	// Dispute is one that the final message raises; see DisputeIn.
	Dispute *Dispute `json:"dispute,omitempty"`

	Usage   Usage    `json:"usage"`
	Session string   `json:"session,omitempty"`
	Model   string   `json:"model,omitempty"`
	Denials []Denial `json:"denials,omitempty"`
	// ContextUsed is the size of the last request in tokens, ContextWindow what
	// the model takes; zero is unknown.
	ContextUsed   int64 `json:"context_used,omitempty"`
	ContextWindow int64 `json:"context_window,omitempty"`
	// Version is that of the agent's program; Untested is set if it lies
	// outside of Tested, the versions that the driver was made for.
	Version  string `json:"version,omitempty"`
	Tested   string `json:"tested,omitempty"`
	Untested bool   `json:"untested,omitempty"`
	// Permissions are those the agent had, where its driver gives any.
	Permissions Permissions `json:"permissions,omitempty"`
	// Sandbox describes the sandbox of the agent.
	Sandbox Holder `json:"sandbox,omitempty"`
	// OwnSandboxOff: the program's own sandbox cannot start inside of ralph's, which
	// held it alone.
	OwnSandboxOff bool `json:"own_sandbox_off,omitempty"`
	// UnknownLines counts what its protocol said and the driver did not
	// understand. The output file has them.
	UnknownLines int `json:"unknown_lines,omitempty"`
	// Words are the agent's final message: a claim, shown as such.
	Words string `json:"words,omitempty"`

	Duration     time.Duration `json:"duration_ns"`
	OutputFile   string        `json:"output_file,omitempty"`
	OutputSHA256 string        `json:"output_sha256,omitempty"`
	OutputBytes  int64         `json:"output_bytes,omitempty"`
	// Leftovers counts processes the agent left behind, which were ended.
	Leftovers int `json:"leftovers,omitempty"`
}

// Usage of one run. Nil is unknown, which is not zero.
type Usage struct {
	InputTokens      *int64 `json:"input_tokens"`
	OutputTokens     *int64 `json:"output_tokens"`
	CacheReadTokens  *int64 `json:"cache_read_tokens"`
	CacheWriteTokens *int64 `json:"cache_write_tokens"`
	// CostMicroUSD is in millionths of a dollar; CostSource is "reported" or
	// "estimated".
	CostMicroUSD *int64 `json:"cost_micro_usd"`
	CostSource   string `json:"cost_source,omitempty"`
	Turns        *int64 `json:"turns"`
	ToolCalls    *int64 `json:"tool_calls"`
}

// Add sums two usages; a part known in only one of them is that part.
func (u Usage) Add(v Usage) Usage {
	sum := Usage{
		InputTokens: plus(u.InputTokens, v.InputTokens), OutputTokens: plus(u.OutputTokens, v.OutputTokens),
		CacheReadTokens: plus(u.CacheReadTokens, v.CacheReadTokens), CacheWriteTokens: plus(u.CacheWriteTokens, v.CacheWriteTokens),
		CostMicroUSD: plus(u.CostMicroUSD, v.CostMicroUSD), CostSource: u.CostSource,
		Turns: plus(u.Turns, v.Turns), ToolCalls: plus(u.ToolCalls, v.ToolCalls),
	}
	if v.CostSource != "" && sum.CostSource != "estimated" {
		sum.CostSource = v.CostSource
	}
	return sum
}

// Denial is a tool the agent was not allowed to use, and the rule that would
// allow it.
type Denial struct {
	Tool string `json:"tool"`
	Rule string `json:"rule,omitempty"`
}

// Agents' reports about themselves may be broken, or lies. A year of one model
// at its fastest is some 10¹⁰ tokens, and no run costs as much as a house:
// beyond these bounds, or below zero, an amount counts as unknown, not as zero.
const (
	mostTokens   = 1_000_000_000_000
	mostMicroUSD = 1_000_000 * 1_000_000
	mostCalls    = 1_000_000_000
)

// impossible is an amount that Sound makes unknown. It stays what it is in sums,
// so that one such claim is not hidden by the next that is sound.
const impossible = -1

// MicroUSD converts dollars to millionths. An amount out of range is
// impossible, see Usage.Sound.
func MicroUSD(dollars float64) *int64 {
	micro := math.Round(dollars * 1e6)
	if !(micro >= 0 && micro <= mostMicroUSD) {
		return new(int64(impossible))
	}
	return new(int64(micro))
}

// Sound returns the credible part of one run's usage. If one kind of tokens is
// absurd, all are dropped: half a sum would look like the whole.
func (u Usage) Sound() Usage {
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.TotalTokens()} {
		if !within(n, mostTokens) {
			u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens = nil, nil, nil, nil
		}
	}
	if !within(u.CostMicroUSD, mostMicroUSD) {
		u.CostMicroUSD, u.CostSource = nil, ""
	}
	if !within(u.Turns, mostCalls) {
		u.Turns = nil
	}
	if !within(u.ToolCalls, mostCalls) {
		u.ToolCalls = nil
	}
	return u
}

// Costs reports whether tokens or money are known to have been used.
func (u Usage) Costs() bool {
	for _, n := range []*int64{u.TotalTokens(), u.CostMicroUSD} {
		if n != nil && *n != 0 {
			return true
		}
	}
	return false
}

func within(n *int64, most int64) bool { return n == nil || *n >= 0 && *n <= most }

// plus never wraps: it stops at the largest number, and an impossible amount
// stays impossible.
func plus(a, b *int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case *a < 0 || *b < 0:
		return new(int64(impossible))
	case *a > math.MaxInt64-*b:
		return new(int64(math.MaxInt64))
	}
	return new(*a + *b)
}
