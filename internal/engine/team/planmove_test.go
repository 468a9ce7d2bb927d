package team

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// landedPlan is a plan whose landed work is at a commit.
func landedPlan(base, tip string) (engine.PlanSpec, plan.State) {
	return engine.PlanSpec{ID: "p", Base: base}, plan.State{ID: "p", Branch: "ralph/p/_landed", Base: base, Tip: tip}
}

// TestOfferPlan: landed work is pushed where the remote has no branch of that name or a part of
// the work, however often it is offered. Other work there is refused and stays, unless it is
// known to be the plan's own.
func TestOfferPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		// there is what the remote has: nothing, base, landed, more (landed and one commit after it), or other.
		there   string
		ours    bool
		refused bool
		want    string
	}{
		"nothing":                       {"", false, false, "landed"},
		"the same":                      {"landed", false, false, "landed"},
		"a part":                        {"base", false, false, "landed"},
		"other work":                    {"other", false, true, "other"},
		"work that goes further":        {"more", false, true, "more"},
		"nothing, of a move cut off":    {"", true, false, "landed"},
		"own work that was not landed":  {"more", true, false, "landed"},
		"own work from another history": {"other", true, false, "landed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote := filepath.Join(t.TempDir(), "remote.git")
			ok(t, git.InitBare(t.Context(), remote, os.Environ()))
			one, commit := place(t, remote)
			two, foreign := place(t, remote)
			at := map[string]string{"base": commit("base"), "landed": commit("landed"), "more": commit("more"), "other": foreign("other")}
			spec, s := landedPlan(at["base"], at["landed"])
			switch {
			case c.there == "other":
				ok(t, two.Remote.Push(t.Context(), planRef(s), at["other"], ""))
			case c.there != "":
				ok(t, one.Remote.Push(t.Context(), planRef(s), at[c.there], ""))
			}
			for range 2 {
				err := one.OfferPlan(t.Context(), spec, s, c.ours)
				if errors.Is(err, engine.ErrExists) != c.refused || !c.refused && err != nil {
					t.Errorf("offered: %v", err)
				}
				if c.refused && !strings.Contains(err.Error(), "the remote has other work on its branch ralph/p/_landed") {
					t.Errorf("refused with %q", err)
				}
			}
			if tip, err := one.Remote.Tip(t.Context(), planRef(s)); err != nil || tip != at[c.want] {
				t.Errorf("the remote is at %.10s, want %s, %v", tip, c.want, err)
			}
		})
	}
}

// TestOfferPlanRefused: a plan that needs this machine, and one whose content no worker has, are
// refused before anything is pushed; a remote that is away is an error.
func TestOfferPlanRefused(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	one, commit := place(t, remote)
	base := commit("base")
	for what, change := range map[string]func(*engine.PlanSpec){
		"--in-place":     func(s *engine.PlanSpec) { s.Task.InPlace = true },
		"--with-changes": func(s *engine.PlanSpec) { s.Task.WithChanges = true },
		"isolation.copy": func(s *engine.PlanSpec) { s.Task.Copy = []string{".env"} },
		"a hidden gate":  func(s *engine.PlanSpec) { s.Task.Gates = []loop.Gate{{Name: "g", Hidden: true}} },
	} {
		spec, s := landedPlan(base, base)
		change(&spec)
		if err := one.OfferPlan(t.Context(), spec, s, true); !errors.Is(err, engine.ErrNotShared) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	write(t, filepath.Join(one.Remote.Repo.Root, ".gitattributes"), "*.png filter=lfs\n")
	spec, s := landedPlan(commit("assets"), base)
	if err := one.OfferPlan(t.Context(), spec, s, true); !errors.Is(err, engine.ErrNotShared) || !strings.Contains(err.Error(), "content filters (lfs)") {
		t.Errorf("a content filter: %v", err)
	}
	if tip, err := one.Remote.Tip(t.Context(), planRef(s)); tip != "" || err != nil {
		t.Errorf("pushed %s, %v", tip, err)
	}
	spec, s = landedPlan(base, base)
	one.Remote.URL = filepath.Join(t.TempDir(), "nothing.git")
	if err := one.OfferPlan(t.Context(), spec, s, true); err == nil || errors.Is(err, engine.ErrExists) {
		t.Errorf("a remote that is away: %v", err)
	}
}
