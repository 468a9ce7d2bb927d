//go:build server

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestWorkLostWithItsWorker: a worker is killed after its agent has ended and before the work is
// recorded. The next one has nothing of it: it repeats the attempt, tells so, and the attempt
// does not count as one without a change.
func TestWorkLostWithItsWorker(t *testing.T) {
	s := newScene(t)
	one := s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	hook := s.refusesPushes()
	s.write("go", "")
	s.until("a push is refused", func() bool { return strings.Contains(s.log("one"), "trying again") })
	s.signal(one, syscall.SIGKILL)
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.ralph("b", 0, "wait", "make")
	s.once("make", map[string]int{"attempt_began": 2, "agent_ended": 2, "interrupted": 1, "committed": 1, "no change": 0, "moved": 2})
	if out := s.ralph("b", 0, "logs", "make"); !strings.Contains(out, "the agent's work is lost") {
		t.Errorf("nothing tells why the attempt began twice:\n%s", out)
	}
	s.ralph("b", 0, "accept", "make", "--yes")
	if got, err := os.ReadFile(s.at("b/result")); err != nil || string(got) != "done\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}
}
