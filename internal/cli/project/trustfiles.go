package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/config"
	"ralph/internal/trust"
)

// namedFiles returns a line for each of the words that is a file of the tree, or of
// the commit at HEAD: agents start in a fresh worktree of that.
func (a *Opener) namedFiles(ctx context.Context, p *Project, words []string) ([]trust.Line, error) {
	if len(words) == 0 || p.Repo.Root == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(p.Repo.Root)
	if err != nil {
		return nil, fmt.Errorf("look at the programs that %s names: %w", config.FileName, err)
	}
	defer root.Close()
	head, headErr := p.Repo.Head(ctx)
	var lines []trust.Line
	paths := a.candidates(p, words)
	absent := absentAt(ctx, p, head.Commit, len(paths))
	for _, path := range paths {
		inTree := digestIn(root, path)
		if inTree != "" {
			lines = append(lines, trust.NewLine("file", path, "sha256 "+inTree[:16], inTree))
		}
		if headErr != nil || head.Commit == "" || absent(path) {
			continue
		}
		committed, err := p.Repo.FileAt(ctx, head.Commit, path)
		if sum := sha256.Sum256(committed); err == nil && hex.EncodeToString(sum[:]) != inTree {
			at := hex.EncodeToString(sum[:])
			lines = append(lines, trust.NewLine("file", path+" at HEAD", "sha256 "+at[:16], at))
		}
	}
	return lines, nil
}

// someFiles is up to how many files git is asked for one by one.
const someFiles = 16

// absentAt returns which paths a commit is known not to have. Of many, most are guesses:
// then the commit is listed once.
func absentAt(ctx context.Context, p *Project, commit string, paths int) func(path string) bool {
	if paths > someFiles && commit != "" {
		if files, err := p.Repo.ListTree(ctx, commit); err == nil {
			has := map[string]bool{}
			for _, f := range files {
				has[f.Path] = true
			}
			return func(path string) bool { return !has[path] }
		}
	}
	return func(string) bool { return false }
}

// candidates are the paths below the root that words may mean, sorted. A program
// starts at the root, or in the folder from which the command was called.
func (a *Opener) candidates(p *Project, words []string) []string {
	var out []string
	for _, w := range words {
		for _, from := range []string{p.Repo.Root, filepath.Join(p.Repo.Root, filepath.FromSlash(p.Repo.Prefix))} {
			path := filepath.FromSlash(w)
			if !filepath.IsAbs(path) {
				path = filepath.Join(from, path)
			}
			if rel, err := filepath.Rel(p.Repo.Root, path); err == nil && filepath.IsLocal(rel) && rel != "." && !strings.ContainsRune(rel, 0) {
				out = append(out, filepath.ToSlash(rel))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// digestIn returns the SHA-256 of a regular file below a root, "" if there is none.
func digestIn(root *os.Root, path string) string {
	info, err := root.Stat(filepath.FromSlash(path))
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
