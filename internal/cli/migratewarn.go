package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/migrate"
	"ralph/internal/store"
)

// foreign are the traces of other runners from which nothing was brought along.
// Looking costs a few Lstat where there is none, and one question to the
// database where there is.
func foreign(ctx context.Context, root string, s *store.Store) []string {
	if root == "" {
		return nil
	}
	var there []string
	for _, t := range migrate.Traces() {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(t))); err == nil {
			there = append(there, t)
		}
	}
	if len(there) == 0 {
		return nil
	}
	left, err := s.Unimported(ctx, there)
	if err != nil {
		return nil // What is wrong with the database, others say.
	}
	return left
}

// warnForeign says that state of another runner lies here, in one line.
func (a *app) warnForeign(ctx context.Context, p *project.Project) {
	if left := foreign(ctx, p.Place.MainRoot, p.Store); len(left) > 0 {
		a.Say("note: state of another runner lies here (%s); see ralph migrate --dry-run", strings.Join(left, ", "))
	}
}

// checkForeign is the same for the doctor.
func (c *checkup) checkForeign(ctx context.Context) {
	if c.project == nil {
		return
	}
	s, err := c.memory(ctx, true)
	if err != nil {
		return // checkMemory has said so.
	}
	defer s.Close()
	if left := foreign(ctx, c.project.Place.MainRoot, s); len(left) > 0 {
		c.warn("migrate", "ralph migrate --dry-run", "state of another runner lies here, which ralph does not look at: %s", strings.Join(left, ", "))
	}
}
