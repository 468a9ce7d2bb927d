//go:build linux

package local_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ralph/internal/testing/tier"

	"golang.org/x/sys/unix"
)

// TestDiskFull fills the disk that everything is on, at different moments of a
// run. The run says so and ends; nothing that was recorded is lost; and when
// there is room again, the loop ends as if nothing had happened.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"passes at the third", "fails at the maximum", "with setup"} {
		s := sceneNamed(t, name)
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			w, o := onSmallDisk(t, s)
			o.toTheEnd(t, w)
			want := w.ledger(t, o.Spec.ID)
			data, err := os.ReadFile(o.points())
			must(t, err)
			points := lines(string(data))
			for n := range points {
				if n%12 != len(name)%12 && !tier.Long() {
					continue
				}
				t.Run(fmt.Sprintf("%02d-%s", n+1, points[n]), func(t *testing.T) {
					t.Parallel()
					w, o := onSmallDisk(t, s)
					o.Acts[n+1] = "fill"
					o.untilRoom(t, w)
					w.compare(t, o.Spec.ID, want)
				})
			}
		})
	}
}

// onSmallDisk is newWorld with a disk of its own, of 24 MB.
func onSmallDisk(t testing.TB, s scene) (world, order) {
	t.Helper()
	w := world{roomFor(t)}
	must(t, os.MkdirAll(w.disk(), 0o700))
	if err := unix.Mount("tmpfs", w.disk(), "tmpfs", 0, "size=24m"); err != nil {
		tier.SkipLacking(t, "root (to mount a small disk)", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(w.disk(), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return furnish(t, w, s)
}

// untilRoom runs the loop, makes room after a run that ended for want of it, and
// runs it to the end.
func (o order) untilRoom(t testing.TB, w world) {
	t.Helper()
	for range 6 {
		l, exists := w.show(t, o.Spec.ID)
		if exists && terminal(l) {
			return
		}
		verb := "start"
		if exists {
			verb = "resume"
		}
		a, killed := o.run1(t, verb)
		if killed {
			t.Fatalf("%s was killed", verb)
		}
		if a.Err != "" && !strings.Contains(a.Err, "no space left on the disk of") && !strings.Contains(a.Err, "disk is full") {
			t.Errorf("%s: %s", verb, a.Err)
		}
		if a.Err != "" {
			if after, _ := w.show(t, o.Spec.ID); terminal(after) {
				t.Errorf("the loop ended on a full disk: %s/%s %s", after.State.Status, after.State.Reason, after.State.Message)
			}
		}
		must(t, empty(w.disk()))
	}
	t.Fatal("it did not end")
}

// TestDiskFullBeforeItBegan: nothing is left of a loop that could not be
// recorded.
func TestDiskFullBeforeItBegan(t *testing.T) {
	t.Parallel()
	w, o := onSmallDisk(t, sceneNamed(t, "passes at the third"))
	fill(w.disk())
	a, _ := o.run1(t, "start")
	if a.Err == "" {
		t.Fatal("it ran on a full disk")
	}
	t.Log(a.Err)
	must(t, empty(w.disk()))
	if out, _ := gitIn(w.repo(), "for-each-ref", "refs/heads/ralph"); out != "" {
		t.Errorf("left behind: %s", out)
	}
	o.toTheEnd(t, w)
	w.sound(t, o.Spec.ID)
}
