package engine

import "context"

// Named is a run in a list.
type Named interface{ RunID() string }

// RunID of a loop, of a plan and of a mark.
func (l Loop) RunID() string { return l.State.ID }
func (p Plan) RunID() string { return p.State.ID }
func (m Mark) RunID() string { return m.ID }

// mostUnclosed is how many runs that ended before the newest and may wait for a person
// are read for a list.
const mostUnclosed = 200

// Overview lists what a person looks at, of loops and of plans: the runs that have not
// ended, the newest of those that have (most of them, 0 is all), and of those before them the
// newest that may wait for a person. f selects among them.
func Overview[R Named](ctx context.Context, list func(context.Context, Filter) ([]R, error), f Filter, most int) (all []R, err error) {
	active, ended, unclosed := f, f, f
	active.Active, ended.Ended, ended.Limit = true, true, most
	unclosed.Unclosed, unclosed.Limit = true, mostUnclosed
	which := []Filter{active, ended, unclosed}
	if most == 0 {
		which = which[:2]
	}
	listed := map[string]bool{}
	for _, f := range which {
		some, err := list(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			if !listed[r.RunID()] {
				listed[r.RunID()], all = true, append(all, r)
			}
		}
	}
	return all, nil
}

// Unlisted counts the runs that Overview left out of a list of f.
func Unlisted[R Named](ctx context.Context, count func(context.Context, Filter) (int, error), f Filter, most int, all []R) (int, error) {
	if most == 0 || len(all) < most {
		return 0, nil
	}
	n, err := count(ctx, f)
	return max(n-len(all), 0), err
}
