package finish

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// concerns is a run with these concerns.
type concerns []loop.Concern

func (c concerns) Look() []loop.Concern { return slices.Clone(c) }

// TestAgree: work that a person should look at is merged only when the user agrees,
// to all of it or by name; other work asks nothing.
func TestAgree(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &project.Opener{Terminal: command.Terminal{
		Streams: command.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, NoInput: true,
	}}
	looking := func(all ...loop.Concern) runs.Offer {
		return runs.Offer{Item: func(context.Context) (runs.Item, error) { return concerns(all), nil }}
	}
	work := looking(loop.Concern{Code: loop.ConcernUnproved, What: "unproved: no proof was asked for"}, loop.Concern{Code: loop.ConcernJudges, What: "the work changes a_test.go"})
	err := New(c).agree(t.Context(), &project.Project{}, "fix", work, nil)
	if err == nil || exit.Classify(err).Code != exit.Usage {
		t.Errorf("without a person: %v", err)
	}
	if !strings.Contains(err.Error(), "unproved,judges") || !strings.Contains(out.String(), "the work changes a_test.go") {
		t.Errorf("not everything is named: %v %s", err, out.String())
	}
	out.Reset()
	forged := looking(loop.Concern{Code: loop.ConcernJudges, What: "files that judge it (a\nmaster is at 123\r\x1b[8m\u2028b/pytest.ini)"})
	if err := New(c).agree(t.Context(), &project.Project{}, "fix", forged, nil); err == nil || out.String() != "look: files that judge it (a master is at 123 b/pytest.ini)\n" {
		t.Errorf("a name forges lines: %q, %v", out.String(), err)
	}
	err = New(c).agree(t.Context(), &project.Project{}, "fix", work, []loop.ConcernCode{loop.ConcernUnproved})
	if err == nil || !strings.HasSuffix(err.Error(), "(judges)") {
		t.Errorf("one of two is allowed: %v", err)
	}
	if err := New(c).agree(t.Context(), &project.Project{}, "fix", work, loop.ConcernCodes()); err != nil {
		t.Errorf("both are allowed: %v", err)
	}
	c.Yes = true
	if err := New(c).agree(t.Context(), &project.Project{}, "fix", work, nil); err != nil {
		t.Errorf("with --yes: %v", err)
	}
	c.Yes = false
	if err := New(c).agree(t.Context(), &project.Project{}, "fix", looking(), nil); err != nil {
		t.Errorf("nothing to agree to: %v", err)
	}
}

// TestAcceptable: without a name accept picks proved work that is not accepted yet.
func TestAcceptable(t *testing.T) {
	t.Parallel()
	passed := loop.State{Status: loop.StatusPassed, Reason: loop.Green}
	with := func(change func(*loop.State)) loop.State { s := passed; change(&s); return s }
	for name, c := range map[string]struct {
		s    loop.State
		want bool
	}{
		"passed":       {passed, true},
		"failed":       {with(func(s *loop.State) { s.Status = loop.StatusFailed }), false},
		"no change":    {with(func(s *loop.State) { s.Reason = loop.AlreadyGreen }), false},
		"accepted":     {with(func(s *loop.State) { s.Accepted = "c" }), false},
		"agent-driven": {with(func(s *loop.State) { s.Mode = loop.AgentDriven }), false},
		"running":      {loop.State{Status: loop.Running}, false},
	} {
		if got := c.s.Acceptable(); got != c.want {
			t.Errorf("loop %s: %v", name, got)
		}
	}
	for name, c := range map[string]struct {
		s    plan.State
		want bool
	}{
		"passed":         {plan.State{Status: loop.StatusPassed, Base: "a", Tip: "b"}, true},
		"nothing landed": {plan.State{Status: loop.StatusPassed, Base: "a", Tip: "a"}, false},
		"accepted":       {plan.State{Status: loop.StatusPassed, Base: "a", Tip: "b", Accepted: "b"}, false},
		"a part of it":   {plan.State{Status: loop.StatusFailed, Base: "a", Tip: "b"}, true},
	} {
		if got := c.s.Acceptable(); got != c.want {
			t.Errorf("plan %s: %v", name, got)
		}
	}
}
