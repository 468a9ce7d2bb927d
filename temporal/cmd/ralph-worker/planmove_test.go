//go:build server

package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestPlanMovedThereAndBack: a plan that one machine paused between two attempts moves to the
// server with its loops, and workers complete it; a clone that never had it gets it with its
// file, its ticks and its history, and accepts it.
func TestPlanMovedThereAndBack(t *testing.T) {
	s := planned(t)
	engine, local := s.engine, s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	if out := local("a", 75, "move", "plan.md", "--to", engine); !strings.Contains(out, "pause it first: ralph pause "+id) {
		t.Errorf("while it runs: %s", out)
	}
	local("a", 0, "pause", id, "--now")
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", "plan.md", "--to", engine)
		return strings.Contains(out, "moved to")
	})
	for _, args := range [][]string{{"resume", id}, {"run", "plan.md", "--until", "test -e first", "--agent-cmd", "true", "--yes"}, {"accept", id}, {"abort", id}} {
		if out := local("a", 64, args...); !strings.Contains(out, "was moved to") || !strings.Contains(out, "--engine '"+engine+"'") {
			t.Errorf("%s where it was: %s", args, out)
		}
	}
	if out := local("a", 64, "move", id, "--to", "temporal://other:7233/default"); !strings.Contains(out, "comes to this machine first") {
		t.Errorf("to another server: %s", out)
	}
	if out := local("a", 0, "status", "--all"); !strings.Contains(out, "moved to") {
		t.Errorf("status where it was: %s", out)
	}

	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.write("go", "")
	worker := s.worker("one")
	s.ralph("b", 0, "resume", id, "-d")
	s.ralph("b", 0, "wait", id)
	s.signal(worker, syscall.SIGTERM)

	s.git(s.at("b"), "pull", "-q", "origin", "main")
	if err := os.Remove(s.at("b/plan.md")); err != nil {
		t.Fatal(err)
	}
	if out := local("b", 64, "move", id, "--to", "local", "--engine", engine, "--no-input"); !strings.Contains(out, "gate until: test -e first") {
		t.Errorf("a plan of others: %s", out)
	}
	there := s.ralph("b", 0, "logs", id)
	local("b", 0, "move", id, "--to", "local", "--engine", engine, "--yes")
	here := local("b", 0, "logs", id)
	if !strings.HasPrefix(here, strings.TrimRight(there, "\n")[:len(there)/2]) || strings.Count(here, "the plan is here") != 2 || strings.Count(here, "landed as") != 2 {
		t.Errorf("the history there:\n%s\nhere:\n%s", there, here)
	}
	if out := local("b", 0, "status", id); strings.Count(out, "✓ done") != 2 {
		t.Errorf("status in the clone: %s", out)
	}
	if data, err := os.ReadFile(s.at("b/plan.md")); err != nil || strings.Count(string(data), "- [x]") != 2 {
		t.Errorf("the file in the clone: %s, %v", data, err)
	}
	if out := s.ralph("a", 64, "accept", id); !strings.Contains(out, "was moved to") {
		t.Errorf("accepted where it was: %s", out)
	}
	local("b", 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second"} {
		if _, err := os.Stat(s.at("b/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
}

// TestApprovedApproachMoves: the way in which a task is to be done, which a person approves, is
// told to the agent where the plan moved to since it was written, to the server and from there.
func TestApprovedApproachMoves(t *testing.T) {
	s := planned(t)
	s.approaches()
	local := s.local().ralph
	asks := func(of scene, clone, id string) func() bool {
		return func() bool { out, _ := of.try(clone, "show", id); return strings.Contains(out, "approve") }
	}
	id := planID.FindString(local("a", 0, s.runPlan("-d", "--approve-plan")...))
	s.until("it asks about the first task", asks(s.local(), "a", id))
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", id, "--to", s.engine)
		return strings.Contains(out, "moved to")
	})
	worker := s.worker("one")
	s.ralph("b", 0, "answer", id, "approve")
	s.until("the agent of the worker is told", s.exists("told"))
	s.until("it asks about the second task", func() bool { _, code := s.try("b", "wait", id); return code == 3 })
	s.signal(worker, syscall.SIGTERM)
	if err := os.Remove(s.at("told")); err != nil {
		t.Fatal(err)
	}
	local("b", 0, "move", id, "--to", "local", "--engine", s.engine, "--yes")
	local("b", 0, "answer", id, "approve")
	s.until("the agent of the clone is told", s.exists("told"))
	local("b", 0, "wait", id)
}

// TestPlanOfALostServer: a plan whose server is lost begins anew where it came from, once the
// user gives up by name what was done there. Should the server answer again, it replaces nothing.
func TestPlanOfALostServer(t *testing.T) {
	s := planned(t)
	local := s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	local("a", 0, "pause", id, "--now")
	s.until("it has moved", func() bool {
		out, _ := s.local().try("a", "move", "plan.md", "--to", s.engine)
		return strings.Contains(out, "moved to")
	})
	s.write("go", "")
	run := s.runPlan()
	asks := append(slices.DeleteFunc(s.runPlan(), func(word string) bool { return word == "--yes" }), "--no-input")
	for want, args := range map[string][]string{
		"begin anew here: ralph run FILE --fresh --abandon-moved": append(slices.Clone(run), "--fresh"),
		"add --fresh":                 append(slices.Clone(run), "--abandon-moved"),
		"it is lost with that server": append(asks, "--fresh", "--abandon-moved"),
	} {
		if out := local("a", 64, args...); !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%v: %s", args, out)
		}
	}
	local("a", 0, append(run, "--fresh", "--abandon-moved")...)
	if out := local("a", 64, "move", id, "--to", "local", "--engine", s.engine, "--yes"); !strings.Contains(out, "both stay as they are") {
		t.Errorf("the server answers again: %s", out)
	}
	local("a", 0, "accept", id, "--yes")
	if out := s.git(s.at("a"), "show", "HEAD:plan.md"); strings.Count(out, "- [x]") != 2 {
		t.Errorf("the accepted plan:\n%s", out)
	}
}

// TestPlanMoveKilled: the process that moves a plan is killed at every point (of nine in the
// short tier one); the same command completes, and the plan is in one place at most at each
// moment. It continues here in the end.
func TestPlanMoveKilled(t *testing.T) {
	s := planned(t)
	local := s.local().ralph
	id := s.local().startPlan()
	s.until("the agent works", s.exists("started"))
	local("a", 0, "pause", id, "--now")
	s.until("it rests", func() bool {
		out, _ := s.local().try("a", "status", id, "--json")
		return strings.Contains(out, `"paused"`) && !strings.Contains(out, `"live": true`)
	})
	s.moveKilled(id, 9)
	s.write("go", "")
	local("a", 0, "resume", id)
	local("a", 0, "accept", id, "--yes")
	if out := s.git(s.at("a"), "show", "HEAD:plan.md"); strings.Count(out, "- [x]") != 2 {
		t.Errorf("the accepted plan:\n%s", out)
	}
}
