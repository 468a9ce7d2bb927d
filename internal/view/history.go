package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// PastEvent is one event of a loop's history.
type PastEvent struct {
	Seq   int64
	Event loop.Event
}

// Log lists the events of a loop, page after page: it knows the attempt that they belong to, and
// what the agent at work put to a person.
type Log struct {
	attempt int
	put     string
}

// Lines list what happened, one line an event: its number, the time, the attempt, the name.
func (l *Log) Lines(records []PastEvent, now time.Time, p Palette) string {
	var b strings.Builder
	for _, r := range records {
		head := fmt.Sprintf("%5d  %s %3s  %-14s ", r.Seq, r.Event.When().In(now.Location()).Format("2006-01-02 15:04:05"), l.of(r.Event), r.Event.Name())
		fmt.Fprintln(&b, strings.TrimRight(head+text.Clip(l.happened(r.Event), max(p.width()-text.Width(head), 20)), " "))
	}
	if len(records) == 0 {
		b.WriteString("Nothing has happened yet.\n")
	}
	return p.Out(b.String())
}

// of is the attempt of the next event, as "#2"; empty before the first one.
func (l *Log) of(e loop.Event) string {
	if began, ok := e.(loop.AttemptBegan); ok {
		l.attempt = began.Attempt
	}
	if l.attempt == 0 {
		return ""
	}
	return fmt.Sprintf("#%d", l.attempt)
}

// happened describes the next event. An agent ends its turn with the exit code of its ralph ask
// or ralph dispute, which is no failure.
func (l *Log) happened(e loop.Event) string {
	switch e := e.(type) {
	case loop.AttemptBegan:
		l.put = ""
	case loop.Asked:
		l.put = "asked a question, and ended its turn"
		if e.Question.Dispute != nil {
			l.put = "disputed, and ended its turn"
		}
	case loop.AgentEnded:
		if e.Outcome.End == loop.EndFailed && l.put != "" {
			return l.put
		}
	}
	return happened(e)
}

// Happened describes the next event beyond its name, in one line; often it is empty.
func (l *Log) Happened(e loop.Event) string { return text.Line(l.happened(e)) }

// happened describes an event; gates and commits in the words of the report.
func happened(e loop.Event) string {
	switch e := e.(type) {
	case loop.Committed:
		if e.Changed {
			return short(e.Commit) + namedFor(e.Findings) + " " + listed(e.Files, 3)
		}
	case loop.GateEnded:
		return e.Result.Gate + ": " + finding(e.Result)
	}
	return e.Describe()
}

// namedFor are the words of what was named in a commit.
func namedFor(found loop.Findings) string {
	if len(found) == 0 {
		return ""
	}
	return " (" + strings.Join(loop.CodeNames(slices.Sorted(maps.Keys(found))), ", ") + ")"
}

// The names of the formats of checkpoints.
const (
	CheckpointSchema  = "ralph.checkpoint/v1"
	CheckpointsSchema = "ralph.checkpoints/v1"
)

// CheckpointObject is a checkpoint as JSON.
type CheckpointObject struct {
	Schema    string      `json:"schema"`
	LoopID    string      `json:"loop_id"`
	N         int         `json:"n"`
	At        time.Time   `json:"at"`
	Seq       int64       `json:"seq"`
	Iteration int         `json:"iteration"`
	Status    loop.Status `json:"status"`
	// Commit holds the tree as it was; null is unknown.
	Commit *string `json:"commit"`
}

// CheckpointsObject is `show --checkpoints --json`.
type CheckpointsObject struct {
	Schema      string             `json:"schema"`
	LoopID      string             `json:"loop_id"`
	Checkpoints []CheckpointObject `json:"checkpoints"`
}

// CheckpointsOf is the object of a loop's checkpoints, oldest first.
func CheckpointsOf(id string, all []loop.Checkpoint) CheckpointsObject {
	o := CheckpointsObject{Schema: CheckpointsSchema, LoopID: id, Checkpoints: []CheckpointObject{}}
	for _, c := range all {
		o.Checkpoints = append(o.Checkpoints, CheckpointObject{
			Schema: CheckpointSchema, LoopID: id, N: c.N, At: c.At.UTC(), Seq: c.Seq,
			Iteration: c.State.Iteration, Status: c.State.Status, Commit: orNull(c.Commit),
		})
	}
	return o
}

// Checkpoints is the same for people.
func Checkpoints(s loop.State, all []loop.Checkpoint, now time.Time, p Palette) string {
	if len(all) == 0 {
		return p.Out("No checkpoints yet: one is made in each half hour of work.\n")
	}
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%4d  %-16s %5s  %-8s %s\n", c.N, text.Clock(c.At, now), iteration(c.State), c.State.Step, short(c.Commit))
	}
	fmt.Fprintf(&b, "\n%s\n", p.dim("look at one      git diff "+short(s.Base)+" "+short(all[len(all)-1].Commit)))
	if !s.Status.Terminal() {
		fmt.Fprintf(&b, "%s\n", p.dim(fmt.Sprintf("continue from it %s", next.Resume(s.ID, fmt.Sprintf("--from %d", all[len(all)-1].N)))))
	}
	return p.Out(b.String())
}
