package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// prepare makes the branch and the two trees of a loop, fresh or from the pool.
func (w *Worker) prepare(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	base, err := w.base(ctx, s)
	if err != nil {
		return nil, err
	}
	done := loop.Prepared{Base: base, Worktree: s.Root}
	if err := w.branch(ctx, s.Branch, base); err != nil {
		return nil, err
	}
	if s.InPlace {
		err = w.Trees.Lock(ctx, s.Root)
	} else {
		done.Worktree, err = w.tree(ctx, s, a, h, agentTree, base)
	}
	if err != nil {
		return nil, err
	}
	if done.GateTree, err = w.tree(ctx, s, a, h, gateTree, base); err != nil {
		return nil, err
	}
	if has, err := w.Repo.HasSubmodules(ctx, base); err != nil {
		return nil, err
	} else if has && len(s.Setup) == 0 {
		done.Notes = append(done.Notes, "the repository has submodules; they are not initialised unless `isolation.setup` does it")
	}
	return done, nil
}

// base is the commit to start from: the one that was asked for, or with the
// user's uncommitted changes a first commit on top of it.
func (w *Worker) base(ctx context.Context, s loop.State) (string, error) {
	if !s.WithChanges {
		return s.Base, nil
	}
	if tip, err := w.Repo.ResolveCommit(ctx, "refs/heads/"+s.Branch); err == nil && tip != s.Base {
		return tip, nil // made before a crash
	}
	message := git.Message{Text: "Uncommitted changes that the loop starts from", Trailers: trailers(s, 0), Time: s.StartedAt}
	commit, err := w.Repo.Snapshot(ctx, s.Root, s.Base, message)
	if err != nil {
		return "", fmt.Errorf("commit the uncommitted changes: %w", err)
	}
	return commit, nil
}

// branch makes the loop's branch, which may exist from before a crash.
func (w *Worker) branch(ctx context.Context, name, base string) error {
	err := w.Repo.CreateBranch(ctx, name, base)
	var moved git.ErrRefMoved
	if errors.As(err, &moved) {
		if tip, err := w.Repo.ResolveCommit(ctx, "refs/heads/"+name); err == nil && tip == base {
			return nil
		}
		return fmt.Errorf("branch %s exists already and points elsewhere: choose another --loop-id", name)
	}
	return err
}

// tree takes a tree from the pool or makes one, at base, and sets it up.
func (w *Worker) tree(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind, base string) (string, error) {
	setup, err := w.setupDigest(ctx, s, base)
	if err != nil {
		return "", err
	}
	path, fresh, err := w.Trees.Take(ctx, kind, setup, w.TreeRoot)
	if err != nil {
		return "", fmt.Errorf("take a worktree: %w", err)
	}
	branch := ""
	if kind == agentTree {
		branch = s.Branch
	}
	if kind == agentTree || fresh || !exists(path) {
		if err := w.place(ctx, path, branch, base, fresh); err != nil {
			return "", err
		}
	} // a gate tree from the pool is brought to the commit by each gate
	if err := w.copyFiles(s, path); err != nil {
		return "", err
	}
	if fresh {
		if err := w.setUp(ctx, s, a, h, kind, path); err != nil {
			return "", err
		}
	}
	return path, w.Trees.Ready(ctx, path)
}

// place puts branch (or nothing, detached) at base into the tree.
func (w *Worker) place(ctx context.Context, path, branch, base string, fresh bool) error {
	if fresh {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("make the directory of worktrees: %w", err)
		}
	}
	if fresh || !exists(path) {
		return w.Repo.EnsureWorktree(ctx, git.Worktree{Path: path, Branch: branch, Commit: base})
	}
	if branch == "" {
		return w.Repo.CheckoutDetached(ctx, path, base)
	}
	return w.Repo.Switch(ctx, path, branch, base)
}

// exists: there is a worktree at path.
func exists(path string) bool {
	_, err := os.Lstat(filepath.Join(path, ".git"))
	return err == nil
}

// setupDigest names what a tree was set up for: the commands and the lock
// files they depend on. Trees change hands only with equal digests.
func (w *Worker) setupDigest(ctx context.Context, s loop.State, base string) (string, error) {
	if len(s.Setup) == 0 {
		return "", nil
	}
	sum := sha256.New()
	fmt.Fprintln(sum, strings.Join(s.Setup, "\x00"))
	for _, name := range lockFiles() {
		data, err := w.Repo.FileAt(ctx, base, filepath.ToSlash(filepath.Join(s.Prefix, name)))
		if err == nil {
			fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(data))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

func lockFiles() []string {
	return []string{
		"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lockb", "bun.lock", "go.sum",
		"Cargo.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "requirements.txt", "Gemfile.lock", "composer.lock",
	}
}

// copyFiles brings untracked files that a tree needs (isolation.copy).
func (w *Worker) copyFiles(s loop.State, tree string) error {
	if tree == s.Root {
		return nil
	}
	from, err := os.OpenRoot(s.Root)
	if err != nil {
		return fmt.Errorf("copy files into the worktree: %w", err)
	}
	defer from.Close()
	to, err := os.OpenRoot(tree)
	if err != nil {
		return fmt.Errorf("copy files into the worktree: %w", err)
	}
	defer to.Close()
	for _, name := range s.Copy {
		if err := copyFile(from, to, filepath.Clean(name)); err != nil {
			return fmt.Errorf("copy %s into the worktree: %w", name, err)
		}
	}
	return nil
}

func copyFile(from, to *os.Root, name string) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if dir := filepath.Dir(name); dir != "." {
		if err := to.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// setUp runs the setup commands in a fresh tree.
func (w *Worker) setUp(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind, tree string) error {
	for i, command := range s.Setup {
		what := fmt.Sprintf("setup-%s-%d", kind, i+1)
		dir, err := w.Files.NewRun(0, what)
		if err != nil {
			return err
		}
		capture, err := proc.NewCapture(filepath.Join(w.Files.Attempt(0), what+".log"), 0)
		if err != nil {
			return fmt.Errorf("keep the output of setup: %w", err)
		}
		exit, failed := w.supervise(ctx, h, proc.Spec{
			RunDir: dir, Run: token(s.ID), Argv: []string{"sh", "-c", command}, Dir: filepath.Join(tree, s.Prefix),
			Env: w.Env.Gate(loop.Gate{}, w.marks(s)...), Stdout: io.MultiWriter(capture, h), Timeout: a.Timeout, Grace: w.Grace,
		})
		_, kept := capture.Close()
		if err := errors.Join(failed, kept); err != nil {
			return fmt.Errorf("run setup %q: %w", command, err)
		}
		if !exit.OK() {
			return fmt.Errorf("setup command %q did not succeed (%s): %s", command, ended(exit), lastLine(capture.Tail()))
		}
	}
	return nil
}

// supervise starts a child that Hooks.Kill can end at once, and waits.
func (w *Worker) supervise(ctx context.Context, h *Hooks, spec proc.Spec) (proc.Exit, error) {
	child, err := proc.Start(ctx, spec)
	if err != nil {
		return proc.Exit{}, err
	}
	go func() {
		select {
		case <-h.Kill:
			child.Kill()
		case <-child.Done():
		}
	}()
	exit, err := child.Wait()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return exit, err
}

func ended(e proc.Exit) string {
	switch {
	case e.CannotStart:
		return e.Reason
	case e.TimedOut:
		return "timed out"
	case e.Code != nil:
		return fmt.Sprintf("exit code %d", *e.Code)
	}
	return "ended by " + e.Signal
}

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(b), "�")), "\n")
	last := lines[len(lines)-1]
	return last[:min(len(last), 300)]
}
