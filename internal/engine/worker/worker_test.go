package worker_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// TestMain makes the test binary the shim under which gates are started.
func TestMain(m *testing.M) {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	os.Exit(m.Run())
}

// pool is a pool of worktrees without a store.
type pool struct {
	mu   sync.Mutex
	held map[string]worker.Tree
}

func (p *pool) Take(_ context.Context, kind, _, root string) (worker.Tree, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	path := filepath.Join(root, kind)
	if _, ok := p.held[path]; !ok {
		p.held[path] = worker.Tree{Path: path, Fresh: true}
	}
	return p.held[path], nil
}

func (p *pool) Slot(context.Context) (int, error) { return 7, nil }

func (p *pool) Held(context.Context) ([]worker.Tree, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []worker.Tree
	for _, t := range p.held {
		out = append(out, t)
	}
	return out, nil
}

func (p *pool) set(path string, fresh bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held[path] = worker.Tree{Path: path, Fresh: fresh}
	return nil
}

func (p *pool) Ready(_ context.Context, path string) error { return p.set(path, false) }
func (p *pool) Gone(_ context.Context, path string) error  { return p.set(path, true) }
func (p *pool) Lock(context.Context, string) error         { return nil }

func (p *pool) Return(_ context.Context, path string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, path)
	return nil
}

// writer is an agent without a process: each run does what the next function does.
type writer []func(tree string) error

func (w *writer) Capabilities() agent.Capabilities { return agent.Capabilities{} }

func (w *writer) Run(_ context.Context, job agent.Job) (loop.Outcome, error) {
	do := (*w)[0]
	if len(*w) > 1 {
		*w = (*w)[1:]
	}
	return loop.Outcome{End: loop.EndDone}, do(job.Tree)
}

func writes(name, text string) func(string) error {
	return func(tree string) error { return os.WriteFile(filepath.Join(tree, name), []byte(text), 0o600) }
}

// bench is a worker with a repository whose gate passes when answer.txt holds 3.
type bench struct {
	*worker.Worker
	pool *pool
	spec loop.Spec
}

func newBench(t *testing.T, attempts ...func(string) error) bench {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "repo")
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	must(t, os.Mkdir(root, 0o700))
	must(t, os.WriteFile(filepath.Join(root, "answer.txt"), []byte("0\n"), 0o600))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "first"}} {
		runGit(t, root, env, args...)
	}
	repo, err := git.OpenEnv(t.Context(), root, env)
	must(t, err)
	head, err := repo.Head(t.Context())
	must(t, err)
	trees, script := &pool{held: map[string]worker.Tree{}}, writer(attempts)
	b := bench{pool: trees, Worker: &worker.Worker{
		Repo: repo, Trees: trees, Files: engine.Layout{Dir: filepath.Join(dir, "loop")}, TreeRoot: filepath.Join(dir, "trees"),
		Owned:   func(context.Context) error { return nil },
		Drivers: map[string]agent.Driver{"test": &script}, Env: env, Grace: time.Second, Now: time.Now,
	}}
	b.spec = loop.Spec{
		ID: "l1", Mode: loop.Supervised, Root: root, Base: head.Commit, Branch: "ralph/l1", Sandbox: loop.Sandbox("off"),
		Task:   loop.Task{ID: "answer", Text: "Make the answer right"},
		Agent:  loop.Agent{Name: "test", Use: "test"},
		Gates:  []loop.Gate{{Name: "answer", Kind: loop.KindCommand, Level: loop.Hard, Run: "grep -qx 3 answer.txt"}},
		Limits: loop.DefaultLimits(),
	}
	return b
}

// git runs git in the tree of the user.
func (b bench) git(t *testing.T, args ...string) {
	t.Helper()
	runGit(t, b.spec.Root, b.Env, args...)
}

func runGit(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drive lets the machine decide and the worker act until nothing is left to do.
func (b bench) drive(t *testing.T) loop.State {
	t.Helper()
	s := loop.New(b.spec, time.Now())
	apply := func(e loop.Event) {
		next, err := loop.Apply(s, journal.WithStamp(e, loop.Stamp{At: time.Now().Round(0)}))
		must(t, err)
		s = next
	}
	apply(loop.Acquired{Owner: "test"})
	for range 100 {
		a := loop.Next(s)
		if a.Do == loop.DoNothing {
			return s
		}
		if a.Do == loop.DoAgent {
			began, err := b.Begin(t.Context(), s, a)
			must(t, err)
			apply(began)
		}
		e, err := b.Do(t.Context(), s, a, &worker.Hooks{})
		must(t, err)
		apply(e)
	}
	t.Fatalf("it does not end: %s/%s at %s", s.Status, s.Reason, s.Step)
	return s
}

// TestWorkerDrivesALoop: with a worker alone, without a store, the machine comes to
// its end, and every tree goes back to the pool.
func TestWorkerDrivesALoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		attempts []func(string) error
		most     int
		status   loop.Status
		after    int
		answer   string
	}{
		{"passes at once", []func(string) error{writes("answer.txt", "3\n")}, 3, loop.StatusPassed, 1, "3\n"},
		{"passes at the second", []func(string) error{writes("answer.txt", "1\n"), writes("answer.txt", "3\n")}, 3, loop.StatusPassed, 2, "3\n"},
		{"fails at the maximum", []func(string) error{writes("answer.txt", "1\n"), writes("answer.txt", "2\n")}, 2, loop.StatusFailed, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.attempts...)
			b.spec.Limits.MaxIterations = c.most
			s := b.drive(t)
			if s.Status != c.status || s.Iteration != c.after {
				t.Fatalf("%s/%s after %d: %s", s.Status, s.Reason, s.Iteration, s.Message)
			}
			if len(b.pool.held) > 0 {
				t.Errorf("trees that were not returned: %v", b.pool.held)
			}
			if head, err := b.Repo.Head(t.Context()); err != nil || head.Commit != b.spec.Base || head.Branch != "main" {
				t.Errorf("the user's branch moved: %+v, %v", head, err)
			}
			if c.answer == "" {
				if s.FailureRef == "" {
					t.Error("the work is kept nowhere")
				}
				return
			}
			if text, err := b.Repo.FileAt(t.Context(), s.Commit, "answer.txt"); err != nil || string(text) != c.answer {
				t.Errorf("the commit holds %q, %v", text, err)
			}
			done, err := b.Accept(t.Context(), s, engine.MergeWork)
			if err != nil || !done.FastForward || done.Commit != s.Commit {
				t.Errorf("accept: %+v, %v", done, err)
			}
		})
	}
}

// TestWorkerWithoutOwnership: an action of a loop that was taken over is not done.
func TestWorkerWithoutOwnership(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("answer.txt", "3\n"))
	b.Owned = func(context.Context) error { return fmt.Errorf("gone: %w", engine.ErrFenced) }
	if _, err := b.Do(t.Context(), loop.New(b.spec, time.Now()), loop.Action{Do: loop.DoPrepare}, &worker.Hooks{}); err == nil {
		t.Error("it was done")
	}
	if len(b.pool.held) > 0 {
		t.Error("a tree was taken")
	}
}
