package view

import (
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/scope"
	"ralph/internal/text"
)

// Overlap is another active loop that declares files as its own which this one
// declares too.
type Overlap struct {
	LoopID string       `json:"loop_id"`
	Globs  []scope.Pair `json:"globs"`
}

// OverlapsOf finds them among the loops of the same repository. A loop that has
// ended is in nobody's way.
func OverlapsOf(s loop.State, others []loop.State) []Overlap {
	var out []Overlap
	if len(s.Task.Scope) == 0 || s.Status.Terminal() {
		return nil
	}
	for _, o := range others {
		if o.ID == s.ID || o.Status.Terminal() {
			continue
		}
		if pairs := scope.Overlaps(s.Task.Scope, o.Task.Scope); len(pairs) > 0 {
			out = append(out, Overlap{o.ID, pairs})
		}
	}
	return out
}

// Words is an overlap in one line: internal/auth/** is also of loop b (**/*.go).
func (o Overlap) Words() string {
	var mine, theirs []string
	for _, p := range o.Globs {
		mine, theirs = once(mine, p.Mine), once(theirs, p.Theirs)
	}
	return "scope " + listed(mine, 3) + " overlaps with loop " + text.Line(o.LoopID) + " (" + listed(theirs, 3) + ")"
}

func once(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}

// forced says that a loop was made to run beside too many.
func forced(s loop.State) string {
	if s.ForcedOver == 0 {
		return ""
	}
	words := "beside " + text.Plural(s.ForcedOver, "loop") + " with --force: "
	return words + strings.TrimSuffix(loop.Crowd(s.ForcedOver+1), " (seed 001)")
}
