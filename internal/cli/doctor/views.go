package doctor

import (
	"context"
	"errors"

	"ralph/internal/store"
)

// views compares what .ralph says with the database, and with --fix writes it
// again. Files that no loop is recorded for are only named.
func (c *checkup) views(ctx context.Context, problems []store.Problem) {
	var wrong []store.Problem
	for _, p := range problems {
		switch p.Area {
		case "views":
			wrong = append(wrong, p)
		case "files":
			c.warn("files", "", "%s: %s", p.Path, p.What)
		}
	}
	switch {
	case len(wrong) == 0 && c.project.Views != "":
		c.ok("views", "%s", c.project.Views)
	case len(wrong) > 0 && c.fix:
		c.rebuild(ctx)
	case len(wrong) > 0:
		for _, p := range wrong {
			c.warn("views", "ralph doctor --fix", "%s: %s", p.Path, p.What)
		}
	}
}

func (c *checkup) rebuild(ctx context.Context) {
	s, err := c.openStore(ctx, false)
	if err == nil {
		defer s.Close()
		err = s.RebuildViews(ctx)
	}
	if err != nil {
		c.fail("views", "", "they could not be written again: %v", err)
		return
	}
	differ, err := s.DifferingViews(ctx)
	for _, p := range differ {
		err = errors.Join(err, errors.New(p.String()))
	}
	if err != nil {
		c.fail("views", "", "they were written again and still differ: %v", err)
		return
	}
	c.ok("views", "written again: %s", c.project.Views)
}
