package runs

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

func client() (*project.Opener, *bytes.Buffer) {
	var out bytes.Buffer
	return &project.Opener{Terminal: command.Terminal{
		Streams: command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Env: []string{"USER=ada"}},
		Now:     func() time.Time { return noon }, NoInput: true,
	}}, &out
}

// sent records what is sent to a plan.
type sent struct {
	engine.Plans
	commands []engine.Command
}

func (s *sent) Send(_ context.Context, _ string, c engine.Command) (plan.State, error) {
	s.commands = append(s.commands, c)
	return plan.State{}, nil
}

// TestKinds: what differs between a loop and a plan.
func TestKinds(t *testing.T) {
	t.Parallel()
	c, _ := client()
	p := &project.Project{}
	l := OfLoop(c, p, engine.Loop{State: loop.State{
		Spec: loop.Spec{ID: "fix", Base: "b"}, Status: loop.StatusFailed, Commit: "c", FailureRef: "ralph/failed/fix",
		Recent: []loop.Attempt{{Results: []loop.Result{{Restored: []string{"a_test.go"}}}}},
	}})
	whole := OfPlan(c, p, engine.Plan{State: plan.State{ID: "night", Base: "b", Tip: "t", Status: loop.StatusFailed, Message: "1 task failed"}})
	if l.Kind() != "loop" || whole.Kind() != "plan" {
		t.Errorf("kinds: %s, %s", l.Kind(), whole.Kind())
	}
	if err := l.Steerable(); err != nil {
		t.Errorf("a loop is steered: %v", err)
	}
	if err := whole.Steerable(); err == nil || exit.Classify(err).Code != exit.Usage {
		t.Errorf("a plan is not steered: %v", err)
	}
	if base, head := l.Diff(); base != "b" || head != "refs/heads/ralph/failed/fix" {
		t.Errorf("the difference of a failed loop: %s..%s", base, head)
	}
	if base, head := whole.Diff(); base != "b" || head != "t" {
		t.Errorf("the difference of a plan: %s..%s", base, head)
	}
	if w := l.Offer(); w.Commit != "c" || w.Partial {
		t.Errorf("the work of a loop: %+v", w)
	}
	if w := whole.Offer(); w.Commit != "t" || !w.Partial {
		t.Errorf("the work of a plan: %+v", w)
	}
	whole.Now.State.Tip = "b"
	if _, head := whole.Diff(); head != "" || whole.Offer().Partial {
		t.Errorf("nothing has landed, and it is offered: %s", head)
	}
	if got := Ended(l.Now.State); !strings.Contains(got, "fix is failed") || !strings.Contains(got, "kept on ralph/failed/fix") {
		t.Errorf("%q", got)
	}
}

// TestAbortPlan: a plan ends soon; the command does not wait for it.
func TestAbortPlan(t *testing.T) {
	t.Parallel()
	c, _ := client()
	r := OfPlan(c, &project.Project{}, engine.Plan{State: plan.State{ID: "night"}})
	verbs := &sent{}
	r.verbs = verbs
	told, err := r.Abort(t.Context(), "wrong approach")
	if err != nil || !strings.HasPrefix(told, "night: aborting") {
		t.Errorf("%q, %v", told, err)
	}
	if len(verbs.commands) != 1 || verbs.commands[0].Kind != engine.Abort || verbs.commands[0].Text != "wrong approach" || verbs.commands[0].By != "ada" {
		t.Errorf("sent: %+v", verbs.commands)
	}
}
