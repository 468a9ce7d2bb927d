package advise

import (
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Question is everything the advice depends on.
type Question struct {
	// Plan is what is to be worked on; nil asks about one more loop now.
	Plan *plan.Plan
	// File and Format name the plan.
	File, Format string
	// Past are loops of this repository; those that have not ended are left
	// out. Cut says that there are older ones that were not looked at.
	Past []loop.State
	Cut  bool
	// Active are the loops that hold a place now.
	Active []loop.State
	// Max is how many may (limits.max_loops).
	Max int
}

// Advise answers. The error is of type plan.Errors: the plan is not sound.
func Advise(q Question) (Advice, error) {
	a := Advice{
		Schema: Schema, About: "now", History: historyOf(q.Past, q.Cut), Active: active(q.Active), MaxLoops: q.Max,
		Groups: [][]string{}, First: []string{}, Assumed: []string{},
	}
	if q.Plan == nil {
		a.now(len(q.Active) + 1)
		return a, nil
	}
	g, err := q.Plan.Graph()
	if err != nil {
		return a, err
	}
	a.About = "plan"
	a.Plan = shapeOf(q, g)
	if a.Plan.Open == 0 {
		a.Recommendation, a.Summary = Nothing, "Every task of this plan is done."
		return a, nil
	}
	left, err := q.Plan.Open().Graph()
	if err != nil {
		return a, err
	}
	a.Plan.measure(left)
	a.plan(left)
	return a, nil
}
