package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/recovery"
	"ralph/internal/text"
)

// Loop is one loop, with all that the renderers show of it: its page, its evidence,
// its JSON, its end, and its part of the report. LoopOf builds it, and only LoopOf
// looks into the recorded state.
type Loop struct {
	Run
	Spec         loop.Spec
	Step         loop.Step
	InPlan       bool
	EvidenceFile string
	// Changed are files of its evidence that are missing or not as they were recorded.
	Changed []string
	Owner   string
	// Awaits is what it waits for in the place of its step.
	Awaits string
	// Why it stands where it does: what it asks, does or waits for, or how it ended.
	// Behind is a question that it has open while it is paused.
	Why    string
	Behind []string

	// Iteration is the number of the newest attempt, Made of those that count.
	Iteration, Made int
	// disputing: the agent of the newest attempt ended with a dispute that is open.
	disputing bool
	Wake      time.Time
	// Active and LimitWait are how long it worked, and waited for usage limits.
	Active, LimitWait time.Duration
	// Commit is the newest of its work, Accepted the one as which that was accepted.
	Commit, Accepted string
	// RetriedBy is the newer loop that does its task; empty is none.
	RetriedBy string
	// Worktree is where its agent works, KeptOn the branch with its failed work; each is
	// empty while it is not there.
	Worktree, KeptOn string
	// Unproved does its task again from work for which only a proof was missing, Permitted
	// from work that failed for the judge files that it changed.
	Unproved, Permitted string
	// Sandbox is the one of the agent, newest run first; empty is not recorded.
	Sandbox string

	// Base are the results on the commit to start from, Results those of the newest
	// Round, which is an attempt, or 0 for the base.
	Base    []loop.Result
	Round   int
	Results []loop.Result
	// MainGate is the one that a line is about, with its Floor.
	MainGate string
	Floor    *float64
	// Attempts are oldest first, as far as they were read; Failed is the newest that did
	// not pass.
	Attempts []loop.Attempt
	Failed   *loop.Attempt
	// Stuck: it ended in a row of the same failure; StuckWhy explains it either way.
	Stuck    bool
	StuckWhy string
	// LookTwice lists what gates cannot judge.
	LookTwice []string
	// Outside are those of them that are not about the work: what it may have left elsewhere.
	Outside []string
	// Proof is how the work was proved; Look are the concerns about it.
	Proof string
	Look  []loop.Concern

	Usage       loop.Usage
	CostUnknown int
	Spent       []loop.AgentSpent
	Budgets     []money.Balance
	Overlaps    []Overlap
	ForcedOver  int
	Guidance    []string
	Questions   []loop.Question
	Disputes    []loop.Dispute
	Recovery    recovery.Restarts
}

// proofOf is the label of the loop's proof; empty for one that began before a proof
// could be asked and that shows none.
func proofOf(s loop.State) string {
	label := s.ProofLabel()
	if s.Proof == "" && label == loop.Unproved {
		return ""
	}
	return label
}

// untried names the gates of a passed loop whose runner no canary could try: what the
// product does to it would not be seen. Beside one that was tried, those that run no
// tests are left out.
func (l Loop) untried() string {
	if l.Status != loop.StatusPassed {
		return ""
	}
	var out []string
	tried := slices.ContainsFunc(l.Results, func(r loop.Result) bool { return r.Canary == loop.CanaryReported })
	for _, r := range l.Results {
		if r.Level != loop.Soft && (r.Canary == loop.CanaryUnknown || r.Canary == loop.CanaryNA && !tried) {
			out = append(out, text.Line(r.Gate)+" "+canaryOf(r))
		}
	}
	return strings.Join(out, "; ")
}

// LoopOf builds the view of a loop.
func LoopOf(i Item, now time.Time) Loop {
	s, f := i.State, i.Facts
	l := Loop{
		Run: i.Run(now), Spec: s.Spec, Step: s.Step, InPlan: s.InPlan(), EvidenceFile: f.EvidenceFile, Changed: f.Changed, Owner: f.Owner, Awaits: f.Awaits, Why: why(i, now), Behind: openBehind(i, now),
		Iteration: s.Iteration, Made: s.Made(), disputing: s.Disputing() && !s.Began, Wake: s.Wake, Active: s.Active, LimitWait: s.LimitWait, Commit: s.Commit, Accepted: s.Accepted, RetriedBy: s.RetriedBy,
		Sandbox: heldBy(s), Base: s.BaseResults, Attempts: f.attempts(s), Failed: failed(s), LookTwice: lookTwice(s, f), Outside: lookOutside(s, f), Proof: proofOf(s), Look: i.Look(),
		Usage: s.Usage, CostUnknown: s.CostUnknown, Spent: s.Spent, Budgets: f.Budgets, Overlaps: f.Overlaps, ForcedOver: s.ForcedOver,
		Guidance: s.Guidance, Questions: s.Questions, Disputes: s.Disputes, Recovery: f.Recovery,
	}
	if ended := s.Status.Terminal(); ended {
		l.KeptOn, l.Unproved, l.Permitted = s.FailureRef, next.Unproved(s), next.Permitted(s) // while the loop is being closed there is only its name
	}
	if !s.Status.Terminal() || s.InPlace {
		l.Worktree = s.Worktree // that of an ended loop goes back to the pool, and may be another loop's
	}
	l.Round, l.Results = newestRound(s)
	l.MainGate, l.Floor = s.MainGate()
	l.Stuck, l.StuckWhy = stuck(s, l.Attempts)
	return l
}

// loopsOf builds the views of loops, in the order given.
func loopsOf(items []Item, now time.Time) []Loop {
	out := make([]Loop, len(items))
	for n, i := range items {
		out[n] = LoopOf(i, now)
	}
	return out
}

func why(i Item, now time.Time) string {
	if i.State.Status.Terminal() {
		return reasonWords(i.State)
	}
	switch i.group() {
	case GroupNeedsYou:
		return needsBy(i, now)
	case GroupRunning:
		return i.working()
	}
	return stopped(i.State, i.Facts, now)
}

// gate returns a frozen gate by its name.
func (l Loop) gate(name string) loop.Gate {
	if n := slices.IndexFunc(l.Spec.Gates, func(g loop.Gate) bool { return g.Name == name }); n >= 0 {
		return l.Spec.Gates[n]
	}
	return loop.Gate{}
}

// heldBy is the sandbox of the agent, newest run first; empty is not recorded.
func heldBy(s loop.State) string {
	for _, a := range slices.Backward(s.Recent) {
		if a.Agent.OwnSandboxOff {
			return string(a.Agent.Sandbox) + " (the agent's own is off: it cannot start inside)"
		}
		if a.Agent.Sandbox != "" {
			return string(a.Agent.Sandbox)
		}
	}
	return ""
}

// streak is how many of the newest attempts failed alike.
func streak(s loop.State) int { return s.Repeats() }

// failed is the newest attempt that did not pass, or nil.
func failed(s loop.State) *loop.Attempt {
	for i := len(s.Recent) - 1; i >= 0; i-- {
		if v := s.Recent[i].Verdict; v != "" && v != loop.Passed {
			return &s.Recent[i]
		}
	}
	return nil
}

// newestRound is the newest evaluation that left a result, and the number of
// its attempt: the one under way may have none yet.
func newestRound(s loop.State) (int, []loop.Result) {
	for _, v := range slices.Backward(s.Recent) {
		if len(v.Results) > 0 {
			return v.N, v.Results
		}
	}
	return 0, s.BaseResults
}

func message(s loop.State, f Facts) string {
	if Status(s, f) == Crashed {
		return "the process that ran this loop is gone; what was recorded is safe"
	}
	return s.Message
}

// stuck reports whether the loop ended in a streak of the same failure, and why.
func stuck(s loop.State, attempts []loop.Attempt) (bool, string) {
	n := streak(s)
	shifts := 0
	for _, a := range attempts[max(0, len(attempts)-n):] {
		if a.Approach.Shift {
			shifts++
		}
	}
	yes := s.Reason == loop.Stuck || s.Limits.StuckAfter > 0 && n >= s.Limits.StuckAfter
	switch {
	case n == 0:
		return yes, "no gate failed twice alike"
	case !yes:
		return false, fmt.Sprintf("last error seen %d×", n)
	case shifts == 0:
		return true, fmt.Sprintf("same error %d×", n)
	}
	return true, fmt.Sprintf("same error %d×, strategy shift failed", n)
}

// commands returns what a person may want to type with its label, the next
// command first.
func (l Loop) commands() [][2]string {
	first := l.Next
	out := [][2]string{{"next", first}}
	add := func(name, command string) {
		if command != first && !strings.HasPrefix(first, command+" ") {
			out = append(out, [2]string{name, command})
		}
	}
	switch {
	case l.Reason == loop.AlreadyGreen, l.Reason == loop.Imported:
	case l.Status == loop.StatusPassed:
		add("review", next.Show(l.ID, "--diff"))
	case l.InPlan:
	default:
		add("retry", next.Retry(l.ID))
		if allow := l.allow(); allow != "" {
			add("allow", allow)
		}
	}
	return out
}

// allow is the command that lets work pass which was refused although it passed all else; ""
// where none was, or it is not kept.
func (l Loop) allow() string {
	if l.Status != loop.StatusFailed || l.InPlan || l.RetriedBy != "" || l.KeptOn == "" || l.Failed == nil {
		return ""
	}
	if len(l.Failed.Refused) == 0 {
		return cmp.Or(l.Permitted, l.Unproved)
	}
	return next.Retry(l.ID, "--with-work", "--refuse", "none")
}
