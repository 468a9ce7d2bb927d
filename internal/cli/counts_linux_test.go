package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ralph/internal/sandbox"
	"ralph/internal/testing/tier"
)

// figures are what a command does that depends on no clock and no load.
type figures struct {
	// programs that were started, of ralph's own and others.
	programs int
	// syncs are waits for the disk, commits those for the database's log: one a
	// transaction.
	syncs, commits int
	// kilobytes written to files.
	kilobytes int
}

// counted are the commands whose figures may not grow. The figures are what was seen, with
// room for another version of git and for a slow disk in the last two rows, and a quarter
// more kilobytes everywhere.
var counted = []struct {
	name  string
	setUp [][]string
	argv  []string
	code  int
	most  figures
}{
	{name: "first init", argv: initLoop("a"), most: figures{programs: 4, syncs: 19, commits: 2, kilobytes: 340}},
	{name: "init", setUp: [][]string{initLoop("b")}, argv: initLoop("a"), most: figures{programs: 4, syncs: 4, commits: 1, kilobytes: 79}},
	{name: "check", setUp: [][]string{initLoop("a")}, argv: []string{"ralph", "loop", "check", "--loop-id", "a"}, code: 2, most: figures{programs: 10, syncs: 3, commits: 1, kilobytes: 50}},
	{name: "status", setUp: [][]string{initLoop("a")}, argv: []string{"ralph", "status"}, most: figures{programs: 1, kilobytes: 2}},
	{name: "hook without a loop", argv: stopHook, most: figures{programs: 2}},
	{name: "hook of a loop", setUp: [][]string{append(initLoop("a"), "--session", "s")}, argv: stopHook, most: figures{programs: 4, syncs: 2, commits: 1, kilobytes: 7}},
	{name: "run of one attempt", argv: runOnce("x"), most: figures{programs: 66, syncs: 84, commits: 18, kilobytes: 810}},
	{name: "run from the pool", setUp: [][]string{runOnce("x")}, argv: runOnce("y"), most: figures{programs: 64, syncs: 50, commits: 15, kilobytes: 545}},
	{name: "plan of two tasks", argv: []string{"ralph", "run", "plan.md", "--until", "test -f a.txt", "--agent-cmd", "mktemp ./x.XXXXXX", "--proof", "none", "--sandbox", "off", "--yes", "-q"}, most: figures{programs: 104, syncs: 162, commits: 48, kilobytes: 1875}},
}

func initLoop(id string) []string {
	return []string{"ralph", "loop", "init", "--until", "test -f done", "--loop-id", id, "--task", "the task of " + id}
}

func runOnce(task string) []string {
	return []string{"ralph", "run", task, "--until", "test -f done", "--agent-cmd", "echo >done", "--sandbox", "off", "-q"}
}

// stopHook is the end of a session's turn. Its shell counts as a program.
var stopHook = []string{"sh", "-c", `echo '{"session_id":"s"}' | exec ralph hook stop`}

// TestCounts holds the figures of commands. A change that makes one smaller lowers it here.
func TestCounts(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		tier.SkipLacking(t, "strace", "it counts programs, syncs and bytes")
	}
	dir, err := sandbox.LayerRoot()
	if err != nil || !(&sandbox.Capabilities{Env: os.Environ()}).Rooms(t.Context(), dir).Layered() {
		tier.SkipLacking(t, "overlay mounts", "without them gates take other steps")
	}
	for _, c := range counted {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := countScene(t)
			for _, argv := range c.setUp {
				s.run(t, 0, argv...)
			}
			traces := t.TempDir() // a file for each thread: no line is broken by another one
			out := s.run(t, c.code, append([]string{
				strace, "-ff", "-y", "-qq", "--seccomp-bpf", "-s0", "-o", filepath.Join(traces, "thread"),
				"-e", "trace=execve,fsync,fdatasync,syncfs,write,pwrite64",
			}, c.argv...)...)
			data := joined(t, traces)
			got := figuresOf(data)
			if bad := got.above(c.most); bad != "" {
				t.Errorf("%s: %s\n%s\n%s", c.name, bad, started(data), out)
			}
		})
	}
}

// above names the figures that are larger than those.
func (f figures) above(most figures) string {
	var bad []string
	for _, x := range []struct {
		name      string
		got, most int
	}{
		{"programs", f.programs, most.programs},
		{"syncs", f.syncs, most.syncs},
		{"commits", f.commits, most.commits},
		{"kilobytes", f.kilobytes, most.kilobytes},
	} {
		if x.got > x.most {
			bad = append(bad, fmt.Sprintf("%d %s, at most %d", x.got, x.name, x.most))
		}
	}
	return strings.Join(bad, "; ")
}

var tracedCall = regexp.MustCompile(`(?m)^(execve|fsync|fdatasync|syncfs|write|pwrite64)\((?:\d+<([^>]*)>)?.* = (\d+)$`)

// joined is the content of all files of a folder.
func joined(t *testing.T, dir string) (all []byte) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

// figuresOf counts what strace saw.
func figuresOf(trace []byte) (f figures) {
	written := 0
	for _, m := range tracedCall.FindAllSubmatch(trace, -1) {
		switch path := string(m[2]); string(m[1]) {
		case "execve":
			f.programs++
		case "write", "pwrite64":
			n, _ := strconv.Atoi(string(m[3]))
			if strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/") {
				written += n
			}
		default:
			f.syncs++
			if strings.HasSuffix(path, "/ralph.db-wal") {
				f.commits++
			}
		}
	}
	f.kilobytes = (written + 1023) / 1024
	return f
}

// started lists the programs of a trace.
func started(trace []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(trace) {
		if bytes.Contains(line, []byte("execve(")) || bytes.Contains(line, []byte("sync")) {
			b.Write(line)
		}
	}
	return b.String()
}

// scene is a repository with an environment of its own.
type scene struct {
	dir string
	env []string
}

func countScene(t *testing.T) scene {
	t.Helper()
	root := t.TempDir()
	s := scene{dir: filepath.Join(root, "repo"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(root, "home"), "XDG_STATE_HOME=" + filepath.Join(root, "state"), "RALPH_TRUST=1",
		"GIT_CONFIG_NOSYSTEM=1", "TERM=dumb", "LC_ALL=C.UTF-8", "TMPDIR=" + root,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost",
	}}
	for name, text := range map[string]string{"repo/a.txt": "a\n", "repo/plan.md": "# Plan\n\n- [ ] one\n- [ ] two\n", "home/.keep": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.run(t, 0, "git", "init", "--quiet", "--initial-branch=main")
	s.run(t, 0, "git", "add", "--all")
	s.run(t, 0, "git", "commit", "--quiet", "--message", "base")
	return s
}

// run runs a command, which must exit with that code, and returns what it printed.
func (s scene) run(t *testing.T, code int, argv ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%q: %v\n%s", argv, err, out)
	}
	return string(out)
}
