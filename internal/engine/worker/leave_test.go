package worker_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/engine"
)

// TestMayLeaveLooksAtItsOwnTree: the tree that a record names may be another loop's by now, or
// a worker's on this machine whose repository is another one. Only one that the loop holds here
// is looked at.
func TestMayLeaveLooksAtItsOwnTree(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("answer.txt", "3\n"))
	s := b.drive(t)
	nested := filepath.Join(s.Worktree, "nested")
	must(t, os.Mkdir(nested, 0o700))
	runGit(t, nested, b.Env, "init", "-q")
	must(t, b.MayLeave(t.Context(), s))

	must(t, b.pool.set(s.Worktree, false))
	if err := b.MayLeave(t.Context(), s); !errors.Is(err, engine.ErrNested) {
		t.Errorf("a repository in its tree: %v", err)
	}
	must(t, b.pool.Return(t.Context(), s.Worktree))
	s.Worktree = t.TempDir()
	must(t, b.MayLeave(t.Context(), s))
}
