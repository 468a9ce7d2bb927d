package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine/planner"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/next"
	"ralph/internal/recovery"
	"ralph/internal/store"
)

// checkMemory looks into the database; without one there is nothing to check. A
// damaged or newer one is not touched.
func (c *checkup) checkMemory(ctx context.Context) {
	if c.project == nil {
		return
	}
	db := filepath.Join(c.project.Home, "ralph.db")
	if _, err := os.Lstat(db); errors.Is(err, fs.ErrNotExist) {
		c.note("database", "nothing is recorded here yet")
		c.strays(nil)
		return
	}
	s, err := c.memory(ctx, true)
	if err != nil {
		c.fail("database", exit.Classify(err).Hint, "%v", err)
		return
	}
	defer s.Close()
	problems, err := s.Check(ctx)
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
			c.warn("evidence", next.Doctor("--fix")+" sets it aside; ralph accept asks about the work (--allow evidence), and what was merged stays", "the archive of loop %s: %v", id, err)
		}
	}
}

// memory opens the database without waiting long: a doctor is called when
// something hangs.
func (c *checkup) memory(ctx context.Context, reading bool) (*store.Store, error) {
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
	s, err := c.memory(ctx, false)
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
	c.strays(known)
	c.seats(ctx, s)
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

// strays are folders among the worktrees that no loop knows.
func (c *checkup) strays(known []string) {
	root := c.TreeRoot(c.project)
	for _, name := range names(root) {
		path := filepath.Join(root, name)
		tree := strings.TrimSuffix(path, worker.SetupSuffix)
		if !git.Retired(name) && !strings.HasPrefix(name, planner.ReviewSlotsOf) && !slices.Contains(known, tree) {
			c.warn("worktrees", "if nothing in it is needed: rm -r '"+path+"' && git worktree prune", "%s is left over: no loop knows it", path)
		}
	}
}

// seats are trees of reviewers whose plan has no owner.
func (c *checkup) seats(ctx context.Context, s *store.Store) {
	left, err := planner.LeftReviewSlots(ctx, stored.Plans{Store: s}, c.TreeRoot(c.project))
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
	s, err := c.memory(ctx, false)
	if err == nil {
		defer s.Close()
		err = s.RebuildViews(ctx)
	}
	if err != nil {
		c.fail("views", "", "they could not be written again: %v", err)
		return
	}
	differ, err := s.Settled(ctx)
	for _, p := range differ {
		err = errors.Join(err, errors.New(p.String()))
	}
	if err != nil {
		c.fail("views", "", "they were written again and still differ: %v", err)
		return
	}
	c.ok("views", "written again: %s", c.project.Views)
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
	if left := project.Foreign(ctx, c.project.Place.MainRoot, s); len(left) > 0 {
		c.warn("migrate", "ralph migrate --dry-run", "state of another runner lies here, which ralph does not look at: %s", strings.Join(left, ", "))
	}
}
