package review

import (
	"context"
	"errors"
	"slices"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/review/ballot"
)

// A reviewer works in the cell that was made for it, which is left each time.
func TestHeld(t *testing.T) {
	t.Parallel()
	f := &fake{turns: turns{prose("I do not know."), approves}}
	left := 0
	inside := &proc.Sandbox{Wrapper: []string{"hold"}}
	r := request(t, ballot.Quality, seat("one", f))
	r.Desk.Sandbox = func(_ context.Context, a loop.Agent) (Sandboxed, error) {
		return Sandboxed{Sandbox: inside, By: loop.HeldLandlock, Env: []string{"WHO=" + a.Name}, Release: func() { left++ }}, nil
	}
	o := hold(t, r)
	if !o.Passed() || o.Votes[0].Sandbox != loop.HeldLandlock || left != 2 {
		t.Errorf("%s, held by %q, left %d times", o.Decision, o.Votes[0].Sandbox, left)
	}
	for _, j := range f.jobs {
		if j.Sandbox != inside || !slices.Equal(j.Env, []string{"WHO=one", "RALPH_PROMPT_FILE=" + j.Prompt}) {
			t.Errorf("%v %v", j.Sandbox, j.Env)
		}
	}
}

// Who cannot be held is not asked, and has no vote.
func TestCannotBeHeld(t *testing.T) {
	t.Parallel()
	for _, kind := range []ballot.Kind{ballot.Spec, ballot.Council, ballot.Magi} {
		f := &fake{turns: turns{approves}}
		r := request(t, kind, seat("one", f), seat("two", f))
		self := seat("author", f)
		r.Fallback = &self
		r.Desk.Sandbox = func(context.Context, loop.Agent) (Sandboxed, error) {
			return Sandboxed{}, errors.New("no sandbox (sandbox: require)")
		}
		o := hold(t, r)
		if o.Passed() || o.Quorum || len(f.jobs) != 0 || o.Held() != loop.HeldNone {
			t.Errorf("%s: %s, %d were asked", kind, o.Decision, len(f.jobs))
		}
		for _, v := range o.Votes {
			if v.Vote != ballot.Unavailable || v.Reason != "not asked: no sandbox (sandbox: require)" {
				t.Errorf("%+v", v)
			}
		}
	}
}
