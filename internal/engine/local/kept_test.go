//go:build linux

package local_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/worker"
	"ralph/internal/learn"
	"ralph/internal/loop"
)

// TestNothingThatIsWrittenDownKeepsASecret: questions, disputes, notes and words about a
// file are kept without the values of secret variables, those of the loop's agent too.
func TestNothingThatIsWrittenDownKeepsASecret(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	hands := func(dir string) *worker.Worker {
		w := d.hands(dir)
		w.Env = append(w.Env, "SVC_TOKEN=Zq7xKp93mWv2LtRb")
		return w
	}
	d.Engine = local.New(d.store, hands, local.Options{Now: d.now})
	d.init("a", func(s *loop.Spec) { s.Agent.Env = map[string]string{"ITS_PASSWORD": "its own password"} })
	text := "use Zq7xKp93mWv2LtRb or its own password"
	ctx := t.Context()

	q, err := json.Marshal(loop.Question{Text: text, Options: []string{text, "no"}, Dispute: &loop.Dispute{Gate: "tests", Why: text}})
	must(t, err)
	s, err := d.Send(ctx, "a", engine.Command{Kind: engine.Ask, Text: string(q), By: "agent"})
	must(t, err)
	k, err := d.AddPattern(ctx, learn.NoteInput{Text: text, Loop: "a"}, false)
	must(t, err)
	nowhere, err := d.AddPattern(ctx, learn.NoteInput{Text: "with Zq7xKp93mWv2LtRb", Loop: "gone"}, true)
	must(t, err)
	x, err := d.Publish(ctx, "a", "x.md", text, strings.NewReader("x"))
	must(t, err)

	if len(s.Questions) != 1 {
		t.Fatalf("%+v", s.Questions)
	}
	for _, kept := range []any{s.Questions[0], k.Text, nowhere.Text, x.Note} {
		data, err := json.Marshal(kept)
		must(t, err)
		if got := string(data); !strings.Contains(got, "(key)") || strings.Contains(got, "Kp93m") || strings.Contains(got, "its own") {
			t.Errorf("%s", got)
		}
	}
}
