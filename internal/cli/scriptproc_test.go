package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ralph/internal/testing/tier"
)

// patience is how long a scenario waits for something that must happen, also on a
// machine that is slow and has other work. Only what is wrong takes that long.
const patience = tier.Hang

// background are the processes that a scenario started, by name, and the
// variables that they get.
type background struct {
	byName    map[string]*process
	variables []string
}

type process struct {
	*exec.Cmd
	ended chan struct{}
}

type backgroundKey struct{}

// people is home, and a place to remember background processes in.
func people(env *testscript.Env) error {
	if err := home(env); err != nil {
		return err
	}
	b := &background{byName: map[string]*process{}}
	for _, kv := range env.Vars {
		name, _, _ := strings.Cut(kv, "=")
		b.variables = append(b.variables, name)
	}
	env.Values[backgroundKey{}] = b
	return nil
}

func inBackground(ts *testscript.TestScript) *background {
	return ts.Value(backgroundKey{}).(*background)
}

// start runs a command in the background: start NAME COMMAND [ARG...]. Its
// output goes to $WORK/NAME.out and $WORK/NAME.err as it comes, so that a
// scenario can wait for a line of it.
func start(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME COMMAND [ARG...]")
	}
	b := inBackground(ts)
	cmd := exec.Command(find(ts, args[1]), args[2:]...)
	cmd.Args[0], cmd.Dir = args[1], ts.MkAbs(".")
	for _, name := range append(setBy(ts), b.variables...) {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, err := os.Create(filepath.Join(ts.Getenv("WORK"), args[0]+".out"))
	ts.Check(err)
	defer out.Close()
	warnings, err := os.Create(filepath.Join(ts.Getenv("WORK"), args[0]+".err"))
	ts.Check(err)
	defer warnings.Close()
	cmd.Stdout, cmd.Stderr = out, warnings
	ts.Check(cmd.Start())
	p := &process{cmd, make(chan struct{})}
	go func() { _ = cmd.Wait(); close(p.ended) }()
	b.byName[args[0]] = p
	ts.Defer(func() { _ = cmd.Process.Kill(); <-p.ended })
}

var setsVariable = regexp.MustCompile(`(?m)^(?:\[[^\]]*\] )*env (\w+)=`)

// setBy returns the variables that the scenario sets itself, with or without a condition.
func setBy(ts *testscript.TestScript) (names []string) {
	source, err := os.ReadFile(filepath.Join("testdata", "script", ts.Name()+".txtar"))
	ts.Check(err)
	for _, set := range setsVariable.FindAllSubmatch(source, -1) {
		if name := string(set[1]); ts.Getenv(name) != "" {
			names = append(names, name)
		}
	}
	return names
}

// find looks a program up on the scenario's own PATH.
func find(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	ts.Fatalf("%s is not on PATH", name)
	return ""
}

func named(ts *testscript.TestScript, name string) *process {
	p := inBackground(ts).byName[name]
	if p == nil {
		ts.Fatalf("nothing was started as %s", name)
	}
	return p
}

// send signals a background process: send TERM NAME.
func send(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{
		"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
	}
	if neg || len(args) != 2 || signals[args[0]] == 0 {
		ts.Fatalf("usage: send INT|TERM|HUP|KILL NAME")
	}
	ts.Check(named(ts, args[1]).Process.Signal(signals[args[0]]))
}

// ended waits for the end of a background process and compares its exit code:
// ended 130 NAME.
func ended(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ended CODE NAME")
	}
	p := named(ts, args[1])
	select {
	case <-p.ended:
	case <-time.After(patience):
		ts.Fatalf("%s still runs after %s", args[1], patience)
	}
	for _, suffix := range []string{".out", ".err"} {
		ts.Logf("[%s%s]\n%s", args[1], suffix, ts.ReadFile(filepath.Join(ts.Getenv("WORK"), args[1]+suffix)))
	}
	if got := strconv.Itoa(p.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("%s: exit code %s, want %s (%s)", args[1], got, args[0], p.ProcessState)
	}
}

// waitfor waits until a file (a glob) is there, and has a match of PATTERN:
// waitfor $WORK/one.err event=attempt_began.
func waitfor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: waitfor FILE [PATTERN]")
	}
	pattern := regexp.MustCompile("(?m)" + strings.Join(args[1:], ""))
	poll(ts, "waitfor "+strings.Join(args, " "), func() bool {
		files, _ := filepath.Glob(ts.MkAbs(args[0]))
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && pattern.Match(text) {
				return true
			}
		}
		return false
	})
}

// gone says that the process whose number stands in a file is no more:
// gone $WORK/pid. A zombie is gone: who reaps it is not ours to say.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] gone PIDFILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	if neg {
		if !alive(pid) {
			ts.Fatalf("process %d is gone", pid)
		}
		return
	}
	if alive(pid) {
		ts.Fatalf("process %d still runs", pid)
	}
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return !os.IsNotExist(err) || !isDir("/proc/self")
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// poll looks again and again, until patience ends: other processes tell this one
// nothing when they change a file or end.
func poll(ts *testscript.TestScript, what string, ok func() bool) {
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s: not within %s", what, patience)
		}
	}
}
