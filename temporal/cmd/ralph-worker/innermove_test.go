//go:build server

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// innerFiles are the files of a plan with others in the places of its tasks.
var innerFiles = []string{"plan.md", "plans/one.md", "plans/two.md", "plans/deep.md", "plans/three.md"}

// deeply is a scene with a plan of three tasks, in whose places are plans: the first one lands at
// once, the second one has another one in the place of its second task, whose agent waits, and
// the third one comes after that.
func deeply(t *testing.T) scene {
	s := newScene(t)
	if err := os.MkdirAll(s.at("a/plans"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("a/plan.md", "# Four files\n\n### Task 1: one\n\n**Plan:** plans/one.md\n\n- [ ] Do it.\n\n### Task 2: two\n\n**Plan:** plans/two.md\n\n**Dependencies:** 1\n\n- [ ] Do it.\n\n### Task 3: three\n\n**Plan:** plans/three.md\n\n**Dependencies:** 2\n\n- [ ] Do it.\n")
	s.write("a/plans/one.md", "# One\n\n### Task 1: first\n\n- [ ] Write it.\n")
	s.write("a/plans/two.md", "# Two\n\n### Task 1: second\n\n- [ ] Write it.\n\n### Task 2: the rest\n\n**Plan:** deep.md\n\n**Dependencies:** 1\n\n- [ ] Do it.\n")
	s.write("a/plans/deep.md", "# Deep\n\n### Task 1: third\n\n- [ ] Write it.\n")
	s.write("a/plans/three.md", "# Three\n\n### Task 1: fourth\n\n- [ ] Write it.\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plans")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.write("agent.sh", `prompt=$(head -c 4000)
case $prompt in *third*)
	touch "$1/started"
	while ! test -e "$1/go"; do sleep 0.05; done ;;
esac
for name in first second third fourth; do
	case $prompt in *$name*) echo done > $name ;; esac
done
`)
	return s
}

// accepts checks that a clone accepts the plan, with all that was done and the ticks in all files.
func (s scene) accepts(clone, id string) {
	s.Helper()
	s.local().ralph(clone, 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second", "third", "fourth"} {
		if _, err := os.Stat(s.at(clone + "/" + name)); err != nil {
			s.Errorf("accepted without %s: %v", name, err)
		}
	}
	for _, file := range innerFiles {
		if out := s.git(s.at(clone), "show", "HEAD:"+file); strings.Contains(out, "- [ ]") || !strings.Contains(out, "- [x]") {
			s.Errorf("the accepted %s:\n%s", file, out)
		}
	}
}

// TestInnerPlansMovedThereAndBack: a plan of one machine moves to the server with the plans in
// its tasks' places, of which one has landed, one is half done and one has not begun. Workers
// complete it, one after the other was killed; a clone that never had it gets all of it, with
// the files that it lacks, and accepts it.
func TestInnerPlansMovedThereAndBack(t *testing.T) {
	s := deeply(t)
	engine, local := s.engine, s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	if out := local("a", 64, "move", "plans/two.md", "--to", engine); !strings.Contains(out, "in the place of a task of plan "+id+", and moves with that one only") {
		t.Errorf("a plan in the place of a task: %s", out)
	}
	if out := local("a", 75, "move", "plan.md", "--to", engine); !strings.Contains(out, "pause it first: ralph pause "+id) {
		t.Errorf("while it runs: %s", out)
	}
	local("a", 0, "pause", id, "--now")
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", "plan.md", "--to", engine)
		return strings.Contains(out, "moved to")
	})
	for _, file := range innerFiles[:4] {
		if out := local("a", 64, "resume", file); !strings.Contains(out, "was moved to") {
			t.Errorf("%s where it was: %s", file, out)
		}
	}
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	one := s.worker("one")
	s.ralph("b", 0, "resume", id, "-d")
	s.until("the agent works again", s.exists("started"))
	s.signal(one, syscall.SIGKILL)
	two := s.worker("two")
	s.write("go", "")
	s.ralph("b", 0, "wait", id)
	s.signal(two, syscall.SIGTERM)

	s.git(s.at("b"), "pull", "-q", "origin", "main")
	for _, file := range []string{"plan.md", "plans/one.md", "plans/three.md"} {
		if err := os.Remove(s.at("b/" + file)); err != nil {
			t.Fatal(err)
		}
	}
	local("b", 0, "move", id, "--to", "local", "--engine", engine, "--yes")
	if out := local("b", 0, "status", id); strings.Count(out, "✓ done") != 3 {
		t.Errorf("status in the clone: %s", out)
	}
	s.accepts("b", id)
}

// TestInnerPlansContinueInAnotherClone: a plan whose inner plans are half done moves from one
// clone to another one, which continues those that they were, under other paths.
func TestInnerPlansContinueInAnotherClone(t *testing.T) {
	s := deeply(t)
	local := s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	local("a", 0, "pause", id, "--now")
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", id, "--to", s.engine)
		return strings.Contains(out, "moved to")
	})
	s.git(s.at("b"), "pull", "-q", "origin", "main")
	local("b", 0, "move", id, "--to", "local", "--engine", s.engine, "--yes")
	s.write("go", "")
	local("b", 0, "resume", id)
	for name, status := range map[string]string{"a": "moved", "b": "passed"} {
		for _, run := range []string{id, "one-", "two-", "deep-"} {
			if out := local(name, 0, "status", run); !strings.Contains(out, status) {
				t.Errorf("status of %s in %s: %s", run, name, out)
			}
		}
	}
	if out := local("b", 0, "logs", "two-"); strings.Count(out, "landed as ") != 2 {
		t.Errorf("the history of a plan that was half done: %s", out)
	}
	s.accepts("b", id)
}

// TestInnerPlansMoveKilled is TestPlanMoveKilled for a plan with others in its tasks' places.
func TestInnerPlansMoveKilled(t *testing.T) {
	s := deeply(t)
	local := s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	local("a", 0, "pause", id, "--now")
	s.until("it rests", func() bool {
		out, _ := s.local().try("a", "status", id, "--json")
		return strings.Contains(out, `"paused"`) && !strings.Contains(out, `"live": true`)
	})
	s.moveKilled(id, 37)
	s.write("go", "")
	local("a", 0, "resume", id)
	s.accepts("a", id)
}

// TestServerOfInnerPlansAbandoned is TestServerAbandoned for a plan with others in its tasks'
// places.
func TestServerOfInnerPlansAbandoned(t *testing.T) {
	s := deeply(t)
	id := s.local().startPlan()
	s.movedOut(id)
	s.abandoned(id)
	s.local().ralph("a", 0, "resume", id)
	s.accepts("a", id)
}
