package proc

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// runawaySpec is a child that starts the six runaways, which register in dir.
func runawaySpec(t *testing.T, mode string) (s Spec, dir string) {
	dir = t.TempDir()
	return spec(t, roleArgv("runaways", dir, mode)...), dir
}

// allGone checks that the runaways existed and are gone.
func allGone(t *testing.T, dir string) {
	t.Helper()
	ids := registered(dir)
	if len(ids) < runawayCount {
		t.Fatalf("%d runaways were started", len(ids))
	}
	if n := survivors(ids); n > 0 {
		t.Errorf("%d of %d runaways survive", n, len(ids))
	}
}

func TestRunawaysAfterExit(t *testing.T) {
	t.Parallel()
	s, dir := runawaySpec(t, "exit")
	e := wait(t, start(t, s))
	if code(e) != 0 || !e.OK() || e.Leftovers != runawayCount || e.Survivors != 0 {
		t.Errorf("got %+v", e)
	}
	allGone(t, dir)
}

func TestRunawaysAfterStop(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*Child){
		"stop":    (*Child).Stop,
		"kill":    (*Child).Kill,
		"timeout": func(c *Child) { c.request(orderTimeout) },
		"cancel":  func(c *Child) { c.request(orderCancel) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := runawaySpec(t, "stay")
			c := ready(t, t.Context(), s)
			stop(c)
			if e := wait(t, c); e.OK() || e.TimedOut != (name == "timeout") {
				t.Errorf("got %+v", e)
			}
			allGone(t, dir)
		})
	}
}

// The agent kills its shim: the supervisor adopts what is left and ends it,
// also the one whose environment is empty.
func TestRunawaysAfterShimKilled(t *testing.T) {
	t.Parallel()
	other := ready(t, t.Context(), spec(t, "sh", "-c", "echo ready; sleep 60"))
	s, dir := runawaySpec(t, "kill-shim")
	e, err := start(t, s).Wait()
	if err == nil || e.OK() || e.Code != nil || e.Leftovers < runawayCount {
		t.Errorf("got %+v, %v", e, err)
	}
	allGone(t, dir)
	select {
	case <-other.Done():
		t.Error("a child of another run was ended")
	default:
	}
}

// A daemon of a helper is not taken for the orphan of an agent whose shim was killed.
func TestHelpersDaemonIsSpared(t *testing.T) {
	t.Parallel()
	s, dir := runawaySpec(t, "stay")
	c := ready(t, t.Context(), s)
	out, err := Run(t.Context(), Command{
		Argv: []string{"sh", "-c", "setsid sleep 60 >/dev/null 2>&1 & echo $!"},
		Env:  []string{"PATH=" + os.Getenv("PATH")},
	})
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out.Stdout)))
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := readProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		send(daemon.identity, unix.SIGKILL)
		unix.Wait4(pid, nil, 0, nil)
	})
	send(c.handle.(*shimHandle).id, unix.SIGKILL)
	if _, err := c.Wait(); !errors.Is(err, ErrLost) {
		t.Errorf("got %v", err)
	}
	allGone(t, dir)
	if !daemon.alive() {
		t.Error("the helper's daemon was ended")
	}
}

// The agent freezes its shim: after the grace the supervisor does its work.
func TestRunawaysAfterShimFrozen(t *testing.T) {
	t.Parallel()
	s, dir := runawaySpec(t, "stop-shim")
	s.patience = 100 * time.Millisecond
	c := ready(t, t.Context(), s)
	c.Kill()
	e, err := c.Wait()
	if err == nil || e.OK() || !e.Stopped {
		t.Errorf("got %+v, %v", e, err)
	}
	allGone(t, dir)
}

// Six chains of processes that fork into new sessions all the time.
func TestHydra(t *testing.T) {
	t.Parallel()
	const script = `for i in 1 2 3 4 5 6; do "$@" & done
while set -- *.json; [ $# -lt 30 ]; do :; done; echo ready`
	for name, then := range map[string]string{"leader stays": "; sleep 60", "leader exits": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := spec(t, append([]string{"sh", "-c", script + then, "sh"}, roleArgv("hydra", dir, "2000")...)...)
			s.Dir = dir
			c := ready(t, t.Context(), s)
			begun := time.Now()
			if name == "leader stays" {
				c.Stop()
			}
			e := wait(t, c)
			if e.Survivors != 0 {
				t.Errorf("got %+v", e)
			}
			t.Logf("%d heads, ended in %s", len(registered(dir)), time.Since(begun))
			if n := survivors(registered(dir)); n > 0 {
				t.Errorf("%d heads survive", n)
			}
		})
	}
}

// A signal to the shim's pid with the wrong start time is not sent.
func TestReusedPIDIsSpared(t *testing.T) {
	t.Parallel()
	c := ready(t, t.Context(), spec(t, "sh", "-c", "echo ready; sleep 60"))
	id := c.handle.(*shimHandle).id
	stranger := identity{PID: id.PID, Start: id.Start - 1}
	if stranger.alive() || send(stranger, unix.SIGKILL) || sendByPID(stranger, unix.SIGKILL) {
		t.Error("a stranger was signalled")
	}
	if !id.alive() || !send(id, unix.SIGCONT) || !sendByPID(id, unix.SIGCONT) {
		t.Error("the shim is not known")
	}
	c.Kill()
	wait(t, c)
	if id.alive() || send(id, unix.SIGCONT) {
		t.Error("the shim is still there")
	}
}

// A process that ends by itself right after its shell is not a leftover.
func TestPipelineEndIsAwaited(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	file := filepath.Join(t.TempDir(), "late")
	s := spec(t, "sh", "-c", `(sleep 0.02; echo late >"$0") & echo ready`, file)
	s.Stdout = w
	c := start(t, s)
	waitFor(t, r, "ready")
	if e := wait(t, c); e.Leftovers != 0 || !e.OK() {
		t.Errorf("got %+v", e)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("1 (a) S 0 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 99 1 2")
	f.Add("7 (x) R 1) Z 0 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 99 1 2")
	f.Add("7 ()) S")
	f.Add(") 1 (")
	f.Fuzz(func(t *testing.T, line string) {
		p, err := parseStat(line)
		if err != nil && p != (process{}) {
			t.Errorf("%q gave %+v and %v", line, p, err)
		}
	})
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	p, err := parseStat("42 (evil) Z 1 2 3) S 5 6 7 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 990 1 2\n")
	want := process{identity: identity{PID: 42, Start: 990}, Parent: 5, Group: 6, Session: 7}
	if err != nil || p != want {
		t.Errorf("got %+v, %v", p, err)
	}
}
