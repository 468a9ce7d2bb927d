package worker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// teardownTime limits one teardown command: the loop's own time may be used up.
const teardownTime = 5 * time.Minute

// tearDown runs the teardown commands in the agent's tree, all of them also where one
// fails; note tells of those. A loop that was resumed here runs them again.
func (w *Worker) tearDown(ctx context.Context, s loop.State, h *Hooks) (note string, err error) {
	if len(s.Teardown) == 0 || s.InPlace {
		return "", nil
	}
	tree, err := w.teardownTree(ctx, s)
	if err != nil || tree == "" {
		return "", err
	}
	var failed error
	for i, command := range s.Teardown {
		c := chore{line: command, what: "teardown", log: fmt.Sprintf("teardown-%d", i+1), tree: tree, timeout: loop.Deadline{Hard: teardownTime}, keepHome: true}
		switch err := w.do(ctx, s, h, c); {
		case errors.Is(err, errChore):
			failed = errors.Join(failed, err)
		case err != nil:
			return "", err
		}
	}
	if failed != nil {
		note = failed.Error()
	}
	return note, nil
}

// teardownTree returns the tree that was set up, made again where it was deleted; ""
// where the loop has none any more.
func (w *Worker) teardownTree(ctx context.Context, s loop.State) (string, error) {
	held, err := w.Trees.Held(ctx)
	if err != nil {
		return "", err
	}
	for _, t := range held {
		if prepared := s.Worktree != ""; prepared && t.Path != s.Worktree || !prepared && !strings.HasPrefix(filepath.Base(t.Path), AgentTree+"-") {
			continue
		}
		if exists(t.Path) {
			return t.Path, nil
		}
		return t.Path, w.Repo.EnsureWorktree(ctx, git.Worktree{Path: t.Path, Commit: s.Base})
	}
	return "", nil
}
