package cli_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ralph/internal/agent/script"
	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
	"ralph/internal/testing/tier"
)

// TestMain builds the program under test, as small as the one that people have: it
// starts itself as the shim, and that as the player of scenarios, thousands of
// times. The test binary would take twice as long for each.
func TestMain(m *testing.M) {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	if len(os.Args) > 1 && os.Args[1] == script.Verb { // of a demonstration that runs in a test
		os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{}))
	}
	dir, err := os.MkdirTemp("", "ralph-faulty-")
	trials = filepath.Join(dir, "sandbox")
	if err == nil {
		err = errors.Join(os.Mkdir(trials, 0o700), build(filepath.Join(dir, "ralph")))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// trials is the directory in which the program under test remembers which sandboxes
// work here.
var trials string

func build(to string) error {
	args := []string{"build", "-buildvcs=false", "-ldflags", "-s -w", "-o", to}
	if raced {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "ralph/internal/testing/faultyralph")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the program under test: %w\n%s", err, out)
	}
	return nil
}

// TestScripts runs every scenario. One of them: -run 'TestScripts/init_go'.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               people,
		Condition:           holds,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"commit": commit,
			"edit":   edit,
			"count":  count,
			"copies": copies, "unpack": unpack,
			"json": jsonFields, "save": save, "valid": valid,
			"start": start, "send": send, "ended": ended, "waitfor": waitfor, "gone": gone,
		},
	})
}

// holds answers the conditions [bubblewrap], [landlock] and [layers]: whether they
// work here.
func holds(cond string) (bool, error) {
	kit := &sandbox.Capabilities{Env: os.Environ()}
	switch cond {
	case "soak":
		return tier.Long(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "machine": // a process may make one: a disk, processes and a boot id of its own
		const mounts = "mount -t tmpfs tmpfs /mnt && mount --bind /dev/null /proc/sys/kernel/random/boot_id"
		return exec.Command("unshare", "-m", "-p", "-f", "sh", "-c", mounts).Run() == nil, nil
	case "bubblewrap":
		return kit.Detect(context.Background()).Bubblewrap.Works, nil
	case "landlock":
		return kit.Detect(context.Background()).Landlock.Works, nil
	case "layers":
		dir, err := sandbox.LayerRoot()
		return err == nil && kit.Rooms(context.Background(), dir).Layered(), nil
	}
	return false, fmt.Errorf("no condition %q", cond)
}

// update rewrites golden files, those inside of scenarios too.
var update = flag.Bool("update", false, "write the golden files")

// goCache is the machine's own: building the standard library anew in each
// scenario would take minutes.
func goCache() string {
	if dir := os.Getenv("GOCACHE"); dir != "" {
		return dir
	}
	dir, _ := os.UserCacheDir()
	return filepath.Join(dir, "go-build")
}

// home gives a scenario a person of its own: nothing of the machine's user is
// read, and nothing is left behind. A scenario keeps its repositories in folders
// of $WORK, since .person and .tmp lie there too.
func home(env *testscript.Env) error {
	at := func(name string) string { return filepath.Join(env.WorkDir, ".person", name) }
	for _, dir := range []string{"home", "state", "config"} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			return err
		}
	}
	// What holds here holds in each scenario: the trials are made once. One that fails
	// is tried again by the scenario alone, since what is forgotten is the link.
	if err := os.MkdirAll(filepath.Join(at("state"), "ralph"), 0o700); err != nil {
		return err
	}
	if err := os.Symlink(trials, filepath.Join(at("state"), "ralph", "sandbox")); err != nil {
		return err
	}
	const gitconfig = "[user]\n\tname = Nina Test\n\temail = nina@example.org\n[init]\n\tdefaultBranch = main\n"
	if err := os.WriteFile(filepath.Join(at("home"), ".gitconfig"), []byte(gitconfig), 0o600); err != nil {
		return err
	}
	for key, value := range map[string]string{
		"HOME": at("home"), "XDG_STATE_HOME": at("state"), "XDG_CONFIG_HOME": at("config"),
		"GIT_CONFIG_GLOBAL": filepath.Join(at("home"), ".gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
		// Agents of scenarios leave their traces beside the repository.
		"RALPH_PROOF": "required", "RALPH_SANDBOX": sandboxFor(env.WorkDir), "RALPH_SANDBOX_WRITE": env.WorkDir,
		// Scenarios write ralph.yaml as a person does who then allows it; those
		// about trust unset it.
		"RALPH_TRUST": "1",
		"GOCACHE":     goCache(), "GOTOOLCHAIN": "local", "GOFLAGS": "",
		"PER": strconv.Itoa(perProcess()), "CHECKS": strconv.Itoa(16 * perProcess()),
		"LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "USER": "nina", "TZ": "UTC",
	} {
		env.Setenv(key, value)
	}
	return nil
}

// sandboxFor is what holds the agents and gates of a scenario: half of its time.
// Where it is about something else they run without, but for the long tests and a
// part of the plans.
func sandboxFor(workDir string) string {
	name := strings.TrimPrefix(filepath.Base(workDir), "script-")
	text, err := os.ReadFile(filepath.Join("testdata", "script", name+".txtar"))
	about := err != nil || bytes.Contains(text, []byte("sandbox")) || tier.Long()
	for _, held := range []string{"demo_", "run_accept", "plan_accept", "plan_text", "schema_"} {
		about = about || strings.HasPrefix(name, held)
	}
	if about {
		return ""
	}
	return "off"
}

// perProcess is how many checks each of sixteen processes makes: 100 in the long
// tests.
func perProcess() int {
	if tier.Long() {
		return 100
	}
	return 6
}

// exits runs a command and compares its exit code: exits 64 ralph run. It has
// the output that stdout and stderr look at.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		if got = exitCode(err); got < 0 {
			ts.Fatalf("%s: %v", args[1], err)
		}
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func exitCode(err error) int {
	var e interface{ ExitCode() int }
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return -1
}

// commit makes a repository of DIR, when it is none, and commits all of it:
// commit [DIR [MESSAGE]].
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 2 {
		ts.Fatalf("usage: commit [DIR [MESSAGE]]")
	}
	dir, message := ts.MkAbs("."), "work"
	if len(args) > 0 {
		dir = ts.MkAbs(args[0])
	}
	if len(args) > 1 {
		message = args[1]
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q", dir))
	}
	ts.Check(ts.Exec("git", "-C", dir, "add", "-A"))
	ts.Check(ts.Exec("git", "-C", dir, "commit", "-q", "--allow-empty", "-m", message))
}

// count compares how often a pattern matches in a file, stdout or stderr:
// count 3 'iter' stdout.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: count N PATTERN FILE")
	}
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	if got := fmt.Sprint(len(re.FindAllString(ts.ReadFile(args[2]), -1))); got != args[0] {
		ts.Fatalf("%q matches %s times in %s, want %s", args[1], got, args[2], args[0])
	}
}
