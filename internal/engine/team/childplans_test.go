package team

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/plan"
)

// hostile is the request of the plan p with an id in it that leads out of a worker's folder.
func hostile(t *testing.T, file string) []byte {
	t.Helper()
	data, err := json.Marshal(engine.PlanSpec{ID: "p", File: file, Text: []byte("text"), Inner: map[string]engine.InnerPlan{"x.md": {ID: "../q"}}})
	ok(t, err)
	return data
}

// TestHostileInnerPlan: a worker that begins a plan in a task's place refuses its request
// before it pushes the base, or writes the file.
func TestHostileInnerPlan(t *testing.T) {
	t.Parallel()
	remote, file := filepath.Join(t.TempDir(), "remote.git"), filepath.Join(t.TempDir(), "file")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	tr, commit := place(t, remote)
	_, s := landedPlan(commit("base"), "")
	_, err := WorkerPlans{Travel: tr}.Create(t.Context(), s, hostile(t, file))
	if err == nil || !strings.Contains(err.Error(), `the plan "x.md" in the place of a task: loop id "../q"`) {
		t.Errorf("refused with: %v", err)
	}
	if tip, err := tr.Remote.Tip(t.Context(), planRef(s)); tip != "" || err != nil {
		t.Errorf("pushed %s, %v", tip, err)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("the file was written")
	}
}

// TestHostilePlanIsLeftAlone: a worker takes no plan whose request it refuses, and says so once.
func TestHostilePlanIsLeftAlone(t *testing.T) {
	t.Parallel()
	var said []string
	w := Worker{Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	w.begin()
	for range 2 {
		wanted, err := w.wantedPlan(t.Context(), engine.Stored[plan.State]{State: plan.Begin("p", "f", "", "", "", plan.Rules{}), Spec: hostile(t, "f")})
		if ok(t, err); wanted {
			t.Error("taken")
		}
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "p: left alone: the request of plan p: ") {
		t.Errorf("said %q", said)
	}
}
