package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// Plain is Lines for no terminal: one line an event, an RFC 3339 time in UTC,
// then key=value. Nothing is cut that a program would want to read; a stop or
// an end adds a line with the reason and the next command.
func Plain(before, after loop.State, e loop.Event) []string {
	fs := append(fields{{"event", plainName(e)}}, plainFields(before, after, e)...)
	if a := failedBeyondGates(before, after); a != nil {
		fs = append(fs, [2]string{"failed", a.FailedGate}, [2]string{"why", text.Cut(text.SpacedLine(text.Head(a.Error, 8*300)), 300)})
	}
	out := []string{plainLine(e.When(), after, fs)}
	stopped := after.Status == loop.Waiting || after.Status == loop.Paused || after.Status.Terminal()
	if stopped && after.Status != before.Status {
		out = append(out, plainLine(e.When(), after, stopFields(after)))
	}
	return out
}

// fields in the order in which they are printed; empty values are left out.
type fields [][2]string

func plainLine(at time.Time, s loop.State, fs fields) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s loop=%s attempt=%s", at.UTC().Format(time.RFC3339), value(s.ID), numbered(s))
	for _, f := range fs {
		if f[1] != "" {
			fmt.Fprintf(&b, " %s=%s", f[0], value(f[1]))
		}
	}
	return b.String()
}

// value quotes what a reader could not split.
func value(s string) string {
	s = text.Line(s)
	odd := func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '=' || r == '\\' }
	if s == "" || strings.ContainsFunc(s, odd) {
		return strconv.Quote(s)
	}
	return s
}

func plainName(e loop.Event) string {
	if _, ok := e.(loop.GateEnded); ok {
		return "gate"
	}
	return e.Name()
}

func plainFields(before, after loop.State, e loop.Event) fields {
	switch e := e.(type) {
	case loop.GateEnded:
		fs := gateFields(before, e.Result)
		if before.Step == loop.StepBase && after.Step == loop.StepAgent {
			fs = append(fs, [2]string{"note", strings.Join(append(redgreen.Blind(after), redgreen.Prospect(after)...), " ")})
		}
		return fs
	case loop.Prepared:
		return fields{{"detail", text.Clip(happened(e), 300)}, {"notes", text.Clip(strings.Join(e.Notes, "; "), 300)}}
	case loop.AttemptBegan:
		return fields{{"agent", agentName(after.Agent)}, {"approach", approachOf(after)}}
	case loop.AgentEnded:
		o := e.Outcome
		end, message := string(o.End), o.Message
		if putQuestion(after, o) {
			end, message = string(loop.EndAsked), ""
			if q := after.Open(); q == nil || q.Dispute != nil {
				end = "disputed"
			}
		}
		return fields{
			{"end", end},
			{"dur", text.Duration(o.Duration)},
			{"tokens", tokens(o.Usage)},
			{"cost", cost(o.Usage)},
			{"message", text.Clip(message, 300)},
		}
	case loop.Committed:
		return fields{
			{"commit", e.Commit},
			{"changed", strconv.FormatBool(e.Changed)},
			{"files", strconv.Itoa(len(e.Files))},
			{"notes", text.Clip(strings.Join(e.Notes, "; "), 300)},
		}
	}
	if e, ok := e.(loop.Woke); ok && e.Question != "" {
		return fields{{"question", e.Question}, {"detail", text.Clip(unanswered(after.Questions[len(after.Questions)-1]), 300)}}
	}
	return fields{{"detail", text.Clip(happened(e), 300)}}
}

// putQuestion reports whether an agent ended with the exit code of its ralph ask or ralph
// dispute, which is no failure.
func putQuestion(after loop.State, o loop.Outcome) bool {
	a := after.Last()
	return o.End == loop.EndFailed && (after.Open() != nil || a != nil && a.Disputed)
}

func gateFields(before loop.State, r loop.Result) fields {
	fs := fields{{"gate", r.Gate}, {"level", string(level(r.Level))}, {"result", string(r.Verdict)}}
	if before.Step == loop.StepBase || before.Step == loop.StepProof {
		fs = append(fs, [2]string{"on", "base"})
	}
	tests := r.Tests
	if r.Judging != nil && r.Judging.Verdict != loop.Passed { // the reason is about this run
		tests = r.Judging.Tests
		fs = append(fs, [2]string{"judges", "base"})
	}
	if tests != nil {
		fs = append(fs, [2]string{"failing", failingCount(*tests)}, [2]string{"tests", tests.Run.String()})
	}
	if r.Value != nil {
		fs = append(fs, [2]string{"value", number(r.Value)})
	}
	if r.Threshold != nil {
		fs = append(fs, [2]string{"threshold", number(r.Threshold)})
	}
	fs = append(fs, [2]string{"hash", r.Fingerprint}, [2]string{"commit", short(r.Commit)}, [2]string{"dur", text.Duration(r.Duration)})
	if r.Verdict != loop.Passed {
		fs = append(fs, [2]string{"reason", text.Clip(r.Reason, 300)}, [2]string{"output", text.Clip(strings.Join(telling(r), " | "), 400)})
	}
	return fs
}

func failingCount(t loop.Tests) string {
	if !t.Run.Known() && t.Failed > 0 {
		return "unknown"
	}
	return strconv.Itoa(t.Failed)
}

func stopFields(s loop.State) fields {
	fs := fields{{"event", "stop"}, {"status", string(s.Status)}, {"reason", string(s.Reason)}, {"message", text.Clip(joinLines(s.Message), 300)}}
	if !s.Wake.IsZero() {
		fs = append(fs, [2]string{"until", s.Wake.UTC().Format(time.RFC3339)})
	}
	if s.Status.Terminal() {
		fs = append(fs, [2]string{"commit", s.Commit}, [2]string{"kept_on", s.FailureRef}, [2]string{"look", askedCodes(s.Concerns())})
	}
	return append(fs, [2]string{"next", next.Loop(s, next.Facts{})})
}

func approachOf(s loop.State) string {
	if a := s.Last(); a != nil {
		return approach(a.Approach)
	}
	return ""
}

// Activity is the progress that a driver reports between two events.
type Activity struct {
	// LastOutput is when the agent or the gate last printed; zero is never.
	LastOutput time.Time
	// Tokens and cost so far, where the agent reports them while it works.
	Usage loop.Usage
}

// Heartbeat is the plain line that shows, at least every 60 s, that a loop is
// alive.
func Heartbeat(s loop.State, a Activity, now time.Time) string {
	u := s.Usage.Add(a.Usage)
	fs := fields{{"event", "heartbeat"}, {"doing", doing(s)}, {"agent", agentName(s.Agent)}, {"for", text.Duration(now.Sub(s.LastAt))}}
	if !a.LastOutput.IsZero() {
		fs = append(fs, [2]string{"last_output", text.Age(a.LastOutput, now)})
	}
	return plainLine(now, s, append(fs, [2]string{"tokens", tokens(u)}, [2]string{"cost", cost(u)}))
}

// Progress is the line that a terminal redraws in place.
func Progress(s loop.State, a Activity, now time.Time, p Palette) string {
	words := "attempt " + numbered(s) + "  " + doing(s) + " · " + text.Duration(now.Sub(s.LastAt))
	if !a.LastOutput.IsZero() {
		words += " · last output " + text.Age(a.LastOutput, now) + " ago"
	}
	words += " · " + agentName(s.Agent)
	return p.Out("● " + text.Clip(words, p.width()-3))
}

// ServedSchema is the name of Served's format.
const ServedSchema = "ralph.served/v1"

// Served is one thing that `ralph serve` did, with its reason.
type Served struct {
	Schema     string    `json:"schema"`
	At         time.Time `json:"at"`
	Repository string    `json:"repository"`
	Event      string    `json:"event"`
	LoopID     string    `json:"loop_id,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Try        int       `json:"try,omitempty"`
	Detail     string    `json:"detail,omitempty"`
}

// Line is the same as a plain line.
func (s Served) Line() string {
	var out strings.Builder
	out.WriteString(s.At.UTC().Format(time.RFC3339))
	for _, f := range (fields{
		{"event", s.Event}, {"loop", s.LoopID}, {"reason", s.Reason}, {"try", tryOf(s.Try)}, {"detail", text.Clip(s.Detail, 300)}, {"repository", s.Repository},
	}) {
		if f[1] != "" {
			out.WriteString(" " + f[0] + "=" + value(f[1]))
		}
	}
	return out.String()
}

func tryOf(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
