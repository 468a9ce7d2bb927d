//go:build server

package main

import (
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// nested is a scene with a plan whose first task is a plan of two tasks; the second one needs it.
// The agent works on the first of the three at once, so that something has landed when others begin.
func nested(t *testing.T) scene {
	s := newScene(t)
	if err := os.MkdirAll(s.at("a/plans"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("a/plan.md", "# Three files\n\n### Task 1: both\n\n**Plan:** plans/inner.md\n\n- [ ] Write them.\n\n### Task 2: third\n\n**Dependencies:** 1\n\n- [ ] Write it, too.\n")
	s.write("a/plans/inner.md", "# Two files\n\n### Task 1: first\n\n- [ ] Write it.\n\n### Task 2: second\n\n**Dependencies:** 1\n\n- [ ] Write it, too.\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plan")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.write("agent.sh", `prompt=$(head -c 4000)
case $prompt in *second*|*third*)
	touch "$1/started"
	while ! test -e "$1/go"; do sleep 0.05; done ;;
esac
case $prompt in *third*) echo 3 > third ;; *second*) echo 2 > second ;; *) echo 1 > first ;; esac
`)
	return s
}

var innerID = regexp.MustCompile(`inner-[0-9a-f]{8}`)

// innerPlan returns the id of the plan in the place of a plan's task.
func (s scene) innerPlan(id string) string {
	s.Helper()
	out := s.ralph("b", 0, "logs", id)
	inner := innerID.FindString(out)
	if inner == "" {
		s.Fatalf("no plan in the place of a task: %s", out)
	}
	return inner
}

// TestInnerPlanOfTwoWorkers: a plan in the place of a task, whose worker is killed, is continued
// by a worker that has neither file, is seen in every clone, and lands in the plan around it.
// Both files are ticked where the plan is accepted. A worker has one slot, which is the loops'.
func TestInnerPlanOfTwoWorkers(t *testing.T) {
	s := nested(t)
	one := s.worker("one")
	id := s.startPlan()
	s.until("the agent works", s.exists("started"))
	inner := s.innerPlan(id)
	if out := s.ralph("b", 0, "status", inner); !strings.Contains(out, "running") {
		t.Errorf("status of %q in another clone: %s", inner, out)
	}
	s.until("the worker is listed with both", func() bool {
		return strings.Contains(strings.ReplaceAll(s.ralph("b", 0, "worker", "list", "--json"), " ", ""), `"plans":2,`)
	})
	s.signal(one, syscall.SIGKILL)
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.worker("three")
	s.until("the agent works again", s.exists("started"))
	s.write("go", "")
	s.ralph("b", 0, "wait", id)
	for _, clone := range []string{"a", "b"} {
		for _, plan := range []string{id, inner} {
			if out := s.ralph(clone, 0, "status", plan); !strings.Contains(out, "passed") {
				t.Errorf("status of %s in %s: %s", plan, clone, out)
			}
		}
	}
	if out := s.ralph("b", 0, "logs", inner); strings.Count(out, "landed as ") != 2 {
		t.Errorf("logs: %s", out)
	}
	if out := s.ralph("b", 0, "report", id); !strings.Contains(out, "third") {
		t.Errorf("report: %s", out)
	}
	s.ralph("a", 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second", "third"} {
		if _, err := os.Stat(s.at("a/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
	for _, file := range []string{"plan.md", "plans/inner.md"} {
		if out := s.git(s.at("a"), "show", "HEAD:"+file); strings.Count(out, "- [x]") != 2 {
			t.Errorf("the accepted %s:\n%s", file, out)
		}
	}
	if out := s.git(s.at("a"), "status", "--porcelain"); out != "" {
		t.Errorf("the tree is left as %s", out)
	}
	if out := s.ralph("a", 0, s.runPlan()...); !strings.Contains(out, "archived") && !strings.Contains(out, "passed") {
		t.Errorf("once more: %s", out)
	}
}

// TestInnerPlanPausedAndAborted: a plan pauses, resumes and ends the plan in its task's place,
// with and without a worker.
func TestInnerPlanPausedAndAborted(t *testing.T) {
	s := nested(t)
	one := s.worker("one")
	id := s.startPlan()
	s.until("the agent works", s.exists("started"))
	inner := s.innerPlan(id)
	is := func(run, status string) func() bool {
		return func() bool { out, _ := s.try("b", "status", run); return strings.Contains(out, status) }
	}
	s.ralph("b", 0, "pause", id, "--now")
	s.until("the inner plan is paused", is(inner, "paused"))
	s.until("the plan is paused", is(id, "paused"))
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.ralph("a", 0, "resume", id, "-d")
	s.until("the agent works again", s.exists("started"))
	s.signal(one, syscall.SIGKILL)
	s.until("no worker has it", func() bool {
		_, code := s.try("b", "abort", id, "--reason", "enough")
		return code == 0
	})
	s.worker("two")
	s.ralph("a", 1, "wait", id)
	s.ralph("a", 1, "wait", inner)
}
