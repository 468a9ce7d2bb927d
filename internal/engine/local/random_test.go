//go:build linux

package local_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/engine"
	"ralph/internal/testing/tier"
)

// TestKilledInsideHands kills the supervisor at random moments: while git, the
// agent, a gate or a set-up command is at work. Sometimes its shim dies with it,
// so that nobody is left who could end the child.
func TestKilledInsideHands(t *testing.T) {
	t.Parallel()
	randomly(t, []string{"kill", "both"}, func(t *testing.T, s scene, w world, o order, want ledger) {
		w.compare(t, o.Spec.ID, want)
	})
}

// TestShimKilled kills only the shim, which the supervisor survives. That is an
// interruption: the step is done again, and the loop ends as without it, attempt for
// attempt. A commit that the agent was making itself may be missing; its content is in
// ralph's own.
func TestShimKilled(t *testing.T) {
	t.Parallel()
	randomly(t, []string{"shim"}, func(t *testing.T, s scene, w world, o order, want ledger) {
		w.sound(t, o.Spec.ID)
		got := w.ledger(t, o.Spec.ID)
		if got.Status != want.Status || got.Reason != want.Reason || len(got.Attempts) != len(want.Attempts) {
			t.Errorf("ended %s/%s after %d attempts (%s), want %s/%s after %d", got.Status, got.Reason, len(got.Attempts), got.Message, want.Status, want.Reason, len(want.Attempts))
			return
		}
		for i, a := range got.Attempts {
			if b := want.Attempts[i]; a.N != b.N || a.Verdict != b.Verdict || a.Tree != b.Tree {
				t.Errorf("attempt %d: %+v, want %+v", i+1, a, b)
			}
		}
	})
}

// randomly disturbs scenes in one of the given ways, soon after a random point,
// and runs them to their end. The moments are the same in each run of the test;
// how far the scene is by then is not.
func randomly(t *testing.T, ways []string, check func(*testing.T, scene, world, order, ledger)) {
	rounds, seed := 15, uint64(20261120)
	if tier.Long() {
		rounds, seed = 100, uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
	}
	all := scenes()
	type rehearsed struct {
		want   ledger
		points []string
	}
	known := make([]rehearsed, len(all))
	for round := range rounds {
		random := rand.New(rand.NewPCG(seed, uint64(round)))
		i := round % len(all)
		s := all[i]
		if known[i].points == nil {
			known[i].want, known[i].points = s.undisturbed(t)
		}
		n := 1 + random.IntN(len(known[i].points))
		if slices.Contains(ways, "shim") {
			n = max(n, 1+slices.Index(known[i].points, "after:attempt_began"))
		}
		way := fmt.Sprintf("%s+%dus", ways[random.IntN(len(ways))], random.IntN(60_000))
		t.Run(fmt.Sprintf("%03d-%s-at-%d-%s", round, strings.ReplaceAll(s.name, " ", "-"), n, way), func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Acts[n] = way
			o.Spec.Limits.BackOff = 20 * time.Millisecond
			o.toTheEnd(t, w)
			check(t, s, w, o, known[i].want)
		})
	}
}

// TestNobodyIsLeft kills supervisor and shim at once while the agent and a daemon
// of it are at work. They live on; whoever takes the loop up next ends them.
func TestNobodyIsLeft(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "leaves a daemon")
	s.script = `attempts:
- - sh: test -e once || { touch once; (setsid sleep 600 </dev/null >/dev/null 2>&1 &); sleep 600; }
  - write: {path: answer.txt, text: "3\n"}
`
	for _, verb := range []string{"resume", "send"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Verb = "start"
			owner := o.launch(t)
			tier.Eventually(t, "the daemon", func() bool {
				return slices.ContainsFunc(leftovers(o.Spec.ID), func(p string) bool { return strings.Contains(p, `"sleep 600`) })
			})
			must(t, owner.Process.Signal(unix.SIGSTOP)) // or it would see its shim die
			tier.Eventually(t, "the owner to stop", owner.stopped)
			killAll(append(shims(o.Spec.ID), owner.Process.Pid))
			owner.end(t)
			w.released(t, o.Spec.ID)
			if len(leftovers(o.Spec.ID)) == 0 {
				t.Fatal("nobody lives on: this test tests nothing")
			}
			o.Command = engine.Command{Kind: engine.Abort}
			if a, _ := o.run1(t, verb); a.Err != "" {
				t.Fatal(a.Err)
			}
			w.sound(t, o.Spec.ID)
		})
	}
}
