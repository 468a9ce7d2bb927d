package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Change is one file that differs between two commits.
type Change struct {
	// Status is A (added), M (modified), D (deleted) or T (type changed).
	Status string
	Path   string
}

// Stat counts a difference. Binary files count as files only.
type Stat struct{ Files, Insertions, Deletions int }

// ChangedFiles compares two commits. Renames are a D and an A: only the touched
// paths matter here.
func (r *Repo) ChangedFiles(ctx context.Context, base, head string) ([]Change, error) {
	if base == head {
		return nil, nil
	}
	if changes, ok := r.looseChanges(base, head); ok {
		return changes, nil
	}
	key := base + head
	if changes, ok := r.known.changes.get(key); ok {
		return slices.Clone(changes), nil
	}
	out, err := r.diffTree(ctx, base, head, "--name-status", "-z")
	if err != nil {
		return nil, err
	}
	changes, err := parseChanges(out)
	if err == nil && isID(base) && isID(head) && len(changes) <= mostKept {
		r.known.changes.put(key, slices.Clone(changes))
	}
	return changes, err
}

func parseChanges(out []byte) ([]Change, error) {
	all := fields(out)
	if len(all)%2 != 0 {
		return nil, fmt.Errorf("unexpected output of git diff: %d fields", len(all))
	}
	var changes []Change
	for i := 0; i < len(all); i += 2 {
		changes = append(changes, Change{all[i], all[i+1]})
	}
	return changes, nil
}

// DiffStat counts what changed between two commits.
func (r *Repo) DiffStat(ctx context.Context, base, head string) (Stat, error) {
	out, err := r.diffTree(ctx, base, head, "--numstat", "-z")
	if err != nil {
		return Stat{}, err
	}
	var s Stat
	for _, rec := range fields(out) {
		f := strings.SplitN(rec, "\t", 3)
		s.Files++
		plus, _ := strconv.Atoi(f[0]) // "-" for binary
		s.Insertions += plus
		if len(f) > 1 {
			minus, _ := strconv.Atoi(f[1])
			s.Deletions += minus
		}
	}
	return s, nil
}

// Diff returns a patch between two commits, truncated after limit bytes (0 means
// 64 MiB).
func (r *Repo) Diff(ctx context.Context, base, head string, limit int64) (text []byte, cut bool, err error) {
	key := base + head
	if whole, ok := r.known.patches.get(key); ok {
		if limit > 0 && int64(len(whole)) > limit {
			return []byte(whole[:limit]), true, nil
		}
		return []byte(whole), false, nil
	}
	out, err := r.callTruncated(ctx, call{place: r.bare(), max: limit, args: diffTreeArgs(base, head, "-p", "--full-index", "--find-renames")})
	if limit > 0 && int64(len(out.Stdout)) > limit {
		return out.Stdout[:limit], true, err
	}
	if err == nil && !out.Truncated && isID(base) && isID(head) && len(out.Stdout) <= mostKept {
		r.known.patches.put(key, patch(out.Stdout))
	}
	return out.Stdout, out.Truncated, err
}

// patch is the whole difference of two commits.
type patch string

// Patches returns what the commits of head that are not in base change, one patch
// after the other, the oldest first; of a merge what no parent has. Files count as
// text whatever the attributes of the repository say. cut: there is more than limit
// bytes. One line of context: without any, git counts wrongly in the heads of a merge's
// hunks that remove lines (seen in 2.39).
func (r *Repo) Patches(ctx context.Context, base, head string, limit int64) (patches []byte, cut bool, err error) {
	out, err := r.callTruncated(ctx, call{place: r.bare(), max: limit, args: []string{
		"log", "--reverse", "--format=", "--no-show-signature", "--no-color", "--no-decorate", "--no-notes", "--no-mailmap",
		"--no-ext-diff", "--no-textconv", "--text", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--unified=1", "-p", "--cc", head, "^" + base, "--",
	}})
	return out.Stdout, out.Truncated, err
}

func (r *Repo) diffTree(ctx context.Context, base, head string, how ...string) ([]byte, error) {
	return r.git(ctx, r.bare(), diffTreeArgs(base, head, append(how, "--no-renames")...)...)
}

func diffTreeArgs(base, head string, how ...string) []string {
	args := append([]string{"diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color"}, how...)
	return append(args, base, head, "--")
}

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

// FileAt returns a file of a commit as it is stored, unfiltered. A missing file
// is ErrNotFound.
func (r *Repo) FileAt(ctx context.Context, commit, path string) ([]byte, error) {
	if strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("%q: %w", path, ErrNotFound)
	}
	if data, ok := r.looseFile(commit, path); ok {
		return data, nil
	}
	data, err := r.blob(ctx, commit+":"+path)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, commit, err)
	}
	return data, nil
}

// Blob returns the content of a blob, unfiltered. A missing one is ErrNotFound.
func (r *Repo) Blob(ctx context.Context, id string) ([]byte, error) {
	if data, ok := r.object(id, "blob"); ok {
		return data, nil
	}
	data, err := r.blob(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return data, nil
}

func (r *Repo) blob(ctx context.Context, name string) ([]byte, error) {
	// The output is "<id> <type> <size>\n<content>\n", or "… missing\n".
	out, err := r.callTruncated(ctx, call{
		place: r.bare(), args: []string{"cat-file", "--batch", "-z"},
		stdin: []byte(name + "\x00"), max: maxFile + 1<<10,
	})
	if err != nil {
		return nil, err
	}
	header, content, _ := bytes.Cut(out.Stdout, []byte("\n"))
	f := strings.Fields(string(header))
	if len(f) != 3 || f[1] != "blob" {
		return nil, ErrNotFound
	}
	size, err := strconv.Atoi(f[2])
	if err != nil || size > maxFile || size > len(content) {
		return nil, ErrTooLarge
	}
	return content[:size], nil
}

// ListTree returns every file of a commit, sorted by path.
func (r *Repo) ListTree(ctx context.Context, commit string) ([]File, error) {
	if files, ok := r.looseFiles(commit); ok {
		return files, nil
	}
	if files, ok := r.known.files.get(commit); ok {
		return slices.Clone(files), nil
	}
	out, err := r.call(ctx, call{place: r.bare(), args: []string{"ls-tree", "-r", "-z", "--full-tree", commit}, max: 1 << 30})
	if err != nil {
		return nil, err
	}
	files, err := parseFiles(out)
	if err == nil && isID(commit) && len(files) <= mostKept {
		r.known.files.put(commit, slices.Clone(files))
	}
	return files, err
}

// parseFiles reads the output of ls-tree -r -z.
func parseFiles(out []byte) (files []File, err error) {
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
