package advise

import (
	"fmt"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// hierarchy splits the plan into groups of at most GroupSize chains, as equal as
// can be. Tasks of a chain wait for each other, so a group has work for at most
// as many loops as it has chains.
func (a *Advice) hierarchy(left *plan.Graph) {
	size := min(GroupSize, a.most())
	chains := left.Cover()
	paths := 0
	for n := (len(chains) + GroupSize - 1) / GroupSize; n > 0; n-- {
		take := (len(chains) + n - 1) / n
		a.Groups = append(a.Groups, slices.Concat(chains[:take]...))
		chains = chains[take:]
		paths += loop.Paths(min(take, size))
	}
	paths += loop.Paths(len(a.Groups))
	a.Recommendation, a.Loops = Hierarchical, size
	a.Summary = fmt.Sprintf("%d groups with a parent of their own, each with at most %s at once.", len(a.Groups), text.Plural(size, "loop"))
	a.Paths, a.Band = paths, loop.BandOf(*a.Plan.Width).Range()
	a.add(Reason{
		Code: "paths", Says: Note, Value: new(float64(paths)), Unit: new("paths"), From: fromGuide,
		Text: fmt.Sprintf("%d loops side by side make %d communication paths; %d groups of at most %d make %d",
			*a.Plan.Width, loop.Paths(*a.Plan.Width), len(a.Groups), size, paths),
	})
	a.add(Reason{
		Code: "group", Says: Note, Value: new(float64(GroupSize)), Unit: new("loops"), From: fromSeed0,
		Text: fmt.Sprintf("an orchestration has at most %d loops; %s run at once in this repository", GroupSize, text.Plural(a.MaxLoops, "loop")),
	})
}
