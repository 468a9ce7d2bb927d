//go:build server

package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// planned is a scene with a plan of two tasks, the second of which needs the first.
func planned(t *testing.T) scene {
	s := newScene(t)
	s.write("a/plan.md", "# Two files\n\n### Task 1: first\n\n- [ ] Write it.\n\n### Task 2: second\n\n**Dependencies:** 1\n\n- [ ] Write it, too.\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plan")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.write("agent.sh", `cat > "$1/prompt"
touch "$1/started"
while ! test -e "$1/go"; do sleep 0.05; done
case $(head -c 4000 "$1/prompt") in *second*) echo 2 > second ;; *) echo 1 > first ;; esac
`)
	return s
}

// planID finds the id of a plan in what run prints.
var planID = regexp.MustCompile(`(?m)^plan-[0-9a-f]{8}$`)

// runPlan is the command that runs the plan.
func (s scene) runPlan(more ...string) []string {
	return append([]string{
		"run", "plan.md", "--until", "test -e first", "--proof", "none",
		"--agent-cmd", "sh " + s.at("agent.sh") + " " + s.dir, "--sandbox", "off", "--yes",
	}, more...)
}

// startPlan leaves the plan to the workers, and returns its id.
func (s scene) startPlan() string {
	s.Helper()
	out := s.ralph("a", 0, s.runPlan("-d")...)
	id := planID.FindString(out)
	if id == "" {
		s.Fatalf("the id is missing: %s", out)
	}
	return id
}

// TestPlanOfTwoWorkers: a plan whose worker is killed continues on another one, is seen in
// every clone, and is merged with its ticks where its file is.
func TestPlanOfTwoWorkers(t *testing.T) {
	s := planned(t)
	one := s.worker("one")
	id := s.startPlan()
	s.until("the agent works", s.exists("started"))
	if out := s.ralph("b", 0, "status", id); !strings.Contains(out, "running") {
		t.Errorf("status in another clone: %s", out)
	}
	s.signal(one, syscall.SIGKILL)
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.until("the agent works again", s.exists("started"))
	s.write("go", "")
	s.ralph("b", 0, "wait", id)
	for _, clone := range []string{"a", "b"} {
		if out := s.ralph(clone, 0, "status", id); !strings.Contains(out, "passed") {
			t.Errorf("status in %s: %s", clone, out)
		}
	}
	if out := s.ralph("b", 0, "logs", id); strings.Count(out, "landed") < 2 {
		t.Errorf("logs: %s", out)
	}
	s.ralph("a", 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second"} {
		if _, err := os.Stat(s.at("a/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
	if out := s.git(s.at("a"), "show", "HEAD:plan.md"); strings.Count(out, "- [x]") != 2 {
		t.Errorf("the accepted plan:\n%s", out)
	}
	if out := s.git(s.at("a"), "status", "--porcelain"); out != "" {
		t.Errorf("the tree is left as %s", out)
	}
	for ref := range strings.FieldsSeq(s.git(s.remote(), "for-each-ref", "--format=%(refname)")) {
		if ref != "refs/heads/main" && !strings.HasPrefix(ref, "refs/heads/ralph/"+id+"/") {
			t.Errorf("the remote has %s", ref)
		}
	}
}

// TestFollowedPlan: the command that starts a plan reports what happens until it ends. The
// same file runs once more when there is more to do.
func TestFollowedPlan(t *testing.T) {
	s := planned(t)
	s.write("go", "")
	s.worker("one")
	run := s.runPlan()
	out := s.ralph("a", 0, run...)
	if !strings.Contains(out, "2 of 2") && strings.Count(out, "landed") < 2 {
		t.Errorf("followed:\n%s", out)
	}
	data, err := os.ReadFile(s.at("a/plan.md"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("a/plan.md", string(data)+"\n### Task 3: third\n\n- [ ] Write it.\n")
	if out := s.ralph("a", 0, run...); !strings.Contains(out, "third") {
		t.Errorf("once more:\n%s", out)
	}
}

// TestPlanWithoutWorker: a plan that no worker has is paused and aborted at once; a paused
// one is taken when it is resumed.
func TestPlanWithoutWorker(t *testing.T) {
	s := planned(t)
	id := s.startPlan()
	s.ralph("b", 0, "pause", id)
	if out := s.ralph("a", 0, "status", id); !strings.Contains(out, "paused") {
		t.Errorf("status: %s", out)
	}
	s.worker("one")
	s.ralph("a", 0, "resume", id, "-d")
	s.until("the agent works", s.exists("started"))
	s.ralph("b", 0, "abort", id, "--reason", "enough")
	s.ralph("a", 1, "wait", id)
	s.until("its loop has ended", func() bool { return strings.Contains(s.ralph("a", 0, "status", id), "enough") })
}

// approaches lets the agent write the way in which a task is to be done, where it is asked for
// that, and leave a file once its prompt tells it.
func (s scene) approaches() {
	s.Helper()
	s.write("agent.sh", `cat > "$1/prompt"
if grep -q "Do not do the task yet" "$1/prompt"; then
	printf '## Understanding\n\nTwo files.\n\n## Open questions\n\n## Steps\n\n- The way that was agreed.\n' > RALPH_TASK_PLAN.md
	exit
fi
if grep -q "The way that was agreed" "$1/prompt"; then touch "$1/told"; fi
case $(head -c 4000 "$1/prompt") in *second*) echo 2 > second ;; *) echo 1 > first ;; esac
`)
}

// TestPlanReviewedElsewhere: what the reviewers of a plan were asked and printed, and what the
// gates left on the merged work, is read in a clone that ran none of it. So is the way in which
// a task is to be done, and another worker than the one that asked about it tells the agent.
func TestPlanReviewedElsewhere(t *testing.T) {
	s := planned(t)
	s.write("vote.sh", `nonce=$(sed -n 's/.*"nonce": "\([0-9a-f]*\)".*/\1/p')
echo "{\"nonce\": \"$nonce\", \"verdict\": \"approve\", \"reason\": \"two files are there\"}"
`)
	s.write("a/ralph.yaml", "version: 1\nagents:\n  voter: {use: command, run: 'sh "+s.at("vote.sh")+"'}\nreview: {spec: off, council: {voters: [voter], when: {labels: [critical]}}}\nplans: {review: council}\n")
	s.approaches()
	one := s.worker("one")
	out := s.ralph("a", 0, s.runPlan("-d", "--trust", "--approve-plan")...)
	id := planID.FindString(out)
	s.until("it asks about the first task", func() bool { out, _ := s.try("b", "show", id); return strings.Contains(out, "approve") })
	if out := s.ralph("b", 0, "show", id); !strings.Contains(out, "The way that was agreed.") || strings.Contains(out, "state-one") {
		t.Errorf("asked in another clone: %s", out)
	}
	s.signal(one, syscall.SIGKILL)
	s.worker("two")
	s.ralph("b", 0, "answer", id, "approve")
	s.until("the agent of another worker is told", s.exists("told"))
	s.ralph("b", 3, "wait", id)
	s.ralph("b", 0, "answer", id, "approve")
	s.ralph("b", 0, "wait", id)
	out = s.ralph("b", 0, "show", id, "--evidence")
	for _, want := range []string{"voter: approve: two files are there", "── what landed ──"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
	for what, want := range map[string]string{"prompt": "Two files", "output": "two files are there"} {
		path := regexp.MustCompile(`(?m)^  ` + what + `  (.*/b/.git/.*)$`).FindStringSubmatch(out)
		if path == nil {
			t.Fatalf("the %s is missing: %s", what, out)
		}
		if data, err := os.ReadFile(path[1]); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %s, %v", what, data, err)
		}
	}
}

// TestPlanBegunAnew: a plan that was accepted and archived begins anew, once, although the
// command that asks for it is killed at every point; what landed before is kept.
func TestPlanBegunAnew(t *testing.T) {
	s := planned(t)
	s.write("go", "")
	s.worker("one")
	run := s.runPlan()
	id := planID.FindString(s.ralph("a", 0, append(run, "-d")...))
	s.ralph("a", 0, "wait", id)
	s.ralph("a", 0, "accept", id, "--yes")
	s.ralph("a", 0, "archive", id)
	s.git(s.at("a"), "rm", "-q", "first", "second")
	s.git(s.at("a"), "commit", "-q", "-m", "once more")
	landed := s.git(s.remote(), "rev-parse", "refs/heads/ralph/"+id+"/_landed")
	begun := func() bool { return strings.Contains(s.ralph("b", 0, "logs", id), "begun anew") }
	points := 0
	for n, over := 1, false; !over; n++ {
		s.until("the request ends", func() bool { // the server counts a killed process as the owner for a while
			cmd := s.program("user-a", append(run, "--fresh", "-d")...)
			cmd.Env = append(cmd.Env, "RALPH_ENGINE="+s.engine, killAt+"="+strconv.Itoa(n))
			out, _ := cmd.CombinedOutput()
			switch {
			case cmd.ProcessState.ExitCode() == 0:
				over = true
				return true
			case cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled():
				points++
				return true
			case !strings.Contains(string(out), "another process runs it"):
				t.Fatalf("point %d: %s", n, out)
			}
			over = begun()
			return over
		})
	}
	if points < 4 {
		t.Errorf("killed at %d points", points)
	}
	s.ralph("b", 0, "wait", id)
	logs := s.ralph("b", 0, "logs", id)
	if strings.Count(logs, "begun anew") != 1 || strings.Count(logs, "landed as ") != 4 {
		t.Errorf("logs:\n%s", logs)
	}
	if kept := s.git(s.remote(), "for-each-ref", "--format=%(refname)", "--points-at", landed); !strings.Contains(kept, "/_landed-") {
		t.Errorf("the work from before is on %s", kept)
	}
	s.ralph("a", 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second"} {
		if _, err := os.Stat(s.at("a/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
}
