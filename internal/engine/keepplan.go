package engine

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// keepPlan puts the file of the plan back as it was before the work is committed.
// A box that an agent ticks would come home with its work and look like one that
// is proved; and it would meet ralph's own ticks there.
func (w *Worker) keepPlan(ctx context.Context, s loop.State) (notes []string, err error) {
	in := s.Task.Plan
	if in == nil || in.File == "" || s.InPlace || s.Worktree == "" {
		return nil, nil
	}
	touched, err := w.Repo.RestoreFrom(ctx, s.Worktree, s.Base, []string{literally(in.File)})
	if err != nil {
		return nil, fmt.Errorf("put the plan's file back: %w", err)
	}
	if len(touched) > 0 {
		notes = append(notes, "the agent changed the plan's file, "+in.File+": put back, it is no part of the work")
	}
	return notes, nil
}

// literally is a glob that matches this path alone.
func literally(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(path)
}
