package planner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// PlanID names the plan of a file: the same file is the same plan, wherever it
// is called from. The path is absolute, with symbolic links resolved.
func PlanID(path string) string {
	sum := sha256.Sum256([]byte(path))
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return cmp.Or(loop.Slug(name, 20), "x") + "-" + hex.EncodeToString(sum[:4])
}

// slug is the id of a task as a part of another id, or of the name of a file. One
// of which nothing is left has a digest there, so that tasks in any script stay
// apart.
func slug(text string, most int) string {
	if s := loop.Slug(text, most); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(text))
	return "x" + hex.EncodeToString(sum[:4])
}

// loopID is the name of a loop of a task: the nth whose name begins so, from 1.
func loopID(plan, task, what string, n int) string {
	id := plan + "-" + slug(task, 20) + what
	if n > 1 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// branchName is the branch of a plan's loop, beside the integration branch. Loops
// have names of their own, so branches have.
func branchName(plan, id string) string {
	return "ralph/" + plan + "/" + strings.TrimPrefix(id, plan+"-")
}

// loopID names the loop of a task's try; its suffix names the purpose of the
// loop. Two tasks whose names look alike get a number.
func (r *run) loopID(ctx context.Context, task, what string, try int) (string, error) {
	for n := try; ; n++ {
		id := loopID(r.state.ID, task, what, n)
		_, err := r.Loops.Show(ctx, id)
		if errors.Is(err, engine.ErrNotFound) && !r.taken(id) {
			return id, nil
		}
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return "", err
		}
	}
}

func (r *run) taken(id string) bool {
	for i := range r.state.Tasks {
		if t := &r.state.Tasks[i]; t.Loop == id || t.Repair == id {
			return true
		}
	}
	return false
}

// branchName of a loop of this plan.
func (r *run) branchName(id string) string { return branchName(r.spec.ID, id) }
