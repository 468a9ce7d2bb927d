package planner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// archive archives the file of a plan that is realised and has nothing open
// (seed 003), beside itself where that was configured. The store archives the
// plan when its work has been merged: until then users have to see it.
func (r *run) archive(ctx context.Context) error {
	if !r.state.Complete() || r.doc.plan.Status == plan.PlanArchived {
		return nil
	}
	written := r.doc.file.Write([]planfile.Change{{Kind: planfile.SetPlan, Plan: plan.PlanArchived}})
	if err := r.doc.write(written.Data); err != nil {
		return fmt.Errorf("archive the plan: %w", err)
	}
	if r.spec.MoveFile && !InArchive(r.doc.path) {
		if err := r.moveAside(ctx); err != nil {
			return fmt.Errorf("archive the plan: %w", err)
		}
	}
	if r.state.Tip != r.state.Base {
		return nil
	}
	return r.Store.Archive(ctx, r.state.ID)
}

// archiveDir is the folder beside a plan's file that takes it when it is over
// (seed 003).
const archiveDir = "archived"

// moveAside moves the plan's file, and records where it lies now.
func (r *run) moveAside(ctx context.Context) error {
	path, err := moveAside(r.doc.path)
	if errors.Is(err, errLinked) {
		return r.commit(ctx, plan.Noted{Stamp: r.stamp(), Text: "the plan's file stays where it is: " + err.Error()})
	}
	if err != nil {
		return err
	}
	next := r.state
	next.File = path
	if err := r.lease.Commit(ctx, next, nil); err != nil {
		return err
	}
	r.state = next
	return nil
}

// errLinked refuses to move a plan through a link, which may lead out of the repository.
var errLinked = errors.New(archiveDir + " beside it is no folder but a link")

// moveAside moves a file into archived/ beside it, under a free name, and
// returns its new path.
func moveAside(path string) (string, error) {
	dir := filepath.Join(filepath.Dir(path), archiveDir)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a folder of the project's own
		return "", err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return "", errLinked
	}
	ext := filepath.Ext(path)
	stem := filepath.Base(path[:len(path)-len(ext)])
	for n := 1; ; n++ {
		name := stem + ext
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		// A link fails where the name is taken; a rename would replace it.
		now := filepath.Join(dir, name)
		err := os.Link(path, now)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return now, os.Remove(path)
	}
}
