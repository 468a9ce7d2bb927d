package review

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"ralph/internal/agent"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/review/ballot"
	"ralph/internal/secret"
	"ralph/internal/text"
)

// Outcome of a review, with every vote.
type Outcome = ballot.Outcome

// Reviewer is one reviewer slot.
type Reviewer struct {
	Agent loop.Agent
	// Driver is nil if this program has none for the agent; the reviewer is
	// then unavailable.
	Driver agent.Driver
	// Stance is the aspect that it reviews first; empty gives all the same
	// weight.
	Stance Stance
}

// Request is one review.
type Request struct {
	Kind ballot.Kind
	// Reviewers of spec, quality and approach are asked in this order until one answers;
	// those of a council and magi are all asked.
	Reviewers []Reviewer
	// Author is the name of the agent that did the work; others come first.
	Author string
	// Fallback, if not nil, is asked when too few reviewers were available. Its
	// outcome is marked as degraded.
	Fallback *Reviewer
	Rule     ballot.Rule
	Subject  Subject
	Desk     Desk
}

// Subject is the material under review. All of it is shown as data.
type Subject struct {
	// Title and Task are the request, Criteria the conditions for done.
	Title, Task string
	Criteria    []string
	// Plan is the whole plan, Section the piece of it that was worked on, for
	// reviews of plans. Constraints hold for all of it.
	Plan, Section, Constraints string
	// Approach is the proposal for the work, before it has begun.
	Approach string
	// Diff is the work; DiffCut marks it as shortened already. Stat is one
	// line about all of it.
	Diff    string
	DiffCut bool
	// Files are the paths that the work changes.
	Files []string
	Stat  string
	// Evidence are the gate results.
	Evidence []loop.Result
	// Judges are the judge files in question, of a review of kind judges.
	Judges []JudgeFile
	// Known are the gaps and edge cases of the plan. Reviewers refer to them as
	// G1, G2, … in this order; see Resolved.
	Known []string
}

// JudgeFile is a judge file before and after the work. Absent: it is not there.
type JudgeFile struct {
	Path                      string
	Before, After             string
	AbsentBefore, AbsentAfter bool
}

// Desk is the place and the manner of the reviewers' work.
type Desk struct {
	// Dir gets the files of the review: a folder for each reviewer and try.
	Dir string
	// ID begins the names of processes and trees.
	ID string
	// Repo, Commit and TreeRoot make the scratch trees: detached, at Commit,
	// below TreeRoot, and deleted afterwards. Without a Repo reviewers work in
	// an empty folder.
	Repo     *git.Repo
	Commit   string
	TreeRoot string
	// Tree, where it is not nil, gives a worktree of Repo for a seat instead;
	// its giver removes it. It is called by one goroutine at a time.
	Tree func(ctx context.Context, seat int) (string, error)
	// Env is the whole environment of a reviewer.
	Env []string
	// Sandbox creates the sandbox of a reviewer, in which it can read its tree
	// and write only its own state; nil creates none. It may be called by
	// several goroutines at a time.
	Sandbox func(context.Context, loop.Agent) (Sandboxed, error)
	// Mask removes secrets from the output of reviewers before it is stored.
	Mask *secret.Masker
	// Timeout bounds each answer, Grace its end.
	Timeout loop.Deadline
	Grace   time.Duration
	// BackOff is the time before a reviewer that failed for a temporary reason
	// is asked again; zero is 5 s.
	BackOff time.Duration
	// Parallel reviewers at once; zero is three.
	Parallel int
	// Kill, when closed, ends reviewers at once. Alive is written to with each
	// heartbeat, OnEvent called for each report. All may be nil; both are
	// called by one goroutine at a time.
	Kill    <-chan struct{}
	Alive   io.Writer
	OnEvent func(reviewer string, e agent.Event)
	Now     func() time.Time
	// Ready returns when an agent may be asked (zero: now) whose provider is known
	// not to serve, and why. Ended is called with the outcome of
	// each run. Both may be nil, and are called by several goroutines at a time.
	Ready func(ctx context.Context, a loop.Agent) (until time.Time, why string)
	Ended func(ctx context.Context, a loop.Agent, o loop.Outcome)
}

// held returns when an agent may be asked, zero for now, and why not before.
func (d Desk) held(ctx context.Context, a loop.Agent) (time.Time, string) {
	if d.Ready == nil {
		return time.Time{}, ""
	}
	return d.Ready(ctx, a)
}

// Stance of a reviewer (seed 003's four questions).
type Stance string

// The stances.
const (
	Correctness  Stance = "correctness"
	Alignment    Stance = "alignment"
	Gaps         Stance = "gaps"
	Completeness Stance = "completeness"
)

// Ask runs a review of any kind. An error means that ralph itself failed, or
// that ctx was cancelled; reviewers that fail have not voted.
func Ask(ctx context.Context, r Request) (Outcome, error) {
	return r.askAll(ctx)
}

// Magi runs seed 003's review of a plan after a piece of work: three reviewers
// with one stance each decide by majority.
//
// Fill in Reviewers (one agent or more; they take the three slots in turn),
// Author, Fallback (nil: a person is asked), Subject with Plan, Section, Diff,
// Evidence and Known, and Desk. Of the outcome,
//
//	Passed()        the piece of work was approved
//	Gaps, EdgeCases are new ones for the plan, each once
//	Resolved        texts of Subject.Known that are resolved
//	Recommendation  continue, needs_human_input or archive; archive only with
//	                an approval by all, without gaps and edge cases
//	Degraded        others than the three decided: label it
//	Decision        undecided if too few were available: ask a person
//	Votes           for logs, reports and the next prompt (see Tell)
//
// Its evidence is Outcome as JSON (ralph.review/v1).
func Magi(ctx context.Context, r Request) (Outcome, error) {
	r.Kind = ballot.Magi
	r.Reviewers = seatMagi(r.preferred())
	return r.askAll(ctx)
}

// seatMagi fills at least three slots. With fewer agents, one agent fills
// several slots, each with another stance.
func seatMagi(all []Reviewer) []Reviewer {
	stances := []Stance{Correctness, Alignment, Completeness}
	var out []Reviewer
	for i := 0; len(all) > 0 && i < max(loop.MagiSeats, len(all)); i++ {
		seat := all[i%len(all)]
		if seat.Stance == "" {
			seat.Stance = stances[i%len(stances)]
		}
		out = append(out, seat)
	}
	return out
}

// preferred returns other agents than the author's first.
func (r Request) preferred() []Reviewer {
	var others, own []Reviewer
	for _, v := range r.Reviewers {
		if v.Agent.Name == r.Author {
			own = append(own, v)
		} else {
			others = append(others, v)
		}
	}
	return append(others, own...)
}

// Known gaps have the ids G1, G2, … on the page. A reviewer may refer to one by
// its id, by its text, or by the line on the page.

func knownID(i int) string { return "G" + strconv.Itoa(i+1) }

// callByID replaces the texts that a vote calls resolved by the ids of known
// gaps. Texts that match no gap are kept apart: they resolve nothing, and are
// reported.
func (s Subject) callByID(v *ballot.Vote) {
	var ids []string
	for _, name := range v.Resolved {
		if id := s.idOf(name); id != "" {
			ids = append(ids, id)
		} else {
			v.Unknown = append(v.Unknown, name)
		}
	}
	v.Resolved = ids
}

func (s Subject) idOf(name string) string {
	name = spaced(name)
	for i, known := range s.Known {
		id, gap := knownID(i), spaced(text.Line(known))
		for _, call := range []string{id, gap, id + ". " + gap, id + ": " + gap} {
			if strings.EqualFold(name, call) {
				return id
			}
		}
	}
	return ""
}

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// named turns the ids of known gaps into their texts.
func (s Subject) named(ids []string) []string {
	out := []string{}
	for i, text := range s.Known {
		for _, id := range ids {
			if id == knownID(i) {
				out = append(out, text)
			}
		}
	}
	return out
}

// Sandboxed is the sandbox of one reviewer.
type Sandboxed struct {
	// Sandbox is nil where the reviewer is not sandboxed; By is the mechanism,
	// and recorded with its vote.
	Sandbox *proc.Sandbox
	By      loop.Holder
	// Env is the whole environment of the reviewer; nil is the environment of
	// the desk.
	Env []string
	// Release removes what was created for it; may be nil.
	Release func()
}

// sandbox creates a reviewer's sandbox. It returns an error if a required
// sandbox cannot be created; the reviewer must then not be asked.
func (d Desk) sandbox(ctx context.Context, a loop.Agent) (Sandboxed, error) {
	var c Sandboxed
	if d.Sandbox != nil {
		var err error
		if c, err = d.Sandbox(ctx, a); err != nil {
			return c, fmt.Errorf("not asked: %w", err)
		}
	}
	if c.Env == nil {
		c.Env = d.Env
	}
	if c.Release == nil {
		c.Release = func() {}
	}
	return c, nil
}
