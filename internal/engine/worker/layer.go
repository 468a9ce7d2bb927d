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

	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
)

// SetupSuffix ends the names of the directories beside gates' worktrees that hold
// what set-up left.
const SetupSuffix = ".setup"

// What set-up leaves in a gate's worktree is kept beside it, so that the worktree
// holds nothing but a commit: <tree>.setup/files, and in <tree>.setup/for what it
// was made for.
func setupDir(tree string) string   { return tree + SetupSuffix }
func setupFiles(tree string) string { return filepath.Join(setupDir(tree), "files") }

// furnishGate makes the set-up of a gate's worktree on the base, unless it was made for the
// same base, commands and lock files, and what it left in the HOME, which goes with the loop,
// is there as well.
func (w *Worker) furnishGate(ctx context.Context, s loop.State, a loop.Action, h *Hooks, tree, base string) error {
	want, err := w.setupFor(ctx, s, base)
	if err != nil {
		return err
	}
	dir, files := setupDir(tree), setupFiles(tree)
	have, err := os.ReadFile(filepath.Join(dir, "for"))
	if err == nil && w.stillSetUp(string(have), want) {
		return w.copyFiles(s, files)
	}
	room.RemoveAll(dir)
	if err := w.Repo.CheckoutDetached(ctx, tree, base); err != nil {
		return fmt.Errorf("check out the base for the set-up: %w", err)
	}
	if err := errors.Join(w.Repo.CleanIgnored(ctx, tree), os.MkdirAll(files, 0o700)); err != nil {
		return fmt.Errorf("make a clean tree for the set-up: %w", err)
	}
	if len(s.Setup) > 0 {
		if err := w.copyFiles(s, tree); err != nil {
			return err
		}
		if err := w.setUp(ctx, s, a, h, GateTree, tree); err != nil {
			return err
		}
		if err := w.moveIgnored(ctx, tree, files); err != nil {
			return fmt.Errorf("keep what the set-up left: %w", err)
		}
	}
	if err := w.copyFiles(s, files); err != nil {
		return err
	}
	of, err := w.Repo.TreeOf(ctx, base) // the commit may be another, and gone, where the next loop finds this
	if err != nil {
		return fmt.Errorf("read the tree of the base: %w", err)
	}
	return errors.Join(durable.Write(filepath.Join(dir, "base"), []byte(of)), durable.Write(filepath.Join(dir, "for"), []byte(want+"\n"+w.homeOfSetup())))
}

// setupFor names the base tree, the set-up and the lock files.
func (w *Worker) setupFor(ctx context.Context, s loop.State, base string) (string, error) {
	digest, err := w.setupDigest(ctx, s, base)
	if err != nil || digest == "" {
		return "no set-up", err
	}
	tree, err := w.Repo.TreeOf(ctx, base)
	if err != nil {
		return "", fmt.Errorf("read the tree of the base: %w", err)
	}
	sum := sha256.Sum256([]byte(tree + digest))
	return hex.EncodeToString(sum[:]), nil
}

// moveIgnored moves the files that git ignores out of a tree.
func (w *Worker) moveIgnored(ctx context.Context, tree, to string) error {
	names, err := w.Repo.IgnoredFiles(ctx, tree)
	if err != nil {
		return err
	}
	for _, name := range names {
		at := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(tree, filepath.FromSlash(name)), at); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies a directory into another one, without replacing what is there.
// Times, modes and links stay; sockets and devices are left out. A missing
// directory is empty.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == from {
			return nil
		}
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyEntry(path, filepath.Join(to, below), d)
	})
}

func copyEntry(from, to string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	switch {
	case d.IsDir():
		err = os.MkdirAll(to, info.Mode().Perm()|0o700)
	case info.Mode()&os.ModeSymlink != 0:
		var target string
		if target, err = os.Readlink(from); err == nil {
			err = os.Symlink(target, to)
		}
	case info.Mode().IsRegular():
		err = copyRegular(from, to, info)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil // the commit's own
	}
	return err
}

// copyRegular lets the file system share the bytes where it can.
func copyRegular(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
