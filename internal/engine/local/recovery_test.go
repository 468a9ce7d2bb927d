//go:build linux

package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/loop"
	"ralph/internal/recovery"
	"ralph/internal/testing/tier"
)

// keeper is a supervisor of a world's loops in this process. What it has taken
// up runs in processes of its own.
type keeper struct {
	*local.Supervisor
	mu      sync.Mutex
	did     []local.Did
	started []launched
	// jump is how far its clock goes at each look.
	jump time.Duration
}

// patient is the usual policy for a clock that jumps: nobody who lives seems to
// stand still.
func patient() recovery.Policy {
	p := recovery.DefaultPolicy()
	p.Stuck = 1000 * time.Hour
	return p
}

// watch makes a supervisor that starts processes like o. Its clock jumps at each
// look, so that nobody waits for a back-off.
func (w world) watch(t testing.TB, o order, p recovery.Policy) *keeper {
	t.Helper()
	e, closed, err := o.wired(t.Context(), nil)
	must(t, err)
	t.Cleanup(closed)
	k := &keeper{jump: time.Minute}
	clock := time.Duration(0)
	k.Supervisor = &local.Supervisor{
		Engine: e, Tracker: recovery.Tracker{Policy: p}, By: "test",
		Since: func() time.Duration { clock += k.jump; return clock },
		Tell: func(d local.Did) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.did = append(k.did, d)
		},
	}
	k.Start = func(_ context.Context, a recovery.Action) error {
		again := o
		again.Verb, again.Recovery = "resume", true
		if a.Verb == recovery.TakeOver {
			again.Verb = "takeover"
		}
		l := again.launch(t)
		k.mu.Lock()
		k.started = append(k.started, l)
		k.mu.Unlock()
		// It goes on by itself once it holds the loop, or has already ended.
		tier.Eventually(t, "a process to take the loop up", func() bool {
			r, err := e.Show(t.Context(), a.ID)
			must(t, err)
			return (r.Live || l.gone()) && w.epoch(t, a.ID) > a.Epoch
		})
		return nil
	}
	return k
}

// gone says whether the process is.
func (l launched) gone() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", l.Process.Pid))
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return err != nil || bytes.HasPrefix(rest, []byte("Z"))
}

func (w world) epoch(t testing.TB, id string) int64 {
	t.Helper()
	s := w.memory(t)
	defer s.Close()
	r, err := s.Read(t.Context(), id)
	must(t, err)
	return r.Epoch
}

// until looks until the loop has ended, or was left.
func (k *keeper) until(t testing.TB, id string, over func(engine.Loop) bool) {
	t.Helper()
	tier.Eventually(t, "the end of the rescue", func() bool {
		must(t, k.Round(t.Context()))
		l, err := k.Engine.Show(t.Context(), id)
		must(t, err)
		return over(l)
	})
}

// count counts what was done.
func (k *keeper) count(do recovery.Verb) (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, d := range k.did {
		if d.Verb == do {
			n++
		}
	}
	return n
}

// TestSupervisorGoesOn: whatever a loop was doing when its process died, a
// supervisor brings it to the end that it would have come to.
func TestSupervisorGoesOn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"passes at the third", "with setup", "leaves a daemon"} {
		s := sceneNamed(t, name)
		want, points := s.undisturbed(t)
		for n := range points {
			if n%18 != len(name)%18 && !tier.Long() || points[n] == "before:create" {
				continue
			}
			t.Run(strings.ReplaceAll(name, " ", "-")+fmt.Sprintf("-%02d-%s", n+1, points[n]), func(t *testing.T) {
				t.Parallel()
				w, o := newWorld(t, s)
				o.Acts[n+1] = "kill"
				o.run1(t, "start")
				l, _ := w.released(t, o.Spec.ID)
				ended := terminal(l)
				k := w.watch(t, o, patient())
				k.until(t, o.Spec.ID, terminal)
				for _, l := range k.started {
					l.end(t)
				}
				if got := k.count(recovery.Resume); !ended && got != 1 || ended && got != 0 {
					t.Errorf("taken up %d times: %+v", got, k.did)
				}
				if !ended {
					w.compare(t, o.Spec.ID, want)
				}
			})
		}
	}
}

// TestRescueUndoesNoPause: a person asked for a pause, and the process died before
// the step was over. Who looks after crashed loops leaves it paused; a person goes
// on with it.
func TestRescueUndoesNoPause(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "paused")
	for _, point := range []string{"before:pause_asked", "after:pause_asked"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Each = point // by its name: how many events come before the pause depends on the moment
			if _, killed := o.run1(t, "start"); !killed {
				t.Fatal("not killed")
			}
			o.Each = ""
			w.released(t, o.Spec.ID)
			o.Sends = nil
			k := w.watch(t, o, patient())
			k.until(t, o.Spec.ID, func(l engine.Loop) bool { return l.State.Status == loop.Paused && !l.Live || terminal(l) })
			for range 3 {
				must(t, k.Round(t.Context()))
			}
			for _, l := range k.started {
				l.end(t)
			}
			if l, _ := w.show(t, o.Spec.ID); l.State.Status != loop.Paused || k.count(recovery.Resume) != 1 {
				t.Errorf("%s after %d tries", l.State.Status, k.count(recovery.Resume))
			}
			o.run1(t, "resume")
			if l, _ := w.show(t, o.Spec.ID); l.State.Status != loop.StatusPassed {
				t.Errorf("a person went on with it: %s", l.State.Status)
			}
		})
	}
}

// TestTwoSupervisorsAndACrashLoop: an agent takes its process down each time.
// Two supervisors make the tries that there are, one at a time and none twice,
// and leave it then; when a person resumes it, it begins anew.
func TestTwoSupervisorsAndACrashLoop(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, sceneNamed(t, "passes at the third"))
	o.Each = "before:agent_ended"
	o.run1(t, "start")
	w.released(t, o.Spec.ID)
	p := patient()
	p.Max, p.BackOff = 3, 4*time.Second // in which a process takes the loop up
	keepers := []*keeper{w.watch(t, o, p), w.watch(t, o, p)}
	began := time.Now()
	for _, k := range keepers {
		k.Since = func() time.Duration { return time.Since(began) }
	}
	var both sync.WaitGroup
	for _, k := range keepers {
		both.Go(func() {
			k.until(t, o.Spec.ID, func(l engine.Loop) bool { return l.Recovery.Left && l.Crashed })
		})
	}
	both.Wait()
	starts := 0
	for _, k := range keepers {
		starts += len(k.started)
		for _, l := range k.started {
			if _, killed := l.end(t); !killed {
				t.Error("a process was started that found the loop taken")
			}
		}
	}
	if left := keepers[0].count(recovery.Leave) + keepers[1].count(recovery.Leave); starts != p.Max || left != 1 {
		t.Errorf("%d tries, left %d times", starts, left)
	}
	l, _ := w.released(t, o.Spec.ID)
	if l.Recovery.Tries != p.Max || l.State.Last().Crashes != p.Max || l.State.Iteration != 1 {
		t.Errorf("%+v, %+v", l.Recovery, l.State.Last())
	}
	w.told(t, "rescue", p.Max)
	w.told(t, "left", 1)
	for range 5 {
		must(t, keepers[0].Round(t.Context()))
	}
	w.told(t, "rescue", p.Max)
	o.Each = ""
	o.toTheEnd(t, w)
	w.sound(t, o.Spec.ID)
	if l, _ := w.show(t, o.Spec.ID); l.Recovery != (recovery.Restarts{}) || l.State.Status != loop.StatusPassed {
		t.Errorf("%s, %+v", l.State.Status, l.Recovery)
	}
}

// told counts a notice on the bus.
func (w world) told(t testing.TB, event string, want int) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(w.repo(), ".ralph", "log.jsonl"))
	must(t, err)
	if got := strings.Count(string(log), fmt.Sprintf("%q:%q", "event", event)); got != want {
		t.Errorf("%d notices of %s, want %d:\n%s", got, event, want, log)
	}
}

// TestStuckOwnerIsTakenOver: a process is stopped (SIGSTOP) while its agent
// works. A supervisor that has watched it for long enough takes the loop over;
// woken, the former owner does nothing any more.
func TestStuckOwnerIsTakenOver(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	w, o := newWorld(t, s)
	for i, p := range points {
		if p == "after:agent_ended" {
			o.Acts[i+1] = "stop"
			break
		}
	}
	o.Verb = "start"
	old := o.launch(t)
	tier.Eventually(t, "the owner to stop", old.stopped)
	k := w.watch(t, o, recovery.DefaultPolicy())
	start := k.Start
	k.Start = func(ctx context.Context, a recovery.Action) error {
		k.jump = 0 // who takes it over lives, and its life is not to be missed
		return start(ctx, a)
	}
	for range 3 { // 10 s awake each, at most
		must(t, k.Round(t.Context()))
	}
	if len(k.did) > 0 {
		t.Fatalf("too soon: %+v", k.did)
	}
	k.until(t, o.Spec.ID, terminal)
	before, _ := w.show(t, o.Spec.ID)
	must(t, old.Process.Signal(unix.SIGCONT))
	if a, killed := old.end(t); killed || !a.Fenced {
		t.Errorf("the former owner: killed %v, %+v", killed, a)
	}
	for _, l := range k.started {
		l.end(t)
	}
	if after, _ := w.show(t, o.Spec.ID); after.Seq != before.Seq || k.count(recovery.TakeOver) != 1 {
		t.Errorf("the former owner wrote %d events; %+v", after.Seq-before.Seq, k.did)
	}
	w.compare(t, o.Spec.ID, want)
	w.told(t, "take_over", 1)
}

// TestRebooted: the machine was started again. What a record says of processes
// means nothing any more: whoever has such a number now is left alone.
func TestRebooted(t *testing.T) {
	t.Parallel()
	for _, sameBoot := range []bool{false, true} {
		t.Run(fmt.Sprintf("same boot %v", sameBoot), func(t *testing.T) {
			t.Parallel()
			s := sceneNamed(t, "passes at the third")
			want, points := s.undisturbed(t)
			w, o := newWorld(t, s)
			if o.Boot = ""; !sameBoot {
				o.Boot = "yesterday"
			}
			o.Acts[second(points, "before:agent_ended")] = "kill"
			o.run1(t, "start")
			l, _ := w.released(t, o.Spec.ID)
			innocent := exec.CommandContext(t.Context(), "sleep", "600")
			must(t, innocent.Start())
			defer func() { _ = innocent.Process.Kill(); _ = innocent.Wait() }()
			w.accuse(t, l, innocent.Process.Pid, sameBoot)
			if o.Boot != "" {
				o.Boot = "today"
			}
			k := w.watch(t, o, patient())
			k.until(t, o.Spec.ID, terminal)
			for _, l := range k.started {
				l.end(t)
			}
			// Under the same boot the record is believed: else this tests nothing.
			if dead := (launched{Cmd: innocent}).gone(); dead != sameBoot {
				t.Errorf("the process that has the number now is gone: %v", dead)
			}
			if got := k.did[0].Reason; got != recovery.Rebooted && !sameBoot || got != recovery.Crashed && sameBoot {
				t.Errorf("the reason is %s", got)
			}
			w.compare(t, o.Spec.ID, want)
		})
	}
}

// accuse makes the newest agent's record name another process.
func (w world) accuse(t testing.TB, l engine.Loop, pid int, sameBoot bool) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	must(t, err)
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	start := strings.Fields(string(rest))[19]
	runs, err := filepath.Glob(filepath.Join(engine.Layout{Dir: l.Dir}.Runs(l.State.Iteration), "agent-*", "run.json"))
	must(t, err)
	for _, file := range runs {
		data, err := os.ReadFile(file)
		must(t, err)
		var rec map[string]any
		must(t, json.Unmarshal(data, &rec))
		rec["shim"] = map[string]any{"pid": pid, "start": json.Number(start)}
		if !sameBoot {
			rec["machine"].(map[string]any)["boot"] = "yesterday"
		}
		data, err = json.Marshal(rec)
		must(t, err)
		must(t, os.WriteFile(file, data, 0o600))
		_ = os.Remove(filepath.Join(filepath.Dir(file), "exit.json"))
	}
	if len(runs) == 0 {
		t.Fatal("no record of an agent")
	}
}

// TestRescueOnAFullDisk: nothing is claimed, nothing is started, and it is said;
// with room again the loop goes on.
func TestRescueOnAFullDisk(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	w, o := onSmallDisk(t, s)
	o.Acts[second(s.points(t), "after:agent_ended")] = "kill"
	o.run1(t, "start")
	w.released(t, o.Spec.ID)
	k := w.watch(t, o, patient())
	fill(w.disk())
	for range 3 {
		must(t, k.Round(t.Context()))
	}
	for _, d := range k.did {
		if d.Err == nil {
			t.Errorf("done on a full disk: %+v", d)
		}
	}
	if len(k.did) == 0 || len(k.started) > 0 {
		t.Fatalf("%d processes, told %+v", len(k.started), k.did)
	}
	must(t, empty(w.disk()))
	k.until(t, o.Spec.ID, terminal)
	for _, l := range k.started {
		l.end(t)
	}
	w.sound(t, o.Spec.ID)
}

// TestNoRoom: where too many loops run, it is nobody's fault: no try is used up.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	w, o := newWorld(t, s)
	o.Acts[second(s.points(t), "after:agent_ended")] = "kill"
	o.run1(t, "start")
	w.released(t, o.Spec.ID)
	k := w.watch(t, o, patient())
	start := k.Start
	full := 10
	k.Start = func(ctx context.Context, a recovery.Action) error {
		if full--; full >= 0 {
			return fmt.Errorf("%w: four loops are running", engine.ErrNotNow)
		}
		return start(ctx, a)
	}
	k.until(t, o.Spec.ID, func(l engine.Loop) bool {
		if l.Crashed && (l.Recovery.Tries > 1 || l.Recovery.Left) {
			t.Fatalf("%+v", l.Recovery)
		}
		return terminal(l)
	})
	for _, l := range k.started {
		l.end(t)
	}
	if n := len(k.started); n != 1 || full >= 0 {
		t.Errorf("%d processes, %d refusals to come", n, full)
	}
	for _, d := range k.did[:10] {
		if !errors.Is(d.Err, engine.ErrNotNow) {
			t.Errorf("%+v", d)
		}
	}
	w.told(t, "rescue_failed", 10)
}
