//go:build server

package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLabels: a loop is left to a worker with its labels; until there is one, commands name
// the label that none has. The list of workers shows both, and which of them ended.
func TestLabels(t *testing.T) {
	s := newScene(t)
	s.write("go", "")
	plain := s.worker("plain", "--label", "docker")
	s.until("the worker is listed", func() bool { return len(s.workers()) == 1 })
	s.ralph("a", 0, append(s.run(), "--runs-on", "gpu", "--runs-on", "docker", "-d")...)
	for _, command := range []string{"status", "show"} {
		if out := s.ralph("b", 0, command, "make"); !strings.Contains(out, "no worker has the label gpu") {
			t.Errorf("%s: %s", command, out)
		}
	}
	s.worker("able", "--label", "gpu", "--label", "docker")
	s.ralph("a", 0, "wait", "make")
	if strings.Contains(s.log("plain"), "taken") || !strings.Contains(s.log("able"), "make: taken") {
		t.Errorf("taken by another worker\n%s", s.logs())
	}
	s.signal(plain, syscall.SIGKILL)
	s.until("the killed worker is silent", func() bool {
		all := s.workers()
		silent := 0
		for _, w := range all {
			if w.Silent {
				silent++
			}
		}
		return len(all) == 2 && silent == 1
	})
	for _, w := range s.workers() {
		if w.Silent != (len(w.Labels) == 1) || w.Host == "" || w.Process == 0 || w.Slots != 1 || w.Loops != 0 {
			t.Errorf("%+v", w)
		}
	}
}

// TestAccountsOfWorkers: the list tells which accounts of a worker do not serve, and until when.
func TestAccountsOfWorkers(t *testing.T) {
	s := newScene(t)
	s.worker("w")
	s.until("the worker is listed", func() bool { return len(s.workers()) == 1 })
	until := time.Now().Add(3 * time.Hour).UTC().Truncate(time.Second)
	s.ralph("a", 0, "run", "make it", "--until", "test -e never", "--proof", "none", "--sandbox", "off", "--loop-id", "make", "-d",
		"--agent-cmd", "echo RALPH_PROVIDER limited until="+until.Format(time.RFC3339)+" the weekly limit; exit 75")
	s.until("the account is listed", func() bool { return len(s.workers()[0].Accounts) == 1 })
	a := s.workers()[0].Accounts[0]
	if a.Label == "" || a.Trouble != "spent until" || a.Until == nil || !a.Until.Equal(until) {
		t.Errorf("%+v", a)
	}
	if out := s.ralph("b", 0, "worker", "list"); !strings.Contains(out, ": spent until "+until.Local().Format(time.DateTime)) {
		t.Error(out)
	}
	s.ralph("a", 0, "abort", "make")
}

type listedWorker struct {
	Host         string
	Process      int
	Labels       []string
	Slots, Loops int
	Silent       bool
	Accounts     []struct {
		Label, Trouble string
		Until          *time.Time
	}
}

func (s scene) workers() []listedWorker {
	s.Helper()
	var out struct{ Workers []listedWorker }
	if err := json.Unmarshal([]byte(s.ralph("a", 0, "worker", "list", "--json")), &out); err != nil {
		s.Fatal(err)
	}
	return out.Workers
}

// TestLabelsOfTasks: a task of a plan is left to a worker with its labels.
func TestLabelsOfTasks(t *testing.T) {
	s := planned(t)
	s.write("go", "")
	s.write("a/plan.md", "# Two files\n\n### Task 1: first\n\n- [ ] Write it.\n\n### Task 2: second\n\n**Dependencies:** 1\n**Runs on:** gpu\n\n- [ ] Write it, too.\n")
	s.git(s.at("a"), "commit", "-q", "-a", "-m", "labels")
	s.worker("plain")
	id := s.startPlan()
	s.until("the task waits", func() bool { return strings.Contains(s.ralph("b", 0, "status"), "no worker has the label gpu") })
	s.worker("able", "--label", "gpu")
	s.ralph("a", 0, "wait", id)
	if !strings.Contains(s.log("able"), "task-2: taken") {
		t.Errorf("taken by another worker\n%s", s.logs())
	}
}
