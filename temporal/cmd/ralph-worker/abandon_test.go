//go:build server

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// abandoned checks that the run of clone a, which has moved and continued on the server, is continued
// in the clone where the user gives up the server by name, and that the server's record replaces
// nothing once it answers again.
func (s scene) abandoned(id string) {
	s.Helper()
	local := s.local().ralph
	args := []string{"move", id, "--to", "local", "--abandon-server"}
	if out := local("a", 64, append(args, "--no-input")...); !strings.Contains(out, "it is lost with that server") {
		s.Errorf("not asked: %s", out)
	}
	if out := local("a", 0, append(args, "--yes")...); !strings.Contains(out, "continues on this machine as it was before") {
		s.Errorf("abandoned: %s", out)
	}
	if out := local("a", 0, args...); !strings.Contains(out, "is on this machine already") {
		s.Errorf("abandoned twice: %s", out)
	}
	if out := local("a", 0, "logs", id); !strings.Contains(out, "without what was done on") {
		s.Errorf("the history: %s", out)
	}
	for _, move := range [][]string{{"--to", s.engine}, {"--to", "local", "--engine", s.engine}} {
		if out := local("a", 64, append([]string{"move", id, "--yes"}, move...)...); !strings.Contains(out, "both stay as they are") {
			s.Errorf("the server answers again, %s: %s", move, out)
		}
	}
}

// movedOut pauses a run of clone a that works, moves it to the server, and lets a worker end it
// there.
func (s scene) movedOut(id string) {
	s.Helper()
	s.until("the agent works", s.exists("started"))
	s.local().ralph("a", 0, "pause", id, "--now")
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", id, "--to", s.engine)
		return strings.Contains(out, "moved to")
	})
	s.write("go", "")
	worker := s.worker("one")
	s.ralph("b", 0, "resume", id, "-d")
	s.ralph("b", 0, "wait", id)
	s.signal(worker, syscall.SIGTERM)
}

// TestServerAbandoned: a loop whose server is lost continues where it came from, and is accepted.
func TestServerAbandoned(t *testing.T) {
	s := newScene(t)
	s.local().ralph("a", 0, append(s.run(), "-d")...)
	s.movedOut("make")
	s.abandoned("make")
	s.local().ralph("a", 0, "resume", "make")
	s.local().ralph("a", 0, "accept", "make", "--yes")
	if got, err := os.ReadFile(s.at("a/result")); err != nil || string(got) != "done\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}
}

// TestServerOfAPlanAbandoned is TestServerAbandoned for a plan with its loops.
func TestServerOfAPlanAbandoned(t *testing.T) {
	s := planned(t)
	id := s.local().startPlan()
	s.movedOut(id)
	s.abandoned(id)
	s.local().ralph("a", 0, "resume", id)
	s.local().ralph("a", 0, "accept", id, "--yes")
	if out := s.git(s.at("a"), "show", "HEAD:plan.md"); strings.Count(out, "- [x]") != 2 {
		t.Errorf("the accepted plan:\n%s", out)
	}
}

// TestCloneAbandoned: a loop, or a plan with its loops, moves from the server to a clone that is
// lost, in the middle of the move or after it. Another clone continues it on the server, and
// accepts it.
func TestCloneAbandoned(t *testing.T) {
	for _, at := range []int{0, 3} {
		t.Run("loop "+strconv.Itoa(at), func(t *testing.T) {
			s := newScene(t)
			s.start()
			s.continuedWithoutClone("make", at)
		})
	}
	t.Run("plan", func(t *testing.T) {
		s := planned(t)
		s.continuedWithoutClone(s.startPlan(), 6)
	})
}

func (s scene) continuedWithoutClone(id string, at int) {
	s.Helper()
	worker := s.worker("one")
	s.until("the agent works", s.exists("started"))
	s.ralph("a", 0, "pause", id, "--now")
	s.until("it is paused", func() bool { return strings.Contains(s.ralph("a", 0, "status", id), "paused") })
	s.signal(worker, syscall.SIGTERM)
	s.movesToLost(id, at)
	if out := s.ralph("a", 64, "resume", id, "-d"); !strings.Contains(out, "--abandon-clone") {
		s.Errorf("nothing tells what to do about the lost clone: %s", out)
	}
	args := []string{"move", id, "--to", s.engine, "--abandon-clone"}
	if out := s.local().ralph("a", 64, append(args, "--no-input")...); !strings.Contains(out, "is lost with that clone") {
		s.Errorf("not asked: %s", out)
	}
	s.until("the heartbeats of the lost clone are missed", func() bool {
		out, code := s.local().try("a", append(args, "--yes")...)
		return code == 0 && strings.Contains(out, "as it was before it moved to a clone")
	})
	if out := s.local().ralph("a", 0, args...); !strings.Contains(out, "already") {
		s.Errorf("abandoned twice: %s", out)
	}
	s.write("go", "")
	s.worker("two")
	s.ralph("a", 0, "resume", id, "-d")
	s.ralph("a", 0, "wait", id)
	s.ralph("a", 0, "accept", id, "--yes")
}

// movesToLost moves a run to clone b, is killed at a point (0: never), and deletes the clone.
func (s scene) movesToLost(id string, at int) {
	s.Helper()
	s.until("it moves", func() bool {
		cmd := s.local().program("user-b", "move", id, "--to", "local", "--engine", s.engine, "--yes")
		cmd.Dir = s.at("b")
		if at > 0 {
			cmd.Env = append(cmd.Env, killAt+"="+strconv.Itoa(at))
		}
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() || strings.Contains(string(out), "moved to")
	})
	if err := os.RemoveAll(s.at("b")); err != nil {
		s.Fatal(err)
	}
}
