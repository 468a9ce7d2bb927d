//go:build server

package main

import (
	"os"
	"strings"
	"testing"

	"ralph/internal/testing/runnable"
)

// losesRemote lets the remote vanish once the first task of a plan has landed there.
func (s scene) losesRemote() {
	s.Helper()
	if err := os.MkdirAll(s.remote()+"/hooks", 0o700); err != nil {
		s.Fatal(err)
	}
	if err := runnable.Write(s.remote()+"/hooks/post-receive", `#!/bin/sh
while read -r old new ref; do
	case $old-$ref in
	000000*) ;;
	*-refs/heads/ralph/*/_landed)
		rm hooks/post-receive
		mv "$PWD" "$PWD.away"
		;;
	esac
done
`); err != nil {
		s.Fatal(err)
	}
}

func (s scene) remoteIsBack() {
	s.Helper()
	if err := os.Rename(s.remote()+".away", s.remote()); err != nil {
		s.Fatal(err)
	}
}

// TestRemoteAwayAtTheStart: a remote that is away when a loop, or the plan in a task's place, is
// to begin is waited for. Commands tell so, and pause the plan meanwhile.
func TestRemoteAwayAtTheStart(t *testing.T) {
	for name, scene := range map[string]func(*testing.T) scene{"loop": planned, "plan": innerLast} {
		t.Run(name, func(t *testing.T) {
			s := scene(t)
			s.write("go", "")
			s.losesRemote()
			s.worker("one")
			id := s.startPlan()
			waits := func() bool {
				shown, _ := s.try("b", "show", id)
				return strings.Contains(shown, "waits for the remote: ")
			}
			s.until("it waits for the remote", waits)
			if out := s.ralph("a", 0, "status", id); !strings.Contains(out, "waits for the remote: ") {
				t.Errorf("status: %s", out)
			}
			if name == "plan" {
				s.ralph("b", 0, "pause", id)
				s.until("it is paused", func() bool { out, _ := s.try("b", "status", id); return strings.Contains(out, "paused") })
				s.ralph("b", 0, "resume", id, "-d")
			}
			s.remoteIsBack()
			s.ralph("b", 0, "wait", id)
			if out := s.ralph("b", 0, "show", id); strings.Contains(out, "remote") || strings.Contains(out, "failed") {
				t.Errorf("shown as %s", out)
			}
			s.ralph("a", 0, "accept", id, "--yes")
			for _, name := range []string{"first", "second"} {
				if _, err := os.Stat(s.at("a/" + name)); err != nil {
					t.Errorf("accepted without %s: %v", name, err)
				}
			}
		})
	}
}

// innerLast is a scene with a plan of two tasks, the second of which is a plan.
func innerLast(t *testing.T) scene {
	s := planned(t)
	s.write("a/inner.md", "# One file\n\n### Task 1: second\n\n- [ ] Write it.\n")
	s.write("a/plan.md", "# Two files\n\n### Task 1: first\n\n- [ ] Write it.\n\n### Task 2: other\n\n**Dependencies:** 1\n\n**Plan:** inner.md\n\n- [ ] Write it, too.\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "inner")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	return s
}
