package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// File is one entry of a commit's tree.
type File struct {
	Path string
	// Mode is git's: 100644, 100755, 120000 (link) or SubmoduleMode.
	Mode string
	ID   string
}

// SubmoduleMode is the mode of an entry that is another repository's commit.
const SubmoduleMode = "160000"

// maxFile is the largest blob FileAt reads.
const maxFile = 64 << 20

// FileAt answers a file of a commit as it is stored, unfiltered. A missing
// file is ErrNotFound.
func (r *Repo) FileAt(ctx context.Context, commit, path string) ([]byte, error) {
	if strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("%q: %w", path, ErrNotFound)
	}
	// The answer is "<id> <type> <size>\n<content>\n", or "… missing\n".
	out, err := r.callCut(ctx, call{
		place: r.bare(), args: []string{"cat-file", "--batch", "-z"},
		stdin: []byte(commit + ":" + path + "\x00"), max: maxFile + 1<<10,
	})
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, commit, err)
	}
	header, content, _ := bytes.Cut(out.Stdout, []byte("\n"))
	f := strings.Fields(string(header))
	if len(f) != 3 || f[1] != "blob" {
		return nil, fmt.Errorf("%s in %s: %w", path, commit, ErrNotFound)
	}
	size, err := strconv.Atoi(f[2])
	if err != nil || size > maxFile || size > len(content) {
		return nil, fmt.Errorf("%s in %s: %w", path, commit, ErrTooLarge)
	}
	return content[:size], nil
}

// ListTree answers every file of a commit, sorted by path.
func (r *Repo) ListTree(ctx context.Context, commit string) ([]File, error) {
	out, err := r.call(ctx, call{place: r.bare(), args: []string{"ls-tree", "-r", "-z", "--full-tree", commit}, max: 1 << 30})
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range fields(out) {
		info, path, _ := strings.Cut(e, "\t")
		f := strings.Fields(info)
		if len(f) != 3 {
			return nil, fmt.Errorf("unexpected line of ls-tree: %q", e)
		}
		files = append(files, File{Path: path, Mode: f[0], ID: f[2]})
	}
	return files, nil
}

// HasSubmodules reports whether a commit contains other repositories.
func (r *Repo) HasSubmodules(ctx context.Context, commit string) (bool, error) {
	files, err := r.ListTree(ctx, commit)
	for _, f := range files {
		if f.Mode == SubmoduleMode {
			return true, err
		}
	}
	return false, err
}
