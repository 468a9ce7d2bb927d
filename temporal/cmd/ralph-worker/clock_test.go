//go:build server

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
)

// wrongBy makes the test binary ralph-worker on a machine whose clock is wrong by a duration.
const wrongBy = "RALPH_WORKER_TEST_CLOCK"

func wrongClockMain(by string) {
	wrong, err := time.ParseDuration(by)
	if err != nil {
		panic(err)
	}
	clock := func() time.Time { return time.Now().Add(wrong) }
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{Engines: engines(), Buckets: openBucket, Clock: clock}))
}

// TestClocksThatDiffer: workers whose clocks differ by hours continue a plan, a plan in the place
// of a task, and their loops from each other. No limit of time, of which an hour is the usual
// one, ends them, and what they did is shown and accepted in a clone whose clock is right.
func TestClocksThatDiffer(t *testing.T) {
	s := nested(t)
	s.wrong = map[string]time.Duration{"one": 3 * time.Hour, "two": -3 * time.Hour, "three": 90 * time.Minute}
	one := s.worker("one")
	id := s.startPlan()
	s.until("the agent works", s.exists("started"))
	inner := s.innerPlan(id)
	s.signal(one, syscall.SIGKILL)
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.until("the agent works again", s.exists("started"))
	s.worker("three")
	s.write("go", "")
	s.ralph("b", 0, "wait", id)
	for _, run := range []string{id, inner, inner + "-task-2"} {
		for _, clone := range []string{"a", "b"} {
			if out := s.ralph(clone, 0, "status", run); !strings.Contains(out, "passed") {
				t.Errorf("status of %s in %s: %s", run, clone, out)
			}
		}
	}
	s.ralph("a", 0, "accept", id, "--yes")
	s.ralph("a", 0, "report", id)
	for _, name := range []string{"first", "second", "third"} {
		if _, err := os.Stat(s.at("a/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
}
