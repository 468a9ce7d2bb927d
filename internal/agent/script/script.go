package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Verb is the hidden command under which this program plays a scenario.
const Verb = "__script"

// Marks is the folder beside an attempt's prompt in which the player records
// which steps have interrupted the attempt. A sandbox must leave it writable.
const Marks = "script"

// Driver plays the scenario file that Job.Agent.Argv names.
type Driver struct{}

// Capabilities: a scenario may report usage, limits and denials.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Cost: true, Limits: true, Windows: true, Denials: true, Scripted: true}
}

// Run plays one attempt.
func (Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	if len(job.Agent.Argv) != 1 {
		return loop.Outcome{End: loop.EndPermanent, Message: "a scripted agent needs one scenario file"}, nil
	}
	self, err := proc.Self()
	if err != nil {
		return loop.Outcome{}, fmt.Errorf("find this program: %w", err)
	}
	l := listener{job: job, finished: make(chan struct{})}
	lines := agent.NewLines(l.line)
	run, err := agent.Supervise(ctx, job, agent.Program{
		Argv: []string{self, Verb, job.Agent.Argv[0]}, Stdout: lines, Finished: l.finished,
	})
	if err != nil {
		return loop.Outcome{}, err
	}
	lines.Flush()
	return l.outcome(run), nil
}

// listener turns the player's lines into events and remembers the end.
type listener struct {
	job      agent.Job
	finished chan struct{}
	done     bool
	end      loop.End
	out      loop.Outcome
}

func (l *listener) line(text []byte) {
	var in line
	if !bytes.HasPrefix(text, []byte(`{"ralph_script"`)) || json.Unmarshal(text, &in) != nil {
		return // Only printed. It stands in the raw output.
	}
	switch in.Type {
	case "text":
		l.job.Emit(agent.Event{Kind: agent.Text, Text: in.Text})
	case "file_change":
		l.job.Emit(agent.Event{Kind: agent.FileChange, Path: in.Path})
	case "usage":
		l.out.Usage = *in.Usage
		if in.Text != "" {
			l.out.Model = in.Text
			l.job.Emit(agent.Event{Kind: agent.Session, Model: in.Text})
		}
		l.job.Emit(agent.Event{Kind: agent.UsageSeen, Usage: in.Usage})
	case "denied":
		l.out.Denials = append(l.out.Denials, loop.Denial{Tool: in.Tool, Rule: in.Rule})
		l.job.Emit(agent.Event{Kind: agent.Denied, Tool: in.Tool})
	case "window":
		l.out.Windows = append(l.out.Windows, *in.Window)
	case "result":
		l.out.Words = in.Text
		l.job.Emit(agent.Event{Kind: agent.Result, Text: in.Text})
		l.finish()
	default:
		l.ending(in)
	}
}

func (l *listener) finish() {
	if !l.done {
		l.done = true
		close(l.finished)
	}
}

// ending takes the events that give the reason for the end of the attempt.
func (l *listener) ending(in line) {
	switch in.Type {
	case "question":
		l.end, l.out.Question = loop.EndAsked, in.Question
		l.job.Emit(agent.Event{Kind: agent.Asked, Text: in.Question.Text})
	case "limit":
		l.end, l.out.ResetAt, l.out.Message = loop.EndLimit, in.ResetAt, in.Text
		l.job.Emit(agent.Event{Kind: agent.Limited, Text: in.Text})
	case "refuse":
		l.end, l.out.Provider, l.out.ResetAt, l.out.Message = loop.EndTransient, in.Provider, in.ResetAt, in.Text
		l.job.Emit(agent.Event{Kind: agent.Trouble, Text: in.Text})
	case "transient":
		l.end, l.out.Message = loop.EndTransient, in.Text
	case "permanent":
		l.end, l.out.Message = loop.EndPermanent, in.Text
	default:
		l.job.Emit(agent.Event{Kind: agent.Raw, Text: in.Type})
	}
}

// outcome combines the protocol's verdict with the end of the process. A stop by
// ralph overrides the protocol.
func (l *listener) outcome(run agent.Run) loop.Outcome {
	out := run.Outcome(l.job)
	out.Model, out.Windows = l.out.Model, l.out.Windows
	out.Usage, out.Words, out.Denials = l.out.Usage, l.out.Words, l.out.Denials
	if l.end != "" && !run.TimedOut {
		out.End, out.Question, out.ResetAt, out.Provider = l.end, l.out.Question, l.out.ResetAt, l.out.Provider
		if l.out.Message != "" {
			out.Message = l.out.Message
		}
	}
	return out
}
