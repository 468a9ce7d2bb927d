//go:build server

package main

import (
	"os"
	"strings"
	"testing"

	"ralph/internal/testing/runnable"
)

// TestSubmodules: a loop that needs submodules is refused without a set-up command, and works
// with one: the worker fetches them into its trees. The doctor tells of them.
func TestSubmodules(t *testing.T) {
	s := newScene(t)
	s.git(s.dir, "init", "-q", "-b", "main", s.at("library"))
	s.write("library/part", "a part\n")
	s.git(s.at("library"), "add", "-A")
	s.git(s.at("library"), "commit", "-q", "-m", "part")
	s.git(s.at("a"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.at("library"), "library")
	s.git(s.at("a"), "config", "-f", ".gitmodules", "submodule.library.url", "../library") // from the remote
	s.git(s.at("a"), "commit", "-q", "-a", "-m", "library")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	if out := s.ralph("a", 0, "worker", "doctor", "--repo", s.remote()); !strings.Contains(out, "! content: the repository has submodules") {
		t.Errorf("doctor: %s", out)
	}
	run := func(more ...string) []string {
		return append([]string{
			"run", "write it", "--loop-id", "make", "--until", "test -e result", "--until", "grep -q part library/part",
			"--proof", "none", "--agent-cmd", "sh " + s.at("agent.sh") + " " + s.dir, "--sandbox", "off", "--yes", "-d",
		}, more...)
	}
	if out := s.ralph("a", 64, run()...); !strings.Contains(out, "no set-up command fetches them") {
		t.Errorf("refused: %s", out)
	}
	s.onlyMain()
	s.write("go", "")
	// A clean room hides what lies below /tmp, unless the command names it.
	s.write("a/ralph.yaml", "version: 1\nisolation:\n  setup:\n    - \"git -c protocol.file.allow=always submodule update --init --recursive && : "+s.at("library")+"\"\n")
	s.worker("one")
	s.ralph("a", 0, run("--trust")...)
	if out, code := s.try("a", "wait", "make"); code != 0 {
		t.Fatalf("%s\n%s\n%s", out, s.ralph("a", 0, "show", "make"), s.ralph("a", 0, "logs", "make"))
	}
	s.ralph("a", 0, "accept", "make", "--yes")
	if _, err := os.Stat(s.at("a/result")); err != nil {
		t.Error(err)
	}
}

// TestContentFilters: a repository with Git LFS is refused before anything is pushed, and by
// the doctor.
func TestContentFilters(t *testing.T) {
	s := newScene(t)
	if err := os.Mkdir(s.at("a/assets"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("a/assets/.gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "assets")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	if out := s.ralph("a", 69, "worker", "doctor", "--repo", s.remote()); !strings.Contains(out, "✗ content: .gitattributes names content filters (lfs)") {
		t.Errorf("doctor: %s", out)
	}
	if out := s.ralph("a", 64, append(s.run(), "-d")...); !strings.Contains(out, "content filters (lfs)") {
		t.Errorf("refused: %s", out)
	}
	s.onlyMain()
}

// TestFiltersThatAnAgentNames: a filter that an agent names does not run on a worker, whatever
// the configuration there is: the content is landed as it is. The next task, which would need
// the filter, is refused with words.
func TestFiltersThatAnAgentNames(t *testing.T) {
	s := planned(t)
	s.write("agent.sh", `touch "$1/agent-$(ls "$1" | grep -c ^agent-)"
printf '*.bin filter=lfs\n' > .gitattributes
echo content > x.bin
echo 1 > first
`)
	if err := runnable.Write(s.at("filter"), "#!/bin/sh\ntouch "+s.at("filtered")+"\nexit 1\n"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.at("config-one/git"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("config-one/git/config", "[filter \"lfs\"]\n\tprocess = "+s.at("filter")+"\n\tclean = "+s.at("filter")+"\n\tsmudge = "+s.at("filter")+"\n\trequired\n")
	s.worker("one")
	id := s.startPlan()
	s.ralph("a", 1, "wait", id)
	if out := s.ralph("b", 0, "show", id, "--json"); !strings.Contains(out, "content filters (lfs), which no worker runs") {
		t.Errorf("show: %s", out)
	}
	if got := s.git(s.remote(), "show", "refs/heads/ralph/"+id+"/_landed:x.bin"); got != "content" {
		t.Errorf("landed %q", got)
	}
	if s.exists("filtered")() || s.exists("agent-2")() {
		t.Errorf("a filter ran, or another agent\n%s", s.logs())
	}
}

// TestShallowRemote: a remote without the first commit of its history, and a clone of it, are
// refused.
func TestShallowRemote(t *testing.T) {
	s := newScene(t)
	s.write("a/README", "more\n")
	s.git(s.at("a"), "commit", "-q", "-a", "-m", "more")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	shallow := s.at("shallow.git")
	s.git(s.dir, "clone", "-q", "--bare", "--depth", "1", "file://"+s.remote(), shallow)
	if out := s.ralph("a", 69, "worker", "doctor", "--repo", shallow); !strings.Contains(out, "shallow") {
		t.Errorf("doctor: %s", out)
	}
	s.git(s.dir, "clone", "-q", "file://"+shallow, s.at("c"))
	if out, code := s.try("c", append(s.run(), "-d")...); code != 64 || !strings.Contains(out, "shallow") {
		t.Errorf("a clone of it ended with %d: %s", code, out)
	}
	if out := s.ralph("a", 69, "worker", "--repo", shallow); !strings.Contains(out, "shallow") {
		t.Errorf("a worker of it: %s", out)
	}
}

func (s scene) onlyMain() {
	s.Helper()
	if refs := s.git(s.remote(), "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		s.Errorf("the remote has %s", refs)
	}
}
