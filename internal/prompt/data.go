package prompt

import (
	"cmp"
	"strings"
	"time"

	"ralph/internal/learn"
	"ralph/internal/loop"
)

// Data is the input of a template. Fields called blocks are foreign text
// between the marks, ready to print; all other foreign words are cleaned and
// on one line. An empty string or list means that there is none.
type Data struct {
	LoopID, TaskID string
	// Nonce is in the marks of the blocks.
	Nonce string
	// Task is a block.
	Task     string
	Criteria []string
	// Plan is nil for a task of its own.
	Plan *Plan
	// Earlier is the loop, outside of a plan, from whose work this one starts.
	Earlier string
	// Attempt is this one's number, Max the most there may be, Left how many
	// remain after it.
	Attempt, Max, Left int
	// AttemptTime and LoopTime are durations, as in "20m0s".
	AttemptTime, LoopTime string

	Gates []Gate
	// Protected are judge files of the project's own, MayChange those that people
	// permit to change; Scope are the paths of the task.
	Protected, Scope, MayChange []string
	// Proof: something must fail without the change and pass with it. Untested: the kind of
	// the task needs no test, as that of documentation.
	Proof, Untested bool
	// Refused is what work is refused for that passed all else.
	Refused []Refusal

	// Before are the gate results on the commit that the work starts from, on
	// the first attempt.
	Before []Failure
	// History are the last attempts that did not pass, oldest first; Older is
	// how many came before them.
	History []Past
	Older   int
	// Shift is set when the approach so far is forbidden.
	Shift *Shift
	// Missing names what the failure lacked; Context are blocks.
	Missing, Context []string
	// Learned is a section of its own, with its heading: notes from earlier
	// loops.
	Learned     string
	Interrupted bool
	Resumed     bool
	// Guidance are blocks, newest last.
	Guidance []string
	Answers  []Answer
	// Disputes are those that were decided; CanDispute: one more may be raised, by the last
	// message, too, where the agent HasMessage: what a command prints is none.
	Disputes   []Dispute
	CanDispute bool
	// Disputable is the gate that can be disputed, where it is the only one; else GATE.
	// DisputesProof: the proof can be disputed, too.
	Disputable    string
	DisputesProof bool
	HasMessage    bool
	StateFile     string
	Program       string
}

// Gate is a check that ralph will run; Run is a code span.
type Gate struct {
	Name, Kind, Level, Run, Needs string
}

// Past is an attempt that did not pass.
type Past struct {
	N int
	// Approach is "another approach" or "another approach, with more context"
	// where this one was made after a shift.
	Approach string
	// Ended describes the end of the agent's run if it was not by itself.
	Ended   string
	Changed bool
	Files   []string
	Gate    string
	Error   string
	// Refused is what the work was refused for that passed its gates.
	Refused []Refusal
	// Unproved: no gate failed, only a proof of the work is missing.
	Unproved    bool
	Fingerprint string
	// Passed names the gates that did.
	Passed   []string
	Failures []Failure
	Notes    []string
}

// Failure is a gate that did not pass; Output is a block.
type Failure struct {
	Gate, Level, Verdict, Reason string
	// Measure compares the value with the threshold.
	Measure string
	Failing []string
	Output  string
}

// Shift forbids what failed the same way Times times. Unproved: no gate failed, only a proof
// of the work is missing; nothing is forbidden then. OnBase: the gate failed in the same way
// before any work.
type Shift struct {
	Times                    int
	Gate, Error, Fingerprint string
	Unproved, OnBase         bool
	// Output is a block.
	Output    string
	Forbidden []Forbidden
}

// Forbidden is the approach of one attempt; Stat and Patch are blocks.
type Forbidden struct {
	Attempt     int
	Subject     string
	Changed     bool
	Files       []string
	Stat, Patch string
}

// Answer to a question of an earlier run; both are blocks.
type Answer struct{ Question, Text string }

// Dispute that was decided; Why is a block. MayChange are the globs that were permitted
// where it was upheld; none of what work was refused for.
type Dispute struct {
	Gate, Why string
	// OfRefusal: Gate is what work is refused for. OfProof: it is the proof.
	OfRefusal, OfProof, Upheld bool
	MayChange                  []string
}

// Refusal is what work is refused for that passed all else.
type Refusal struct{ Code, Words string }

// At most this many of each stand on the page.
const (
	mostHistory  = 3 // seed 004
	mostCriteria = 200
	mostGates    = 50
	mostPaths    = 30
	mostTests    = 20
	mostContext  = 20
	mostSteering = 10
)

// disputable is the only hard gate; GATE where there are several.
func disputable(q quoter, s *loop.State) string {
	var hard []string
	for _, g := range s.Gates {
		if g.Level != loop.Soft {
			hard = append(hard, g.Name)
		}
	}
	if len(hard) != 1 {
		return "GATE"
	}
	return q.word(hard[0])
}

func data(in Input, block int) Data {
	q, s := quoter{in.Nonce, block}, &in.State
	d := Data{
		LoopID: q.word(s.ID), TaskID: q.word(s.Task.ID), Nonce: in.Nonce,
		Task:     q.whole("the task", s.Task.Text, max(in.MaxBytes/2, leastBlock)),
		Criteria: q.words(s.Task.Criteria, mostCriteria),
		Plan:     inPlan(q, s, block),
		Attempt:  in.Attempt, Max: s.Limits.MaxIterations,
		Left:        max(s.Limits.MaxIterations-in.Attempt, 0),
		AttemptTime: left(s.Limits.Attempt.Hard, 0), LoopTime: left(s.Limits.Loop.Hard, s.Active),
		Gates:     gates(q, s.Gates, s.Task.Scope),
		Protected: q.words(s.Protect, mostPaths), Scope: q.words(s.Task.Scope, mostPaths), MayChange: q.words(s.MayChange, mostPaths), Proof: s.OwesProof(), Untested: s.Task.Kind.Exempt(),
		Interrupted: in.Interrupted, Resumed: in.Resumed, StateFile: q.word(in.StateFile), Program: q.word(in.Program),
		Guidance: guidance(q, guided(s)), Answers: answers(q, s.Questions),
		Disputes: disputes(q, s.Disputes), CanDispute: s.MayDispute(), Disputable: disputable(q, s), DisputesProof: s.DisputesProof(), HasMessage: s.Agent.Use != "command",
	}
	for _, c := range s.Refuse {
		d.Refused = append(d.Refused, Refusal{string(c), c.Words()})
	}
	if s.Leftover != "" && d.Plan == nil {
		d.Earlier = q.word(s.RetryOf)
	}
	d.History, d.Older = history(q, s, in.Attempt)
	if len(d.History) == 0 {
		d.Before = failures(q, s.BaseResults, map[string]int{}, 0)
	}
	if in.Approach.Shift {
		d.Shift = shift(q, in)
	}
	d.Learned, _ = learned(in, block)
	if in.Approach.Expand {
		d.Missing = q.words(s.MissingInfo(), mostPaths)
		d.Context = context(q, in.Context)
	}
	return d
}

// learned is the section, and the numbers of the patterns in it. It shrinks
// with the blocks.
func learned(in Input, block int) (string, []int64) {
	section, shown := learn.Render(in.Learned, in.Nonce, min(block, learn.MostBytes))
	return strings.TrimRight(section, "\n"), shown
}

// left is limit − used, to the second; empty where there is no limit.
func left(limit, used time.Duration) string {
	if limit <= 0 {
		return ""
	}
	return max(limit-used, 0).Truncate(time.Second).String()
}

func gates(q quoter, all []loop.Gate, scope []string) []Gate {
	var out []Gate
	for _, g := range all[:min(len(all), mostGates)] {
		level := string(g.Level)
		if level == "" {
			level = string(loop.Hard)
		}
		out = append(out, Gate{
			Name: q.word(g.Name), Kind: q.word(string(g.Kind)), Level: q.word(level),
			Run: q.code(g.Run), Needs: cmp.Or(needs(g, scope), q.word(g.Asks())),
		})
	}
	return out
}
