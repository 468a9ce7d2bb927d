package git

import (
	"context"
	"fmt"
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

// ChangedFiles compares two commits. Renames are a D and an A: what matters
// here is which paths were touched.
func (r *Repo) ChangedFiles(ctx context.Context, base, head string) ([]Change, error) {
	if base == head {
		return nil, nil
	}
	out, err := r.diffTree(ctx, base, head, "--name-status", "-z")
	if err != nil {
		return nil, err
	}
	return parseChanges(out)
}

func parseChanges(out []byte) ([]Change, error) {
	all := fields(out)
	if len(all)%2 != 0 {
		return nil, fmt.Errorf("unexpected answer of git diff: %d fields", len(all))
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

// Diff answers a patch between two commits, cut after limit bytes (0 means
// 64 MiB); cut says that it was.
func (r *Repo) Diff(ctx context.Context, base, head string, limit int64) (patch []byte, cut bool, err error) {
	out, err := r.callCut(ctx, call{place: r.bare(), max: limit, args: diffTreeArgs(base, head, "-p", "--full-index", "--find-renames")})
	if limit > 0 && int64(len(out.Stdout)) > limit {
		return out.Stdout[:limit], true, err
	}
	return out.Stdout, out.Truncated, err
}

func (r *Repo) diffTree(ctx context.Context, base, head string, how ...string) ([]byte, error) {
	return r.git(ctx, r.bare(), diffTreeArgs(base, head, append(how, "--no-renames")...)...)
}

func diffTreeArgs(base, head string, how ...string) []string {
	args := append([]string{"diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color"}, how...)
	return append(args, base, head, "--")
}
