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
	for _, path := range a.candidates(p, words) {
		inTree := digestIn(root, path)
		if inTree != "" {
			lines = append(lines, trust.NewLine("file", path, "sha256 "+inTree[:16], inTree))
		}
		if headErr != nil || head.Commit == "" {
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
