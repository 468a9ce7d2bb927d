//go:build linux

package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// planOfSix is a diamond with a tail: two tasks change the same file, so one of
// them has to be mended; one fails, and what needs it is blocked.
const planOfSix = `{"tasks": [
  {"id": "a", "title": "a", "dependencies": []},
  {"id": "b", "title": "b", "dependencies": ["a"]},
  {"id": "c", "title": "c", "dependencies": ["a"]},
  {"id": "d", "title": "d", "dependencies": ["b", "c"]},
  {"id": "e", "title": "e", "dependencies": ["a"]},
  {"id": "f", "title": "f", "dependencies": ["e"]}
]}
`

// agentOfSix adds a line to a file that b and c share, mends conflicts by
// keeping both sides, and does not do e.
const agentOfSix = `#!/bin/sh
prompt=$(cat)
task=$RALPH_TASK_ID
if grep -sq '^<<<<<<<' shared.txt; then
  grep -vE '^(<<<<<<<|=======|>>>>>>>)' shared.txt > kept && mv kept shared.txt
  exit 0
fi
[ "$task" = e ] && exit 0
case $task in b|c) sleep 0.2; grep -sqx "$task" shared.txt || echo "$task" >> shared.txt;; esac
echo "$task" > "$task.txt"
`

// TestAPlanKilledAtEveryPoint kills the run of a plan at every point at which
// something is recorded, in it or in its loops, and resumes it: what is there in
// the end must be as if nothing had happened. Without RALPH_SOAK every eighty-third
// point is tried.
func TestAPlanKilledAtEveryPoint(t *testing.T) {
	t.Parallel()
	whole := newPlanWorld(t)
	whole.toTheEnd(t, 0)
	want, points := whole.result(t), whole.points(t)
	if len(points) < 60 {
		t.Fatalf("only %d points were passed", len(points))
	}
	step := 83
	if tier.Long() {
		step = 1
	}
	for n := 1; n <= len(points); n += step {
		t.Run(fmt.Sprintf("%03d", n), func(t *testing.T) {
			t.Parallel()
			w := newPlanWorld(t)
			w.toTheEnd(t, n)
			if diff := cmp.Diff(want, w.result(t)); diff != "" {
				t.Errorf("killed at point %d, it is not as without (-want +got):\n%s", n, diff)
			}
		})
	}
}

type planWorld struct{ home, repo string }

func newPlanWorld(t *testing.T) planWorld {
	t.Helper()
	return planWorldAt(t, t.TempDir())
}

// planWorldAt is a person's home with a repository that has the plan.
func planWorldAt(t *testing.T, home string) planWorld {
	t.Helper()
	w := planWorld{home, filepath.Join(home, "repo")}
	for name, text := range map[string]string{"repo/plan.json": planOfSix, "agent.sh": agentOfSix, "repo/README": "x\n"} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), runnable.Write(path, text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "first"}} {
		w.git(t, args...)
	}
	return w
}

func (w planWorld) env() []string {
	return append(os.Environ(), "RALPH_TRUST=1", "HOME="+w.home, "XDG_STATE_HOME="+w.home+"/state", "XDG_CONFIG_HOME="+w.home+"/config",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b", "RALPH_NO_INPUT=1", "RALPH_PROOF=none")
}

func (w planWorld) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.repo, w.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// command is ralph in the repository.
func (w planWorld) command(args ...string) *exec.Cmd {
	cmd := exec.Command("ralph", args...)
	cmd.Dir, cmd.Env = w.repo, w.env()
	return cmd
}

// toTheEnd runs the plan, killed at a point, and again until it has ended.
func (w planWorld) toTheEnd(t *testing.T, at int) {
	t.Helper()
	for try := range 4 {
		cmd := w.command("run", "plan.json", "--until", "ls *.txt", "--agent-cmd", w.home+"/agent.sh", "--max-iterations", "2")
		if try > 0 {
			cmd = w.command("resume", "plan")
		}
		if try == 0 {
			cmd.Env = append(cmd.Env, fmt.Sprintf("TEST_KILL=%d %s", at, filepath.Join(w.home, "points")))
		}
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		err := cmd.Run()
		exit, _ := errors.AsType[*exec.ExitError](err)
		if exit != nil && exit.ExitCode() == 1 || try > 0 && w.ended() {
			return // one task failed
		}
		if exit == nil || exit.ExitCode() != -1 {
			t.Fatalf("try %d: %v\n%s", try, err, said.String())
		}
	}
	t.Fatal("it does not come to an end")
}

// ended reports whether the plan had ended before a resume, which is refused then.
func (w planWorld) ended() bool {
	exit, _ := errors.AsType[*exec.ExitError](w.command("wait", "plan", "--timeout", "1ms").Run())
	return exit != nil && exit.ExitCode() == 1
}

func (w planWorld) points(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.home, "points"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// result is what people find: the statuses in the plan's file, what landed, and
// that nothing of theirs was touched.
func (w planWorld) result(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	data, err := os.ReadFile(filepath.Join(w.repo, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tasks []struct{ ID, Status string }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, task := range file.Tasks {
		out["task "+task.ID] = task.Status
	}
	for ref := range strings.FieldsSeq(w.git(t, "for-each-ref", "--format=%(refname)", "refs/heads/ralph")) {
		if strings.HasSuffix(ref, "/_landed") {
			out["files"] = w.git(t, "ls-tree", "--name-only", ref)
			out["work"] = w.git(t, "grep", "-e", ".", ref, "--", "[a-f].txt")
			out["work"] = strings.ReplaceAll(out["work"], ref+":", "")
			shared := strings.Fields(w.git(t, "show", ref+":shared.txt"))
			slices.Sort(shared)
			out["shared"] = strings.Join(shared, " ")
		}
	}
	out["main"] = w.git(t, "log", "--format=%s", "main")
	out["status"] = w.git(t, "status", "--porcelain", "--untracked-files=all", "--", ":!plan.json")
	return out
}
