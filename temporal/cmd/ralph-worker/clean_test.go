//go:build server

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClean: of a team's branches those go whose accepted or archived work another branch of
// the remote has, and failed ones where they are asked for and agreed to. Copies of archived
// loops go from a clone and do not come back, and a worker's machine is cleaned too.
func TestClean(t *testing.T) {
	s := newScene(t)
	s.write("go", "")
	s.worker("one")
	loop := func(id, gate, work string, code int) {
		t.Helper()
		s.ralph("a", code, "run", "task "+id, "--until", gate, "--agent-cmd", "cat >/dev/null; "+work, "--loop-id", id, "--sandbox", "off", "--max-iterations", "1", "--proof", "none", "-q")
	}
	loop("good", "test -e good", "echo 1 > good", 0)
	loop("open", "test -e open", "echo 1 > open", 0)
	loop("bad", "test -e good", "echo 1 > bad", 1)
	s.ralph("a", 0, "run", "task held", "--until", "true", "--agent-cmd", "true", "--loop-id", "held", "--runs-on", "gpu", "-d")
	s.ralph("b", 0, "accept", "good", "--yes")
	s.ralph("b", 0, "archive", "bad", "--yes")
	all := []string{"clean", "--branches", "--failures", "--older", "0s"}

	out := s.ralph("a", 0, append(all, "--dry-run")...)
	for _, want := range []string{
		"kept branch ralph/good of the remote at ", "no other branch of the remote has its work; git push origin --delete ralph/good",
		"would delete branch ralph/bad of the remote at ", "would delete archived loop bad",
		"kept the branches of 1 run that ended and are neither accepted nor archived",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("before the work is pushed: no %q in:\n%s", want, out)
		}
	}
	if strings.Contains(out, "held") || strings.Contains(out, "ralph/open") {
		t.Errorf("%s", out)
	}
	s.git(s.at("b"), "push", "-q", "origin", "HEAD:main")
	s.ralph("b", 0, "archive", "open", "--yes")
	if out := s.ralph("a", 64, all...); !strings.Contains(out, "confirmation required") || !strings.Contains(out, "ralph/bad") {
		t.Errorf("without an answer: %s", out)
	}
	if got := s.branches(); got != "main ralph/bad ralph/good ralph/held ralph/open" {
		t.Errorf("refused, and the remote has %s", got)
	}
	out = s.ralph("a", 0, "clean", "--branches", "--older", "0s")
	if !strings.Contains(out, "deleted branch ralph/good of the remote at ") || !strings.Contains(out, "deleted archived loop bad") || !strings.Contains(out, "kept branch ralph/open of the remote") {
		t.Errorf("%s", out)
	}
	if got := s.branches(); got != "main ralph/bad ralph/held ralph/open" {
		t.Errorf("the remote has %s", got)
	}
	// The server still lists the loop: its copy does not come back, and its branch is known.
	s.ralph("a", 0, "status")
	if left, _ := filepath.Glob(filepath.Join(s.at("a"), ".git", "ralph", "team", "*", "*", "bad")); len(left) != 0 {
		t.Errorf("the copy came back: %q", left)
	}
	if out := s.ralph("a", 0, append(all, "--yes")...); !strings.Contains(out, "deleted branch ralph/bad of the remote at ") {
		t.Errorf("agreed: %s", out)
	}
	if got := s.branches(); got != "main ralph/held ralph/open" {
		t.Errorf("the remote has %s", got)
	}

	worker := func(code int, more ...string) string {
		t.Helper()
		cmd := s.program("one", append([]string{"worker", "clean", "--repo", s.remote(), "--older", "0s"}, more...)...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Fatalf("worker clean %v ended with %d, not %d\n%s", more, got, code, out)
		}
		return string(out)
	}
	out = worker(0, "--worktrees", "--dry-run")
	for _, want := range []string{"would delete archived loop bad", "would delete archived loop open", "would delete branch ralph/open at ", "would delete worktree "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if !strings.Contains(out, ": the remote does not have its work") || strings.Contains(out, "good") {
		t.Errorf("%s", out)
	}
	if out := worker(64, "--failures"); !strings.Contains(out, "the only copy of work that the remote does not have") {
		t.Errorf("%s", out)
	}
	if out := worker(0, "--worktrees"); !strings.Contains(out, "deleted archived loop bad") || !strings.Contains(out, "deleted worktree ") || !strings.Contains(out, "kept branch wip/ralph-fail-") {
		t.Errorf("%s", out)
	}
	// The copy of its loop is gone.
	if out := worker(0, "--failures", "--yes"); !strings.Contains(out, "deleted branch wip/ralph-fail-") {
		t.Errorf("%s", out)
	}
	mirrors, _ := filepath.Glob(s.at("state-one/ralph/mirrors/*/*.git"))
	if len(mirrors) != 1 {
		t.Fatalf("%q", mirrors)
	}
	if refs := s.git(mirrors[0], "for-each-ref", "--format=%(refname)"); strings.Contains(refs, "bad") || strings.Contains(refs, "fail") || strings.Contains(refs, "open") || !strings.Contains(refs, "good") {
		t.Errorf("the mirror has %s", refs)
	}
	if _, err := os.Stat(filepath.Join(mirrors[0], "ralph", "loops", "bad")); err == nil {
		t.Error("the mirror has the files of a loop that was deleted")
	}
	// A worker continues in the cleaned mirror.
	loop("next", "test -e next", "echo 1 > next", 0)
}

func (s scene) branches() string {
	s.Helper()
	return strings.Join(strings.Fields(s.git(s.remote(), "for-each-ref", "--format=%(refname:short)", "refs/heads")), " ")
}
