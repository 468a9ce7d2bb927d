package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/command"
	"ralph/internal/engine/planner"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/next"
	"ralph/internal/store"
)

// trees compares the pool of worktrees with the folders on the disk.
func (c *checkup) trees(ctx context.Context, s *store.Store, problems []store.Problem) {
	before := len(c.findings)
	pool, err := s.Trees(ctx)
	if err != nil {
		c.fail("worktrees", "", "%v", err)
		return
	}
	c.busyTrees(pool, problems)
	var known []string
	for _, t := range pool {
		known = append(known, filepath.Clean(t.Path))
		if _, err := os.Lstat(t.Path); errors.Is(err, fs.ErrNotExist) && !t.Fresh {
			c.warn("worktrees", "nothing: it is made again when a loop needs it", "%s is gone", t.Path)
		}
	}
	c.unknownTrees(known)
	c.reviewTrees(ctx, s)
	if len(c.findings) == before {
		c.ok("worktrees", "%d in the pool", len(pool))
	}
}

// busyTrees are worktrees that loops have kept after their end: because of work that is on
// no branch, for which a user decides, or because of a crash.
func (c *checkup) busyTrees(pool []store.Tree, problems []store.Problem) {
	holds := map[string]bool{}
	for _, t := range pool {
		if _, gone := os.Lstat(t.Path); t.Loop != "" && t.Kind == worker.AgentTree && gone == nil {
			holds[t.Loop] = true
		}
	}
	for _, p := range problems {
		if p.Area != "worktrees" {
			continue
		}
		i := slices.IndexFunc(pool, func(t store.Tree) bool { return t.Path == p.Path })
		switch {
		case i < 0 || !holds[pool[i].Loop]:
			c.warn("worktrees", "ralph clean --worktrees", "%s: %s", p.Path, p.What)
		case pool[i].Kind == worker.AgentTree:
			loop := pool[i].Loop
			c.warn("worktrees", "keep it: "+command.KeepWork(p.Path, loop)+"; or drop it: "+next.CleanDrop(loop),
				"%s: the work of loop %s in it could not be kept on a branch, and is nowhere else", p.Path, loop)
		}
	}
}

// unknownTrees finds folders among the worktrees that no loop knows.
func (c *checkup) unknownTrees(known []string) {
	root := c.TreeRoot(c.project)
	for _, name := range names(root) {
		path := filepath.Join(root, name)
		tree := strings.TrimSuffix(path, worker.SetupSuffix)
		if !git.Retired(name) && !strings.HasPrefix(name, planner.ReviewSlotsOf) && !slices.Contains(known, tree) {
			c.warn("worktrees", "if nothing in it is needed: rm -r '"+path+"' && git worktree prune", "%s is left over: no loop knows it", path)
		}
	}
}

// reviewTrees finds trees of reviewers whose plan has no owner.
func (c *checkup) reviewTrees(ctx context.Context, s *store.Store) {
	left, err := planner.LeftReviewSlots(ctx, stored.PlansOf(s), c.TreeRoot(c.project))
	if err != nil {
		c.fail("worktrees", "", "%v", err)
	}
	for _, path := range left {
		c.warn("worktrees", "ralph clean --worktrees", "%s is left of a review that was killed", path)
	}
}

func names(dir string) []string {
	files, _ := os.ReadDir(dir)
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Name()
	}
	return out
}
