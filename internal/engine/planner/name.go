package planner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
)

// PlanID names the plan of a file: the same file is the same plan, wherever it
// is called from. The path is absolute, with symbolic links resolved.
func PlanID(path string) string {
	sum := sha256.Sum256([]byte(path))
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return slug(name, 20) + "-" + hex.EncodeToString(sum[:2])
}

// slug is text as a part of an id, at most so many bytes.
func slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= most {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "x"
}

// loopID names the loop of a task's try. Two tasks whose names look alike get a
// number.
func (r *run) loopID(ctx context.Context, task string, try int) (string, error) {
	base := r.state.ID + "-" + slug(task, 24)
	for n := try; ; n++ {
		id := base
		if n > 1 {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		_, err := r.Engine.Show(ctx, id)
		if errors.Is(err, engine.ErrNoLoop) && !r.taken(id) {
			return id, nil
		}
		if err != nil && !errors.Is(err, engine.ErrNoLoop) {
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

// branchName of a task's loop, beside the integration branch. Loops have names
// of their own, so branches have.
func (r *run) branchName(loop string) string {
	return "ralph/" + r.state.ID + "/" + strings.TrimPrefix(loop, r.state.ID+"-")
}
