//go:build linux

package local_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestKilledAtEveryPoint kills the supervisor of every scene at every point at
// which something is recorded, before and after. What a reader sees then, and
// what comes of it after `ralph resume`, must be as if nothing had happened.
// The quick tier tries every eighth point of each scene, and none where a scene
// is the first one again.
func TestKilledAtEveryPoint(t *testing.T) {
	t.Parallel()
	for i, s := range scenes() {
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			want, points := s.undisturbed(t)
			for n := range points {
				alike := s.beginsAlike && n < slices.Index(points, "before:attempt_began")
				if !tier.Long() && (alike || n%8 != i%8) {
					continue
				}
				t.Run(fmt.Sprintf("%02d-%s", n+1, points[n]), func(t *testing.T) {
					t.Parallel()
					w, o := newWorld(t, s)
					o.Acts[n+1] = "kill"
					o.toTheEnd(t, w)
					w.compare(t, o.Spec.ID, want)
				})
			}
		})
	}
}

// TestKilledTwice kills a scene at one point, and at a later one whoever goes
// on with it. There are 5,000 pairs: RALPH_SOAK=all tries each, RALPH_SOAK=1 one
// in 19, and without it very few are.
func TestKilledTwice(t *testing.T) {
	t.Parallel()
	for _, s := range scenes() {
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			want, points := s.undisturbed(t)
			for n := range points {
				for m := n + 1; m <= len(points); m++ {
					if (n*len(points)+m)%oneIn() != 0 {
						continue
					}
					t.Run(fmt.Sprintf("%02d-%02d", n+1, m+1), func(t *testing.T) {
						t.Parallel()
						w, o := newWorld(t, s)
						o.Acts[n+1], o.Acts[m+1] = "kill", "kill"
						o.toTheEnd(t, w)
						w.compare(t, o.Spec.ID, want)
					})
				}
			}
		})
	}
}

func oneIn() int {
	switch {
	case tier.Every():
		return 1
	case tier.Long():
		return 19
	}
	return 797
}

// undisturbed runs a scene without a crash. It answers its ledger and the
// points it passed.
func (s scene) undisturbed(t *testing.T) (ledger, []string) {
	t.Helper()
	w, o := newWorld(t, s)
	o.toTheEnd(t, w)
	w.sound(t, o.Spec.ID)
	data, err := os.ReadFile(o.points())
	must(t, err)
	return w.ledger(t, o.Spec.ID), lines(string(data))
}

func (w world) compare(t testing.TB, id string, want ledger) {
	t.Helper()
	w.sound(t, id)
	if diff := cmp.Diff(want, w.ledger(t, id)); diff != "" {
		t.Errorf("not as without the crash (-want +got):\n%s", diff)
	}
}

// toTheEnd starts the loop and resumes it until it has ended, whatever happens
// to its supervisors.
func (o order) toTheEnd(t testing.TB, w world) {
	t.Helper()
	const most = 8
	for range most {
		l, exists := w.show(t, o.Spec.ID)
		if exists && terminal(l) {
			return
		}
		verb := "start"
		if exists {
			verb = "resume"
		}
		a, killed := o.run1(t, verb)
		if a.Err != "" {
			t.Fatalf("%s: %s", verb, a.Err)
		}
		if killed && o.crashed(t, w) {
			// The views of what was recorded last are left to the next who writes.
			a, again := o.run1(t, "resume")
			if again { // the second kill of a pair fell into this process
				a, again = o.run1(t, "resume")
			}
			if again || !a.Ended {
				t.Errorf("a loop that has ended was resumed: %+v", a)
			}
		}
	}
	t.Fatalf("not ended after %d processes", most)
}

// crashed checks what a reader sees of a loop whose supervisor was killed, and
// answers whether the loop had ended.
func (o order) crashed(t testing.TB, w world) (ended bool) {
	t.Helper()
	l, exists := w.released(t, o.Spec.ID)
	points, err := os.ReadFile(o.points())
	must(t, err)
	if !exists {
		if bytes.Contains(points, []byte("after:create\n")) {
			t.Error("the loop was created, and is not there")
		}
		return false
	}
	asking := l.State.Status == loop.Waiting && l.State.Reason == loop.ForHuman // it needs no process before its deadline
	resting := l.State.Status == loop.Paused || asking || terminal(l)
	if l.Live || l.Crashed == resting {
		t.Errorf("%s, live %v, crashed %v after the kill", l.State.Status, l.Live, l.Crashed)
	}
	return terminal(l)
}

// released reads the loop when its lock is free. A child that was just being
// forked holds the descriptor until it executes its program.
func (w world) released(t testing.TB, id string) (l engine.Loop, exists bool) {
	t.Helper()
	tier.Eventually(t, "the lock of a killed owner", func() bool {
		l, exists = w.show(t, id)
		return !l.Live
	})
	return l, exists
}
