package worker

import (
	"context"
	"fmt"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/text"
)

// findSuspects names the lines that the work adds to the product and that can end or
// steer a run of its tests. Work of which not all can be searched counts as if it had
// one.
func (w *Worker) findSuspects(ctx context.Context, s loop.State, tip string) (suspects []string, err error) {
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	work, err := w.files(ctx, tip)
	if err != nil {
		return nil, err
	}
	found, all, err := proof.Suspects(base, work, proof.Inspects(s.Gates), func(id string) ([]byte, error) {
		if id == "" {
			return nil, nil
		}
		return w.blob(ctx, id)
	})
	if err != nil {
		return nil, fmt.Errorf("search the changed sources of %s: %w", git.Short(tip), err)
	}
	suspects = firstOf(eachFile(found))
	if !all {
		suspects = append(suspects, "more changed sources than are searched for such code")
	}
	return suspects, nil
}

// eachFile names the first lines of each file that do the same, and the number of the
// others: no file hides those of another.
func eachFile(found []proof.Suspect) (names []string) {
	const most, widest = 3, 200
	type group struct{ file, what string }
	lines := map[group]int{}
	for _, f := range found {
		lines[group{f.Path, f.What}]++
	}
	seen := map[group]int{}
	for _, f := range found {
		g := group{f.Path, f.What}
		seen[g]++
		name := f.String()
		if more := lines[g] - most; seen[g] == most && more > 0 {
			name = fmt.Sprintf("%s:%d (and %d more like it) %s", f.Path, f.Line, more, f.What)
		}
		if seen[g] <= most {
			names = append(names, text.Clip(name, widest))
		}
	}
	return names
}

// firstOf are the first of what a person should look at, and the number of the others.
func firstOf(names []string) []string {
	const most = 30
	if len(names) <= most {
		return names
	}
	return append(names[:most:most], fmt.Sprintf("and %d more in the difference", len(names)-most))
}
