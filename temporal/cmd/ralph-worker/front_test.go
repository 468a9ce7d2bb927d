//go:build server

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"ralph/internal/testing/tier"
)

// screen is ralph watch of a user on a terminal.
type screen struct {
	*exec.Cmd
	out  synced
	keys io.WriteCloser
}

func (s scene) screen(clone string, args ...string) *screen {
	s.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		tier.SkipLacking(s, "script", err)
	}
	ralph := s.program("user-"+clone, args...)
	line := "stty cols 80 rows 24; exec " + ralph.Path + " " + strings.Join(args, " ")
	w := &screen{Cmd: exec.Command("script", "-qfc", line, "/dev/null")}
	w.Dir, w.Env, w.Stdout, w.Stderr = s.at(clone), append(ralph.Env, "TERM=xterm"), &w.out, &w.out
	var err error
	if w.keys, err = w.StdinPipe(); err != nil {
		s.Fatal(err)
	}
	if err := w.Start(); err != nil {
		s.Fatal(err)
	}
	return w
}

func (s scene) shows(w *screen, words string) {
	s.Helper()
	s.until("the screen shows "+words, func() bool { return strings.Contains(w.out.String(), words) })
}

func (s scene) leave(w *screen) {
	s.Helper()
	if _, err := w.keys.Write([]byte("q")); err != nil {
		s.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		s.Errorf("%v: %s", err, w.out.String())
	}
}

// TestWatch: the screen shows the loops of the team, in any clone; that of all repositories
// has those that were used with the team.
func TestWatch(t *testing.T) {
	s := newScene(t)
	s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	s.ralph("b", 0, "status")
	w, all := s.screen("b", "watch"), s.screen("b", "watch", "--all")
	s.shows(w, "agent at work")
	s.shows(all, "make it")
	s.write("go", "")
	s.shows(w, "passed")
	s.shows(all, "passed")
	s.leave(w)
	s.leave(all)
}

// TestTools: an agent's tools for plans are about the team's, those for its own loops about
// this machine.
func TestTools(t *testing.T) {
	s := planned(t)
	s.write("go", "")
	id := s.startPlan()
	cmd := s.program("user-b", "mcp")
	cmd.Dir = s.at("b")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	ask := func(n int, method, params string) string {
		fmt.Fprintf(in, `{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`+"\n", n, method, params)
		for answers.Scan() {
			var a struct{ ID int }
			if json.Unmarshal(answers.Bytes(), &a) == nil && a.ID == n {
				return answers.Text()
			}
		}
		t.Fatalf("no answer to %s\n%s", method, s.logs())
		return ""
	}
	ask(1, "initialize", `{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}`)
	fmt.Fprintln(in, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
	if got := ask(2, "tools/call", `{"name": "plan_status", "arguments": {"plan": "`+id+`"}}`); !strings.Contains(got, "pending  "+id) {
		t.Errorf("plan_status: %s", got)
	}
	if got := ask(3, "tools/call", `{"name": "loop_list", "arguments": {}}`); !strings.Contains(got, "No agent-driven loops") {
		t.Errorf("loop_list: %s", got)
	}
	s.worker("one")
	s.ralph("a", 0, "wait", id)
	if got := ask(4, "resources/list", `{}`); !strings.Contains(got, "ralph://loops/"+id+"-task-2/evidence") {
		t.Errorf("resources: %s", got)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestFailedElsewhere: the work of a loop that failed is seen in another clone, on the
// branch that the remote has; so is the report.
func TestFailedElsewhere(t *testing.T) {
	s := newScene(t)
	s.worker("one")
	s.write("go", "")
	s.ralph("a", 0, "run", "make it", "--until", "test -e nothing", "--agent-cmd", "sh "+s.at("agent.sh")+" "+s.dir,
		"--max-iterations", "1", "--loop-id", "make", "--sandbox", "off", "-d")
	s.ralph("a", 1, "wait", "make")
	if out := s.ralph("b", 0, "show", "make", "--diff"); !strings.Contains(out, "+done") {
		t.Errorf("the patch: %s", out)
	}
	if out := s.ralph("b", 0, "show", "make"); !strings.Contains(out, "kept on   ralph/make\n") {
		t.Errorf("show: %s", out)
	}
	if out := s.ralph("b", 0, "report"); !strings.Contains(out, "make") {
		t.Errorf("report: %s", out)
	}
	s.ralph("a", 0, "archive", "make", "--yes")
	s.until("it is hidden in another clone", func() bool { return !strings.Contains(s.ralph("b", 0, "status"), "make") })
	if out := s.ralph("b", 0, "status", "--all"); !strings.Contains(out, "make") {
		t.Errorf("with archived ones: %s", out)
	}
	s.ralph("b", 0, "logs", "make")
}
