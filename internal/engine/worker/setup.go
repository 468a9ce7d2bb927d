package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// setupDigest names what a tree was set up for: the commands, the files that are copied
// into it, and the lock files that they depend on. Trees change hands only with equal digests.
func (w *Worker) setupDigest(ctx context.Context, s loop.State, base string) (string, error) {
	if len(s.Setup) == 0 {
		return "", nil
	}
	sum := sha256.New()
	fmt.Fprintln(sum, strings.Join(s.Setup, "\x00"))
	if len(s.Copy) > 0 {
		fmt.Fprintln(sum, strings.Join(s.Copy, "\x00"))
	}
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
		if err := copyBelow(from, to, filepath.Clean(name)); err != nil {
			return fmt.Errorf("copy %s into the worktree: %w", name, err)
		}
	}
	return nil
}

// copyBelow copies a file, or a directory with all that is below it. Links are copied
// as links in a directory, and followed where they are named themselves.
func copyBelow(from, to *os.Root, name string) error {
	info, err := from.Stat(name)
	if err != nil || !info.IsDir() {
		return errors.Join(err, copyFile(from, to, name))
	}
	return fs.WalkDir(from.FS(), filepath.ToSlash(name), func(path string, d fs.DirEntry, err error) error {
		at := filepath.FromSlash(path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return to.MkdirAll(at, 0o755)
		case d.Type().IsRegular():
			return copyFile(from, to, at)
		case d.Type()&fs.ModeSymlink == 0:
			return nil // sockets and devices
		}
		target, err := from.Readlink(at)
		if err == nil {
			_ = to.Remove(at)
			err = to.Symlink(target, at)
		}
		return err
	})
}

// copyFile copies one file. Between two files of one file system that can, the kernel
// shares the bytes: io.Copy uses copy_file_range, which makes reflinks.
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
	return w.runSetup(ctx, s, h, chore{what: "setup", log: "setup-" + kind, tree: tree, timeout: a.Timeout, keepHome: true})
}

// runSetup does the chore c with each of the setup commands.
func (w *Worker) runSetup(ctx context.Context, s loop.State, h *Hooks, c chore) error {
	log := c.log
	for i, command := range s.Setup {
		c.line, c.log = command, fmt.Sprintf("%s-%d", log, i+1)
		if err := w.do(ctx, s, h, c); err != nil {
			return err
		}
	}
	return nil
}

// chore is a command of isolation.setup or isolation.teardown. what is "setup" or
// "teardown", log the name of its log among those of an attempt.
type chore struct {
	line, what, log, tree string
	attempt               int
	timeout               loop.Deadline
	// keepHome: what it leaves in the HOME is kept for the loop's gates.
	keepHome bool
}

// errChore is returned for a command that ended by itself, and not with 0.
var errChore = errors.New("did not succeed")

// do runs a chore in its tree, sandboxed as a gate.
func (w *Worker) do(ctx context.Context, s loop.State, h *Hooks, c chore) error {
	dir, err := w.Files.NewRun(c.attempt, c.log)
	if err != nil {
		return err
	}
	capture, err := proc.NewCapture(filepath.Join(w.Files.Attempt(c.attempt), c.log+".log"), 0)
	if err != nil {
		return fmt.Errorf("keep the output of %s: %w", c.what, err)
	}
	env := w.Env.Gate(loop.Gate{}, w.marks(s)...)
	where, err := w.writableRoom(ctx, s, c.tree, env, c.keepHome)
	if err != nil {
		return fmt.Errorf("run %s %q: %w", c.what, c.line, err)
	}
	if where.env != nil {
		env = where.env
	}
	submodules, err := w.registered(ctx, c.tree)
	if err != nil {
		where.remove()
		return fmt.Errorf("run %s %q: %w", c.what, c.line, err)
	}
	env = overlay(env, submodules)
	cell, err := w.confineGate(ctx, s, loop.Gate{Run: c.line}, c.tree, env, where)
	if err != nil {
		where.remove()
		return fmt.Errorf("run %s %q: %w", c.what, c.line, err)
	}
	masked := w.redactGate(s, loop.Gate{}).Writer(capture)
	exit, failed := w.supervise(ctx, h, proc.Spec{
		RunDir: dir, Run: token(s.ID), Argv: []string{"sh", "-c", c.line}, Dir: filepath.Join(c.tree, s.Prefix),
		Env: overlay(env, cell.env), Sandbox: cell.inside, Stdout: io.MultiWriter(masked, h), Timeout: c.timeout, Grace: w.Grace,
	})
	cell.release()
	where.remove()
	cut := masked.Close()
	_, kept := capture.Close()
	if err := errors.Join(failed, cut, kept); err != nil {
		return fmt.Errorf("run %s %q: %w", c.what, c.line, err)
	}
	if cause := exit.Cause(); cause.Interrupts() {
		return &proc.Cut{What: fmt.Sprintf("%s command %q", c.what, c.line), How: exit.How(), Cause: cause}
	}
	if !exit.OK() && saysNoSpace(string(capture.Tail())) {
		return &proc.Cut{What: fmt.Sprintf("%s command %q", c.what, c.line), How: text.LastLine(string(capture.Tail()), 300), Cause: loop.CauseLack}
	}
	if !exit.OK() {
		return fmt.Errorf("%s command %q %w (%s): %s", c.what, c.line, errChore, exit.How(), text.LastLine(string(capture.Tail()), 300))
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
