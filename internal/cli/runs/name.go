package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// Names looks up the runs of one place, this machine or a server. Each function returns the
// id that an id or its beginning stands for; nil leaves out its kind. Plans finds a plan by
// the absolute path of its file too.
type Names struct {
	Plans, Loops func(ctx context.Context, name string) (string, error)
}

// Here looks up the runs of a project.
func Here(p *project.Project) Names { return Names{Plans: p.Plans.Find, Loops: p.Loops.Find} }

// Resolve returns the run that a name means: an id, a unique beginning of one, or the path of
// a plan's file. It is the only rule by which commands tell plans and loops apart.
func (n Names) Resolve(ctx context.Context, a *project.Opener, name string) (id string, isPlan bool, err error) {
	if path, err := launch.PlanPath(a, name); n.Plans != nil && err == nil && path != "" {
		if id, err := n.Plans(ctx, path); !errors.Is(err, engine.ErrNotFound) {
			return id, err == nil, err
		}
	}
	plans, err := matches(ctx, n.Plans, name)
	if err != nil {
		return "", false, err
	}
	loops, err := matches(ctx, n.Loops, name)
	if err != nil {
		return "", false, err
	}
	return match(name, plans, loops)
}

// matches returns the ids that a lookup finds: none, one or several.
func matches(ctx context.Context, lookup func(context.Context, string) (string, error), name string) ([]string, error) {
	if lookup == nil {
		return nil, nil
	}
	id, err := lookup(ctx, name)
	if several, ok := errors.AsType[*engine.AmbiguousError](err); ok {
		return several.IDs, nil
	}
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []string{id}, nil
}

// match decides what a name means that ids of plans and loops begin with: the exact id before
// a beginning, and a plan before the loops of its tasks, whose ids begin with the plan's. The
// ids are sorted, and where there are many, the last one is among them: when the first and
// the last one begin with the plan's id, those left out do.
func match(name string, plans, loops []string) (id string, isPlan bool, err error) {
	switch {
	case len(plans)+len(loops) == 0:
		return "", false, fmt.Errorf("%w: %s", engine.ErrNotFound, name)
	case slices.Contains(plans, name):
		return name, true, nil
	case slices.Contains(loops, name):
		return name, false, nil
	case len(plans) == 0 && len(loops) == 1:
		return loops[0], false, nil
	case len(plans) == 1 && !slices.ContainsFunc(loops, func(l string) bool { return !strings.HasPrefix(l, plans[0]+"-") }):
		return plans[0], true, nil
	}
	return "", false, &engine.AmbiguousError{Prefix: name, IDs: slices.Concat(plans, loops)}
}
