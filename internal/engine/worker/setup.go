package worker

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
		switch {
		case err == nil:
			fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(data))
		case !errors.Is(err, git.ErrNotFound):
			return "", fmt.Errorf("read %s of the base: %w", name, err)
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

// setUp runs the setup commands in a fresh tree. Nothing is hidden from them: no agent
// has written what they run, and they may fetch from private places.
func (w *Worker) setUp(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind, tree string) error {
	s.SandboxHide = nil
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
		env := w.Env.Gate(loop.Gate{}, w.marks(s)...)
		where, err := w.setupRoom(ctx, s, tree, env)
		if err != nil {
			return fmt.Errorf("run setup %q: %w", command, err)
		}
		if where.env != nil {
			env = where.env
		}
		cell, err := w.confineGate(ctx, s, loop.Gate{Run: command}, tree, env, where)
		if err != nil {
			where.remove()
			return fmt.Errorf("run setup %q: %w", command, err)
		}
		masked := w.redactGate(s, loop.Gate{}).Writer(capture)
		exit, failed := w.supervise(ctx, h, proc.Spec{
			RunDir: dir, Run: token(s.ID), Argv: []string{"sh", "-c", command}, Dir: filepath.Join(tree, s.Prefix),
			Env: overlay(env, cell.env), Sandbox: cell.inside, Stdout: io.MultiWriter(masked, h), Timeout: a.Timeout, Grace: w.Grace,
		})
		cell.release()
		where.remove()
		cut := masked.Close()
		_, kept := capture.Close()
		if err := errors.Join(failed, cut, kept); err != nil {
			return fmt.Errorf("run setup %q: %w", command, err)
		}
		if cause := exit.Cause(); cause.Interrupts() {
			return &proc.Cut{What: fmt.Sprintf("setup command %q", command), How: exit.How(), Cause: cause}
		}
		if !exit.OK() {
			return fmt.Errorf("setup command %q did not succeed (%s): %s", command, exit.How(), lastLine(capture.Tail()))
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

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(b), "�")), "\n")
	last := lines[len(lines)-1]
	return last[:min(len(last), 300)]
}
