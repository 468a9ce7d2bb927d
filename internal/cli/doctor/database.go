package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/next"
	"ralph/internal/recovery"
	"ralph/internal/store"
)

// checkDatabase looks into the database; without one there is nothing to check. A
// damaged or newer one is not touched.
func (c *checkup) checkDatabase(ctx context.Context) {
	if c.project == nil {
		return
	}
	db := filepath.Join(c.project.Home, "ralph.db")
	if _, err := os.Lstat(db); errors.Is(err, fs.ErrNotExist) {
		c.note("database", "nothing is recorded here yet")
		c.unknownTrees(nil)
		return
	}
	s, err := c.openStore(ctx, true)
	if err != nil {
		c.fail("database", exit.Classify(err).Hint, "%v", err)
		return
	}
	defer s.Close()
	problems, err := s.Problems(ctx)
	if err != nil {
		c.fail("database", exit.Classify(err).Hint, "%v", err)
		return
	}
	if !c.database(problems) {
		return
	}
	c.ok("database", "%s", db)
	c.records(ctx, s, problems)
	if v := s.Older(); v != 0 {
		c.note("database", "an older ralph wrote it (schema version %d): the next command that writes migrates it, and keeps a copy", v)
	}
	c.loops(ctx, s)
	c.trees(ctx, s, problems)
	c.views(ctx, problems)
	c.evidence()
}

// openStore opens the database without waiting long: a doctor is called when
// something hangs.
func (c *checkup) openStore(ctx context.Context, reading bool) (*store.Store, error) {
	return store.Open(ctx, c.project.Home, store.Options{
		ReadOnly: reading, Views: c.project.Views, Bus: c.Bus(c.project, false), Owner: c.Owner(), Now: c.Now, Wait: doctorWaits,
	})
}

func (c *checkup) database(problems []store.Problem) (sound bool) {
	sound = true
	for _, p := range problems {
		if p.Area == "database" {
			sound = false
			c.fail("database", exit.Classify(&store.CorruptError{Path: p.Path}).Hint, "%s: %s", p.Path, p.What)
		}
	}
	return sound
}

// records names the runs whose record is damaged, and with --fix restores them. Those
// that a user has put away need nothing more.
func (c *checkup) records(ctx context.Context, s *store.Store, problems []store.Problem) {
	var wrong, away []store.Problem
	for _, p := range problems {
		switch {
		case p.Area != "records":
		case p.Archived:
			away = append(away, p)
		default:
			wrong = append(wrong, p)
		}
	}
	switch {
	case len(wrong) == 0:
		c.ok("records", "every state and every event is as it was recorded")
	case c.fix:
		c.repair(ctx)
	}
	for _, p := range wrong {
		if !c.fix {
			c.fail("records", next.Doctor("--fix"), "%s: %s", p.Path, p.What)
		}
	}
	c.putAway(ctx, s, away)
}

// putAway lists, in one note, the damaged runs that are archived or set aside.
func (c *checkup) putAway(ctx context.Context, s *store.Store, away []store.Problem) {
	var names []string
	for _, p := range away {
		names = append(names, p.Path)
	}
	aside, err := s.SetAsides(ctx)
	if err != nil {
		c.fail("records", exit.Classify(err).Hint, "%v", err)
		return
	}
	for _, a := range aside {
		names = append(names, fmt.Sprintf("%s %s (its rows of %s are in the table damaged)", a.Kind, a.ID, a.At.Local().Format(time.DateOnly)))
	}
	if len(names) > 0 {
		c.note("records", "damaged, archived and kept as they are: %s", strings.Join(names, ", "))
	}
}

func (c *checkup) repair(ctx context.Context) {
	s, err := c.openStore(ctx, false)
	if err != nil {
		c.fail("records", exit.Classify(err).Hint, "they could not be restored: %v", err)
		return
	}
	defer s.Close()
	done, err := s.Repair(ctx)
	if err != nil {
		c.fail("records", exit.Classify(err).Hint, "they could not be restored: %v", err)
	}
	for _, r := range done {
		switch {
		case r.Err == nil:
			c.ok("records", "%s %s: %s; restored from %s, and what it replaced is kept", r.Kind, r.ID, r.Damage, strings.Join(r.From, " and "))
		case r.Archived:
		case r.Kind == recovery.Plan:
			c.fail("records", next.Archive(r.ID)+" puts it away as it is; then its file can be run anew", "plan %s: %s; it was left as it is: %v", r.ID, r.Damage, r.Err)
		default:
			c.fail("records", next.Archive(r.ID)+" puts it away as it is", "%s %s: %s; it was left as it is: %v", r.Kind, r.ID, r.Damage, r.Err)
		}
	}
}
