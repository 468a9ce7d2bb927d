//go:build server

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/temporaltest"

	"ralph/internal/proc"
	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
	"ralph/temporal/store"
)

// asProgram makes the test binary ralph-worker.
const asProgram = "RALPH_WORKER_TEST_MAIN"

// plays is the word by which ralph starts itself as an agent that plays a scenario, without
// that variable.
const plays = "__script"

// embedded is shared by all tests.
var embedded *temporaltest.TestServer

func TestMain(m *testing.M) {
	if at := os.Getenv(killAt); at != "" && !proc.IsShim(os.Args) {
		killedMain(at)
	}
	if wrong := os.Getenv(wrongBy); os.Getenv(killAt) == "" && wrong != "" && wrong != "0s" && !proc.IsShim(os.Args) {
		wrongClockMain(wrong)
	}
	if os.Getenv(asProgram) != "" || proc.IsShim(os.Args) || len(os.Args) > 1 && os.Args[1] == plays {
		main()
	}
	if given := os.Getenv(asServer); given != "" {
		serverMain(given)
	}
	embedded = temporaltest.NewServer(
		temporaltest.WithBaseClientOptions(client.Options{Logger: store.Quiet(), Identity: "test"}),
		temporaltest.WithBaseServerOptions(temporal.WithDynamicConfigClient(quick())),
	)
	embedded.GetDefaultClient()
	code := m.Run()
	embedded.Stop()
	os.Exit(code)
}

// scene is a team: a bare remote, a clone in which loops are started, and workers, each
// with a state directory of its own. Nothing is shared but the server, the remote and a
// folder.
type scene struct {
	testing.TB
	dir    string
	engine string
	// env is added for users.
	env []string
	// wrong is by how much the clock of a user or a worker is wrong.
	wrong map[string]time.Duration
}

func newScene(t *testing.T) scene {
	t.Parallel()
	return sceneOf(t)
}

func sceneOf(t testing.TB) scene {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// The remote names the project on the server: each test has its own.
	s := scene{TB: t, dir: dir}
	s.engine = s.address(embedded.GetFrontendHostPort(), embedded.GetDefaultNamespace())
	s.git(dir, "init", "-q", "--bare", "-b", "main", s.remote())
	s.git(dir, "init", "-q", "-b", "main", s.at("a"))
	s.write("a/README", "a project\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "base")
	s.git(s.at("a"), "remote", "add", "origin", s.remote())
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.git(dir, "clone", "-q", s.remote(), s.at("b"))
	// The agent works only once it is let.
	s.write("agent.sh", `cat > /dev/null
echo "attempt in $PWD"
touch "$1/started"
while ! test -e "$1/go"; do sleep 0.05; done
echo done > result
`)
	return s
}

// address is that of the engine on a server.
func (s scene) address(host, namespace string) string {
	return fmt.Sprintf("temporal://%s/%s?files=%s", host, namespace, s.at("shared"))
}

func (s scene) at(name string) string { return filepath.Join(s.dir, name) }

func (s scene) remote() string {
	return s.at(strings.ReplaceAll(strings.ToLower(s.Name()), "/", "-") + ".git")
}

func (s scene) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(s.at(name), []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s scene) git(dir string, args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// program is ralph-worker for a user or a worker with a name.
func (s scene) program(name string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = s.at("a")
	cmd.Env = append(os.Environ(), asProgram+"=1", wrongBy+"="+s.wrong[name].String(), "RALPH_ENGINE="+s.engine, "XDG_STATE_HOME="+s.at("state-"+name), "XDG_CONFIG_HOME="+s.at("config-"+name), "NO_COLOR=1")
	return cmd
}

// ralph runs a command as a user in a clone, and returns what it prints; the exit code
// must be the one given.
func (s scene) ralph(clone string, code int, args ...string) string {
	s.Helper()
	out, got := s.try(clone, args...)
	if got != code {
		s.Fatalf("ralph %v in %s ended with %d, not %d\n%s\n%s", args, clone, got, code, out, s.logs())
	}
	return out
}

// try runs a command of a user in a clone, and returns what it prints and its code.
func (s scene) try(clone string, args ...string) (string, int) {
	cmd := s.program("user-"+clone, args...)
	cmd.Dir, cmd.Env = s.at(clone), append(cmd.Env, s.env...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// start starts a loop, and leaves it to the workers.
func (s scene) start() {
	s.Helper()
	s.ralph("a", 0, append(s.run(), "-d")...)
}

func (s scene) run() []string {
	return []string{"run", "make it", "--until", "test -e result", "--agent-cmd", "sh " + s.at("agent.sh") + " " + s.dir, "--loop-id", "make", "--sandbox", "off"}
}

// worker starts one. Its output is in a file.
func (s scene) worker(name string, more ...string) *exec.Cmd {
	s.Helper()
	return s.workerOf(name, s.remote(), more...)
}

func (s scene) workerOf(name, remote string, more ...string) *exec.Cmd {
	s.Helper()
	cmd := s.program(name, append([]string{"worker", "--repo", remote, "--slots", "1", "--heartbeat-timeout", "3s"}, more...)...)
	cmd.Dir = s.dir
	log, err := os.Create(s.at("log-" + name))
	if err != nil {
		s.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = log.Close()
	})
	return cmd
}

func (s scene) signal(cmd *exec.Cmd, sig syscall.Signal) {
	s.Helper()
	if err := cmd.Process.Signal(sig); err != nil {
		s.Fatal(err)
	}
}

func (s scene) log(name string) string {
	data, _ := os.ReadFile(s.at("log-" + name))
	return string(data)
}

func (s scene) logs() string {
	all, _ := filepath.Glob(s.at("log-*"))
	var b bytes.Buffer
	for _, path := range all {
		data, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s:\n%s\n", filepath.Base(path), data)
	}
	return b.String()
}

// until waits for something to become true.
func (s scene) until(what string, is func() bool) {
	s.Helper()
	for end := time.Now().Add(tier.Hang); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("waited for: %s\n%s", what, s.logs())
		}
	}
}

func (s scene) exists(name string) func() bool {
	return func() bool { _, err := os.Stat(s.at(name)); return err == nil }
}

func (s scene) tip() string { return s.git(s.remote(), "rev-parse", "refs/heads/ralph/make") }

// TestKilledWorkerIsFollowed: a worker is killed while its agent works; another one, which
// has nothing of it, brings the loop to the same end. A third place sees and merges it.
func TestKilledWorkerIsFollowed(t *testing.T) {
	s := newScene(t)
	one := s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	s.signal(one, syscall.SIGKILL)
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.until("the agent works again", s.exists("started"))
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")

	if out := s.ralph("b", 0, "status", "make"); !strings.Contains(out, "passed") {
		t.Errorf("status in another clone: %s", out)
	}
	if out := s.ralph("b", 0, "logs", "make", "--agent"); !strings.Contains(out, "state-two") {
		t.Errorf("the output of the agent: %s", out)
	}
	events := s.ralph("b", 0, "logs", "make")
	for what, n := range map[string]int{"moved": 2, "interrupted": 1, "agent_ended": 1, "committed": 1, "tidied": 1} {
		if got := strings.Count(events, "  "+what); got != n {
			t.Errorf("%s: %d times, not %d\n%s", what, got, n, events)
		}
	}
	s.ralph("b", 0, "accept", "make", "--yes")
	if got, err := os.ReadFile(s.at("b/result")); err != nil || string(got) != "done\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}
	if n := s.git(s.remote(), "rev-list", "--count", "main..ralph/make"); n != "1" {
		t.Errorf("%s commits were pushed", n)
	}
	if refs := s.git(s.remote(), "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main\nrefs/heads/ralph/make" {
		t.Errorf("the remote has %s", refs)
	}
	if out := s.ralph("a", 0, "show", "make"); !strings.Contains(out, "ralph archive make") {
		t.Errorf("where it was started: %s", out)
	}
}

// TestFrozenWorkerIsFenced: a worker stands still while another one takes its loop to the
// end; thawed, it records and pushes nothing more.
func TestFrozenWorkerIsFenced(t *testing.T) {
	s := newScene(t)
	one := s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	s.signal(one, syscall.SIGSTOP)
	s.worker("two")
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")
	tip, events := s.tip(), s.ralph("a", 0, "logs", "make")
	s.signal(one, syscall.SIGCONT)
	s.until("the thawed worker notices", func() bool { return strings.Contains(s.log("one"), "another owner took it over") })
	if now := s.tip(); now != tip {
		t.Errorf("the thawed worker pushed %s over %s", now, tip)
	}
	if now := s.ralph("a", 0, "logs", "make"); now != events {
		t.Errorf("the thawed worker recorded more:\n%s\nbefore:\n%s", now, events)
	}
}

// refusesPushes lets the remote refuse all pushes until the hook that it returns is removed.
func (s scene) refusesPushes() (hook string) {
	s.Helper()
	hook = filepath.Join(s.remote(), "hooks", "pre-receive")
	err := os.MkdirAll(filepath.Dir(hook), 0o700)
	if err == nil {
		err = runnable.Write(hook, "#!/bin/sh\nexit 1\n")
	}
	if err != nil {
		s.Fatal(err)
	}
	return hook
}

// TestRemoteRefuses: while the remote refuses pushes the work waits, and is then recorded
// once.
func TestRemoteRefuses(t *testing.T) {
	s := newScene(t)
	s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	hook := s.refusesPushes()
	base := s.tip()
	s.write("go", "")
	s.until("a push is refused", func() bool { return strings.Contains(s.log("one"), "trying again") })
	s.until("other clones tell it", func() bool { return strings.Contains(s.ralph("b", 0, "status", "make"), "waits for the remote: ") })
	if s.tip() != base {
		t.Error("the refused push moved the branch")
	}
	if out := s.ralph("a", 0, "logs", "make"); strings.Contains(out, "committed") {
		t.Errorf("recorded before it was pushed:\n%s", out)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	s.ralph("a", 0, "wait", "make")
	if out := s.ralph("a", 0, "logs", "make"); strings.Count(out, "  committed") != 1 || strings.Count(out, "  agent_ended") != 1 {
		t.Errorf("%s", out)
	}
}

// TestSteeredFromElsewhere: guidance and an abort reach a loop with a worker; a pause, a
// resumption and an abort one without.
func TestSteeredFromElsewhere(t *testing.T) {
	s := newScene(t)
	s.start()
	s.ralph("b", 0, "pause", "make")
	if out := s.ralph("a", 0, "status", "make"); !strings.Contains(out, "paused") {
		t.Errorf("paused before a worker had it: %s", out)
	}
	s.worker("one")
	s.ralph("b", 0, "resume", "make", "-d")
	s.until("the agent works", s.exists("started"))
	s.ralph("b", 0, "steer", "make", "mind the gap")
	s.until("the guidance is recorded", func() bool { return strings.Contains(s.ralph("a", 0, "logs", "make"), "mind the gap") })
	if out := s.ralph("b", 0, "abort", "make", "--reason", "enough"); !strings.Contains(out, "enough") {
		t.Errorf("abort: %s", out)
	}
	s.ralph("a", 1, "wait", "make")
}

// TestAbortWithoutWorker: the abort of a loop whose worker died is recorded, and the next
// worker closes the loop without starting an agent.
func TestAbortWithoutWorker(t *testing.T) {
	s := newScene(t)
	one := s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	s.signal(one, syscall.SIGKILL)
	if out := s.ralph("b", 0, "abort", "make"); !strings.Contains(out, "the next worker closes the loop") {
		t.Errorf("abort: %s", out)
	}
	if err := os.Remove(s.at("started")); err != nil {
		t.Fatal(err)
	}
	s.worker("two")
	s.ralph("a", 1, "wait", "make")
	if s.exists("started")() {
		t.Error("an agent was started")
	}
}

// TestRetriedElsewhere: an ended loop is retried in another clone, from the commit there,
// by the worker that had it; the old loop names the new one.
func TestRetriedElsewhere(t *testing.T) {
	s := newScene(t)
	s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	s.ralph("b", 0, "abort", "make")
	s.ralph("a", 1, "wait", "make")
	s.git(s.at("b"), "commit", "-q", "--allow-empty", "-m", "only in this clone")
	head := s.git(s.at("b"), "rev-parse", "HEAD")
	s.write("go", "")
	out := s.ralph("b", 0, "retry", "make", "-d")
	again := regexp.MustCompile(`(?m)^make-it-[0-9a-f]{4}$`).FindString(out)
	if again == "" {
		t.Fatalf("the id is missing: %s", out)
	}
	s.ralph("a", 0, "wait", again)
	if base := s.git(s.remote(), "rev-parse", "refs/heads/ralph/"+again+"^"); base != head {
		t.Errorf("the retry began at %s, not %s", base, head)
	}
	if events := s.ralph("a", 0, "logs", "make"); strings.Count(events, "  retried") != 1 {
		t.Errorf("the old loop does not name its retry:\n%s", events)
	}
	s.ralph("b", 0, "accept", again, "--yes")
	if got, err := os.ReadFile(s.at("b/result")); err != nil || string(got) != "done\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}
}

// TestLeftRunContinues: ctrl-c ends the command that follows a loop, and not the loop.
func TestLeftRunContinues(t *testing.T) {
	s := newScene(t)
	s.worker("one")
	var out bytes.Buffer
	cmd := s.program("user-a", s.run()...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.until("the agent works", s.exists("started"))
	s.signal(cmd, syscall.SIGINT)
	_ = cmd.Wait()
	if text := out.String(); cmd.ProcessState.ExitCode() != 130 || !strings.Contains(text, "its worker continues") || strings.Contains(text, "pausing") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), text)
	}
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")
}

// TestSameNameMeetsNot: a worker of another repository of the same name takes no loop, and
// that of a fork, which has the same first commit, neither.
func TestSameNameMeetsNot(t *testing.T) {
	s := newScene(t)
	s.start()
	name := filepath.Base(s.remote())
	for _, other := range []string{"other", "fork"} {
		if err := os.Mkdir(s.at(other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.git(s.dir, "init", "-q", "--bare", "-b", "main", filepath.Join(s.at("other"), name))
	s.git(s.dir, "init", "-q", "-b", "main", s.at("c"))
	s.git(s.at("c"), "commit", "-q", "--allow-empty", "-m", "another project")
	s.git(s.at("c"), "push", "-q", filepath.Join(s.at("other"), name), "main")
	s.git(s.dir, "clone", "-q", "--bare", "--single-branch", "-b", "main", s.remote(), filepath.Join(s.at("fork"), name))
	s.workerOf("other", filepath.Join(s.at("other"), name))
	s.workerOf("fork", filepath.Join(s.at("fork"), name))
	s.until("the worker of the fork sees the loop", func() bool { return strings.Contains(s.log("fork"), "left alone") })
	s.until("the other worker runs", func() bool { return strings.Contains(s.log("other"), "worker for") })
	s.worker("one")
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")
	if log := s.log("fork") + s.log("other"); strings.Contains(log, "taken") || strings.Count(log, "left alone") != 1 {
		t.Errorf("%s", s.logs())
	}
	s.git(s.at("a"), "push", "-q", "origin", s.git(s.at("a"), "commit-tree", "-p", "HEAD", "-m", "more", "HEAD^{tree}")+":main")
	s.git(s.dir, "clone", "-q", "--depth", "1", "file://"+s.remote(), s.at("shallow"))
	if out := s.ralph("shallow", 64, "status"); !strings.Contains(out, "git fetch --unshallow") {
		t.Errorf("a shallow clone: %s", out)
	}
}

// TestWorkerDoctor: a machine that can work is told so and leaves nothing on the remote; one
// whose pushes are refused, or without the folder, is told what is missing and takes no loop.
func TestWorkerDoctor(t *testing.T) {
	s := newScene(t)
	doctor := []string{"worker", "doctor", "--repo", s.remote()}
	for _, want := range []string{"✓ push", "✓ files", "✓ server", "✓ git"} {
		if out := s.ralph("a", 0, doctor...); !strings.Contains(out, want) {
			t.Errorf("%s is missing: %s", want, out)
		}
	}
	if refs := s.git(s.remote(), "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("the remote has %s", refs)
	}
	if out := s.ralph("a", 69, "worker", "doctor", "--repo", s.at("nothing.git")); !strings.Contains(out, "✗ start") {
		t.Errorf("no remote: %s", out)
	}
	s.refusesPushes()
	s.write("file", "")
	s.engine = strings.Replace(s.engine, s.at("shared"), s.at("file")+"/below", 1)
	for _, args := range [][]string{doctor, {"worker", "--repo", s.remote()}} {
		if out := s.ralph("a", 69, args...); !strings.Contains(out, "✗ push") || !strings.Contains(out, "✗ files") {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// TestRefused: what does not work with a team is refused with words, and starts nothing.
func TestRefused(t *testing.T) {
	s := newScene(t)
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{64, []string{"migrate"}, "does not work with --engine yet"},
		{64, []string{"run", "x", "--until", "true", "--agent-cmd", "true", "--in-place"}, "needs files of this machine"},
		{64, []string{"worker", "--repo", s.remote(), "--slots", "0"}, "--slots 0"},
		{69, []string{"worker", "--repo", s.at("nothing.git")}, "check --repo"},
		{64, []string{"status", "--engine", "temporal://nowhere"}, "missing host or port"},
		{69, []string{"status", "--engine", "temporal://127.0.0.1:1/x"}, "start the server"},
	} {
		if out := s.ralph("a", c.code, c.args...); !strings.Contains(out, c.want) {
			t.Errorf("%v: %s", c.args, out)
		}
	}
	if refs := s.git(s.remote(), "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("the remote has %s", refs)
	}
}
