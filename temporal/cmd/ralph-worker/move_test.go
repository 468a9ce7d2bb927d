//go:build server

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/testing/tier"
)

// killAt makes the test binary ralph-worker that is killed at the point with a number.
const killAt = "RALPH_WORKER_TEST_KILL"

func killedMain(at string) {
	left, _ := strconv.Atoi(at)
	fault := func(string) {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{Engines: engines(), Buckets: openBucket, Fault: fault}))
}

// TestMovedThereAndBack: a loop that began on one machine is paused and moved to the server,
// continues with a worker, moves to another clone and is accepted there, with one history;
// the records that it left behind name the place.
func TestMovedThereAndBack(t *testing.T) {
	s := newScene(t)
	engine := s.engine
	local := s.local().ralph
	local("a", 0, append(s.run(), "-d")...)
	s.until("the agent works", s.exists("started"))
	if out := local("a", 75, "move", "make", "--to", engine); !strings.Contains(out, "pause it first: ralph pause make") {
		t.Errorf("while it runs: %s", out)
	}
	local("a", 0, "pause", "make", "--now")
	s.until("it is paused", func() bool { return strings.Contains(local("a", 0, "status", "make"), "paused") })
	s.until("its process has ended", func() bool {
		out, _ := s.local().try("a", "move", "make", "--to", engine)
		return strings.Contains(out, "moved to")
	})
	if out := local("a", 64, "resume", "make"); !strings.Contains(out, "ralph resume make --engine '"+engine+"'") {
		t.Errorf("resumed where it was: %s", out)
	}
	if out := local("a", 0, "show", "make"); !strings.Contains(out, "ralph show make --engine '"+engine+"'") {
		t.Errorf("shown where it was: %s", out)
	}

	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	worker := s.worker("one")
	s.ralph("b", 0, "resume", "make", "-d")
	s.until("the agent works again", s.exists("started"))
	s.write("go", "")
	s.ralph("b", 0, "wait", "make")
	s.signal(worker, syscall.SIGTERM)

	if out := local("b", 64, "move", "make", "--to", "local", "--engine", engine, "--no-input"); !strings.Contains(out, "gate until: test -e result") {
		t.Errorf("a loop of others: %s", out)
	}
	there := s.ralph("b", 0, "logs", "make")
	local("b", 0, "move", "make", "--to", "local", "--engine", engine, "--yes")
	if here := local("b", 0, "logs", "make"); !strings.HasPrefix(here, strings.TrimRight(there, "\n")[:len(there)/2]) || strings.Count(here, "  arrived") != 2 || strings.Count(here, "  agent_ended") != 1 {
		t.Errorf("the history there:\n%s\nhere:\n%s", there, here)
	}
	if out := local("b", 0, "logs", "make", "--agent"); !strings.Contains(out, "state-one") {
		t.Errorf("the output of the agent: %s", out)
	}
	if out := s.ralph("a", 64, "accept", "make"); !strings.Contains(out, "was moved to") {
		t.Errorf("accepted where it was: %s", out)
	}
	local("b", 0, "accept", "make", "--yes")
	if got, err := os.ReadFile(s.at("b/result")); err != nil || string(got) != "done\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}
}

// TestMoveKilled: the process that moves a loop is killed at every point (of four in the short
// tier one); the same command completes, and the loop is in one place at most at each moment.
func TestMoveKilled(t *testing.T) {
	s := newScene(t)
	s.write("go", "")
	if out, code := s.local().try("a", s.run()...); code != 0 {
		t.Fatal(out)
	}
	s.moveKilled("make", 4)
	s.ralph("a", 64, "accept", "make")
	if out, code := s.local().try("a", "accept", "make", "--yes"); code != 0 {
		t.Error(out)
	}
}

// moveKilled moves a run to the server and back, and kills the process at every point, in the
// short tier at one of so many. The run is in one place at most at each moment.
func (s scene) moveKilled(id string, step int) {
	s.Helper()
	if tier.Long() {
		step = 1
	}
	living := func() (all []string) {
		for name, of := range map[string]scene{"server": s, "clone": s.local()} {
			out, code := of.try("a", "show", id, "--json")
			if code == 0 && !strings.Contains(out, `"reason": "moved"`) && !strings.Contains(out, `"reason": "moving"`) {
				all = append(all, name)
			}
		}
		return all
	}
	for _, to := range []string{s.engine, "local"} {
		for n := 1; ; n += step {
			cmd := s.local().program("user-a", "move", id, "--to", to)
			cmd.Env = append(cmd.Env, killAt+"="+strconv.Itoa(n))
			out, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() == 75 && strings.Contains(string(out), "another process runs it") {
				n -= step // the server counts the one that was killed as the owner until its heartbeats are missed
				continue
			}
			if now := living(); len(now) > 1 {
				s.Fatalf("killed at point %d of a move to %s: it lives in %v", n, to, now)
			}
			if cmd.ProcessState.ExitCode() == 0 {
				break
			}
			if !cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				s.Fatalf("point %d of a move to %s: %s", n, to, out)
			}
		}
		if now, want := living(), map[string]string{s.engine: "server", "local": "clone"}[to]; len(now) != 1 || now[0] != want {
			s.Fatalf("moved to %s, it lives in %v", to, now)
		}
	}
}

// local is the scene for commands about the loops of a clone, not those of the team.
func (s scene) local() scene {
	s.engine = ""
	return s
}
