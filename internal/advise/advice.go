package advise

import (
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Question is everything the advice depends on.
type Question struct {
	// Plan is the plan to work on; nil asks about one more loop now.
	Plan *plan.Plan
	// File and Format name the plan.
	File, Format string
	// Past are loops of this repository; those that have not ended are left
	// out. Cut: there are older ones that were not read.
	Past []loop.Whole
	Cut  bool
	// Active are the loops that hold a place now.
	Active []loop.State
	// Max is how many may (limits.max_loops).
	Max int
}

// Advise returns the advice. An error is of type plan.Errors: the plan is invalid.
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

// Schema is the name of Advice's format.
const Schema = "ralph.advice/v1"

// Recommendation is the advice in one word.
type Recommendation string

// The recommendations: of a plan, then of one more loop now.
const (
	OneLoop      Recommendation = "one_loop"
	Loops        Recommendation = "loops"
	Hierarchical Recommendation = "hierarchical"
	Nothing      Recommendation = "nothing"

	GoAhead Recommendation = "go_ahead"
	Wait    Recommendation = "wait"
)

// Advice is the answer for people and programs. Null means unknown or absent.
type Advice struct {
	Schema string `json:"schema"`
	// About is "plan" or "now".
	About          string         `json:"about"`
	Recommendation Recommendation `json:"recommendation"`
	// Loops is how many at once; of a hierarchy in each group.
	Loops int `json:"loops"`
	// Summary is the advice in one sentence.
	Summary string `json:"summary"`
	// Groups of a hierarchy: ids of tasks.
	Groups [][]string `json:"groups"`
	// First are the tasks that can start now, the most urgent first.
	First []string `json:"first"`

	Reasons []Reason `json:"reasons"`
	// Assumed are sentences about unknown facts.
	Assumed []string `json:"assumed"`

	Plan    *Shape   `json:"plan"`
	History History  `json:"history"`
	Active  []Active `json:"active"`
	// MaxLoops is limits.max_loops.
	MaxLoops int `json:"max_loops"`
	// Paths of communication that the advice makes, and their band.
	Paths int    `json:"communication_paths"`
	Band  string `json:"band"`
}

// Reason is one thing that was weighed.
type Reason struct {
	Code   string `json:"code"`
	Favors Side   `json:"says"`
	Text   string `json:"text"`
	// Value was compared with Limit, both in Unit; null where nothing was.
	Value *float64 `json:"value"`
	Limit *float64 `json:"limit"`
	Unit  *string  `json:"unit"`
	// From is where the value comes from, Rule where the limit does.
	From string `json:"from"`
	Rule string `json:"rule"`
}

// Side is what a reason favors: many loops, one, or neither.
type Side string

// The sides.
const (
	ForMany Side = "many"
	ForOne  Side = "one"
	Unknown Side = "unknown"
	Note    Side = "note"
)

// Active is a loop that holds a place.
type Active struct {
	LoopID string   `json:"loop_id"`
	Task   string   `json:"task"`
	Parent *string  `json:"parent"`
	Scope  []string `json:"scope"`
}

func active(states []loop.State) []Active {
	out := []Active{}
	for _, s := range states {
		a := Active{LoopID: s.ID, Task: s.Task.Text, Scope: []string{}}
		if s.Parent != "" {
			a.Parent = &s.Parent
		}
		a.Scope = append(a.Scope, s.Task.Scope...)
		out = append(out, a)
	}
	return out
}

// against reports whether one reason is enough not to use many loops.
func (a *Advice) against() bool {
	for _, r := range a.Reasons {
		if r.Favors == ForOne {
			return true
		}
	}
	return false
}

func (a *Advice) add(r Reason) { a.Reasons = append(a.Reasons, r) }

func (a *Advice) crowd(n int) {
	a.Paths, a.Band = loop.Paths(n), loop.BandOf(n).Range()
}
