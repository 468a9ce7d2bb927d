package loop

import (
	"slices"
	"strings"
)

// Review is who looks at the work, and what counts as their approval.
type Review struct {
	// Kind is spec, quality or council; see package review.
	Kind      string  `json:"kind"`
	Reviewers []Agent `json:"reviewers"`
	// Unanimous, Need and Quorum are the rule of a council; without them more
	// than half decide.
	Unanimous bool `json:"unanimous,omitempty"`
	Need      int  `json:"need,omitempty"`
	Quorum    int  `json:"quorum,omitempty"`
	// Criteria limits it to tasks that have some; Labels, Phases and Paths to
	// tasks of a plan, and to work that changes one of these files: one of the
	// three is enough.
	Criteria bool     `json:"criteria,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Phases   []string `json:"phases,omitempty"`
	Paths    []string `json:"paths,omitempty"`
	// Self lets the author's own agent judge, in a fresh context, where too few
	// others can be had.
	Self bool `json:"self,omitempty"`
}

// Seats is how many runs of reviewers one review takes at most, when each of
// them answers at once. Magi are three, also where fewer agents are configured.
func (r Review) Seats() int {
	if r.Kind == Magi && len(r.Reviewers) > 0 {
		return max(MagiSeats, len(r.Reviewers))
	}
	return len(r.Reviewers)
}

// The review that looks at a plan, and how many look at least.
const (
	Magi      = "magi"
	MagiSeats = 3
)

// Work is what a review may be for.
type Work struct {
	// Criteria: the task says when it counts as done.
	Criteria bool
	// Labels and Phase are those of a plan's task.
	Labels []string
	Phase  string
}

// ReviewsFor leaves out the reviews that are not for this work. What depends on
// the files is known later, and stays.
func ReviewsFor(gates []Gate, w Work) []Gate {
	var out []Gate
	for _, g := range gates {
		if g.Review != nil {
			v, ok := g.Review.of(w)
			if !ok {
				continue
			}
			g.Review = &v
		}
		out = append(out, g)
	}
	return out
}

func (r *Review) of(w Work) (Review, bool) {
	v := r.clone()
	v.Criteria, v.Labels, v.Phases = false, nil, nil
	same := func(s string) func(string) bool { return func(o string) bool { return strings.EqualFold(o, s) } }
	named := w.Phase != "" && slices.ContainsFunc(r.Phases, same(w.Phase)) ||
		slices.ContainsFunc(w.Labels, func(l string) bool { return slices.ContainsFunc(r.Labels, same(l)) })
	switch {
	case r.Criteria && !w.Criteria:
		return v, false
	case named:
		v.Paths = nil // it matters, whatever it changes
		return v, true
	}
	return v, len(r.Labels)+len(r.Phases) == 0 || len(r.Paths) > 0
}
