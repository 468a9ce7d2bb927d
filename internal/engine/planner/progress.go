package planner

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// withProgress adds to the accepted work what ralph has written into the plan's file
// since head: the boxes, the statuses and the front matter, and those of plans in tasks'
// places. So no file in the user's tree is left modified. A file that is not in head, that is
// outside of the tree, or in which a person has changed more than that, stays as it is.
func (p *Planner) withProgress(ctx context.Context, r storedPlan, head, work string) (string, error) {
	edits, files, err := p.progressOf(ctx, r, head, work)
	if err != nil || len(edits) == 0 {
		return work, err
	}
	variant, err := p.Repo.Variant(ctx, work, edits)
	if err != nil {
		return work, err
	}
	return p.Repo.CommitContent(ctx, variant, git.Message{
		Text: "Mark the tasks of " + text.Few(files, 3) + " that are done", Time: p.Now(),
		Trailers: []git.Trailer{{Key: git.PlanTrailer, Value: r.State.ID}},
	}, work)
}

// progressOf are the changes of the files of a plan and of those in its tasks' places, and the
// files that change.
func (p *Planner) progressOf(ctx context.Context, r storedPlan, head, work string) (edits []git.Edit, files []string, err error) {
	spec, err := specOf(r)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // a damaged request hinders no merge
	}
	was, ok := p.inTree(spec.File)
	now, there := p.inTree(r.State.File)
	if ok && there {
		if edits, err = p.progressEdits(ctx, head, work, was, now, r.State.File); err != nil {
			return nil, nil, err
		}
	}
	if len(edits) > 0 {
		files = []string{now}
	}
	for _, t := range r.State.Tasks {
		if !t.Child || t.Landed == "" {
			continue
		}
		inner, err := p.Store.Read(ctx, t.Loop)
		if errors.Is(err, engine.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		more, names, err := p.progressOf(ctx, inner, head, work)
		if err != nil {
			return nil, nil, err
		}
		edits, files = append(edits, more...), append(files, names...)
	}
	return edits, files, nil
}

// progressEdits are the changes of the plan's file against the accepted work: none where
// the file is not progress alone.
func (p *Planner) progressEdits(ctx context.Context, head, work, was, now, path string) ([]git.Edit, error) {
	before, err := p.Repo.FileAt(ctx, head, was)
	if errors.Is(err, git.ErrNotFound) && was != now {
		was = now
		before, err = p.Repo.FileAt(ctx, head, was)
	}
	if errors.Is(err, git.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	after, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if landed, err := p.Repo.FileAt(ctx, work, was); err != nil || !bytes.Equal(landed, before) {
		return nil, nil //nolint:nilerr // the work changes or removes the file: that is the plan now
	}
	if was == now && bytes.Equal(before, after) || !onlyProgress(path, before, after) {
		return nil, nil
	}
	edits := []git.Edit{{Path: now, Mode: "100644", Data: after}}
	if was != now {
		edits = append(edits, git.Edit{Path: was})
	}
	return edits, nil
}

// inTree is a path below the tree that the work is accepted in, with slashes.
func (p *Planner) inTree(path string) (string, bool) {
	root, err := filepath.EvalSymlinks(p.Repo.Root)
	if p.Repo.Root == "" || err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, path)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// frontMatter is the head of a Markdown file between two lines of dashes.
var frontMatter = lazyregexp.New(`(?s)\A---\r?\n.*?\n---\r?\n`)

// onlyProgress reports whether two versions of a plan's file are the same plan, with
// other statuses.
func onlyProgress(path string, before, after []byte) bool {
	a, errA := planfile.Read(path, before)
	b, errB := planfile.Read(path, after)
	if errA != nil || errB != nil || a.Plan.Title != b.Plan.Title || !slices.EqualFunc(a.Plan.Tasks, b.Plan.Tasks, sameTask) {
		return false
	}
	if b := bytes.TrimSpace(before); len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return true
	}
	return body(before) == body(after)
}

func sameTask(a, b plan.Task) bool { return a.ID == b.ID && digest(a) == digest(b) }

// body is the text of a Markdown plan without its front matter and its ticks.
func body(data []byte) string {
	return ticks.ReplaceAllString(string(bytes.TrimSpace([]byte(frontMatter.ReplaceAllString(string(data), "")))), "$1 $2")
}
