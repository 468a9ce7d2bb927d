package doctor

import (
	"context"
	"path/filepath"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/kept"
	"ralph/internal/next"
	"ralph/internal/store"
)

// evidence finds archives of loops that are damaged, and with --fix gives them another name.
func (c *checkup) evidence() {
	root := filepath.Join(c.project.Home, "loops")
	for _, id := range names(root) {
		dir := filepath.Join(root, id)
		err := kept.Check(dir)
		switch {
		case err == nil:
		case c.fix && kept.SetAside(dir) == nil:
			c.note("evidence", "the archive of loop %s was damaged; it is kept as %s.broken", id, filepath.Join(dir, kept.Name))
		default:
			c.warn("evidence", next.Doctor("--fix")+" sets it aside; ralph accept asks you to confirm the work (--allow evidence), and what was merged stays", "the archive of loop %s: %v", id, err)
		}
	}
}

func (c *checkup) loops(ctx context.Context, s *store.Store) {
	active, err := s.Entries(ctx, store.Filter{Active: true})
	if err != nil {
		c.fail("loops", "", "%v", err)
		return
	}
	crashed := 0
	for _, e := range active {
		if e.Crashed {
			crashed++
			c.warn("loops", next.Resume(e.ID), "%s crashed: its process is gone (%s)", e.ID, e.Task)
		}
	}
	if crashed == 0 {
		c.ok("loops", "%d active, none crashed", len(active))
	}
}

// checkForeign finds state of other runners.
func (c *checkup) checkForeign(ctx context.Context) {
	if c.project == nil {
		return
	}
	s, err := c.openStore(ctx, true)
	if err != nil {
		return // checkDatabase has said so.
	}
	defer s.Close()
	if left := project.Foreign(ctx, c.project.Place.MainRoot, s); len(left) > 0 {
		c.warn("migrate", "ralph migrate --dry-run", "state of another runner lies here, which ralph does not look at: %s", strings.Join(left, ", "))
	}
}
