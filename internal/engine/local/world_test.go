//go:build linux

package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/store"
)

// world is one test's own repository, state, worktrees and orders:
//
//	home/disk/repo   the repository, with .git/ralph
//	home/disk/trees  the worktrees
//	home/…           what is the test's own: scenario, points, orders
type world struct{ home string }

func (w world) disk() string     { return filepath.Join(w.home, "disk") }
func (w world) repo() string     { return filepath.Join(w.disk(), "repo") }
func (w world) trees() string    { return filepath.Join(w.disk(), "trees") }
func (w world) scenario() string { return filepath.Join(w.home, "scenario.yaml") }

// roomFor is a directory of the test in memory where there is one: these tests
// sync after every step, and a disk makes them wait without telling them more.
func roomFor(t testing.TB) string {
	t.Helper()
	base := "/dev/shm"
	if st, err := os.Stat(base); err != nil || !st.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(base, "ralph-crash-") //nolint:usetesting // t.TempDir is on the disk
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// template is a repository that every world copies: making one takes longer.
var template = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ralph-template-")
	if err != nil {
		return "", err
	}
	files := map[string]string{
		"answer.txt": "0\n", "check.sh": gateScript, "README": "Says the answer.\n", ".gitignore": "deps/\nsecret.env\nonce\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "Ada"},
		{"config", "user.email", "ada@example.org"},
		{"add", "-A"},
		{"commit", "-qm", "Begin"},
	} {
		if _, err := gitIn(dir, args...); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// newWorld makes the world of a scene.
func newWorld(t testing.TB, s scene) (world, order) {
	t.Helper()
	return furnish(t, world{roomFor(t)}, s)
}

func furnish(t testing.TB, w world, s scene) (world, order) {
	t.Helper()
	from, err := template()
	must(t, err)
	must(t, os.MkdirAll(w.disk(), 0o700))
	must(t, os.CopyFS(w.repo(), os.DirFS(from)))
	must(t, os.WriteFile(w.scenario(), []byte(s.script), 0o600))
	must(t, os.WriteFile(filepath.Join(w.repo(), "secret.env"), []byte("KEY=1\n"), 0o600))
	return w, order{Home: w.home, Spec: s.spec(t, w), Sends: s.sends, Acts: map[int]string{}}
}

func gitIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}

// git asks the world's repository.
func (w world) git(t testing.TB, args ...string) string {
	t.Helper()
	out, err := gitIn(w.repo(), args...)
	must(t, err)
	return out
}

// launched is a supervisor process.
type launched struct {
	*exec.Cmd
	file string
	said *strings.Builder
}

var orders struct {
	sync.Mutex
	n int
}

// launch starts a supervisor.
func (o order) launch(t testing.TB) launched {
	t.Helper()
	orders.Lock()
	orders.n++
	file := filepath.Join(o.Home, fmt.Sprintf("order-%d.json", orders.n))
	orders.Unlock()
	data, err := json.Marshal(o)
	must(t, err)
	must(t, os.WriteFile(file, data, 0o600))
	self, err := os.Executable()
	must(t, err)
	l := launched{exec.Command(self, supervisorWord, file), file, &strings.Builder{}}
	l.Stdout, l.Stderr, l.Env = l.said, l.said, environment()
	// A helper of a killed supervisor must not keep Wait from returning.
	l.WaitDelay = time.Second
	must(t, l.Start())
	t.Cleanup(func() { _ = l.Process.Kill() })
	return l
}

// end waits for the process. killed says that it did not end by itself.
func (l launched) end(t testing.TB) (a answer, killed bool) {
	t.Helper()
	_ = l.Wait()
	data, err := os.ReadFile(l.file + ".answer")
	if errors.Is(err, os.ErrNotExist) && l.ProcessState.ExitCode() == -1 {
		return a, true
	}
	if err != nil {
		t.Fatalf("supervisor: %v; it said: %s", l.ProcessState, l.said)
	}
	must(t, json.Unmarshal(data, &a))
	if l.said.Len() > 0 {
		t.Logf("supervisor said: %s", l.said)
	}
	return a, false
}

// run launches and waits.
func (o order) run1(t testing.TB, verb string) (answer, bool) {
	t.Helper()
	o.Verb = verb
	return o.launch(t).end(t)
}

// show reads the loop as `ralph show` does; exists is false when there is none.
func (w world) show(t testing.TB, id string) (l engine.Loop, exists bool) {
	t.Helper()
	w.reading(t, func(ctx context.Context, e engine.Loops) {
		var err error
		l, err = e.Show(ctx, id)
		if !errors.Is(err, engine.ErrNotFound) {
			must(t, err)
			exists = true
		}
	})
	return l, exists
}

// reading gives an engine that only reads, and needs no git for it.
func (w world) reading(t testing.TB, f func(context.Context, engine.Loops)) {
	t.Helper()
	s := w.memory(t)
	defer s.Close()
	f(t.Context(), local.New(s, nil, local.Options{}))
}

// memory opens the store for reading.
func (w world) memory(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(w.repo(), ".git", "ralph"), store.Options{
		Views: filepath.Join(w.repo(), ".ralph"), ReadOnly: true,
	})
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// terminal says whether the loop has ended.
func terminal(l engine.Loop) bool { return l.State.Status.Terminal() }
