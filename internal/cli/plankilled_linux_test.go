package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

// agentOfAll is agentOfSix, but does every task.
const agentOfAll = `#!/bin/sh
cat >/dev/null
if grep -sq '^<<<<<<<' shared.txt; then
  grep -vE '^(<<<<<<<|=======|>>>>>>>)' shared.txt > kept && mv kept shared.txt
  exit 0
fi
sleep 0.1
case $RALPH_TASK_ID in b|c) grep -sqx "$RALPH_TASK_ID" shared.txt || echo "$RALPH_TASK_ID" >> shared.txt;; esac
echo "$RALPH_TASK_ID" > "$RALPH_TASK_ID.txt"
`

// TestPlansWhoseProcessesAreKilled kills processes of running plans at random moments:
// the supervisor, shims, sandboxes, gates, git, agents and serve. Each plan must come to
// the same end as without: every task landed once, none lost, no attempt used up, and
// nothing of the user's touched.
func TestPlansWhoseProcessesAreKilled(t *testing.T) {
	t.Parallel()
	tier.SkipUnlessLong(t)
	const kills = 1000
	seed := uint64(time.Now().UnixNano())
	random, killed := rand.New(rand.NewPCG(seed, 1)), map[string]int{}
	plans := 0
	for done := 0; done < kills; plans++ {
		k := newKilling(t, random, killed, min(kills-done, 5+random.IntN(30)))
		k.run(t)
		if done += k.done; t.Failed() {
			break
		}
	}
	t.Logf("seed %d: %d plans, killed %v", seed, plans, killed)
}

// killing is one plan whose processes are killed.
type killing struct {
	planWorld
	random *rand.Rand
	killed map[string]int
	// most kills are made, done have been.
	most, done int
	serve      *exec.Cmd
	before     string
}

func newKilling(t *testing.T, random *rand.Rand, killed map[string]int, most int) *killing {
	t.Helper()
	k := &killing{planWorld: newPlanWorld(t), random: random, killed: killed, most: most}
	for name, text := range map[string]string{"agent.sh": agentOfAll, "repo/check.sh": "sleep 0.05\nls *.txt\n", "repo/mine": "mine\n"} {
		if err := os.WriteFile(filepath.Join(k.home, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	k.git(t, "add", "check.sh")
	k.git(t, "commit", "-qm", "check")
	k.write(t, "README", "stashed\n")
	k.git(t, "stash", "-q")
	k.git(t, "branch", "feature")
	k.write(t, "staged", "staged\n")
	k.git(t, "add", "staged")
	k.before = k.users(t)
	return k
}

func (k *killing) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(k.repo, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// users is all that belongs to the user: branches, stash, index and files.
func (k *killing) users(t *testing.T) string {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(k.repo, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for line := range strings.Lines(k.git(t, "for-each-ref")) {
		if !strings.Contains(line, "refs/heads/ralph/") && !strings.Contains(line, "refs/ralph/") {
			refs = append(refs, line)
		}
	}
	return strings.Join(refs, "") + k.git(t, "symbolic-ref", "HEAD") + k.git(t, "stash", "list") +
		k.git(t, "--no-optional-locks", "status", "--porcelain", "--untracked-files=all", "--", ":!plan.json") + fmt.Sprintf("%x", index)
}

// run runs the plan to its end and looks at what there is then.
func (k *killing) run(t *testing.T) {
	t.Helper()
	k.startServe(t)
	defer func() { _ = k.serve.Process.Kill(); _ = k.serve.Wait() }()
	start := []string{"run", "plan.json", "--until", "sh check.sh", "--agent-cmd", k.home + "/agent.sh", "--max-iterations", "3", "--parallel", "2", "--no-input"}
	var said bytes.Buffer
	for limit := time.Now().Add(tier.Hang); ; {
		args := []string{"resume", "plan", "--no-input"}
		if k.status(t) == "" {
			args = start
		}
		said.Reset()
		code := k.drive(t, args, &said)
		status := k.status(t)
		if code == 0 || slices.Contains([]string{"passed", "failed", "aborted"}, status) {
			break
		}
		// Exit code 75: a process that serve started runs it.
		if code != -1 && code != 75 || time.Now().After(limit) {
			t.Fatalf("ralph %v: exit code %d after %d kills, the plan is %q\n%s", args, code, k.done, status, said.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
	k.check(t)
}

func (k *killing) environment() []string {
	return append(k.env(), "RALPH_LIMITS_INTERRUPTIONS=1000", "RALPH_LIMITS_BACK_OFF=10ms", "KILLED_PLAN="+k.home)
}

// startServe starts a supervisor beside the run.
func (k *killing) startServe(t *testing.T) {
	t.Helper()
	k.serve = k.command("serve", "--interval", "100ms")
	k.serve.Env = k.environment()
	if err := k.serve.Start(); err != nil {
		t.Fatal(err)
	}
}

// drive runs one process of the plan and kills meanwhile; -1 is a process that was
// killed itself.
func (k *killing) drive(t *testing.T, args []string, said *bytes.Buffer) int {
	t.Helper()
	cmd := k.command(args...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = k.environment(), said, said, time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { _ = cmd.Wait(); close(gone) }()
	for {
		pause := time.NewTimer(time.Duration(20+k.random.IntN(400)) * time.Millisecond)
		select {
		case <-gone:
			pause.Stop()
			return cmd.ProcessState.ExitCode()
		case <-pause.C:
			if k.done < k.most {
				k.kill(t)
			}
		}
	}
}

// kill kills one process of a random kind.
func (k *killing) kill(t *testing.T) {
	t.Helper()
	all := k.processes()
	kinds := slices.Sorted(maps.Keys(all))
	if len(kinds) == 0 {
		return
	}
	kind := kinds[k.random.IntN(len(kinds))]
	pid := all[kind][k.random.IntN(len(all[kind]))]
	signal := syscall.SIGKILL
	if kind != "supervisor" && kind != "serve" && k.random.IntN(5) == 0 {
		signal = syscall.SIGTERM
	}
	if syscall.Kill(pid, signal) != nil {
		return
	}
	k.done++
	k.killed[kind]++
	if pid == k.serve.Process.Pid {
		_ = k.serve.Wait()
		k.startServe(t)
	}
}

// processes are those of the plan, by their kind. Processes that an agent or a gate
// starts itself are left alone: a script whose command is killed does something else.
func (k *killing) processes() map[string][]int {
	out := map[string][]int{}
	for pid, args := range k.family() {
		switch kind := kindOf(args); {
		case pid == k.serve.Process.Pid:
			out["serve"] = append(out["serve"], pid)
		case kind != "":
			out[kind] = append(out[kind], pid)
		}
	}
	return out
}

func kindOf(args []string) string {
	if len(args) < 2 {
		return ""
	}
	switch name := filepath.Base(args[0]); {
	case args[1] == "__shim":
		return "shim"
	case args[1] == "__room", args[1] == "__sandbox-init", name == "bwrap":
		return "sandbox"
	case name == "git":
		return "git"
	case strings.HasSuffix(args[1], "/agent.sh"):
		return "agent"
	case name == "sh" && args[1] == "-c" && args[len(args)-1] == "sh check.sh", name == "sh" && args[1] == "check.sh":
		return "gate"
	case name == "ralph" && args[1] != "serve":
		return "supervisor"
	}
	return ""
}

// family are the processes that carry the mark of the plan, and all below them, by pid
// with their arguments. Shims have an empty environment.
func (k *killing) family() map[int][]string {
	entries, _ := os.ReadDir("/proc")
	parents, marked := map[int]int{}, map[int]bool{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		if f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(f) > 1 && f[0] != "Z" {
			parents[pid], _ = strconv.Atoi(f[1])
		}
		env, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
		marked[pid] = bytes.Contains(env, []byte("KILLED_PLAN="+k.home+"\x00"))
	}
	out := map[int][]string{}
	for pid := range parents {
		for at := pid; at > 1; at = parents[at] {
			if !marked[at] {
				continue
			}
			if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); len(line) > 0 {
				out[pid] = strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
			}
			break
		}
	}
	return out
}

// object is what ralph prints with --json.
func (k *killing) object(t *testing.T, to any, args ...string) {
	t.Helper()
	cmd := k.command(append(args, "--json")...)
	cmd.Env = k.environment()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ralph %v: %v %s", args, err, out)
	}
	if err := json.Unmarshal(out, to); err != nil {
		t.Fatalf("ralph %v: %v: %s", args, err, out)
	}
}

type killedPlan struct {
	Status, Branch string
	Tasks          []struct{ ID, Status string }
}

// status of the plan; "" where none is recorded yet.
func (k *killing) status(t *testing.T) string {
	t.Helper()
	var all struct {
		Plans []struct{ Status string }
	}
	k.object(t, &all, "status", "--all")
	if len(all.Plans) == 0 {
		return ""
	}
	return all.Plans[0].Status
}

// check: the plan has passed, each task landed once, nothing of the user's was touched,
// no process is left, and repository and database are sound.
func (k *killing) check(t *testing.T) {
	t.Helper()
	var p killedPlan
	k.object(t, &p, "show", "plan")
	if p.Status != "passed" {
		t.Errorf("the plan is %s", p.Status)
	}
	for _, task := range p.Tasks {
		if task.Status != "done" {
			t.Errorf("task %s is %s", task.ID, task.Status)
		}
	}
	k.checkLanded(t, p.Branch)
	if after := k.users(t); after != k.before {
		t.Errorf("the user's:\n%s\nbefore:\n%s", after, k.before)
	}
	if out := k.git(t, "fsck", "--strict", "--no-dangling"); strings.TrimSpace(out) != "" {
		t.Errorf("git fsck: %s", out)
	}
	var found struct {
		Counts   map[string]int
		Findings []struct{ Check, Level, What string }
	}
	k.object(t, &found, "doctor")
	if found.Counts["ok"] == 0 || found.Counts["fail"] > 0 {
		t.Errorf("doctor: %+v", found)
	}
	tier.Eventually(t, "the processes of the plan to end", func() bool {
		for pid := range k.family() {
			if pid != k.serve.Process.Pid {
				return false
			}
		}
		return true
	})
}

// checkLanded compares what is on the integration branch: the work of each task once.
func (k *killing) checkLanded(t *testing.T, branch string) {
	t.Helper()
	var files []string
	for f := range strings.FieldsSeq(k.git(t, "ls-tree", "--name-only", branch)) {
		if strings.HasSuffix(f, ".txt") {
			files = append(files, f)
		}
	}
	if want := strings.Fields("a.txt b.txt c.txt d.txt e.txt f.txt shared.txt"); !slices.Equal(files, want) {
		t.Errorf("landed: %v", files)
	}
	shared := strings.Fields(k.git(t, "show", branch+":shared.txt"))
	if slices.Sort(shared); !slices.Equal(shared, []string{"b", "c"}) {
		t.Errorf("shared.txt: %v", shared)
	}
	landed := map[string]int{}
	cmd := k.command("logs", "plan", "--json")
	cmd.Env = k.environment()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var e struct {
			Event string
			Data  struct{ Task string }
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Event == "landed" || e.Event == "repaired" {
			landed[e.Data.Task]++
		}
	}
	for _, task := range []string{"a", "b", "c", "d", "e", "f"} {
		if landed[task] != 1 {
			t.Errorf("task %s landed %d times", task, landed[task])
		}
	}
	k.checkAttempts(t)
}

// checkAttempts: no kill has used up an attempt of any loop.
func (k *killing) checkAttempts(t *testing.T) {
	t.Helper()
	var all struct {
		Loops []struct {
			ID        string
			Iteration int
		}
	}
	k.object(t, &all, "status", "--all")
	if len(all.Loops) < 6 {
		t.Errorf("%d loops", len(all.Loops))
	}
	for _, l := range all.Loops {
		if l.Iteration != 1 {
			t.Errorf("loop %s made %d attempts", l.ID, l.Iteration)
		}
	}
}
