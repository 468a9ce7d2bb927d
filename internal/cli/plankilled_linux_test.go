package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// agentOfAll is agentOfSix, but does every task.
const agentOfAll = `#!/bin/sh
cat >/dev/null
if grep -sq '^<<<<<<<' shared.txt; then
  grep -vE '^(<<<<<<<|=======|>>>>>>>)' shared.txt > kept && mv kept shared.txt
  exit 0
fi
sleep 0.2
case $RALPH_TASK_ID in b|c) grep -sqx "$RALPH_TASK_ID" shared.txt || echo "$RALPH_TASK_ID" >> shared.txt;; esac
echo "$RALPH_TASK_ID" > "$RALPH_TASK_ID.txt"
`

// killKinds are the kinds of processes that are killed, each as often as any other.
var killKinds = []string{"supervisor", "shim", "sandbox", "gate", "git", "agent", "serve"}

// TestPlansWhoseProcessesAreKilled kills processes of running plans at random moments:
// the supervisor, shims, sandboxes, gates, git, agents and serve. Each plan must come to
// the same end as without: every task landed once, none lost, no attempt used up, and
// nothing of the user's touched. With RALPH_SOAK=all there are 20,000 kills. Run many as
// root in a PID namespace whose first process collects the orphans; the same command
// continues a run that was interrupted:
//
//	RALPH_SOAK=1 unshare -pf --mount-proc sh -c 'go test -timeout 0 -v -run PlansWhoseProcesses \
//	  ./internal/cli -args -kills 20000 -kills-for 2h -kills-record /tmp/kills.jsonl; :'
func TestPlansWhoseProcessesAreKilled(t *testing.T) {
	t.Parallel()
	tier.SkipUnlessLong(t)
	const plansAtOnce = 3
	quota := newKillQuota(t)
	for range plansAtOnce {
		t.Run("plans", func(t *testing.T) {
			t.Parallel()
			for {
				seed := uint64(time.Now().UnixNano())
				random := rand.New(rand.NewPCG(seed, 1))
				most := quota.take(10 + random.IntN(60))
				if most == 0 {
					return
				}
				t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) {
					k := newKilling(t, random, most)
					defer func(began time.Time) { quota.add(t, k, began) }(time.Now())
					k.run(t)
				})
			}
		})
	}
}

// killing is one plan whose processes are killed.
type killing struct {
	planWorld
	random *rand.Rand
	before string

	// The processes of the test itself hold the lock while they look.
	sync.Mutex
	// left kills are to be made.
	left   int
	killed map[string]int
	serve  *exec.Cmd
}

// newKilling makes the repository of a user. It is kept where the test fails.
func newKilling(t *testing.T, random *rand.Rand, left int) *killing {
	t.Helper()
	home, err := os.MkdirTemp("", "ralph-killed-") //nolint:usetesting // it is kept where the test fails
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("kept in", home)
		} else if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	k := &killing{planWorld: planWorldAt(t, home), random: random, killed: map[string]int{}, left: left}
	for name, text := range map[string]string{"agent.sh": agentOfAll, "repo/check.sh": "sleep 0.1\nls *.txt\n", "repo/mine": "mine\n"} {
		if err := runnable.Write(filepath.Join(k.home, name), text); err != nil {
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

// run runs the plan to its end while its processes are killed, and looks at what
// there is then.
func (k *killing) run(t *testing.T) {
	t.Helper()
	k.startServe(t)
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		k.killAll(t, ended)
	}()
	defer func() { _ = k.serve.Process.Kill(); _ = k.serve.Wait() }()
	func() {
		defer func() { close(ended); <-stopped }()
		k.drive(t)
	}()
	k.check(t)
}

// drive starts and resumes the plan until it has ended.
func (k *killing) drive(t *testing.T) {
	t.Helper()
	start := []string{"run", "plan.json", "--until", "sh check.sh", "--agent-cmd", k.home + "/agent.sh", "--max-iterations", "3", "--parallel", "2", "--no-input"}
	for limit := time.Now().Add(tier.Hang); ; {
		args := []string{"resume", "plan", "--no-input"}
		if k.status(t) == "" {
			args = start
		}
		cmd := k.command(args...)
		cmd.Env = k.environment()
		said, err := cmd.CombinedOutput()
		exit, _ := errors.AsType[*exec.ExitError](err)
		status := k.status(t)
		if err == nil || slices.Contains([]string{"passed", "failed", "aborted"}, status) {
			return
		}
		// Exit code 75: a process that serve started runs it. -1: killed.
		if exit == nil || !slices.Contains([]int{-1, 75}, exit.ExitCode()) || time.Now().After(limit) {
			t.Fatalf("ralph %v: %v, the plan is %q\n%s", args, err, status, said)
		}
		time.Sleep(100 * time.Millisecond) // the process that serve started runs it meanwhile
	}
}

func (k *killing) environment() []string {
	return append(k.env(), "RALPH_LIMITS_INTERRUPTIONS=1000", "RALPH_LIMITS_BACK_OFF=1us")
}

// startServe starts a supervisor beside the run.
func (k *killing) startServe(t *testing.T) {
	t.Helper()
	k.serve = k.command("serve", "--interval", "100ms")
	k.serve.Env = k.environment()
	if err := k.serve.Start(); err != nil {
		t.Error(err)
	}
}

// killAll kills until the plan has ended, at intervals between 5 and 400 ms.
func (k *killing) killAll(t *testing.T, ended <-chan struct{}) {
	for k.left > 0 {
		pause := time.NewTimer(5 * time.Millisecond << k.random.IntN(7))
		select {
		case <-ended:
			return
		case <-pause.C:
			k.kill(t, killKinds[k.random.IntN(len(killKinds))], ended)
		}
	}
}

// kill kills the next process of a kind that is there within five seconds. It polls,
// since nothing announces one: most live for milliseconds.
func (k *killing) kill(t *testing.T, kind string, ended <-chan struct{}) {
	for limit := time.Now().Add(5 * time.Second); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		select {
		case <-ended:
			return
		default:
		}
		if k.killOne(t, kind) {
			return
		}
	}
}

// killOne kills one process of a kind, and reports whether there was one.
func (k *killing) killOne(t *testing.T, kind string) bool {
	k.Lock()
	defer k.Unlock()
	pids := k.processes()[kind]
	if len(pids) == 0 {
		return false
	}
	pid, signal := pids[k.random.IntN(len(pids))], syscall.SIGKILL
	if kind != "supervisor" && kind != "serve" && k.random.IntN(5) == 0 {
		signal = syscall.SIGTERM
	}
	if syscall.Kill(pid, signal) != nil {
		return false
	}
	k.left--
	k.killed[kind]++
	if pid == k.serve.Process.Pid {
		_ = k.serve.Wait()
		k.startServe(t)
	}
	return true
}

// processes are those of the plan, by their kind. Processes that an agent or a gate
// starts itself are left alone: a script whose command is killed does something else.
func (k *killing) processes() map[string][]int {
	out, all := map[string][]int{}, k.family()
	for pid, args := range all {
		switch kind := kindOf(args); {
		case pid == k.serve.Process.Pid:
			out["serve"] = append(out["serve"], pid)
		case slices.Contains([]string{"agent", "gate"}, kind) && slices.Equal(args, all[parentOf(pid)]):
			// A shell that has forked for a command looks like the script until its exec.
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

// family are the living processes of the plan by pid, with their arguments: those that
// have its home in their environment or work below it, and all that they started. A
// shim, whose environment is empty, is found by where it works.
func (k *killing) family() map[int][]string {
	entries, _ := os.ReadDir("/proc")
	parents, marked := map[int]int{}, map[int]bool{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if state, parent := stateOf(pid); state != "Z" && parent > 0 {
			parents[pid] = parent
		}
		env, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
		dir, _ := os.Readlink("/proc/" + e.Name() + "/cwd")
		marked[pid] = bytes.Contains(env, []byte("="+k.home+"\x00")) || strings.HasPrefix(dir+"/", k.home+"/")
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

func parentOf(pid int) int { _, parent := stateOf(pid); return parent }

// stateOf are the state of a process and its parent; none where it is gone.
func stateOf(pid int) (state string, parent int) {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(f) > 1 {
		state = f[0]
		parent, _ = strconv.Atoi(f[1])
	}
	return state, parent
}

// object is what ralph prints with --json.
func (k *killing) object(t *testing.T, to any, args ...string) {
	t.Helper()
	k.Lock()
	defer k.Unlock()
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
			ID        string `json:"loop_id"`
			Iteration int
		}
	}
	k.object(t, &all, "status", "--all")
	if len(all.Loops) < 6 {
		t.Errorf("%d loops", len(all.Loops))
	}
	for _, l := range all.Loops {
		if l.Iteration > 1 {
			t.Errorf("loop %s made %d attempts", l.ID, l.Iteration)
		}
	}
}
