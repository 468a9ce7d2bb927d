package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
)

// TestAnInterruptionIsNoVerdict: a gate that cannot be held has a result, which is not a
// pass; one whose preparation was cut off has none, in the gate's worktree as in the tree
// of the agent.
func TestAnInterruptionIsNoVerdict(t *testing.T) {
	t.Parallel()
	lack := &proc.Cut{What: "a layer", How: "no space", Cause: loop.CauseLack}
	other := errors.New("no such layer")
	for name, c := range map[string]struct {
		room    error
		require loop.Sandbox
		hidden  bool
		ended   bool
		where   string
		refused bool
		err     error
	}{
		"held":                        {where: GateTree},
		"no sandbox":                  {require: loop.SandboxBubblewrap, where: AgentTree, refused: true},
		"no sandbox, in the worktree": {require: loop.SandboxBubblewrap, where: GateTree, refused: true},
		"the check was ended":         {require: loop.SandboxBubblewrap, where: AgentTree, ended: true, err: &sandbox.UnavailableError{}},
		"the step was ended":          {require: loop.SandboxBubblewrap, where: GateTree, ended: true, err: &sandbox.UnavailableError{}},
		"no room":                     {room: other, where: GateTree, err: other},
		"no room for a hidden gate":   {room: other, where: GateTree, hidden: true, refused: true},
		"no space for a hidden gate":  {room: lack, where: GateTree, hidden: true, err: lack},
		"ended before a hidden gate":  {room: other, where: GateTree, hidden: true, ended: true, err: other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, removed := withoutBubblewrap(t), false
			ctx, end := context.WithCancel(t.Context())
			defer end()
			s := loop.State{Spec: loop.Spec{ID: "a", Sandbox: c.require}}
			a := loop.Action{Gate: &loop.Gate{Name: "tests", Hidden: c.hidden}, Commit: "c"}
			at, refused, err := w.siteOf(ctx, s, a, t.TempDir(), c.where, nil, func([]string) (cleanRoom, error) {
				if c.ended {
					end()
				}
				return cleanRoom{taken: func() { removed = true }}, c.room
			})
			var none *sandbox.UnavailableError
			if same := errors.Is(err, c.err) || errors.As(err, &none) && errors.As(c.err, &none); !same {
				t.Errorf("the error is %v", err)
			}
			if (refused != nil) != c.refused {
				t.Fatalf("the result is %+v", refused)
			}
			if refused != nil && (refused.Verdict != loop.Error || !refused.CannotStart || refused.Where != c.where || refused.Commit != "c") {
				t.Errorf("the result is %+v", *refused)
			}
			if refused == nil && err == nil {
				at.release()
			}
			if removed != (c.room == nil) {
				t.Errorf("the room was removed: %t", removed)
			}
		})
	}
}

// TestACheckThatIsEndedHasNoResult, even where its gate could not have been held.
func TestACheckThatIsEndedHasNoResult(t *testing.T) {
	t.Parallel()
	w := withoutBubblewrap(t)
	w.Confine.DrivenSandbox = loop.SandboxBubblewrap
	s := loop.State{Spec: loop.Spec{ID: "a", Mode: loop.AgentDriven}, Recent: []loop.Attempt{{N: 1}}}
	a := loop.Action{Attempt: 1, Gate: &loop.Gate{Name: "tests", Kind: loop.KindCommand, Run: "true"}}
	judged, err := w.EvaluateInTree(t.Context(), s, a, "", git.TreeSnapshot{}, &Hooks{})
	if err != nil || judged.Result.Verdict != loop.Error || !judged.Result.CannotStart {
		t.Errorf("without a sandbox: %+v, %v", judged.Result, err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if judged, err := w.EvaluateInTree(ctx, s, a, "", git.TreeSnapshot{}, &Hooks{}); err == nil {
		t.Errorf("ended: %+v", judged.Result)
	}
}

// withoutBubblewrap is a worker on a machine that has no such program.
func withoutBubblewrap(t *testing.T) *Worker {
	t.Helper()
	root := t.TempDir()
	return &Worker{
		Repo: &git.Repo{Root: root, MainRoot: root, CommonDir: root}, Files: engine.Layout{Dir: t.TempDir()}, TreeRoot: t.TempDir(), Now: time.Now,
		Env:     []string{"HOME=" + t.TempDir(), "PATH=" + t.TempDir()},
		Confine: Confine{Capabilities: &sandbox.Capabilities{Env: []string{"PATH=" + t.TempDir()}}},
	}
}
