package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"ralph/internal/loop"
)

// forged is what an agent puts after its own text to write lines of ralph's: each kind of line
// end, what moves the cursor back, and what turns the direction of a line.
const (
	mark   = "FORGED"
	forged = "\n" + mark + "\r" + mark + "\r\n" + mark + "\u2028" + mark + "\u2029" + mark + "\v" + mark + "\f" + mark + "\u0085" + mark +
		"\x1b[2K\x1b[1G" + mark + strings20 + mark + "\u202e" + mark + "\u2066" + mark
	strings20 = "\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b\b"
)

// own are the texts that ralph or a person writes, or that are checked when they come in.
var own = []string{
	"ID", "Root", "Base", "Branch", "Commit", "Worktree", "Gate", "Run", "Use", "Dir", "Parse", "Report", "Name", "Fingerprint", "OutputSHA256", "OutputFile",
	"Where", "Project", "Tree", "FailedGate", "Owner", "Question", "By", "SHA256", "Model", "Account", "Runner",
}

// forge appends it to each text of a state that can be an agent's.
func forge(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			forge(v.Elem(), field)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				forge(v.Field(i), f.Name)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			forge(v.Index(i), field)
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && v.CanSet() && v.String() != "" && !slices.Contains(own, field) {
			v.SetString(v.String() + forged)
		}
	}
}

// TestNoLineIsForged: whatever an agent writes into its questions, messages, names of files and
// output, no line of a screen begins with it.
func TestNoLineIsForged(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() Item{
		"passed": passed, "attempts used up": exhausted, "stuck": stuckLoop, "asks": asking, "paused": paused, "crashed": crashed, "limited": limited, "timed out": timedOut, "disputed": disputed,
	} {
		i := make()
		forge(reflect.ValueOf(&i.State).Elem(), "")
		for screen, words := range screens(t, i) {
			for line := range strings.FieldsFuncSeq(words, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
				if strings.HasPrefix(line, mark) {
					t.Errorf("%s, %s: a line begins with an agent's text: %q", name, screen, line)
				}
				if at := strings.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) }); at >= 0 {
					t.Errorf("%s, %s: a control character of an agent's: %q", name, screen, line)
				}
			}
		}
	}
}

// disputed is a loop whose agent disputes a gate.
func disputed() Item {
	i := asking()
	s := &i.State
	d := loop.Dispute{Gate: "tests", Why: "it expects 3", Files: []string{"a_test.go"}, Question: "q1"}
	s.Disputes = []loop.Dispute{d}
	s.Questions[0].Dispute, s.Questions[0].Options = &d, []string{loop.SayUphold, loop.SayDismiss}
	return i
}

// screens are all that is shown of a loop.
func screens(t *testing.T, i Item) map[string]string {
	t.Helper()
	p := Palette{Width: 400}
	l := LoopOf(i, now)
	sum := Summarize("shop-api", []Item{i}, nil, now)
	out := map[string]string{
		"status": List([]Item{i}, nil, "", true, 0, now, p),
		"report": Markdown(sum, now),
		"check":  Check(i.State, now, p),
		"stands": Stands(i.State, now, p),
		"brief":  Briefing(i.State, p),
		"open":   strings.Join(Opening(i.State, p), "\n"),
		"told":   Told(i.State, i.Facts, now),
		"pulse":  Heartbeat(i.State, Activity{}, now),
		"bar":    Progress(i.State, Activity{}, now, p),
		"show":   l.Show(now, p), "evidence": l.Evidence(now, p), "attempts": l.AttemptsTable(p),
		"ending": strings.Join(l.Ending(p), "\n"), "text": l.StatusText(),
	}
	for _, q := range i.State.Questions {
		out["question "+q.ID] = strings.Join(append(Put("task: ", q), AskedBy(q, now), Stored(i.State.ID, q, now), NoOption(q, "other"+forged), Due(q, now), unanswered(q)), "\n")
	}
	for n, e := range events(i.State) {
		out[fmt.Sprintf("event %d %s", n, e.Name())] = strings.Join(append(append(Lines(i.State, i, e, now, p), Plain(i.State, i.State, e)...), new(Log).Happened(e)), "\n")
	}
	return out
}

// events are those with texts of agents.
func events(s loop.State) []loop.Event {
	q := loop.Question{ID: "q1", Text: "which?" + forged, Options: []string{"a" + forged}, Default: "a" + forged}
	out := []loop.Event{
		loop.Asked{Question: q},
		loop.Asked{Question: loop.Question{Dispute: &loop.Dispute{Gate: "tests", Why: "why" + forged, Files: []string{"f" + forged}}}},
		loop.Answered{Text: "a" + forged},
		loop.Steered{Text: "t" + forged},
		loop.AbortAsked{Why: "w" + forged},
		loop.Committed{Changed: true, Files: []string{"f" + forged}, Notes: []string{"n" + forged}},
		loop.Switched{Why: "w" + forged},
		loop.Prepared{Notes: []string{"n" + forged}},
	}
	for _, end := range []loop.End{loop.EndTransient, loop.EndInterrupted, loop.EndTimeout, loop.EndPermanent, loop.EndFailed, loop.EndLimit} {
		out = append(out, loop.AgentEnded{Outcome: loop.Outcome{End: end, Message: "m" + forged, Words: "w" + forged}})
	}
	for _, a := range s.Recent {
		for _, r := range a.Results {
			out = append(out, loop.GateEnded{Result: r})
		}
	}
	return out
}
